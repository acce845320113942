"""First fixes of a site, with their gains."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from findable.reports.site_report import SiteFinding, SiteReport
from findable.reports.titles import points
from findable.wording import Wording

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
    """Return the score after the first fixes that lift its limit, and their number; 0 if no fix lifts a limit."""
    limiting = report.limiting
    return (report.score or 0) + sum(item.gain or 0 for item in limiting), len({item.id for item in limiting})


def first_site_fixes(report: SiteReport, say: Wording, ordered: Sequence[SiteFinding] | None = None) -> Iterator[SiteFix]:
    """Yield the most important fixes: the first cause of each check, and all that lift the limit of the score, up to MAX_FIXES.

    ``ordered`` contains the findings in another order than that of harm.
    """
    ordered = report.open if ordered is None else ordered
    causes = Counter(item.id for item in report.open)
    gains: Counter[str] = Counter()
    for item in report.open:
        gains[item.id] += item.gain or 0
    together = _joint_gains(report.limiting, say)
    first = {item.id: item for item in reversed(ordered)}
    for item in [item for item in ordered if first[item.id] is item][: _first_count(report)]:
        others = causes[item.id] - 1
        more = say.plural("and %(count)s more cause", "and %(count)s more causes", others) if others else ""
        gain = together.get(item.id) or points(gains[item.id], say) or (say("under 1 point") if item.worth else "")
        yield SiteFix(item, gain, more)


def _joint_gains(limiting: Sequence[SiteFinding], say: Wording) -> Mapping[str, str]:
    """Return the gain of each check whose fix lifts the limit of the score only together with those of other checks.

    The first of them shows the gain of all.
    """
    found: dict[str, str] = {}
    left = Counter(item.id for item in limiting)
    names: list[str] = []
    gain = 0
    for item in limiting:
        left[item.id] -= 1
        gain += item.gain or 0
        if item.id not in names:
            names.append(item.id)
        if not gain or any(left[name] for name in names):
            continue
        if len(names) > 1 and gain:
            words = say.plural(
                "%(gained)s, only together with the next fix",
                "%(gained)s, only together with the next %(count)s fixes",
                len(names) - 1,
                gained=points(gain, say),
            )
            found |= {names[0]: words} | dict.fromkeys(names[1:], say("counted above"))
        names, gain = [], 0
    return found


def _first_count(report: SiteReport) -> int:
    """Return the number of first fixes, so that those that the expected score counts are shown."""
    _, count = score_without_cap(report)
    return count if FIRST_FIXES < count <= MAX_FIXES else FIRST_FIXES
