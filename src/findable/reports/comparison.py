"""Compare two runs of one page; terminal, API and pages share these rules."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Generic, TypeVar

from msgspec import Struct, field

from findable.reports.reported_finding import AGAINST, ComparableFinding
from findable.vocabulary import Verdict

Finding = TypeVar("Finding", bound=ComparableFinding)


class ChangedFinding(Struct, Generic[Finding], frozen=True):
    """Finding of the newer run, or of the older one if it is fixed."""

    finding: Finding
    before: Verdict | None
    """Verdict of the same check in the older run; None if it did not run."""
    after: Verdict | None

    @property
    def is_worse(self) -> bool:
        """Whether a warning became a problem."""
        return (self.before, self.after) == (Verdict.WARNED, Verdict.FAILED)


class Comparison(Struct, Generic[Finding], frozen=True):
    """Problems and warnings grouped by their change. Each check appears in only one list."""

    new: list[ChangedFinding[Finding]] = field(default_factory=list)
    """Findings that never occurred before."""
    fixed: list[ChangedFinding[Finding]] = field(default_factory=list)
    """Findings that no longer occur."""
    returned: list[ChangedFinding[Finding]] = field(default_factory=list)
    """Findings that are new, but occurred in an earlier run or were accepted before."""
    still: list[ChangedFinding[Finding]] = field(default_factory=list)
    """Findings in both runs, including those of the older run that cannot be measured now."""

    @property
    def worse_findings(self) -> Sequence[Finding]:
        """Findings that are new or have become worse."""
        return [one.finding for one in (*self.new, *self.returned, *(kept for kept in self.still if kept.is_worse))]


def compare(before: Iterable[Finding], after: Iterable[Finding], earlier: Iterable[Iterable[Finding]] = ()) -> Comparison[Finding]:
    """Compare by check, because each check has one finding. Accepted findings are excluded: accepting does not fix the page."""
    old, now = ({finding.id: finding for finding in run} for run in (before, after))
    seen = {finding.id for finding in chain.from_iterable(earlier) if finding.verdict in AGAINST}
    seen |= {check for check, finding in old.items() if finding.accepted}
    made: Comparison[Finding] = Comparison()
    for check in [*now, *(check for check in old if check not in now)]:
        was, is_ = _verdict(old, check), _verdict(now, check)
        was_held = check in old and old[check].has_problem
        if is_ in AGAINST:
            if not now[check].accepted:
                kind = made.still if was_held else made.returned if check in seen else made.new
                kind.append(ChangedFinding(now[check], was, is_))
        elif was_held:
            kind = made.still if is_ is Verdict.UNKNOWN else made.fixed
            kind.append(ChangedFinding(old[check], was, is_))
    return made


def _verdict(findings: Mapping[str, Finding], check: str) -> Verdict | None:
    return findings[check].verdict if check in findings else None
