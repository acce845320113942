"""The words in which an audit of Lighthouse and our checks are compared: what was seen, what both say, what explains a difference."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from findable.artifacts.registry import Gathered
from findable.capture.response import Response
from findable.checks.engine import Evidence, Finding
from findable.vocabulary import Verdict


class Word(StrEnum):
    """What one side says to the common question."""

    PASS = "pass"
    FAIL = "fail"
    INAPPLICABLE = "inapplicable"
    UNKNOWN = "unknown"
    NONE = "none"
    """Not asked, or stopped by an error."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One page with both answers."""

    audits: Mapping[str, Any]
    findings: Mapping[str, Finding]
    gathered: Gathered

    @property
    def status(self) -> int:
        """What the page answered."""
        response = self.gathered.get_or_none(Response)
        return response.status if response else 0

    def items(self, *audits: str) -> list[dict[str, Any]]:
        """What Lighthouse lists against the page."""
        return [item for name in audits for item in (self.audits[name].get("details") or {}).get("items", [])]

    def evidence(self, check: str) -> tuple[Evidence, ...]:
        """What we list."""
        return self.findings[check].evidence

    def count(self, check: str, name: str) -> int:
        """A number of our message; 0 where it holds none of that name."""
        return int(self.findings[check].params.get(name, 0))

    def passes(self, check: str) -> bool:
        """Whether we have nothing against the page."""
        return self.findings[check].verdict in (Verdict.PASSED, Verdict.INFO)

    def is_covered(self, check: str) -> bool:
        """Whether we leave the cause to a check that finds it: `covered_by`, also of a check that this one depends on."""
        finding = self.findings[check]
        other = self.findings.get(str(finding.params.get("check", "")))
        return finding.verdict is Verdict.INAPPLICABLE and other is not None and other.verdict in AGAINST

    def notes(self, check: str) -> set[str]:
        """What we say of each thing listed: constants of the check, or values of its enumerations."""
        return {item.note for item in self.findings[check].evidence}


@dataclass(frozen=True, slots=True)
class Difference:
    """A declared difference: pages it applies to are left out where the two disagree."""

    name: str
    reason: str
    applies: Callable[[Seen], bool]
    catalogue: bool = True
    """Declared by the catalogue; else by the page of the check alone."""


def theirs_of(seen: Seen, audits: Sequence[str]) -> Word:
    """One word for several audits: one that fails decides; those that only inform say nothing."""
    told = [seen.audits[name] for name in audits if name in seen.audits]
    scored = [audit["score"] for audit in told if audit["score"] is not None and audit["scoreDisplayMode"] not in ("error", "informative")]
    if any(score < 1 for score in scored):
        return Word.FAIL
    if scored:
        return Word.PASS
    return Word.INAPPLICABLE if any(audit["scoreDisplayMode"] == "notApplicable" for audit in told) else Word.NONE


AGAINST = frozenset({Verdict.FAILED, Verdict.WARNED})


Fails = Callable[[Finding, Gathered], bool]
"""Whether a finding with a fault says "no" to the audit's question. It asks verdicts, values and artifacts, never our prose."""


def word(finding: Finding, gathered: Gathered, *, fails: Fails) -> Word:
    """A finding as a word for a question of its own."""
    if finding.verdict in AGAINST:
        return Word.FAIL if fails(finding, gathered) else Word.PASS
    if finding.verdict in (Verdict.PASSED, Verdict.INFO):
        return Word.PASS
    return Word.INAPPLICABLE if finding.verdict is Verdict.INAPPLICABLE else Word.UNKNOWN


def any_of(words: Sequence[Word]) -> Word:
    """Several words together: a fail decides, then a pass."""
    for wanted in (Word.FAIL, Word.PASS, Word.UNKNOWN):
        if wanted in words:
            return wanted
    return Word.INAPPLICABLE


def against(finding: Finding, _: Gathered) -> bool:
    """Fails with any fault."""
    return finding.verdict in AGAINST


def failed(finding: Finding, _: Gathered) -> bool:
    """Fails with *failed* only."""
    return finding.verdict is Verdict.FAILED


def none_found(finding: Finding, _: Gathered) -> bool:
    """Fails where there is none; the other fault is that there are several, and it is counted."""
    return "count" not in finding.params


def never(_: Gathered) -> bool:
    """Says no."""
    return False


def always(_: Gathered) -> bool:
    """Says yes: *inapplicable* has this one reason."""
    return True


@dataclass(frozen=True, slots=True)
class Comparison:
    """Audits and checks that ask the same. ``fails`` says which answers of a check are a "no" to that question."""

    audits: tuple[str, ...]
    fails: Mapping[str, Fails]
    differences: tuple[Difference, ...] = ()
    part: str = ""
    """A part of the audit, where not the whole is compared: a name of its checklist."""
    empty: Callable[[Gathered], bool] = never
    """Whether a page that is *inapplicable* here holds nothing to judge."""

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.part or self.audits[0]} ~ {', '.join(self.fails)}"

    @property
    def checks(self) -> tuple[str, ...]:
        """Ids of our checks."""
        return tuple(self.fails)

    def theirs(self, seen: Seen) -> Word:
        """Lighthouse's word."""
        if self.part:
            listed = (seen.audits[self.audits[0]].get("details") or {}).get("items")
            if not isinstance(listed, dict) or self.part not in listed:
                return Word.NONE
            return Word.PASS if listed[self.part]["value"] else Word.FAIL
        return theirs_of(seen, self.audits)

    def ours(self, seen: Seen) -> Word:
        """Our word."""
        return any_of([word(seen.findings[check], seen.gathered, fails=fails) for check, fails in self.fails.items()])

    def nothing_there(self, seen: Seen) -> bool:
        """Whether we say that the page holds nothing of the kind."""
        return self.empty(seen.gathered)


# --- what Lighthouse lists


def snippet(item: Mapping[str, Any]) -> str:
    """The start tag of a listed element, as Lighthouse cuts it."""
    node = item.get("node")
    return str(node.get("snippet", "")) if isinstance(node, dict) else ""


def attribute(tag: str, name: str) -> str | None:
    """An attribute in such a tag; None where it is missing."""
    found = re.search(rf'\s{name}="([^"]*)"', tag)
    return found.group(1) if found else None


_TINY = re.compile(r"(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|$)", re.IGNORECASE)


def is_tiny(tag: str) -> bool:
    """A counter of visits: no more than a pixel wide or high."""
    sizes = {attribute(tag, "width"), attribute(tag, "height")}
    return bool(sizes & {"0", "1", "0px", "1px", "0%"}) or _TINY.search(attribute(tag, "style") or "") is not None


def has_no_address(tag: str) -> bool:
    """A frame or picture that scripts fill later, or the store of a measuring service."""
    if "/client_storage/" in tag:
        return True
    return (attribute(tag, "src") or "about:").strip().startswith(("about:", "javascript:"))


def all_items(check: Callable[[str], bool], *audits: str) -> Callable[[Seen], bool]:
    """Whether that is so of everything that these audits list, and they list something."""

    def applies(seen: Seen) -> bool:
        tags = [snippet(item) for item in seen.items(*audits)]
        return bool(tags) and all(map(check, tags))

    return applies
