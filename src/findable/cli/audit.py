"""`findable audit`: fetch pages, print reports, set an exit code for CI."""

import asyncio
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from findable.cli.audit_requests import (
    AuditOptions,
    AuditTarget,
    fetcher_for,
    http_twin,
    identity_of,
    judged_as_of,
    read_text,
    reports_of,
    typed_url,
)
from findable.cli.command_settings import given_settings
from findable.cli.exit_codes import NOT_SEEN
from findable.cli.formats import Format, Language, Output, check_output, print_documents
from findable.cli.gate import RATED_BAD, Gate, read_baseline
from findable.cli.report_text import report_lines
from findable.cli.terminal import ProgressLine, Terminal, clean, ignore_closed_pipe
from findable.errors import SettingError
from findable.reports.acceptance import read_acceptances
from findable.reports.page_error_text import sitemap_sentence
from findable.reports.report import Report
from findable.settings import Settings
from findable.urls import moved, parse, without_fragment
from findable.wording import Wording, later

FINE, GATED = 0, 1
"""Exit codes; 2 means wrong usage."""
MAX_PAGES = 1000


def audit(  # noqa: PLR0913 - the options of a command
    urls: Annotated[tuple[str, ...], Parameter(help="URLs of pages; hosts given here may be private.", negative=())] = (),
    /,
    *,
    list_: Annotated[
        Path | None,
        Parameter(name="--list", allow_leading_hyphen=True, help="Read URLs from this file, one per line ('-': standard input)."),
    ] = None,
    sitemap: Annotated[str | None, Parameter(help="Read URLs from this sitemap (up to 1,000).")] = None,
    all_: Annotated[bool, Parameter(name="--all", help="Print all findings, not only what to fix first.")] = False,
    format_: Annotated[Format, Parameter(name="--format", help="text and pdf for people, the others for programs.")] = "text",
    output: Output = None,
    fail_under: Annotated[float | None, Parameter(help="Exit 1 below this score (default: if a page is rated bad).")] = None,
    accept: Annotated[Path | None, Parameter(help="TOML file of accepted findings.")] = None,
    baseline: Annotated[Path | None, Parameter(help="Earlier report (JSON) to compare with.")] = None,
    fail_on: Annotated[
        Literal["new", "failed", "score"] | None,
        Parameter(help="With --baseline, exit 1 on: new problems; new failed findings; a lower score."),
    ] = None,
    language: Annotated[Language, Parameter(help="Language of text, Markdown and PDF; other formats are English.")] = "en",
    request: AuditOptions | None = None,
) -> int:
    """Fetch pages and print their reports."""
    request = request or AuditOptions()
    settings = given_settings()
    acceptances = read_acceptances(read_text(accept, "--accept"), str(accept)) if accept else ()
    if fail_on and not baseline:
        raise SettingError("--fail-on", "needs --baseline FILE")
    if baseline and not fail_on:
        raise SettingError("--baseline", "needs --fail-on new, failed or score")
    if fail_under is not None and not 0 <= fail_under <= 100:  # noqa: PLR2004 - scores
        raise SettingError("--fail-under", "takes a score from 0 to 100")
    gate = Gate(fail_under, fail_on, read_baseline(baseline) if baseline else {})
    terminal = Terminal.detect(language=language)
    check_output(format_, output)
    pages = _pages(urls, list_, sitemap, request, settings)
    check_output(format_, output, len(pages))
    reports = asyncio.run(reports_of(pages, request, settings, acceptances, ProgressLine(terminal)))
    with ignore_closed_pipe():
        if format_ == "text":
            _print(reports, terminal, everything=all_)
        else:
            print_documents(reports, format_, terminal.say, output)
    _say_why(reports, gate)
    return _exit_code(reports, gate)


def _pages(
    urls: Sequence[str], list_: Path | None, sitemap: str | None, request: AuditOptions, settings: Settings
) -> Sequence[AuditTarget]:
    """Return the pages without duplicates."""
    texts = list(urls)
    if list_ is not None:
        lines = [line.strip() for line in read_text(list_, "--list").splitlines()]
        listed = [line for line in lines if line and not line.startswith("#")]
        if not listed:
            raise SettingError("--list", f"there is no URL in {'standard input' if str(list_) == '-' else list_}")
        texts += listed
    pages = [AuditTarget(typed_url(text), http_twin(text, request)) for text in texts]
    if sitemap is not None:
        pages += asyncio.run(_from_sitemap(sitemap, request, settings))
    if not pages:
        raise SettingError("URL", "give at least one URL, --list FILE or --sitemap URL")
    if len(pages) > MAX_PAGES:
        raise SettingError("URL", f"at most {MAX_PAGES} URLs at once, {len(pages)} were given")
    return list({page.url: page for page in reversed(pages)}.values())[::-1]


async def _from_sitemap(text: str, request: AuditOptions, settings: Settings) -> list[AuditTarget]:
    """Return the pages in a sitemap. If it belongs to a preview but lists URLs of the real site, return those of the preview."""
    from findable.fetch.sitemaps import listed_urls

    places = [url for url in (typed_url(text), http_twin(text, request)) if url]
    stands_for = judged_as_of(request) or ""
    async with fetcher_for(request, settings, places) as fetcher:
        for url in places:
            along = identity_of(request, url)
            listed = await listed_urls(fetcher, url.href, MAX_PAGES + 1, identity=along, stands_for=stands_for)
            if not listed.unreached:
                break
    if listed.error is not None:
        raise SettingError("--sitemap", f"no URLs were found in {url.href}: {sitemap_sentence(listed.error)}")
    if len(listed.urls) > MAX_PAGES:
        sys.stderr.write(f"findable: the sitemap lists more than {MAX_PAGES:,} URLs; only the first ones are audited\n")
    return list(_listed(listed.urls[:MAX_PAGES], url.origin, stands_for))


def _listed(texts: Iterable[str], origin: str, stands_for: str) -> Iterator[AuditTarget]:
    """Yield listed pages except URLs with a login, since no user typed them."""
    for text in texts:
        written = parse(without_fragment(text))
        url = written and parse(moved(written.href, stands_for, origin))
        if url and not url.has_login:
            yield AuditTarget(url, is_own=url.origin == origin)


def _print(reports: Sequence[Report], terminal: Terminal, *, everything: bool) -> None:
    for index, report in enumerate(reports):
        if index:
            print()
        lines = report_lines(report, terminal, everything=everything)
        print("\n".join(lines if everything or len(reports) == 1 else lines[:5]))
    if len(reports) > 1:
        print(f"\n{_tally(reports, terminal.say)}")


def _say_why(reports: Sequence[Report], gate: Gate) -> None:
    """Print why the command exits with 1, if the report does not say so in its second line."""
    for report in reports:
        for reason in gate.reasons(report):
            if reason != RATED_BAD:
                sys.stderr.write(f"findable: {clean(report.requested_url)}: {clean(reason)}\n")
        if gate.is_new(report):
            sys.stderr.write(
                f"findable: {clean(report.requested_url)}: not in the baseline; only a rating of bad or --fail-under stops it\n"
            )


TALLY = {
    "good": later("%(count)s good"),
    "decent": later("%(count)s decent"),
    "bad": later("%(count)s bad"),
    None: later("%(count)s without a rating"),
}


def _tally(reports: Sequence[Report], say: Wording) -> str:
    counts = {rating: sum(report.result == rating for report in reports) for rating in TALLY}
    parts = (say(TALLY[rating], count=count) for rating, count in counts.items() if count)
    return say("%(count)s pages: %(what)s", count=len(reports), what=", ".join(parts))


def _exit_code(reports: Sequence[Report], gate: Gate) -> int:
    """Return 1 if a page did not pass the gate, else 3 if a page could not be loaded, else 0."""
    if any(gate.stops(report) for report in reports):
        return GATED
    return NOT_SEEN if any(report.result is None for report in reports) else FINE
