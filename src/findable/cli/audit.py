"""`findable audit`: pages in, reports out, exit code for CI."""

import asyncio
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from findable.cli.formats import SPOKEN, Format, Language, Output, check_output, print_documents
from findable.cli.gate import RATED_BAD, Gate, read_baseline
from findable.cli.requests import Request, fetcher_for, http_twin, read_text, reports_of, typed_url
from findable.cli.terminal import Progress, Terminal, clean
from findable.cli.text import report_lines
from findable.errors import SettingError
from findable.reports.acceptance import read_acceptances
from findable.settings import Settings
from findable.urls import Url
from findable.wording import ENGLISH

FINE, GATED, NOT_SEEN = 0, 1, 3
"""Exit codes; 2 is wrong usage."""
MAX_PAGES = 1000


def audit(  # noqa: PLR0913 - the options of a command
    urls: Annotated[tuple[str, ...], Parameter(help="Addresses of pages; hosts typed here may be private.", negative=())] = (),
    /,
    *,
    list_: Annotated[
        Path | None,
        Parameter(name="--list", allow_leading_hyphen=True, help="Read addresses from this file, one a line ('-' reads them here)."),
    ] = None,
    sitemap: Annotated[str | None, Parameter(help="Read addresses from this sitemap (up to 1,000).")] = None,
    all_: Annotated[bool, Parameter(name="--all", help="Print every finding, not only what to fix first.")] = False,
    format_: Annotated[Format, Parameter(name="--format", help="text and pdf for people, the others for programs.")] = "text",
    output: Output = None,
    fail_under: Annotated[int | None, Parameter(help="Exit 1 below this score (instead of: where a page is rated bad).")] = None,
    accept: Annotated[Path | None, Parameter(help="TOML file of accepted findings.")] = None,
    baseline: Annotated[Path | None, Parameter(help="Earlier report (JSON) to compare with.")] = None,
    fail_on: Annotated[
        Literal["new", "failed", "score"] | None,
        Parameter(help="With --baseline, exit 1 on: new problems; new failed findings; a lower score."),
    ] = None,
    language: Annotated[Language, Parameter(help="Language of text, Markdown and PDF; other formats are English.")] = "en",
    request: Request | None = None,
) -> int:
    """Fetch pages and print their reports."""
    request = request or Request()
    settings = Settings.load()
    acceptances = read_acceptances(read_text(accept, "--accept"), str(accept)) if accept else ()
    if fail_on and not baseline:
        raise SettingError("--fail-on", "needs --baseline FILE")
    if fail_under is not None and not 0 <= fail_under <= 100:  # noqa: PLR2004 - scores
        raise SettingError("--fail-under", "takes a score from 0 to 100")
    gate = Gate(fail_under, fail_on, read_baseline(baseline) if baseline else {})
    terminal = Terminal.detect(language=language)
    say = terminal.say if format_ in SPOKEN else ENGLISH
    typed = _addresses(urls, list_, sitemap, request, settings)
    check_output(format_, output, len(typed))
    reports = asyncio.run(reports_of(typed, request, settings, acceptances, Progress(terminal), say))
    if format_ == "text":
        _print(reports, terminal, everything=all_)
    else:
        print_documents(reports, format_, terminal.say, output)
    _say_why(reports, gate)
    return _exit_code(reports, gate)


def _addresses(
    given: Sequence[str], list_: Path | None, sitemap: str | None, request: Request, settings: Settings
) -> dict[Url, Url | None]:
    """Each address once, with the http address to try where nothing said https."""
    texts = list(given)
    if list_ is not None:
        content = sys.stdin.read() if str(list_) == "-" else read_text(list_, "--list")
        texts += [line.strip() for line in content.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    typed = [(typed_url(text), http_twin(text, request)) for text in texts]
    if sitemap is not None:
        typed += asyncio.run(_from_sitemap(typed_url(sitemap), request, settings))
    if not typed:
        raise SettingError("URL", "name at least one address, --list FILE or --sitemap URL")
    if len(typed) > MAX_PAGES:
        raise SettingError("URL", f"at most {MAX_PAGES} addresses at once, {len(typed)} were given")
    return dict(typed)


async def _from_sitemap(url: Url, request: Request, settings: Settings) -> list[tuple[Url, None]]:
    from findable.fetch.sitemaps import listed_urls

    async with fetcher_for(request, settings, [url]) as fetcher:
        listed = await listed_urls(fetcher, url.href, limit=MAX_PAGES)
    if not listed.urls:
        raise SettingError("--sitemap", f"no addresses were found in {url.href}: {listed.problem}")
    return [(typed_url(text), None) for text in listed.urls]


def _print(reports: Sequence[Mapping[str, Any]], terminal: Terminal, *, everything: bool) -> None:
    for index, report in enumerate(reports):
        if index:
            print()
        lines = report_lines(report, terminal, everything=everything)
        print("\n".join(lines if everything or len(reports) == 1 else lines[:5]))
    if len(reports) > 1:
        print(f"\n{_tally(reports)}")


def _say_why(reports: Sequence[Mapping[str, Any]], gate: Gate) -> None:
    """Why the command exits with 1, where the report does not say so in its second line."""
    for report in reports:
        for reason in gate.reasons(report):
            if reason != RATED_BAD:
                sys.stderr.write(f"findable: {clean(report['url'])}: {clean(reason)}\n")


def _tally(reports: Sequence[Mapping[str, Any]]) -> str:
    counts = {rating: sum(report["result"] == rating for report in reports) for rating in ("good", "decent", "bad")}
    unseen = sum(report["result"] is None for report in reports)
    parts = [f"{count} {rating}" for rating, count in counts.items() if count]
    if unseen:
        parts.append(f"{unseen} without a rating")
    return f"{len(reports)} pages: {', '.join(parts)}"


def _exit_code(reports: Sequence[Mapping[str, Any]], gate: Gate) -> int:
    """1 where a page did not pass the gate, else 3 where a page was not seen, else 0."""
    if any(gate.stops(report) for report in reports):
        return GATED
    return NOT_SEEN if any(report["result"] is None for report in reports) else FINE
