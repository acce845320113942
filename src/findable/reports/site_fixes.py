"""First fixes of a site, with their gains."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from findable.reports.fixes import FixGain
from findable.reports.site_report import SiteFinding, SiteReport
from findable.reports.titles import gain_at, points
from findable.wording import Translator

FIRST_FIXES = 3
MAX_FIXES = 5
"""Maximum number of first fixes, if all of them are needed to lift the limit of the score."""


class SiteFix(Struct, frozen=True):
    """One of the most important fixes."""

    finding: SiteFinding
    """First cause of its check."""
    gain: str
    """Points gained by fixing all causes of the check, after the fixes before it, in words; empty for none."""
    more: str
    """Number of further causes of the same check, in words; empty for none."""


def score_without_cap(report: SiteReport) -> tuple[int, int]:
    """Return the score after the first fixes that lift its limit, with all their causes, and their number; 0 if no fix lifts a limit."""
    checks = {item.id for item in report.limiting}
    return (report.score or 0) + sum(item.gain or 0 for item in report.open if item.id in checks), len(checks)


def first_site_fixes(report: SiteReport, say: Translator, ordered: Sequence[SiteFinding] | None = None) -> Iterator[SiteFix]:
    """Yield the most important fixes: the first cause of each check, and all that lift the limit of the score, up to MAX_FIXES.

    ``ordered`` contains the findings in another order than that of harm.
    """
    ordered = report.open if ordered is None else ordered
    causes = Counter(item.id for item in report.open)
    gains: Counter[str] = Counter()
    for item in report.open:
        gains[item.id] += item.gain or 0
    together = _joint_gains(report.limiting, gains, say)
    first = {item.id: item for item in reversed(ordered)}
    for item in [item for item in ordered if first[item.id] is item][: _first_count(report)]:
        gain = together.get(item.id) or points(gains[item.id], say) or (say("under 1 point") if item.worth else "")
        yield SiteFix(item, gain, _other_causes(causes[item.id] - 1, say) if gain else _more_causes(causes[item.id] - 1, say))


def _more_causes(count: int, say: Translator) -> str:
    return say.plural("and %(count)s more cause", "and %(count)s more causes", count) if count else ""


def _other_causes(count: int, say: Translator) -> str:
    """Return the number of further causes with the note that the gain needs all of them; empty for none."""
    if not count:
        return ""
    return say.plural("and %(count)s more cause (fix both)", "and %(count)s more causes (fix all %(all)s)", count, all=count + 1)


def _joint_gains(limiting: Sequence[SiteFinding], gains: Mapping[str, int], say: Translator) -> Mapping[str, str]:
    """Return the gain of each check whose fix lifts the limit of the score only together with those of other checks.

    ``gains`` contains the sums over all causes by check.
    """
    found: dict[str, str] = {}
    left = Counter(item.id for item in limiting)
    names: list[str] = []
    has_gain = False
    for item in limiting:
        left[item.id] -= 1
        has_gain = has_gain or bool(item.gain)
        if item.id not in names:
            names.append(item.id)
        if not has_gain or any(left[name] for name in names):
            continue
        if len(names) > 1:
            joint = [FixGain(0, 0, 0.0, is_limited=True) for _ in names[1:]]
            last = FixGain(sum(gains[name] for name in names), 0, 0.0, is_limited=False)
            found |= {name: gain_at((*joint, last), place, say) for place, name in enumerate(names)}
        names, has_gain = [], False
    return found


def _first_count(report: SiteReport) -> int:
    """Return the number of first fixes, so that those that the expected score counts are shown."""
    _, count = score_without_cap(report)
    return count if FIRST_FIXES < count <= MAX_FIXES else FIRST_FIXES
