"""Recent changes of a page or site. They allow comparisons of any two states within RETENTION_S."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from msgspec import Struct, field, structs

from findable.reports.difference import NOT_JUDGED, STATUS_CHECK, Difference, Judged, difference, is_worse
from findable.reports.reported_finding import FindingText
from findable.vocabulary import Verdict

RETENTION_S = 30 * 86_400
"""Time for which changes are stored."""
MAX_FINDINGS = 100
"""Maximum number of stored findings per page or site, the most recently changed ones."""
MAX_STATES = 9
"""Maximum number of stored states per finding: the first one precedes the changes."""
MAX_SCORES = 60
AWAY = "away"
"""Key of the state whether the page or site cannot be reached, which is no finding of a check."""
EXPOSED = "exposed"
"""Key of the state whether Google can index a site that is not meant for search, which is no finding of a check."""
AVAILABLE: Mapping[str, Judged] = {AWAY: Judged(Verdict.PASSED), EXPOSED: Judged(Verdict.PASSED)}
UNAVAILABLE: Mapping[str, Judged] = {AWAY: Judged(Verdict.FAILED)}


class FailedFinding(Struct, frozen=True, array_like=True):
    """Sentence of a failed finding, and the number of its pages."""

    text: FindingText
    pages_count: int = 1


class Outcome(Struct, frozen=True):
    """Score of a result, and what it says about each check of a page or cause of a site."""

    score: int
    judged: Mapping[str, Judged]
    sentences: Mapping[str, FailedFinding] = {}
    """Sentences of the failed findings, by their keys."""
    earlier_keys: Mapping[str, str] = {}
    """Earlier keys of findings that were already there, by their new keys; empty if only the check was not compared before."""

    @property
    def failed_count(self) -> int:
        """Number of checks with problems that are not accepted."""
        return len(checks_of(key for key, one in self.judged.items() if _state(one) is Verdict.FAILED))


def checks_of(keys: Iterable[str]) -> frozenset[str]:
    """Return the ids of the checks of findings: the groups of a site's fault have keys of one check."""
    return frozenset(key.partition(":")[0] for key in keys)


def _state(judged: Judged) -> Verdict | None:
    """Return failed, warned, or passed for a finding that is absent or accepted; None if it was not judged."""
    return Verdict.PASSED if judged.verdict is not None and not judged.has_problem else judged.verdict


class FindingChanges(Struct, frozen=True, array_like=True):
    """States of one finding that was a problem in one of them."""

    states: tuple[tuple[int, Verdict], ...]
    """Times at which the finding became failed, warned or passed. The first one precedes the first change; its time is 0."""
    sentence: FailedFinding | None = None
    """Sentence of the finding in the last result in which it failed; None if it was not stored."""

    @property
    def last(self) -> Verdict:
        """Current state."""
        return self.states[-1][1]

    @property
    def at(self) -> int:
        """Time of the last change."""
        return self.states[-1][0]

    def state_at(self, moment: int) -> Verdict:
        """Return the state at a time (Unix time)."""
        return next((state for at, state in reversed(self.states) if at <= moment), self.states[0][1])

    def followed_by(self, state: Verdict, at: int) -> "FindingChanges":
        """Return the changes with a new state since a time; only the last MAX_STATES are kept."""
        return structs.replace(self, states=(*self.states, (at, state))[-MAX_STATES:])

    def changes_to(self, *, failed: bool) -> Iterator[int]:
        """Yield the times at which the finding became a problem, or stopped being one."""
        steps = pairwise(self.states)
        return (at for (_, before), (at, after) in steps if ((before is Verdict.FAILED), (after is Verdict.FAILED)) == (not failed, failed))


class PeriodChange(Struct, frozen=True):
    """Changes of a page or site from the beginning to the end of a period."""

    findings: Difference
    """Changes of the findings that failed at one of the two times."""
    score_before: int
    score: int
    still_failed: int
    """Number of checks that failed at both times and have no new problem."""
    at: int
    """Time of the last relevant change."""
    sentences: Mapping[str, FailedFinding] = {}
    """Sentences of the risen findings by their keys, unless they were not stored."""
    away: tuple[int, int] | None = None
    """Times at which the page or site went away and returned, the latter within the period; None if it did not."""
    away_since: int | None = None
    """Time since when it cannot be reached; None if it can."""

    @property
    def is_worse(self) -> bool:
        """Whether there is a new problem or a lower score."""
        return is_worse(self.findings.problems, self.score_before, self.score)

    @property
    def is_better(self) -> bool:
        """Whether a problem is fixed."""
        return bool(self.findings.fixed)


class RecentChanges(Struct, frozen=True, omit_defaults=True):
    """Scores and findings of a page or site that changed recently."""

    scores: tuple[tuple[int, int], ...] = ()
    """Times and scores; the first one precedes the first change."""
    findings: Mapping[str, FindingChanges] = field(default_factory=dict)
    failed_count: int = 0
    """Number of failed checks of the newest result."""
    is_restarted: bool = False
    """Whether the newest result was not compared, so that the scores begin with the result with which the next one is compared."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing changed."""
        return not self.findings and len(self.scores) <= 1

    @property
    def worse_at(self) -> int:
        """Last time at which a problem appeared or the score fell; 0 for never."""
        fallen = (at for (_, before), (at, after) in pairwise(self.scores) if after < before)
        return max((*self._changes_to(failed=True), *fallen), default=0)

    @property
    def better_at(self) -> int:
        """Last time at which a problem was fixed or became a warning; 0 for never."""
        return max(self._changes_to(failed=False), default=0)

    def _changes_to(self, *, failed: bool) -> Iterator[int]:
        return (at for changes in self.findings.values() for at in changes.changes_to(failed=failed))

    def between(self, since: int, until: int) -> PeriodChange:
        """Return the differences between the beginning and the end of a period."""
        findings = {key: changes for key, changes in self.findings.items() if key != AWAY}
        before, after = ({key: Judged(changes.state_at(moment)) for key, changes in findings.items()} for moment in (since, until))
        found = difference(before, after)
        changed = {*found.risen, *found.better, *found.fixed}
        moments = [at for at, _ in self.scores if since < at <= until]
        moments += [at for key in changed for at, _ in self.findings[key].states if since < at <= until]
        risen = len(checks_of(key for key in found.risen if after[key].verdict is Verdict.FAILED))
        return PeriodChange(
            findings=found,
            score_before=self._score(since),
            score=self._score(until),
            still_failed=max(0, self.failed_count - risen),
            at=max(moments, default=0),
            sentences={key: one for key in found.risen if (one := self.findings[key].sentence) is not None},
            away=self._away(AWAY, since, until) or self._away(STATUS_CHECK, since, until),
            away_since=self._away_since(until),
        )

    def _away(self, key: str, since: int, until: int) -> tuple[int, int] | None:
        changes = self.findings.get(key)
        if changes is None or changes.state_at(until) is Verdict.FAILED:
            return None
        starts, ends = ([at for at in changes.changes_to(failed=failed) if at <= until] for failed in (True, False))
        begun = [at for at in starts if at > since]
        if changes.state_at(since) is Verdict.FAILED:  # a page that returned an error was no page, and is fixed
            begun = starts[-1 - len(begun) :] if key == AWAY else []
        return (begun[0], ends[-1]) if begun and ends[-1] > since else None

    def _away_since(self, until: int) -> int | None:
        changes = self.findings.get(AWAY)
        if changes is None or changes.state_at(until) is not Verdict.FAILED:
            return None
        return max((at for at in changes.changes_to(failed=True) if at <= until), default=None)

    def _score(self, moment: int) -> int:
        return next((score for at, score in reversed(self.scores) if at <= moment), self.scores[0][1] if self.scores else 0)


def after_result(earlier: RecentChanges, before: Outcome, after: Outcome, change: Difference, at: int) -> RecentChanges:
    """Return the changes with a new result.

    A finding that was not judged keeps its state. If it was not judged before, its state is known again, but its change has no time.

    Args:
        earlier: changes before the result.
        before: the result that it is compared with.
        after: the new result.
        change: the difference of the two.
        at: time of the new result.
    """
    earlier = _with_new_keys(_recent(earlier, at - RETENTION_S), after.earlier_keys)
    unjudged = frozenset(change.not_judged)
    findings: dict[str, FindingChanges] = {}
    for key, changes in earlier.findings.items():
        state, sentence = _state(after.judged.get(key, NOT_JUDGED)), after.sentences.get(key, changes.sentence)
        if state is None or state is changes.last:
            findings[key] = structs.replace(changes, sentence=sentence)
        elif key not in unjudged:
            findings[key] = structs.replace(changes, sentence=sentence).followed_by(state, at)
    for key in (*change.risen, *change.better, *change.fixed):
        states = _state(before.judged.get(key, NOT_JUDGED)), _state(after.judged.get(key, NOT_JUDGED))
        if key not in earlier.findings and states[0] and states[1] and states[0] is not states[1] and Verdict.FAILED in states:
            findings[key] = FindingChanges(((0, states[0]), (at, states[1])), after.sentences.get(key))
    scores = ((0, before.score),) if earlier.is_restarted or not earlier.scores else earlier.scores
    if scores[-1][1] != after.score:
        scores = (*scores, (at, after.score))[-MAX_SCORES:]
    last = sorted(findings, key=lambda key: (-findings[key].at, findings[key].last is not Verdict.FAILED, key))[:MAX_FINDINGS]
    return RecentChanges(scores, {key: findings[key] for key in last}, after.failed_count)


def after_incomparable(earlier: RecentChanges, after: Outcome, at: int, *, is_rated: bool = True) -> RecentChanges:
    """Return the changes after a result that was not compared, such as under another ruleset: its differences are no change of the page.

    What it does not confirm is no longer claimed, nor a fall of the score if it has no rating. That it can be reached again is known.
    """
    findings = {key: changes for key, changes in earlier.findings.items() if _state(after.judged.get(key, NOT_JUDGED)) is changes.last}
    away, state = earlier.findings.get(AWAY), _state(after.judged.get(AWAY, NOT_JUDGED))
    if away is not None and state is not None and AWAY not in findings:
        findings[AWAY] = away.followed_by(state, at)
    return RecentChanges(((at, after.score),) if is_rated else (), findings, after.failed_count, is_restarted=True)


def _with_new_keys(earlier: RecentChanges, keys: Mapping[str, str]) -> RecentChanges:
    """Return earlier changes with the new keys of findings that moved."""
    old = frozenset(keys.values())
    findings = {key: changes for key, changes in earlier.findings.items() if key not in old}
    findings |= {new: earlier.findings[key] for new, key in keys.items() if key in earlier.findings}
    return structs.replace(earlier, findings=findings)


def _recent(earlier: RecentChanges, limit: int) -> RecentChanges:
    """Return the changes since the limit, with the state and the score before them."""
    findings = {}
    for key, changes in earlier.findings.items():
        states = tuple(one for one in changes.states if one[0] >= limit)
        if states:
            findings[key] = structs.replace(changes, states=((0, changes.state_at(limit - 1)), *states))
    first = next((place for place, (at, _) in enumerate(earlier.scores) if at >= limit), len(earlier.scores))
    return RecentChanges(earlier.scores[max(0, first - 1) :], findings, earlier.failed_count, earlier.is_restarted)
