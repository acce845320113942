"""Try the code of fixes: paste it into a captured page, judge the page again, and compare the findings."""

import codecs
import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, structs

from findable.artifacts.html.page_charset import Charset
from findable.artifacts.registry import gather
from findable.capture.capture import Capture
from findable.capture.response import Headers, ProbeResponse, Response
from findable.checks.engine import Finding, all_checks, find_check, runnable_checks
from findable.checks.page_fix import Fix, FixPlace
from findable.checks.runner import run
from findable.reports.reported_finding import AGAINST
from findable.vocabulary import Verdict

_IN_SOURCE = (FixPlace.ELEMENT, FixPlace.SCRIPT)
_HEAD_END = re.compile(r"</head\s*>|(?=<body[\s>])", re.IGNORECASE)
_HOLDS_NO_TAGS = re.compile(r"<!--.*?(?:-->|\Z)|<(script|style|title|template)\b.*?(?:</\1|\Z)", re.IGNORECASE | re.DOTALL)
_HEAD_START = re.compile(r"<head(?:\s[^>]*)?>|<html(?:\s[^>]*)?>|<!doctype[^>]*>", re.IGNORECASE)


class FixTrial(Struct, frozen=True):
    """Result of pasting the fixes of one finding into its page."""

    is_fixed: bool
    """Whether the finding is gone, or less of the page has the fault if there is code for a part of it only."""
    added: tuple[str, ...]
    """Ids of checks that fail or warn since, or fail instead of warning.

    If the code makes the page one that search engines may list, checks that did not apply before count only if they show the code.
    """

    @property
    def is_right(self) -> bool:
        """Whether the code removes the finding and adds none."""
        return self.is_fixed and not self.added


def findings_of(capture: Capture) -> dict[str, Finding]:
    """Return the finding of each check on a page, by id."""
    artifacts = gather(*capture.roots)
    return {result.check.id: result.finding for result in run(artifacts, runnable_checks(artifacts.sources))}


def try_fixes(capture: Capture, before: Mapping[str, Finding], check_id: str) -> FixTrial | None:
    """Paste the fixes of a finding into the page, judge it again, and return the result.

    ``before``: findings of the page. None if the finding has no code, or the code cannot be pasted.
    """
    finding = before[check_id]
    pasted = paste(capture, finding.fixes) if finding.verdict in AGAINST and find_check(check_id) else None
    if pasted is None:
        return None
    after = findings_of(pasted)
    worse = (name for name, found in after.items() if name in before and _is_worse(before[name].verdict, found.verdict))
    if all_checks()[check_id].indexing_only:  # more is judged on a page that search engines may list
        worse = (name for name in worse if before[name].verdict is not Verdict.INAPPLICABLE or _shows_code(finding, after[name]))
    added = tuple(sorted(worse))
    return FixTrial(_is_better(finding, after[check_id]), added)


def _is_worse(before: Verdict, after: Verdict) -> bool:
    return after in AGAINST and before is not after and before is not Verdict.FAILED


def _is_better(before: Finding, after: Finding) -> bool:
    if after.verdict not in AGAINST:
        return True
    return _extent(after) < _extent(before) and not _shows_code(before, after)


def _shows_code(before: Finding, after: Finding) -> bool:
    """Return whether the evidence of a later finding is code that was pasted."""
    return not {fix.code for fix in before.fixes if fix.code}.isdisjoint(item.text for item in after.evidence)


def _extent(finding: Finding) -> int:
    """Return the number of faulty places, and of the names in the longest list, of a finding."""
    values = [*finding.params.values(), *(value for item in finding.evidence for value in item.params.values())]
    return finding.evidence_count + max((len(value) for value in values if isinstance(value, list | tuple)), default=0)


def paste(capture: Capture, fixes: Sequence[Fix]) -> Capture | None:
    """Return the page with the code of these fixes in their places; None if there is no code, or a place is not in the page."""
    if not fixes:
        return None
    response: Response | None = capture.page.response
    if any(fix.place in (*_IN_SOURCE, FixPlace.HEAD) for fix in fixes):
        response = _with_source(capture, fixes)
    if response is None:
        return None
    response = _with_headers(response, [fix for fix in fixes if fix.place is FixPlace.HEADER])
    rules = [fix.code for fix in fixes if fix.place is FixPlace.ROBOTS_TXT]
    site = structs.replace(capture.site, robots_txt=_with_rules(capture.site.robots_txt, rules)) if rules else capture.site
    return structs.replace(capture, page=structs.replace(capture.page, response=response), site=site)


def _with_source(capture: Capture, fixes: Sequence[Fix]) -> Response | None:
    charset = gather(*capture.roots).get_or_none(Charset)
    text = pasted_text(charset.text, fixes) if charset is not None and charset.is_whole else None
    if charset is None or text is None:
        return None
    try:
        body = text.encode(charset.used, "xmlcharrefreplace")
    except LookupError:
        return None
    return structs.replace(capture.page.response, body=(codecs.BOM_UTF8 if charset.bom == "utf-8" else b"") + body)


def pasted_text(text: str, fixes: Iterable[Fix]) -> str | None:
    """Return a source with the code of these fixes in it; None if a place is not in the source."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    placed = sorted(
        ((starts[fix.line - 1] + fix.column - 1, fix) for fix in fixes if fix.place in _IN_SOURCE and fix.line and fix.column),
        key=lambda pair: pair[0],
        reverse=True,
    )
    for at, fix in placed:
        if not text.startswith(fix.instead_of, at):
            return None
        text = text[:at] + fix.code + text[at + len(fix.instead_of) :]
    code = "\n".join(fix.code for fix in fixes if fix.place is FixPlace.HEAD)
    if not code:
        return text
    end = _HEAD_END.search(_HOLDS_NO_TAGS.sub(lambda match: " " * len(match[0]), text))
    starts_of_head = list(_HEAD_START.finditer(text[:4096]))
    at = end.start() if end else starts_of_head[-1].end() if starts_of_head else 0
    return f"{text[:at]}{code}\n{text[at:]}"


def _with_headers(response: Response, fixes: Sequence[Fix]) -> Response:
    if not fixes:
        return response
    names = {fix.code.partition(":")[0].strip().lower() for fix in fixes}
    lines = [(name, value) for name, value in response.final.headers.lines if name.lower() not in names]
    lines += [(name, value.strip()) for name, _, value in (fix.code.partition(":") for fix in fixes) if value.strip()]
    final = structs.replace(response.final, headers=Headers(tuple(lines)))
    return structs.replace(response, hops=(*response.hops[:-1], final))


def _with_rules(robots_txt: ProbeResponse, rules: Sequence[str]) -> ProbeResponse:
    return structs.replace(robots_txt, body=robots_txt.body + b"\n" + "\n".join(rules).encode() + b"\n")
