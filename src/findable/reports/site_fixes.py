"""First fixes of a site, with their gains."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from findable.reports.fixes import FIRST_FIXES
from findable.reports.projection import Projection
from findable.reports.scoring import next_threshold
from findable.reports.site_report import SiteFinding, SiteReport
from findable.reports.titles import gained
from findable.wording import Translator


class SiteFix(Struct, frozen=True):
    """One of the most important fixes."""

    finding: SiteFinding
    """First cause of its check."""
    gain: str
    """Points gained by fixing all causes of the check, after the fixes before it, in words; empty for none."""
    more: str
    """Number of further causes of the same check, in words; empty for none."""


def score_after_first_fixes(report: SiteReport) -> tuple[int, int]:
    """Return the score after the first fixes with all their causes, and their number; both are 0 for a good score without a limit."""
    gains = [*_gains(report, list(_causes(report.open).values())[:FIRST_FIXES])]
    if report.score is None or not any(gains) or (report.cap is None and next_threshold(report.score) is None):
        return 0, 0
    return report.score + sum(gains), len(gains)


def first_site_fixes(report: SiteReport, say: Translator, ordered: Sequence[SiteFinding] | None = None) -> Iterator[SiteFix]:
    """Yield the most important fixes: the first cause of each check.

    A site that is not meant for search needs no fix that lets pages be indexed.

    ``ordered`` contains the findings in another order than that of harm.
    """
    found = report.open if ordered is None else ordered
    wanted = [item for item in found if not (report.verdict.is_not_for_search and item.check.indexing_only)]
    causes = list(_causes(wanted).values())[:FIRST_FIXES]
    gains = dict(enumerate(_gains(report, causes)))
    for place, own in enumerate(causes):
        gain = gains.get(place)
        words = "" if gain is None or not any(item.worth or item.gain for item in own) else gained(gain, say)
        yield SiteFix(own[0], words, _other_causes(len(own) - 1, say) if words else _more_causes(len(own) - 1, say))


def _causes(findings: Sequence[SiteFinding]) -> Mapping[str, list[SiteFinding]]:
    """Return the findings by check, in order."""
    found: defaultdict[str, list[SiteFinding]] = defaultdict(list)
    for item in findings:
        found[item.id].append(item)
    return found


def _gains(report: SiteReport, causes: Sequence[Sequence[SiteFinding]]) -> Iterator[int]:
    """Yield the gain of each fix of all causes of a check, after those before it; nothing without a score."""
    if rows := report.rows:
        yield from Projection(rows).gains_of_groups([item.key for item in own] for own in causes)


def _more_causes(count: int, say: Translator) -> str:
    return say.plural("and %(count)s more cause", "and %(count)s more causes", count) if count else ""


def _other_causes(count: int, say: Translator) -> str:
    """Return the number of further causes with the note that the gain needs all of them; empty for none."""
    if not count:
        return ""
    return say.plural("and %(count)s more cause (fix both)", "and %(count)s more causes (fix all %(all)s)", count, all=count + 1)
