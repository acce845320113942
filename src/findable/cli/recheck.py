"""`findable recheck`: check one finding of a report again, with only the requests that its check needs."""

import asyncio
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from findable.api.options import Access
from findable.api.targets import fetcher_for, identity_of, typed_url
from findable.cli.command_settings import load_settings
from findable.cli.exit_codes import NOT_LOADED, NOT_PASSED, PASSED
from findable.cli.given_files import read_text
from findable.cli.terminal import Terminal, clean, printed
from findable.errors import NotRecheckable, PageUnavailable, SettingError
from findable.export.report_json import CommandReport, FindingJson
from findable.export.short_texts import first_line
from findable.recheck import OldFinding, RecheckResult, recheck
from findable.reports.page_error_text import sentences_of
from findable.vocabulary import Verdict

EVIDENCE_SHOWN = 3


def recheck_finding(
    report: Annotated[Path, Parameter(allow_leading_hyphen=True)], key: str, /, *, url: str | None = None, access: Access | None = None
) -> int:
    """Check one finding of a report again; exits 0 if it is fixed, 1 if not, 3 if the result is unknown.

    Args:
        report: Report as JSON (findable audit --format json); '-': standard input.
        key: Key of the finding, or id of its check.
        url: URL of the page, where the file has several reports with this finding.
    """
    access = access or Access()
    settings = load_settings()
    old = _select_finding(report, key, url)
    page = typed_url(old.url)

    async def make() -> RecheckResult:
        async with fetcher_for(access, settings, [page]) as fetcher:
            return await recheck(old, fetcher, identity=identity_of(access, page))

    try:
        result = asyncio.run(make())
    except PageUnavailable as error:
        print(f"{clean(old.url)}: {clean(sentences_of(error.error))}")
        return NOT_LOADED
    except NotRecheckable as error:
        raise SettingError(old.check, "only a new report can check this finding again: findable audit") from error
    _print(result, Terminal.detect())
    return PASSED if result.is_fixed else NOT_LOADED if result.finding.verdict is Verdict.UNKNOWN else NOT_PASSED


def _select_finding(path: Path, key: str, url: str | None) -> OldFinding:
    """Return the finding with a key or check id in a file of reports. Raises SettingError if it is missing or ambiguous."""
    text = read_text(path, "REPORT")
    try:
        decoded = msgspec.json.decode(text, type=CommandReport | tuple[CommandReport, ...])
    except msgspec.DecodeError as error:
        raise SettingError(str(path), "is not output of findable audit --format json") from error
    reports = (decoded,) if isinstance(decoded, CommandReport) else decoded
    found = [(report, item) for report in reports if url in (None, report.url) for item in report.results if key in (item.key, item.id)]
    if not found:
        raise SettingError("KEY", f"{path} has no finding {key}")
    if len(found) > 1:
        raise SettingError("--url", f"{len(found)} reports have this finding; add the URL of the page")
    return _old_finding(*found[0])


def _old_finding(report: CommandReport, item: FindingJson) -> OldFinding:
    known = report.facts.links if isinstance(report.facts.links, tuple) else ()
    browser = report.facts.browser
    after_scripts = browser.after_scripts if browser else False
    return OldFinding(report.url, item.id, item.verdict, item.evidence, item.evidence_count, known, report.judged_as, after_scripts)


def _print(result: RecheckResult, terminal: Terminal) -> None:
    finding = result.finding
    state = "fixed" if result.is_fixed else "not known" if finding.verdict is Verdict.UNKNOWN else "still there"
    lines = [f"{finding.id}: {state} ({result.before.value} → {finding.verdict.value})", *terminal.wrap(clean(finding.summary()), "  ")]
    if not result.is_fixed:
        lines += [terminal.cut(clean(first_line(item)), "    ") for item in finding.evidence[:EVIDENCE_SHOWN]]
    print(printed([*lines, f"  {result.requests_count} requests, {result.duration_s:.1f} s"]), end="")
