"""First fixes of a site, with their gains."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from findable.reports.fixes import FIRST_FIXES
from findable.reports.gain_words import gain_shown, gained
from findable.reports.projection import Projection
from findable.reports.scoring import next_threshold
from findable.reports.search_verdict import VerdictCode
from findable.reports.site_faults import SiteFault, faults_of
from findable.reports.site_report import SiteFinding, SiteReport
from findable.wording import Translator


class SiteFix(Struct, frozen=True):
    """One of the most important fixes."""

    fault: SiteFault
    gain: str
    """Points gained by fixing all groups of the fault, after the fixes before it, in words; empty for none."""


def score_after_first_fixes(report: SiteReport) -> tuple[int, int]:
    """Return the score after the first fixes with all their groups, and their number; both are 0 for a good score without a limit."""
    gains = [*_gains(report, faults_of(report.open)[:FIRST_FIXES])]
    if report.score is None or not any(gains) or (report.cap is None and next_threshold(report.score) is None):
        return 0, 0
    return report.score + sum(gains), len(gains)


def first_site_fixes(report: SiteReport, say: Translator, ordered: Sequence[SiteFinding] | None = None) -> Iterator[SiteFix]:
    """Yield the most important fixes, one for each fault.

    Nothing is to fix first if the site cannot be reached: its verdict says what to do.

    ``ordered`` contains the findings in another order than that of harm.
    """
    found = report.open if ordered is None else ordered
    if report.verdict.code is VerdictCode.UNREACHABLE:
        return
    faults = faults_of(found)[:FIRST_FIXES]
    gains = dict(enumerate(_gains(report, faults)))
    for place, fault in enumerate(faults):
        gain, is_costly = gains.get(place), any(item.worth or item.gain for item in fault.groups)
        yield SiteFix(fault, gained(gain_shown(gain, fault.worth), say) if gain is not None and is_costly else "")


def _gains(report: SiteReport, faults: Sequence[SiteFault]) -> Iterator[int]:
    """Yield the gain of each fault, with all its groups, after those before it; nothing without a score."""
    if rows := report.rows:
        yield from Projection(rows).gains_of_groups([item.key for item in fault.groups] for fault in faults)
