"""Types for comparing audits of Lighthouse with checks: results, common verdicts, and declared differences."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from findable.artifacts.registry import Artifacts
from findable.capture.response import Response
from findable.checks.engine import Evidence, Finding
from findable.vocabulary import Verdict


class Word(StrEnum):
    """Verdict of one tool on the common question."""

    PASS = "pass"
    FAIL = "fail"
    INAPPLICABLE = "inapplicable"
    UNKNOWN = "unknown"
    NONE = "none"
    """Not run, or stopped by an error."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Results of both tools for one page."""

    audits: Mapping[str, Any]
    findings: Mapping[str, Finding]
    artifacts: Artifacts

    @property
    def status(self) -> int:
        """Status of the page."""
        response = self.artifacts.get_or_none(Response)
        return response.status if response else 0

    def items(self, *audits: str) -> list[dict[str, Any]]:
        """Return the items that Lighthouse lists as faults."""
        return [item for name in audits for item in (self.audits[name].get("details") or {}).get("items", [])]

    def evidence(self, check: str) -> tuple[Evidence, ...]:
        """Return the evidence of a check."""
        return self.findings[check].evidence

    def count(self, check: str, name: str) -> int:
        """Return a number from the message of a check; 0 if it has none with that name."""
        return int(self.findings[check].params.get(name, 0))

    def passes(self, check: str) -> bool:
        """Return whether the check finds no fault."""
        return self.findings[check].verdict in (Verdict.PASSED, Verdict.INFO)

    def is_covered(self, check: str) -> bool:
        """Return whether another check reports the cause (`covered_by`), also for a check that this one depends on."""
        finding = self.findings[check]
        other = self.findings.get(str(finding.params.get("check", "")))
        return finding.verdict is Verdict.INAPPLICABLE and other is not None and other.verdict in AGAINST

    def notes(self, check: str) -> set[str]:
        """Return the note of each piece of evidence: constants of the check, or values of its enumerations."""
        return {item.note for item in self.findings[check].evidence}


@dataclass(frozen=True, slots=True)
class Difference:
    """Declared difference: pages that it applies to are excluded if the tools disagree."""

    name: str
    reason: str
    applies: Callable[[Seen], bool]
    catalogue: bool = True
    """Whether it is declared in the catalogue, otherwise only in the documentation of the check."""


def theirs_of(seen: Seen, audits: Sequence[str]) -> Word:
    """Return one verdict for several audits: any failure decides; informative audits do not count."""
    told = [seen.audits[name] for name in audits if name in seen.audits]
    scored = [audit["score"] for audit in told if audit["score"] is not None and audit["scoreDisplayMode"] not in ("error", "informative")]
    if any(score < 1 for score in scored):
        return Word.FAIL
    if scored:
        return Word.PASS
    return Word.INAPPLICABLE if any(audit["scoreDisplayMode"] == "notApplicable" for audit in told) else Word.NONE


AGAINST = frozenset({Verdict.FAILED, Verdict.WARNED})


Fails = Callable[[Finding, Artifacts], bool]
"""Whether a faulty finding means "no" to the audit's question, decided by verdicts, values and artifacts, never by texts."""


def word(finding: Finding, artifacts: Artifacts, *, fails: Fails) -> Word:
    """Return the verdict of a finding on an audit's question."""
    if finding.verdict in AGAINST:
        return Word.FAIL if fails(finding, artifacts) else Word.PASS
    if finding.verdict in (Verdict.PASSED, Verdict.INFO):
        return Word.PASS
    return Word.INAPPLICABLE if finding.verdict is Verdict.INAPPLICABLE else Word.UNKNOWN


def any_of(words: Sequence[Word]) -> Word:
    """Combine several verdicts: a fail decides, then a pass."""
    for wanted in (Word.FAIL, Word.PASS, Word.UNKNOWN):
        if wanted in words:
            return wanted
    return Word.INAPPLICABLE


def against(finding: Finding, _: Artifacts) -> bool:
    """Fail with any fault."""
    return finding.verdict in AGAINST


def failed(finding: Finding, _: Artifacts) -> bool:
    """Fail only with *failed*."""
    return finding.verdict is Verdict.FAILED


def none_found(finding: Finding, _: Artifacts) -> bool:
    """Fail if there is none; the other fault, several, has a count."""
    return "count" not in finding.params


def never(_: Artifacts) -> bool:
    """Return False for every page."""
    return False


def always(_: Artifacts) -> bool:
    """Return True for every page: *inapplicable* has only this reason."""
    return True


@dataclass(frozen=True, slots=True)
class Comparison:
    """Audits and checks with the same question. ``fails`` maps each check to the findings that mean "no" to it."""

    audits: tuple[str, ...]
    fails: Mapping[str, Fails]
    differences: tuple[Difference, ...] = ()
    part: str = ""
    """Name of an item in the audit's checklist, if only that part is compared."""
    empty: Callable[[Artifacts], bool] = never
    """Whether *inapplicable* means that the page has nothing to judge."""

    @property
    def name(self) -> str:
        """Display name."""
        return f"{self.part or self.audits[0]} ~ {', '.join(self.fails)}"

    @property
    def checks(self) -> tuple[str, ...]:
        """Ids of the checks."""
        return tuple(self.fails)

    def theirs(self, seen: Seen) -> Word:
        """Return the verdict of Lighthouse."""
        if self.part:
            listed = (seen.audits[self.audits[0]].get("details") or {}).get("items")
            if not isinstance(listed, dict) or self.part not in listed:
                return Word.NONE
            return Word.PASS if listed[self.part]["value"] else Word.FAIL
        return theirs_of(seen, self.audits)

    def ours(self, seen: Seen) -> Word:
        """Return the verdict of Findable."""
        return any_of([word(seen.findings[check], seen.artifacts, fails=fails) for check, fails in self.fails.items()])

    def nothing_there(self, seen: Seen) -> bool:
        """Return whether Findable reports that the page has nothing to judge."""
        return self.empty(seen.artifacts)


# --- items of Lighthouse


def snippet(item: Mapping[str, Any]) -> str:
    """Return the start tag of a listed element, as truncated by Lighthouse."""
    node = item.get("node")
    return str(node.get("snippet", "")) if isinstance(node, dict) else ""


def attribute(tag: str, name: str) -> str | None:
    """Return an attribute of such a tag; None if it is missing."""
    found = re.search(rf'\s{name}="([^"]*)"', tag)
    return found.group(1) if found else None


_TINY = re.compile(r"(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|$)", re.IGNORECASE)


def is_tiny(tag: str) -> bool:
    """Return whether the tag is a tracking pixel, at most one pixel wide or high."""
    sizes = {attribute(tag, "width"), attribute(tag, "height")}
    return bool(sizes & {"0", "1", "0px", "1px", "0%"}) or _TINY.search(attribute(tag, "style") or "") is not None


def has_no_address(tag: str) -> bool:
    """Return whether scripts fill the frame or image later, or an analytics service uses it for storage."""
    if "/client_storage/" in tag:
        return True
    return (attribute(tag, "src") or "about:").strip().startswith(("about:", "javascript:"))


def all_items(check: Callable[[str], bool], *audits: str) -> Callable[[Seen], bool]:
    """Return whether the condition holds for all items of these audits, and there are any."""

    def applies(seen: Seen) -> bool:
        tags = [snippet(item) for item in seen.items(*audits)]
        return bool(tags) and all(map(check, tags))

    return applies
