"""The site part of the score of a site, and the caps of its score.

A check of the site weighs by the share of the indexable pages that its causes touch: the root of the share, so that a fault of all pages
costs all of its points, one of a page in a hundred a tenth, and one in ten thousand a hundredth.
"""

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct

from findable.capture.crawl import CrawlSummary
from findable.capture.site_graph import CrawledLinks, CrawledSitemap
from findable.checks.engine import Finding, Result
from findable.reports.scoring import HALVES, Row
from findable.vocabulary import Category, Verdict
from findable.wording import later

BROKEN_LINKS_SHARE = 0.1
"""Share of the internal links above which the score is capped."""
LOST_FROM = 3
"""Number of lost pages below which the sitemap is outdated rather than the site faulty (set by Findable)."""
FAILING_FROM = 400


class SiteCap(Struct, frozen=True):
    """Limit of the score of a site."""

    at_most: int
    reason: str
    """Reason as a text to translate."""
    checks: tuple[str, ...] = ()
    """Checks whose findings it depends on."""


_SITEMAP_CHECKS = ("site-sitemap-status", "site-sitemap-noindex", "site-sitemap-blocked")
START_NOT_INDEXABLE = SiteCap(49, later("the start page is not indexable"), ("site-start-page",))
BROKEN_LINKS = SiteCap(79, later("more than 10 % of the internal links are broken"), ("site-links-broken",))
LOST_PAGES = (
    (0.2, SiteCap(59, later("20 % or more of the pages are in a sitemap and cannot be indexed"), _SITEMAP_CHECKS)),
    (0.05, SiteCap(79, later("5 % or more of the pages are in a sitemap and cannot be indexed"), _SITEMAP_CHECKS)),
)
"""Caps by the share of pages that a sitemap lists and that cannot be indexed, among these and the indexable ones."""


class SiteFacts(Struct, frozen=True):
    """Facts that the caps of the score of a site depend on."""

    links: CrawledLinks | None = None
    sitemap: CrawledSitemap | None = None
    start_is_indexable: bool = True


def site_part(results: Sequence[Result], indexable_count: int) -> float | None:
    """Return the score of the site checks, 0–100, None where none was answered.

    A check of category ``site`` that finds nothing to judge counts as passed, as a site without redirects has no loop of redirects:
    the weights stay the same whatever a crawl finds, so that a further fault always lowers the score.
    """
    weights: list[float] = []
    points: list[float] = []
    for result in results:
        row = row_of(result)
        of_crawl = result.check.category is Category.SITE
        if row.verdict in HALVES or (of_crawl and row.verdict is Verdict.INAPPLICABLE):
            kept = 1 - _lost(result.finding, indexable_count) if of_crawl else HALVES[row.verdict] / 2
            weights.append(row.weight)
            points.append(row.weight * kept)
    possible = math.fsum(weights)
    return 100 * math.fsum(points) / possible if possible else None


def row_of(result: Result) -> Row:
    """Return the scoring row of a finding."""
    return Row(result.check.id, result.check.importance, result.finding.verdict, result.finding.fault)


def site_cap(facts: SiteFacts, summary: CrawlSummary) -> SiteCap | None:
    """Return the lowest cap of the score of a site, if any applies."""
    return min(_caps(facts, summary), key=lambda cap: cap.at_most, default=None)


def _lost(finding: Finding, indexable_count: int) -> float:
    """Return the share of its points that a site check loses: all for failed causes, half for warned ones."""
    if finding.verdict not in (Verdict.FAILED, Verdict.WARNED):
        return 0.0
    failed = _share(finding, (Verdict.FAILED,), indexable_count)
    against = _share(finding, (Verdict.FAILED, Verdict.WARNED), indexable_count)
    return (math.sqrt(failed) + math.sqrt(against)) / 2


def _share(finding: Finding, verdicts: Sequence[Verdict], indexable_count: int) -> float:
    """Return the share of the indexable pages that causes with these verdicts touch; all pages for a finding without causes."""
    if not finding.causes:
        return float(finding.verdict in verdicts)
    return min(1.0, sum(cause.pages_count for cause in finding.causes if cause.verdict in verdicts) / max(1, indexable_count))


def _caps(facts: SiteFacts, summary: CrawlSummary) -> Iterator[SiteCap]:
    if not facts.start_is_indexable:
        yield START_NOT_INDEXABLE
    links = facts.links
    if links is not None and links.broken_links_count > BROKEN_LINKS_SHARE * links.links_count:
        yield BROKEN_LINKS
    lost_count = _lost_count(facts.sitemap) if facts.sitemap is not None else 0
    if lost_count >= LOST_FROM:
        share = lost_count / (lost_count + summary.indexable_count)
        yield from (cap for limit, cap in LOST_PAGES if share >= limit)


def _lost_count(sitemap: CrawledSitemap) -> int:
    """Return the number of sitemap entries that cannot be found; entries that redirect or name another canonical URL can be found there."""
    failing = sum(group.pages_count for group in sitemap.not_ok if int(group.name) >= FAILING_FROM)
    return failing + sum(group.pages_count for group in (sitemap.noindex, sitemap.disallowed) if group is not None)
