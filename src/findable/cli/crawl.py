"""`findable crawl`: crawl a site, store the crawl in one file and print its report; an unfinished crawl is continued."""

import asyncio
import gc
import sys
from collections.abc import Callable, Collection
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Annotated, Literal, get_args

from cyclopts import Parameter

from findable.api.crawling_options import CrawlingOptions
from findable.api.crawls import CrawlPlan, plan_crawl, run_crawl
from findable.api.targets import typed_url
from findable.capture.crawl import CrawlEnd
from findable.cli.command_settings import load_settings
from findable.cli.config import ConfigFile, read_config, with_config
from findable.cli.crawl_gate import CrawlGate, open_baseline
from findable.cli.crawl_output import FOLDER_FORMATS, CrawlFormat, CrawlOutput, FinishedCrawl, require_packages
from findable.cli.exit_codes import NOT_LOADED, NOT_PASSED, PASSED
from findable.cli.formats import Export, Language, Output, Target, check_writable, export_targets
from findable.cli.gate_reasons import RATED_BAD, warn_of_expired
from findable.cli.given_files import read_text
from findable.cli.source_files import Source, SourceFiles, rules_of
from findable.cli.terminal import ProgressLine, Terminal, clean, ignore_closed_pipe
from findable.cli.waiting import Wait, is_available
from findable.crawl.comparable_crawls import FINISHED, basis_of
from findable.crawl.packed_verdicts import all_check_ids
from findable.crawl.progress import CrawlProgress
from findable.crawl.redirect_map import RedirectResult, map_lines, results_of
from findable.crawl.settings import RenderReason
from findable.crawl.tables import CrawlTable
from findable.errors import SettingError, Unavailable
from findable.export.table_files import TableFormat
from findable.malloc_arenas import share_malloc_arenas
from findable.service.crawls.crawl_run import report_of_crawl
from findable.store.crawl_file import CrawlFile
from findable.store.crawl_store import CrawlStoreError
from findable.store.extracted_values import unknown_count
from findable.store.redirect_rows import RedirectRows
from findable.urls import Url
from findable.wording import ENGLISH

BYTES_PER_PAGE = 10_000
MEGABYTE = 1_000_000
GC_THRESHOLD = 10_000
"""Number of new objects after which the garbage collector runs. Pages are analysed in other processes, so it finds little here: statements
leave one reference cycle each, which take 30 MB after 10,000 pages.
"""


def crawl(  # noqa: PLR0913 - the options of a command
    url: str | None = None,
    /,
    *,
    list_: Annotated[Path | None, Parameter(name="--list", allow_leading_hyphen=True)] = None,
    wait: Wait = None,
    format_: Annotated[CrawlFormat, Parameter(name="--format")] = "text",
    table: CrawlTable | None = None,
    plain: Annotated[bool, Parameter(negative=())] = False,
    output: Output = None,
    export: Export = (),
    source: Source = (),
    config: ConfigFile = None,
    fail_under: float | None = None,
    baseline: Path | None = None,
    fail_on: Literal["new", "failed"] | None = None,
    language: Language = "en",
    options: CrawlingOptions | None = None,
) -> int:
    """Crawl a site and print its report.

    Args:
        url: URL where the crawl begins; its host may be private.
        list_: Request only the URLs in this file, of the site if they are paths; 'URL TARGET' also checks where the URL leads.
        format_: text for people; json: findings and pages; csv, ndjson and parquet: pages; xlsx: all tables; the others: findings.
        table: Print a table of the crawl as csv (default), ndjson, parquet or xlsx; sitemap-xml is XML, changes needs --baseline.
        plain: Print the problems and warnings as text in plain words, for owners of a site.
        fail_under: Exit 1 below this score (default: if the site is rated bad).
        baseline: File of an earlier crawl; exit 1 if pages are missing, no longer indexable, without a title or have a canonical URL on
            another host.
        fail_on: With --baseline, also exit 1 on: findings that are new or worse; only those that failed.
        language: Language of text and Markdown; other formats are English.
    """
    given = read_config(config)
    options = with_config(with_config(options or CrawlingOptions(), given), given.crawl)
    url = given.crawl.url if url is None and list_ is None and given.crawl.url else url
    plan = plan_crawl(url, _read_list(list_, url), options, load_settings())
    terminal = Terminal.detect(language=language)
    if table is not None and format_ not in ("text", *TableFormat):
        raise SettingError("--table", f"cannot be printed as another format than {', '.join(TableFormat)}")
    if table is CrawlTable.CHANGES and baseline is None:
        raise SettingError("--table", "changes requires --baseline FILE")
    if plain and (table is not None or format_ != "text"):
        raise SettingError("--plain", "prints the problems and warnings as text: leave out --table and --format")
    format_ = "csv" if table is not None and format_ == "text" else format_
    if fail_on and baseline is None:
        raise SettingError("--fail-on", "requires --baseline FILE")
    warn_of_expired(given.acceptances)
    locate = SourceFiles(rules_of(source) or given.sources)
    outputs = [Target(format_, output), *export_targets(export, get_args(CrawlFormat), FOLDER_FORMATS)]
    require_packages(outputs)
    check_writable(outputs[0])
    if baseline is not None and baseline.resolve() == plan.path.resolve():
        raise SettingError("--baseline", "is the file of this crawl; use another --store for the new crawl")
    share_malloc_arenas()
    if not is_available(plan.start, wait, options, plan.settings):
        return NOT_LOADED
    least = fail_under if fail_under is not None else given.thresholds.score
    try:
        with ExitStack() as opened:
            earlier = open_baseline(baseline)
            if earlier is not None:
                opened.callback(earlier.close)
            file = opened.enter_context(closing(CrawlFile(plan.path)))
            gate = CrawlGate(least, earlier, given.thresholds, given.acceptances, fail_on)
            return _crawl(file, plan.continuing(file), CrawlOutput(tuple(outputs), table, terminal, locate, plain), gate)
    except (CrawlStoreError, Unavailable) as error:
        raise SettingError("--store", str(error)) from error


def _crawl(file: CrawlFile, plan: CrawlPlan, printing: CrawlOutput, gate: CrawlGate) -> int:
    all_check_ids()
    gc.freeze()  # what is imported stays
    gc.set_threshold(GC_THRESHOLD)
    _announce(file, plan)
    progress = ProgressLine(printing.terminal)
    try:
        state = asyncio.run(run_crawl(file, plan, _progress_printer(progress), gate.baseline))
    except KeyboardInterrupt:
        sys.stderr.write(f"findable: stopped. Run the same command to continue the crawl in {clean(str(file.path))}\n")
        raise
    finally:
        progress.clear()
    report = gate.with_accepted(report_of_crawl(file, state))
    comparison = gate.comparison(file, state)
    with file.reading() as connection:
        unknown = unknown_count(connection, state.settings.extractors)
        if unknown:
            sys.stderr.write(f"findable: the responses of {unknown:,} pages are not stored: their extracted values are unknown\n")
        redirects = tuple(RedirectRows(connection, state).each()) if state.settings.expected else ()
    finished_crawl = FinishedCrawl(file, state, report, comparison, redirects)
    with ignore_closed_pipe():
        printing.write(finished_crawl)
    reasons = gate.reasons(report, comparison, redirects)
    _print_reasons(finished_crawl, gate, reasons)
    return _exit_code(finished_crawl, reasons, plan.limits)


def _progress_printer(progress: ProgressLine) -> Callable[[CrawlProgress], None]:
    def show(now: CrawlProgress) -> None:
        progress.show(", ".join((now.words(), *now.parts(), *now.by_status().values())))

    return show


def _announce(file: CrawlFile, plan: CrawlPlan) -> None:
    """Print the maximum number of requests, time and size of a new crawl, or that a crawl continues, on standard error."""
    wanted = plan.wanted
    if file.state() is None:
        count = len(wanted.urls) or wanted.url_limit
        size = f"{(len(wanted.urls) or wanted.pages) * BYTES_PER_PAGE / MEGABYTE:,.0f} MB in {file.path}"
        requests = count + wanted.max_requests - wanted.url_limit
        needs = f"up to {requests:,} requests, {ENGLISH.duration(requests / wanted.rate)} at {wanted.rate:g} a second, {size}"
        sys.stderr.write(f"findable: {clean(needs)}. Run the same command to continue a stopped crawl\n")
        if wanted.render_reason is RenderReason.BROWSER:
            sys.stderr.write("findable: some pages of each template are opened in the installed browser; --render never opens none\n")
    else:
        sys.stderr.write(f"findable: continuing the crawl in {clean(str(file.path))}\n")
    if plan.lacks_browser:
        sys.stderr.write("findable: no browser is installed here: further pages are checked as sent\n")


def _print_reasons(finished_crawl: FinishedCrawl, gate: CrawlGate, reasons: Collection[str]) -> None:
    """Print the reasons why the site did not pass, and what was not compared with the baseline, on standard error."""
    comparison = finished_crawl.comparison
    for reason in reasons:
        if reason != RATED_BAD:
            sys.stderr.write(f"findable: {clean(reason)}\n")
    if comparison is not None and comparison.not_comparable is not None:
        sys.stderr.write(f"findable: not compared with the baseline: {comparison.not_comparable.words}\n")
    elif comparison is not None and (basis_of(finished_crawl.state).is_limited or gate.is_baseline_limited):
        sys.stderr.write("findable: a crawl ended at a limit, so only pages that both requested are compared with the baseline\n")
    if comparison is not None and comparison.findings.ruleset_before:
        rulesets = f"ruleset {comparison.findings.ruleset_before}, this is {finished_crawl.state.ruleset}"
        sys.stderr.write(f"findable: findings not compared: {clean(rulesets)}\n")
    elif comparison is not None and comparison.findings.reason is not None:
        sys.stderr.write(f"findable: some findings not compared with the baseline: {comparison.findings.reason.words}\n")


def _exit_code(finished_crawl: FinishedCrawl, reasons: Collection[str], limits: frozenset[CrawlEnd]) -> int:
    """Return 1 if there are reasons why the site did not pass, else 3 if the crawl is incomplete or not comparable, else 0.

    A crawl that ended at one of the chosen ``limits`` is complete. A blocked one is incomplete, whatever the reasons.
    """
    if reasons and finished_crawl.state.ended_by is not CrawlEnd.BLOCKED:
        return NOT_PASSED
    is_compared = finished_crawl.comparison is None or finished_crawl.comparison.not_comparable is None
    unknown = (
        results_of(finished_crawl.redirects).get(RedirectResult.NOT_REQUESTED, 0)
        if finished_crawl.redirects
        else int(finished_crawl.report.score is None)
    )
    return PASSED if finished_crawl.state.ended_by in FINISHED | limits and not unknown and is_compared else NOT_LOADED


def _read_list(path: Path | None, url: str | None) -> list[tuple[Url, ...]]:
    """Return the rows of a `--list` file: a URL, or a URL and its expected redirect target; paths are of the site. Raises SettingError."""
    if path is None:
        return []
    rows = []
    for line in map_lines(read_text(path, "--list").splitlines(), "" if url is None else typed_url(url).origin):
        if line.problem:
            raise SettingError("--list", line.error(line.problem))
        try:
            rows.append(tuple(typed_url(text) for text in line.cells))
        except SettingError as error:
            hint = "; give the URL of the site too: findable crawl URL --list FILE" if "/" in {text[0] for text in line.cells} else ""
            raise SettingError("--list", line.error(f"{error}{hint}")) from error
    if not rows:
        raise SettingError("--list", f"{'standard input' if str(path) == '-' else path} contains no URL")
    return rows
