"""Recent changes of a page or site. They allow comparisons of any two states within RETENTION_S."""

from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

from msgspec import Struct, field, structs

from findable.reports.reported_finding import AGAINST, FindingText
from findable.vocabulary import Verdict

RETENTION_S = 30 * 86_400
"""Time for which changes are stored."""
MAX_FINDINGS = 100
"""Maximum number of stored findings per page or site, the most recently changed ones."""
MAX_TURNS = 8
"""Maximum number of stored changes per finding. It is even, so that the state before them is still known."""
MAX_SCORES = 60


class FailedFinding(Struct, frozen=True, array_like=True):
    """Sentence of a failed finding, and the number of its pages."""

    text: FindingText
    pages_count: int = 1


class Outcome(Struct, frozen=True):
    """Score of a result, the keys of its failed findings, and the ids of checks that passed."""

    score: int
    failed: frozenset[str]
    passed: frozenset[str] = frozenset()
    """Ids of checks whose earlier findings are fixed, unless they are among the failed or unfixed findings."""
    unfixed: frozenset[str] = frozenset()
    """Keys of findings that are warnings now, or whose checks cannot be compared."""
    earlier_keys: Mapping[str, str] = {}
    """Earlier keys of findings that were already there, by their new keys; empty if only the check was not compared before."""
    sentences: Mapping[str, FailedFinding] = {}
    """Sentences of the failed findings, by their keys."""


def is_new(before: Verdict | None, after: Verdict) -> bool:
    """Return whether a finding is new: a problem or warning that was not there, or a problem that was a warning.

    This is the only definition of *new*; pages compare the verdicts of a check, sites those of a cause.
    """
    return after in AGAINST and (before not in AGAINST or (before is Verdict.WARNED and after is Verdict.FAILED))


def is_fixed(before: Verdict | None, after: Verdict | None) -> bool:
    """Return whether a problem or warning is fixed: its check passes now. This is the only definition of *fixed*."""
    return before in AGAINST and after is Verdict.PASSED


def is_worse(new_problems: Collection[str], score_before: int, score: int) -> bool:
    """Return whether a result is worse than an earlier one: a problem is new, or the score is lower.

    This is the only definition of *worse*.
    """
    return bool(new_problems) or score < score_before


class FindingChanges(Struct, frozen=True, array_like=True):
    """Times at which one finding failed and was fixed."""

    is_failed: bool
    at: tuple[int, ...]
    """Times of the changes; the last one led to the current state."""
    sentence: FailedFinding | None = None
    """Sentence of the finding in the last result in which it failed; None if it was not stored."""

    def failed_at(self, moment: int) -> bool:
        """Return whether the finding was a problem at a time (Unix time)."""
        failed = self.is_failed
        for at in self.at:
            if at > moment:
                failed = not failed
        return failed


class Difference(Struct, frozen=True):
    """State of a page or site at a time, compared with an earlier one."""

    new: tuple[str, ...]
    """Keys of findings that failed only at the end."""
    fixed: tuple[str, ...]
    """Keys of findings that failed only at the beginning."""
    score_before: int
    score: int
    still_failed: int
    """Number of findings that failed at both times."""
    at: int
    """Time of the last relevant change."""
    sentences: Mapping[str, FailedFinding] = {}
    """Sentences of the new findings by their keys, unless they were not stored."""

    @property
    def is_worse(self) -> bool:
        """Whether there is a new problem or a lower score."""
        return is_worse(self.new, self.score_before, self.score)

    @property
    def is_better(self) -> bool:
        """Whether a problem is fixed."""
        return bool(self.fixed)


class RecentChanges(Struct, frozen=True, omit_defaults=True):
    """Scores and findings of a page or site that changed recently."""

    scores: tuple[tuple[int, int], ...] = ()
    """Times and scores; the first one precedes the first change."""
    findings: Mapping[str, FindingChanges] = field(default_factory=dict)
    failed_count: int = 0
    """Number of failed findings of the newest result."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing changed."""
        return not self.findings and len(self.scores) <= 1

    @property
    def worse_at(self) -> int:
        """Last time at which a problem appeared or the score fell; 0 for never."""
        return max((*self._failed_at(), *self._fallen_at()), default=0)

    @property
    def better_at(self) -> int:
        """Last time at which a problem was fixed; 0 for never."""
        return max((turns.at[-1] for turns in self.findings.values() if not turns.is_failed), default=0)

    def between(self, since: int, until: int) -> Difference:
        """Return the differences between the beginning and the end of a period."""
        new, fixed = list[str](), list[str]()
        moments = [at for at, _ in self.scores if since < at <= until]
        still = self.failed_count
        for key, turns in self.findings.items():
            if turns.at[-1] <= since:
                continue
            before, after = turns.failed_at(since), turns.failed_at(until)
            still -= turns.is_failed and not before
            if before != after:
                (new if after else fixed).append(key)
                moments += [at for at in turns.at if since < at <= until]
        sentences = {key: one for key in new if (one := self.findings[key].sentence) is not None}
        return Difference(
            tuple(new), tuple(fixed), self._score(since), self._score(until), max(0, still), max(moments, default=0), sentences
        )

    def _score(self, moment: int) -> int:
        return next((score for at, score in reversed(self.scores) if at <= moment), self.scores[0][1] if self.scores else 0)

    def _failed_at(self) -> Iterator[int]:
        return (turns.at[-1] for turns in self.findings.values() if turns.is_failed)

    def _fallen_at(self) -> Iterator[int]:
        return (at for (_, before), (at, after) in pairwise(self.scores) if after < before)


def after_result(earlier: RecentChanges, before: Outcome | None, after: Outcome, at: int) -> RecentChanges:
    """Return the changes with a new result.

    ``before`` is the result that it can be compared with; without it, no change is recorded.
    """
    if before is None:
        return RecentChanges()
    earlier, before = _with_new_keys(_recent(earlier, at - RETENTION_S), before, after)
    findings = _current_findings(earlier, after, at)
    for key in sorted(before.failed ^ after.failed):
        if key in earlier.findings:
            continue
        if key in after.failed or _is_passed(key, after):
            findings[key] = FindingChanges(key in after.failed, (at,), after.sentences.get(key))
    return _with_score(earlier.scores or ((0, before.score),), _limit_findings(findings), after, at)


def after_other_rules(earlier: RecentChanges, after: Outcome, at: int) -> RecentChanges:
    """Return the changes after the newest result was rescored: differences caused by rescoring are neither new nor fixed."""
    findings = {key: turns for key, turns in earlier.findings.items() if turns.is_failed == (key in after.failed)}
    return _with_score(earlier.scores, findings, after, at)


def _current_findings(earlier: RecentChanges, after: Outcome, at: int) -> dict[str, FindingChanges]:
    """Return the stored findings in their current state, without those that could not be checked."""
    findings: dict[str, FindingChanges] = {}
    for key, turns in earlier.findings.items():
        is_failed = key in after.failed
        sentence = after.sentences.get(key, turns.sentence)
        if is_failed == turns.is_failed:
            findings[key] = structs.replace(turns, sentence=sentence)
        elif is_failed or _is_passed(key, after):
            findings[key] = FindingChanges(is_failed, (*turns.at, at)[-MAX_TURNS:], sentence)
    return findings


def _with_new_keys(earlier: RecentChanges, before: Outcome, after: Outcome) -> tuple[RecentChanges, Outcome]:
    """Return earlier changes and the earlier result with the new keys of findings that moved; none of these is new or fixed."""
    old = frozenset(after.earlier_keys.values())
    findings = {key: turns for key, turns in earlier.findings.items() if key not in old}
    findings |= {new: earlier.findings[key] for new, key in after.earlier_keys.items() if key in earlier.findings}
    failed = {new for new, key in after.earlier_keys.items() if key in before.failed or new in after.failed}
    return structs.replace(earlier, findings=findings), structs.replace(before, failed=(before.failed - old) | failed)


def _is_passed(key: str, after: Outcome) -> bool:
    return key.partition(":")[0] in after.passed and key not in after.unfixed


def _with_score(scores: tuple[tuple[int, int], ...], findings: Mapping[str, FindingChanges], after: Outcome, at: int) -> RecentChanges:
    if scores and scores[-1][1] != after.score:
        scores = (*scores, (at, after.score))[-MAX_SCORES:]
    return RecentChanges(scores, findings, len(after.failed))


def _limit_findings(findings: Mapping[str, FindingChanges]) -> Mapping[str, FindingChanges]:
    last = sorted(findings, key=lambda key: (-findings[key].at[-1], not findings[key].is_failed, key))
    return {key: findings[key] for key in last[:MAX_FINDINGS]}


def _recent(earlier: RecentChanges, limit: int) -> RecentChanges:
    """Return the changes since the limit, with the score before them."""
    findings = {}
    for key, turns in earlier.findings.items():
        at = tuple(moment for moment in turns.at if moment >= limit)
        if at:
            findings[key] = structs.replace(turns, at=at)
    first = next((place for place, (at, _) in enumerate(earlier.scores) if at >= limit), len(earlier.scores))
    return RecentChanges(earlier.scores[max(0, first - 1) :], findings, earlier.failed_count)
