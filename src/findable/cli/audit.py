"""`findable audit`: fetch pages, print their reports, and exit with a code for CI."""

import asyncio
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal, get_args

from cyclopts import Parameter

from findable.api.audits import reports_of
from findable.api.options import AuditOptions, AuditPace, AuditProgress
from findable.api.targets import AuditTarget, fetcher_for, http_fallback, identity_of, preview_origin_of, typed_url
from findable.cli.audit_gate import AuditVerdicts, Gate, read_baseline
from findable.cli.audit_text import AuditText
from findable.cli.changed_pages import ChangedPages, changed_files
from findable.cli.command_settings import load_settings
from findable.cli.config import ConfigFile, read_accepted, read_config, with_config
from findable.cli.exit_codes import NOT_LOADED
from findable.cli.formats import Export, Format, Language, Output, Target, check_output, export_targets
from findable.cli.gate_reasons import warn_of_expired
from findable.cli.given_files import read_list
from findable.cli.report_documents import JsonForm, ReportDocuments
from findable.cli.source_files import Source, SourceFiles, rules_of
from findable.cli.terminal import ProgressLine, Terminal, clean, ignore_closed_pipe
from findable.cli.waiting import Wait, is_available
from findable.errors import SettingError
from findable.reports.page_error_text import sitemap_sentence
from findable.settings import Settings
from findable.urls import move_to_origin, parse, without_fragment

MAX_PAGES = 1000


def audit(  # noqa: PLR0913 - the options of a command
    urls: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    /,
    *,
    list_: Annotated[Path | None, Parameter(name="--list", allow_leading_hyphen=True)] = None,
    sitemap: str | None = None,
    changed_from: str | None = None,
    wait: Wait = None,
    all_: Annotated[bool, Parameter(name="--all")] = False,
    plain: Annotated[bool, Parameter(negative=())] = False,
    format_: Annotated[Format, Parameter(name="--format")] = "text",
    output: Output = None,
    export: Export = (),
    source: Source = (),
    only_problems: bool = False,
    texts: Literal["all", "none"] = "all",
    array: Annotated[bool, Parameter(negative=())] = False,
    config: ConfigFile = None,
    fail_under: float | None = None,
    accept: Path | None = None,
    baseline: Path | None = None,
    fail_on: Literal["new", "failed", "score"] | None = None,
    language: Language = "en",
    request: AuditOptions | None = None,
    pace: AuditPace | None = None,
) -> int:
    """Fetch pages and print their reports.

    Args:
        urls: URLs of pages; hosts given here may be private.
        list_: Read URLs from this file, one per line ('-': standard input).
        sitemap: Read URLs from this sitemap (up to 1,000).
        changed_from: Of these pages, check those whose files (--source) changed since this git revision, and one of each template.
        all_: Print all findings, not only the first fixes.
        plain: Print the problems and warnings as text in plain words, for owners of a site.
        format_: text and pdf for people, the others for programs.
        only_problems: Omit findings that passed or could not be checked from JSON and CSV.
        texts: none: omit from JSON what findable checks ID explains, the same for every page.
        array: Print JSON of a single page as an array too.
        fail_under: Exit 1 below this score (default: if a page is rated bad).
        accept: TOML file of accepted findings.
        baseline: Earlier report (JSON) to compare with.
        fail_on: With --baseline, exit 1 on: new problems; new failed findings; a lower score.
        language: Language of text, Markdown and PDF; other formats are English.
    """
    settings = load_settings()
    given = read_config(config)
    request = with_config(with_config(request or AuditOptions(), given), given.audit)
    pace = with_config(pace or AuditPace(), given.audit)
    accepted = read_accepted(accept)
    acceptances = (*accepted, *given.acceptances)
    warn_of_expired(acceptances)
    if fail_on and not baseline:
        raise SettingError("--fail-on", "requires --baseline FILE")
    if baseline and not fail_on:
        raise SettingError("--baseline", "requires --fail-on new, failed or score")
    if fail_under is not None and not 0 <= fail_under <= 100:  # noqa: PLR2004 - scores
        raise SettingError("--fail-under", "must be a score from 0 to 100")
    gate = Gate(
        fail_under if fail_under is not None else given.thresholds.score,
        fail_on,
        read_baseline(baseline) if baseline else {},
        given.thresholds,
        given.budgets,
    )
    terminal = Terminal.detect(language=language)
    locate = SourceFiles(rules_of(source) or given.sources)
    targets = [Target(format_, output), *export_targets(export, get_args(Format))]
    _check(targets, is_plain=plain, is_long=all_)
    changed = ChangedPages(changed_files(changed_from), locate) if changed_from is not None else None
    if not urls and list_ is None and sitemap is None:
        urls, sitemap = given.audit.urls, given.audit.sitemap or None
    awaited = urls[0] if urls else sitemap if list_ is None else None
    if awaited is not None and not is_available(typed_url(awaited), wait, request, settings):
        return NOT_LOADED
    pages = _pages(urls, list_, sitemap, request, settings)
    if awaited is None and not is_available(pages[0].url, wait, request, settings):
        return NOT_LOADED
    if changed is not None:
        count, pages = len(pages), changed.select(pages, lambda page: page.url)
        sys.stderr.write(
            f"findable: {len(pages):,} of {count:,} pages are checked: changed since {clean(changed_from or '')}, or of a template\n"
        )
    _check(targets, len(pages))
    documents = ReportDocuments(
        targets, len(pages), locate, terminal.say, only_problems=only_problems, form=JsonForm(texts == "all", array)
    )
    text = AuditText(terminal, len(pages), everything=all_, is_plain=plain) if format_ == "text" else None
    verdicts = AuditVerdicts(gate)

    progress = ProgressLine(terminal)

    async def make() -> None:
        async for made in reports_of(pages, request, pace, settings, acceptances=acceptances, progress=_shown_on(progress)):
            verdicts.add(made.report)
            documents.add(made.report, made.duration_s)
            if text is not None:
                text.add(made.report)

    try:
        asyncio.run(make())
    finally:
        progress.clear()
    with ignore_closed_pipe():
        documents.close()
        if text is not None:
            text.close()
    verdicts.print_reasons()
    return verdicts.exit_code


def _shown_on(line: ProgressLine) -> Callable[[AuditProgress], None]:
    def show(now: AuditProgress) -> None:
        line.show(f"[{now.done + 1}/{now.of}] {now.url}: {now.stage} ({now.step + 1} of {now.steps})")

    return show


def _check(targets: Sequence[Target], pages_count: int = 1, *, is_plain: bool = False, is_long: bool = False) -> None:
    """Raise SettingError for options that exclude each other."""
    if is_plain and (is_long or targets[0].format_ != "text"):
        raise SettingError("--plain", "prints the problems and warnings as text: leave out --all and --format")
    for target in targets:
        check_output(target.format_, target.path, pages_count)


def _pages(
    urls: Sequence[str], list_: Path | None, sitemap: str | None, request: AuditOptions, settings: Settings
) -> Sequence[AuditTarget]:
    """Return the pages to audit, from the command line, the list and the sitemap, without duplicates. Raises SettingError if none."""
    texts = list(urls)
    if list_ is not None:
        texts += read_list(list_)
    pages = [AuditTarget(typed_url(text), http_fallback(text, request)) for text in texts]
    if sitemap is not None:
        pages += asyncio.run(_from_sitemap(sitemap, request, settings))
    if not pages:
        raise SettingError("URL", "no page to audit: give a URL, --list FILE or --sitemap URL, or list pages in .findable.toml")
    if len(pages) > MAX_PAGES:
        raise SettingError("URL", f"{len(pages)} URLs are too many; the maximum is {MAX_PAGES}")
    return list({page.url: page for page in reversed(pages)}.values())[::-1]


async def _from_sitemap(text: str, request: AuditOptions, settings: Settings) -> list[AuditTarget]:
    """Return the pages that a sitemap lists. With `--as`, URLs of the real site are replaced with those of the preview."""
    from findable.fetch.listed_urls import listed_urls

    places = [url for url in (typed_url(text), http_fallback(text, request)) if url]
    stands_for = preview_origin_of(request) or ""
    async with fetcher_for(request, settings, places) as fetcher:
        for url in places:
            along = identity_of(request, url)
            listed = await listed_urls(fetcher, url.href, MAX_PAGES + 1, identity=along, preview_of=stands_for)
            if not listed.has_no_response:
                break
    if listed.error is not None:
        raise SettingError("--sitemap", f"no URLs were found in {url.href}: {sitemap_sentence(listed.error)}")
    if len(listed.urls) > MAX_PAGES:
        sys.stderr.write(f"findable: the sitemap lists more than {MAX_PAGES:,} URLs; only the first ones are audited\n")
    return list(_sitemap_targets(listed.urls[:MAX_PAGES], url.origin, stands_for))


def _sitemap_targets(texts: Iterable[str], origin: str, preview_of: str) -> Iterator[AuditTarget]:
    """Yield the URLs of a sitemap, without those that contain credentials. ``origin``: origin of the sitemap."""
    for text in texts:
        written = parse(without_fragment(text))
        url = written and parse(move_to_origin(written.href, preview_of, origin))
        if url and not url.has_login:
            yield AuditTarget(url, is_own=url.origin == origin)
