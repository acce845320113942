"""`findable crawl`: crawl a site, store the crawl in one file and print its report; an unfinished crawl is continued."""

import asyncio
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack, ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Annotated, Literal, get_args

from cyclopts import Parameter
from msgspec import Struct, structs

from findable.capture.crawl import CrawlEnd
from findable.cli.audit_requests import (
    Access,
    PreviewOf,
    VisitOptions,
    Wait,
    browser_options_of,
    fetcher_for,
    http_fallback,
    identity_of,
    is_available,
    number_in_range,
    origin_of_option,
    pool_for,
    read_list,
    typed_url,
    valid_patterns,
)
from findable.cli.command_settings import load_settings
from findable.cli.config import ConfigFile, read_config
from findable.cli.crawl_gate import CrawlGate, open_baseline
from findable.cli.crawl_output import CrawlFormat, CrawlOutput, FinishedCrawl
from findable.cli.exit_codes import NOT_LOADED, NOT_PASSED, PASSED
from findable.cli.formats import Export, Language, Output, Target, check_writable, export_targets
from findable.cli.gate import RATED_BAD, warn_of_expired
from findable.cli.source_files import Source, SourceFiles, rules_of
from findable.cli.terminal import ProgressLine, Terminal, clean, ignore_closed_pipe
from findable.crawl.changes import FINISHED, basis_of
from findable.crawl.extractors import Extractor, problem_of_all
from findable.crawl.redirect_map import RedirectResult, results_of
from findable.crawl.scope import (
    CONFIRM_AFTER_S,
    CONNECTIONS,
    DEFAULT_PAGES,
    DEFAULT_RATE,
    MAX_CONNECTIONS,
    MAX_PAGES,
    MAX_RATE,
    CrawlSettings,
    Extent,
    Render,
    RenderReason,
    RobotsRules,
)
from findable.crawl.state import CrawlState
from findable.crawl.tables import CrawlTable
from findable.crawl.visits import CrawlProgress
from findable.errors import SettingError, Unavailable
from findable.fetch.browser.browser_doctor import examine_browser
from findable.fetch.browser.browser_program import configured_browser
from findable.service.crawls.crawl_comparing import StoredCrawl
from findable.service.crawls.crawl_rescoring import rescore_crawl
from findable.service.crawls.crawl_run import CrawlRun, report_of_crawl
from findable.settings import Settings
from findable.store.crawl_file import CrawlFile
from findable.store.crawl_store import CrawlStoreError
from findable.store.extracted_values import unknown_count
from findable.store.redirect_rows import RedirectRows
from findable.urls import Url, move_to_origin, project_name
from findable.worker.analysis_pool import AnalysisPool

BYTES_PER_PAGE = 10_000
MEGABYTE = 1_000_000
PRELOADED = ("findable.crawler",)


class _CrawlRun(Struct, frozen=True):
    """Inputs of a crawl: its file, settings, URLs and access."""

    file: CrawlFile
    wanted: CrawlSettings
    start: Url
    fallback: Url | None
    """http URL to try if the start URL, which was typed without a scheme, is unreachable over https."""
    targets: tuple[Url, ...]
    access: Access
    settings: Settings
    terminal: Terminal
    has_default_render: bool
    """Whether `--render` was not used."""
    limits: frozenset[CrawlEnd] = frozenset()
    """Ends of a crawl at a limit that was chosen, not the default one; such a crawl passes or fails by what it requested."""


def crawl(  # noqa: PLR0913 - the options of a command
    url: Annotated[str | None, Parameter(help="URL where the crawl begins; its host may be private.")] = None,
    /,
    *,
    list_: Annotated[
        Path | None,
        Parameter(
            name="--list",
            allow_leading_hyphen=True,
            help="Request only the URLs in this file; 'URL TARGET' also checks where the URL leads.",
        ),
    ] = None,
    store: Annotated[Path | None, Parameter(help="File of the crawl (default: HOST.crawl.sqlite). The same command continues it.")] = None,
    pages: Annotated[int | None, Parameter(help=f"Maximum number of URLs to request (default: {DEFAULT_PAGES}).")] = None,
    depth: Annotated[int | None, Parameter(help="Maximum number of clicks from the start page.")] = None,
    seconds: Annotated[int | None, Parameter(help="Maximum duration.")] = None,
    scope: Annotated[
        Extent, Parameter(help="origin: scheme, host and port; host: also http and www; domain: all subdomains.")
    ] = Extent.ORIGIN,
    host: Annotated[tuple[str, ...], Parameter(help="Further host of the same site. May be repeated.")] = (),
    extract: Annotated[
        tuple[str, ...],
        Parameter(
            help="Additional column of the pages: 'NAME=h1' (text of the first element), 'NAME=a@href' (attribute), 'NAME=all: .tag', "
            "'NAME=count: img', 'NAME=contains: words'. May be repeated."
        ),
    ] = (),
    include: Annotated[tuple[str, ...], Parameter(help="Pattern of URLs to crawl: /shop/*. May be repeated.")] = (),
    exclude: Annotated[tuple[str, ...], Parameter(help="Pattern of URLs not to crawl. May be repeated.")] = (),
    as_: PreviewOf = None,
    robots: Annotated[
        RobotsRules, Parameter(help="Rules of robots.txt to obey: those for Findable, for Googlebot, or none.")
    ] = RobotsRules.FINDABLE,
    render: Annotated[
        Render | None,
        Parameter(
            help="Pages to load in the installed Chromium: never; needed: pages built by scripts; sample: three of each"
            " template, and all pages of a template that scripts change, up to 5 % of the pages; all (default: sample where a browser"
            " works, else never)."
        ),
    ] = None,
    rate: Annotated[float | None, Parameter(help=f"Maximum requests per second (default: {DEFAULT_RATE:g}).")] = None,
    connections: Annotated[int | None, Parameter(help=f"Maximum requests at the same time (default: {CONNECTIONS}).")] = None,
    external: Annotated[
        bool, Parameter(negative=(), help="Request links to other sites too, without following them: up to 2,000, and 100 to one host.")
    ] = False,
    wait: Wait = None,
    confirm_after: Annotated[float, Parameter(help="Seconds before a failed URL is requested once more.")] = CONFIRM_AFTER_S,
    format_: Annotated[
        CrawlFormat,
        Parameter(name="--format", help="text for people; json: findings and pages; csv and ndjson: pages; the others: findings."),
    ] = "text",
    table: Annotated[
        CrawlTable | None,
        Parameter(help="Print a table of the crawl as csv (default) or ndjson; sitemap-xml is XML, changes needs --baseline."),
    ] = None,
    output: Output = None,
    export: Export = (),
    source: Source = (),
    config: ConfigFile = None,
    fail_under: Annotated[float | None, Parameter(help="Exit 1 below this score (default: if the site is rated bad).")] = None,
    baseline: Annotated[
        Path | None,
        Parameter(
            help="File of an earlier crawl; exit 1 if pages are missing, no longer indexable, without a title or have a "
            "canonical URL on another host."
        ),
    ] = None,
    fail_on: Annotated[
        Literal["new", "failed"] | None,
        Parameter(help="With --baseline, also exit 1 on: findings that are new or worse; only those that failed."),
    ] = None,
    language: Annotated[Language, Parameter(help="Language of text and Markdown; other formats are English.")] = "en",
    visits: VisitOptions | None = None,
    access: Access | None = None,
) -> int:
    """Crawl a site and print its report."""
    access = access or Access()
    settings = load_settings()
    given = read_config(config)
    own = given.crawl
    url = own.url if url is None and list_ is None and own.url else url
    as_ = as_ if as_ is not None else given.as_ or None
    terminal = Terminal.detect(language=language)
    rows = _read_list(list_)
    listed = list({row[0].href: row[0] for row in rows}.values())
    if (url is None) == (not listed):
        raise SettingError("URL", "no site to crawl: give a URL or --list FILE")
    start = typed_url(url) if url is not None else listed[0]
    public = origin_of_option(as_, "--as") if as_ is not None else start.origin
    as_public = partial(move_to_origin, origin=start.origin, to=public)
    targets = {row[0].href: row[1] for row in rows if len(row) > 1}
    crawl_settings = CrawlSettings(
        as_public(start.href),
        extent=scope,
        hosts=tuple(dict.fromkeys((*host, *(target.host for target in targets.values())))),
        extractors=_extractors(extract),
        include=valid_patterns("--include", include or own.include),
        exclude=valid_patterns("--exclude", exclude or own.exclude),
        pages=number_in_range("--pages", pages if pages is not None else own.pages or DEFAULT_PAGES, 1, MAX_PAGES),
        depth=depth if depth is not None else own.depth,
        seconds=seconds,
        robots=robots,
        render=render or Render.NEVER,
        browser=browser_options_of(visits or VisitOptions()),
        rate=number_in_range("--rate", rate if rate is not None else own.rate or DEFAULT_RATE, 0.01, MAX_RATE),
        connections=number_in_range(
            "--connections", connections if connections is not None else own.connections or CONNECTIONS, 1, MAX_CONNECTIONS
        ),
        confirm_after_s=confirm_after,
        external=external,
        urls=tuple(as_public(item.href) for item in listed),
        expected=tuple((as_public(item), as_public(target.href)) for item, target in targets.items()),
        preview_origin=start.origin if public != start.origin else "",
    )
    if table is not None and format_ not in ("text", "csv", "ndjson"):
        raise SettingError("--table", "cannot be printed as another format than csv or ndjson")
    if table is CrawlTable.CHANGES and baseline is None:
        raise SettingError("--table", "changes requires --baseline FILE")
    format_ = "csv" if table is not None and format_ == "text" else format_
    if fail_on and baseline is None:
        raise SettingError("--fail-on", "requires --baseline FILE")
    warn_of_expired(given.acceptances)
    locate = SourceFiles(rules_of(source) or given.sources)
    outputs = [Target(format_, output), *export_targets(export, get_args(CrawlFormat))]
    check_writable(outputs[0])
    path = store or Path(f"{project_name(start.href).replace(':', '_')}.crawl.sqlite")
    if baseline is not None and baseline.resolve() == path.resolve():
        raise SettingError("--baseline", "is the file of this crawl; use another --store for the new crawl")
    if not is_available(start, wait, access, settings):
        return NOT_LOADED
    least = fail_under if fail_under is not None else given.thresholds.score
    try:
        with ExitStack() as opened:
            earlier = open_baseline(baseline)
            if earlier is not None:
                opened.callback(earlier.close)
            file = opened.enter_context(closing(CrawlFile(path)))
            limits = frozenset(end for end, limit in ((CrawlEnd.PAGES, pages or own.pages), (CrawlEnd.TIME, seconds)) if limit is not None)
            fallback = http_fallback(url, access) if url and public == start.origin else None
            crawling = _CrawlRun(
                file, crawl_settings, start, fallback, tuple(targets.values()), access, settings, terminal, render is None, limits
            )
            gate = CrawlGate(least, earlier, given.thresholds, given.acceptances, fail_on)
            return _crawl(crawling, CrawlOutput(tuple(outputs), table, terminal, locate), gate)
    except (CrawlStoreError, Unavailable) as error:
        raise SettingError("--store", str(error)) from error


def _crawl(crawling: _CrawlRun, printing: CrawlOutput, gate: CrawlGate) -> int:
    file, crawl_settings = crawling.file, crawling.wanted
    known = file.state()
    if known is not None and known.typed_url not in (crawl_settings.start_url, str(crawling.fallback)):
        raise SettingError("--store", f"{file.path} is a crawl of {known.typed_url}; use another file")
    if known is not None:
        extractors = crawl_settings.extractors or known.settings.extractors
        crawl_settings = structs.replace(crawl_settings, extractors=extractors, segments=known.settings.segments)
    if crawling.has_default_render:
        crawl_settings = _with_default_render(crawl_settings, known, crawling.settings)
    crawling = structs.replace(crawling, wanted=crawl_settings)
    _announce(file, crawl_settings, known)
    try:
        state = asyncio.run(_run(crawling, gate.baseline))
    except KeyboardInterrupt:
        sys.stderr.write(f"findable: stopped. Run the same command to continue the crawl in {clean(str(file.path))}\n")
        raise
    report = gate.with_accepted(report_of_crawl(file, state))
    comparison = gate.comparison(StoredCrawl(file, state))
    with file.reading() as connection:
        unknown = unknown_count(connection, state.settings.extractors)
        if unknown:
            sys.stderr.write(f"findable: the responses of {unknown:,} pages are not stored: their extracted values are unknown\n")
        redirects = tuple(RedirectRows(connection, state).each()) if state.settings.expected else ()
    finished_crawl = FinishedCrawl(file, state, report, comparison, redirects)
    with ignore_closed_pipe():
        printing.write(finished_crawl)
    return _exit_code(finished_crawl, gate, crawling.limits)


def _with_default_render(crawl_settings: CrawlSettings, earlier: CrawlState | None, settings: Settings) -> CrawlSettings:
    """Return the settings with the default choice of pages to render; a continued crawl keeps its choice."""
    if earlier is not None:
        return structs.replace(crawl_settings, render=earlier.settings.render, render_reason=earlier.settings.render_reason)
    program = configured_browser(settings)
    return crawl_settings.with_default_render(works=program is not None and examine_browser(program).is_usable)


async def _run(crawling: _CrawlRun, earlier: CrawlFile | None) -> CrawlState:
    progress = ProgressLine(crawling.terminal)
    pool = AnalysisPool(crawling.settings.analysis_processes, preload=PRELOADED)
    identity = identity_of(crawling.access, crawling.start)
    places = [crawling.start, *crawling.targets, *([crawling.fallback] if crawling.fallback else [])]
    try:
        async with fetcher_for(crawling.access, crawling.settings, places) as fetcher:
            async with AsyncExitStack() as browsers:
                render = None
                if crawling.wanted.render is not Render.NEVER and not _continues_without_browser(crawling):
                    render = (await browsers.enter_async_context(pool_for(crawling.settings, fetcher, "--render"))).render
                run = CrawlRun(
                    crawling.file,
                    fetcher,
                    pool,
                    identity=identity,
                    fallback_url=crawling.fallback.href if crawling.fallback else "",
                    on_progress=_progress_printer(progress),
                    earlier=earlier,
                    render=render,
                )
                state = await run.run(crawling.wanted)
            return await rescore_crawl(crawling.file, state, crawling.wanted, pool, _progress_printer(progress))
    finally:
        progress.clear()
        await pool.close()


def _continues_without_browser(crawling: _CrawlRun) -> bool:
    """Return whether no browser is installed here for a crawl that started with one; then print a warning."""
    is_missing = crawling.has_default_render and configured_browser(crawling.settings) is None
    if is_missing:
        sys.stderr.write("findable: no browser is installed here: further pages are checked as sent\n")
    return is_missing


def _progress_printer(progress: ProgressLine) -> Callable[[CrawlProgress], None]:
    def show(now: CrawlProgress) -> None:
        limited = ", limited by politeness" if now.limited_by == "politeness" else ""
        progress.show(f"{now.done:,} of {now.of:,} URLs, {now.pages_per_second:.1f} a second{limited}, about {_duration(now.eta_s)} left")

    return show


def _duration(seconds: float) -> str:
    if seconds < _TWO_MINUTES:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 60 * _TWO_MINUTES else f"{seconds / 3600:.1f} h"


_TWO_MINUTES = 120


def _announce(file: CrawlFile, crawl_settings: CrawlSettings, earlier: CrawlState | None) -> None:
    """Print the maximum number of requests, time and size of a new crawl, or that a crawl continues, on standard error."""
    if earlier is None:
        count = len(crawl_settings.urls) or crawl_settings.pages
        size = f"{count * BYTES_PER_PAGE / MEGABYTE:,.0f} MB in {file.path}"
        requests = count + crawl_settings.max_requests - crawl_settings.pages
        needs = f"up to {requests:,} requests, {_duration(requests / crawl_settings.rate)} at {crawl_settings.rate:g} a second, {size}"
        sys.stderr.write(f"findable: {clean(needs)}. Run the same command to continue a stopped crawl\n")
        if crawl_settings.render_reason is RenderReason.BROWSER:
            sys.stderr.write("findable: some pages of each template are opened in the installed browser; --render never opens none\n")
    else:
        sys.stderr.write(f"findable: continuing the crawl in {clean(str(file.path))}\n")


def _exit_code(finished_crawl: FinishedCrawl, gate: CrawlGate, limits: frozenset[CrawlEnd]) -> int:
    """Return 1 if the site did not pass, else 3 if the crawl is incomplete or not comparable, else 0; print the reasons.

    A crawl that ended at one of the chosen ``limits`` is complete.
    """
    comparison = finished_crawl.comparison
    reasons = gate.reasons(finished_crawl.report, comparison, finished_crawl.redirects)
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
    is_blocked = finished_crawl.state.ended_by is CrawlEnd.BLOCKED  # nothing was crawled, even if the verdict is bad
    if reasons and not is_blocked:
        return NOT_PASSED
    is_compared = comparison is None or comparison.not_comparable is None
    unknown = (
        results_of(finished_crawl.redirects)[RedirectResult.NOT_REQUESTED]
        if finished_crawl.redirects
        else int(finished_crawl.report.score is None)
    )
    return PASSED if finished_crawl.state.ended_by in FINISHED | limits and not unknown and is_compared else NOT_LOADED


def _read_list(path: Path | None) -> list[tuple[Url, ...]]:
    """Return the rows of a `--list` file: a URL, or a URL and its expected redirect target. Raises SettingError."""
    if path is None:
        return []
    rows = [line.split() for line in read_list(path)]
    for row in rows:
        if len(row) > _URL_AND_TARGET:
            raise SettingError("--list", f"a line has more than a URL and its target: {' '.join(row)}")
    return [tuple(typed_url(text) for text in row) for row in rows]


_URL_AND_TARGET = 2


def _extractors(options: tuple[str, ...]) -> tuple[Extractor, ...]:
    extractors = tuple(Extractor(name.strip(), rule.strip()) for name, _, rule in (option.partition("=") for option in options))
    if wrong := problem_of_all(extractors):
        raise SettingError("--extract", wrong)
    return extractors
