"""The site part of the score of a site, and the caps of its score.

The cost of a site check depends on the square root of the share of affected indexable pages: a fault on all pages costs all points, one on
1% of the pages a tenth, one on 0.01% a hundredth.
"""

import math
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from findable.capture.crawl import CrawlSummary
from findable.capture.site_graph import CrawledLinks, CrawledSitemap
from findable.checks.engine import Finding, Result
from findable.reports.reported_finding import AGAINST
from findable.reports.scoring import HALVES, Row
from findable.vocabulary import Category, Verdict
from findable.wording import later

BROKEN_LINKS_SHARE = 0.1
"""Share of the internal links above which the score is capped."""
LOST_FROM = 3
"""Number of lost pages below which an outdated sitemap is assumed instead of a faulty site (set by Findable)."""
FAILING_FROM = 400


class SiteCap(Struct, frozen=True):
    """Limit of the score of a site."""

    at_most: int
    reason: str
    """Reason as a message to translate."""
    checks: tuple[str, ...] = ()
    """Checks whose findings must all be fixed to lift it."""


START_NOT_INDEXABLE = SiteCap(49, later("the start page is not indexable"), ("site-start-page",))
BROKEN_LINKS = SiteCap(79, later("more than 10 % of the internal links are broken"), ("site-links-broken",))
_OF_SITEMAP = ("site-sitemap-status", "site-sitemap-noindex", "site-sitemap-blocked")
LOST_PAGES = (
    (0.2, SiteCap(59, later("20 % or more of the pages are in a sitemap and cannot be indexed"), _OF_SITEMAP)),
    (0.05, SiteCap(79, later("5 % or more of the pages are in a sitemap and cannot be indexed"), _OF_SITEMAP)),
)
"""Caps by the share of non-indexable sitemap pages among these pages and the indexable pages."""
LOST_SHARES = {cap.reason: share for share, cap in LOST_PAGES}
"""Share from which a cap of lost pages applies, by its reason."""


class SiteFacts(Struct, frozen=True):
    """Facts that the caps of the score of a site depend on."""

    links: CrawledLinks | None = None
    sitemap: CrawledSitemap | None = None
    start_is_indexable: bool = True


class SiteWeights(Struct, frozen=True):
    """Weights and faults of the site checks, which determine their score.

    A check of category ``site`` without anything to check counts as passed, for example redirect loops on a site without redirects. So the
    weights are constant, and a further fault always lowers the score.
    """

    indexable_count: int
    weights: Mapping[str, int]
    """Weights of the checked rows."""
    touched: Mapping[str, tuple[int, int]]
    """Number of pages with failed causes, and with failed or warned ones, by check; all pages for a finding without causes."""
    whole: tuple[str, ...]
    """Checks whose finding affects the whole site."""


def weights_of(results: Sequence[Result], indexable_count: int) -> SiteWeights:
    """Return the weights and faults of the findings of site checks."""
    count = max(1, indexable_count)
    weights: dict[str, int] = {}
    touched: dict[str, tuple[int, int]] = {}
    for result in results:
        row = row_of(result)
        if row.verdict in HALVES or (result.check.category is Category.SITE and row.verdict is Verdict.INAPPLICABLE):
            weights[row.id] = row.weight
            touched[row.id] = (_pages(result.finding, (Verdict.FAILED,), count), _pages(result.finding, AGAINST, count))
    return SiteWeights(count, weights, touched, tuple(result.check.id for result in results if not result.finding.causes))


def _pages(finding: Finding, verdicts: Sequence[Verdict], indexable_count: int) -> int:
    if not finding.causes:
        return indexable_count if finding.verdict in verdicts else 0
    return sum(cause.pages_count for cause in finding.causes if cause.verdict in verdicts)


class SitePart:
    """Score of the site checks, while their findings are fixed."""

    def __init__(self, answers: SiteWeights) -> None:
        self.indexable_count = answers.indexable_count
        self._weights = answers.weights
        self._touched = dict(answers.touched)
        self._whole = answers.whole

    @property
    def score(self) -> float | None:
        """Score, 0–100, None without a checked row."""
        possible = math.fsum(self._weights.values())
        lost = math.fsum(weight * self._lost_share(*self._touched[check]) for check, weight in self._weights.items())
        return 100 * (possible - lost) / possible if possible else None

    def worth(self, check: str, verdict: Verdict, pages_count: int) -> float:
        """Return the points that one cause costs by itself."""
        possible = math.fsum(self._weights.values())
        if check not in self._weights or not possible:
            return 0.0
        lost = self._lost_share(*self._touched[check]) - self._lost_share(*self._without_cause(check, verdict, pages_count))
        return 100 * self._weights[check] * lost / possible

    def fix(self, check: str, verdict: Verdict, pages_count: int) -> None:
        """Treat one cause as fixed."""
        if check in self._weights:
            self._touched[check] = self._without_cause(check, verdict, pages_count)

    def _without_cause(self, check: str, verdict: Verdict, pages_count: int) -> tuple[int, int]:
        failed, against = self._touched[check]
        if check in self._whole:
            return 0, 0
        return failed - pages_count * (verdict is Verdict.FAILED), against - pages_count

    def _lost_share(self, failed: int, against: int) -> float:
        """Return the share of its points that a check loses: all for failed causes, half for warned ones."""
        return sum(math.sqrt(min(1.0, pages / self.indexable_count)) for pages in (failed, against)) / 2


def row_of(result: Result) -> Row:
    """Return the scoring row of a finding."""
    return Row(result.check.id, result.check.importance, result.finding.verdict, result.finding.fault)


def site_caps(facts: SiteFacts, summary: CrawlSummary) -> Iterator[SiteCap]:
    """Yield the caps of the score of a site."""
    if not facts.start_is_indexable:
        yield START_NOT_INDEXABLE
    links = facts.links
    if links is not None and links.broken_links_count > BROKEN_LINKS_SHARE * links.links_count:
        yield BROKEN_LINKS
    lost_count = _lost_count(facts.sitemap) if facts.sitemap is not None else 0
    yield from (cap for share, cap in LOST_PAGES if is_lost_share(lost_count, summary.indexable_count, share))


def is_lost_share(lost_count: int, indexable_count: int, share: float) -> bool:
    """Return whether the lost pages are enough for a cap: at least LOST_FROM, and a share of these and the indexable pages."""
    return lost_count >= LOST_FROM and lost_count >= share * (lost_count + indexable_count)


def lost_pages(check: str, key: str, pages_count: int) -> int:
    """Return the number of pages of a cause that a sitemap lists and that cannot be indexed."""
    if check == "site-sitemap-status" and int(key) < FAILING_FROM:
        return 0
    return pages_count if check in _OF_SITEMAP else 0


def _lost_count(sitemap: CrawledSitemap) -> int:
    """Return the number of sitemap entries whose content cannot be found.

    Entries that redirect or have another canonical URL are excluded.
    """
    failing = sum(group.pages_count for group in sitemap.not_ok if int(group.name) >= FAILING_FROM)
    return failing + sum(group.pages_count for group in (sitemap.noindex, sitemap.disallowed) if group is not None)
