"""Finding in a report: stored, compared and shown. Its texts are rendered for display in the reader's language."""

from collections.abc import Mapping
from enum import Enum
from typing import Any

from msgspec import UNSET, Struct, UnsetType, structs

from findable.checks.engine import Check, Evidence, Result, find_check, finding_key
from findable.checks.page_fix import Fix
from findable.reports.messages import render
from findable.reports.prose import instructions, unwrap_lines
from findable.reports.scoring import MAX_SCORE, limit_of
from findable.vocabulary import EVIDENCE_TEXT, Effort, Importance, Verdict, words_of
from findable.wording import ENGLISH, Translator

MINOR, LIMITING = "minor", "limiting"
AGAINST = (Verdict.FAILED, Verdict.WARNED)
"""Verdicts that cost points."""


class AcceptanceTerms(Struct, frozen=True):
    """Reason, last day and author of an acceptance."""

    reason: str
    until: str | None
    """Last day (ISO date); empty for no end, null for readers who may not see it."""
    by: str | UnsetType = UNSET


class ComparableFinding(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Values of a finding for comparisons."""

    id: str
    """Id of the check."""
    verdict: Verdict
    params: Mapping[str, Any] = {}
    """Values of its message; ``check`` is another check that caused it or covers it."""
    accepted: AcceptanceTerms | None = None

    @property
    def has_problem(self) -> bool:
        """Whether the check failed or warned and the finding is not accepted."""
        return self.verdict in AGAINST and self.accepted is None


class FindingText(Struct, frozen=True, array_like=True):
    """Template of a finding's sentence, with its values."""

    message: str
    params: Mapping[str, Any] = {}

    def words(self, say: Translator = ENGLISH) -> str:
        """Return the sentence; a reference to another check is replaced with its question."""
        parent = find_check(str(self.params["check"])) if "check" in self.params else None
        return render(self.message, {**self.params, "check": say.text(parent.question)} if parent else self.params, say)


class ReportedFinding(ComparableFinding, frozen=True, omit_defaults=True, kw_only=True):
    """One finding of a report. The finding of a removed check keeps its message and has no other texts."""

    message: str
    """Template of the summary."""
    evidence: tuple[Evidence, ...] = ()
    evidence_count: int = 0
    """Number of pieces of evidence; ``evidence`` contains the first ones."""
    fixes: tuple[Fix, ...] = ()
    """Code for this page."""
    advice: str = ""
    """Template of the instruction for this finding; empty if the text of the documentation applies."""
    worth: float = 0
    """Points that a finding of the check costs at most, by itself; 0 if it was not measured."""
    lost: float = 0
    """Points that the finding costs by itself."""
    gain: int | None = None
    """Points that the score gains by this fix after all fixes listed above it; null if no gain can be projected."""
    gain_alone: int | None = None
    """Points that the score gains by this fix alone."""
    fault: str = ""
    """Code of the reason, if the cost depends on it."""
    share_percent: int = 100
    """Share of the elements concerned, if the cost depends on it."""

    @staticmethod
    def from_result(result: Result) -> "ReportedFinding":
        """Return the finding of a check."""
        finding = result.finding
        return ReportedFinding(
            id=result.check.id,
            verdict=finding.verdict,
            message=finding.message,
            params=_plain(finding.params),
            evidence=tuple(structs.replace(item, params=_plain(item.params)) if item.params else item for item in finding.evidence),
            evidence_count=finding.evidence_count if finding.evidence else 0,
            fixes=finding.fixes,
            advice=finding.advice,
            fault=finding.fault,
            share_percent=finding.share_percent,
        )

    @property
    def key(self) -> str:
        """Stable key: check and normalised evidence, independent of line numbers."""
        return finding_key(self.id, ((item.kind, item.url, item.text, item.selector) for item in self.evidence))

    @property
    def text(self) -> FindingText:
        """Template of the finding's sentence, with its values."""
        return FindingText(self.message, self.params)

    @property
    def check(self) -> Check | None:
        """Registered check, None if it was removed."""
        return find_check(self.id)

    @property
    def category(self) -> str:
        """Id of the check's category; empty if the check was removed."""
        return self.check.category.value if self.check else ""

    @property
    def importance(self) -> str:
        """Importance of the check; empty if it was removed."""
        return self.check.importance.value if self.check else ""

    @property
    def cap(self) -> int | None:
        """Highest score with the finding; None without a limit."""
        limit = limit_of(self.check, self.verdict, self.fault) if self.check else MAX_SCORE
        return limit if limit < MAX_SCORE else None

    @property
    def mark(self) -> str:
        """Name of the finding's icon: its verdict, ``minor`` for a failed check of low importance, which is never red, or ``limiting``.

        ``limiting`` is a warning that limits the score: it is red, because it is listed above problems.
        """
        if self.verdict is Verdict.WARNED and self.cap:
            return LIMITING
        return mark_of(self.verdict, self.importance)

    @property
    def effort(self) -> Effort | None:
        """Effort of the fix; None if the check was removed."""
        return self.check.effort if self.check else None

    def summary(self, say: Translator = ENGLISH) -> str:
        """Finding in one sentence; a reference to another check is replaced with its question."""
        return self.text.words(say)

    def question(self, say: Translator = ENGLISH) -> str:
        """Question of the check; empty if it was removed."""
        return say.text(self.check.question) if self.check else ""

    def why_it_matters(self, say: Translator = ENGLISH) -> str:
        """Reason why the finding matters, from the check's documentation."""
        return unwrap_lines(say.text(self.check.documentation.why)) if self.check else ""

    def how_to_fix(self, say: Translator = ENGLISH) -> str:
        """Instructions for the fix of this finding, with code for this page."""
        words = render(self.advice, self.params, say) if self.advice else say.text(self.check.documentation.how) if self.check else ""
        return instructions(words, [fix.code for fix in self.fixes])

    def source(self, say: Translator = ENGLISH) -> str:
        """Sources of the check's rule, from its documentation."""
        return unwrap_lines(say.text(self.check.documentation.sources)) if self.check else ""

    def docs(self, docs_url: str = "") -> str:
        """URL of the check's page below ``docs_url``; without one, the command that prints the documentation."""
        if not self.check:
            return ""
        return f"{docs_url}/{self.id}" if docs_url else f"findable checks {self.id}"


def mark_of(verdict: Verdict, importance: str) -> str:
    """Return the name of the icon for a verdict on a check of the importance."""
    is_minor = verdict is Verdict.FAILED and importance in (Importance.LOW, Importance.INFO)
    return MINOR if is_minor else verdict.value


def in_language(item: Evidence, say: Translator = ENGLISH) -> Evidence:
    """Return the evidence with its note, or the text in its place, in the language of ``say``."""
    note = render(item.note, item.params, say) if item.note else ""
    words = words_of(EVIDENCE_TEXT, item.text)
    text = item.text if words is None else say.text(words)
    return item if note == item.note and text == item.text else structs.replace(item, note=note, text=text)


def _plain(params: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the values as decoded from JSON."""
    return {name: [_to_json(item) for item in value] if isinstance(value, _LISTS) else _to_json(value) for name, value in params.items()}


_LISTS = (list, tuple, set, frozenset)


def _to_json(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value
