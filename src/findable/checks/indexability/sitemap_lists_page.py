"""The sitemap lists this page although it is not indexable, or omits it although it is.

In plain words: Your list of pages for Google says something else about this page than the page itself.

Why it matters: A sitemap is a list of the URLs that should be found. An entry for a page that forbids indexing contradicts the page; a
missing page may be found later.

How to fix: List exactly the pages that return 200, are indexable and declare themselves as canonical.

    <url><loc>https://www.example.com/shop/blue-widgets</loc></url>

Sources: [Google: Build and submit a sitemap](https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap) (2025);
[Google: How to specify a canonical URL](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls) (2025): a
weak signal.

Not judged: sitemaps that were not read to their end; later pages of a list (``?page=2``), which are found through the first page.
"""

from findable.artifacts.page.canonical import VARIANTS, Canonical, comparable
from findable.artifacts.page.page_url import PageUrl
from findable.artifacts.page.robots_directives import GOOGLE, RobotsDirectives
from findable.artifacts.site.robots import Robots
from findable.artifacts.site.sitemap import SitemapListing, Sitemaps
from findable.checks.engine import Evidence, Finding, check, failed, inapplicable, passed, quoted, unknown, url_evidence, warned
from findable.checks.indexing_evidence import decision_evidence, declarations_evidence, directive_evidence
from findable.vocabulary import Effort, Importance


@check(
    "Does the sitemap list this page, rightly?",
    Importance.LOW,
    Effort.SERVER,
    failed=10,
    warned=10,
    depends_on=("sitemap-present", "sitemap-valid"),
    indexing_only=True,
    site_twins=("site-sitemap-missing",),
)
def sitemap_lists_page(
    sitemaps: Sitemaps,
    listing: SitemapListing,
    canonical: Canonical,
    directives: RobotsDirectives,
    robots: Robots | None,
    page_url: PageUrl,
) -> Finding:
    """Compares the sitemap entries with the page's directives and robots.txt."""
    if not sitemaps.readable:
        return inapplicable("There is no sitemap")
    listed = [entry for entry in listing.entries if comparable(entry.url) == comparable(canonical.page_url)]
    evidence = [quoted(f"<loc>{entry.url}</loc>", url=entry.sitemap_url, kind="sitemap") for entry in listed]
    against = _indexing_obstacles(canonical, directives, robots)
    if listed and against:
        found = canonical.differences
        judge = warned if found and found <= VARIANTS and not directives.noindex(*GOOGLE) else failed
        return judge("The sitemap lists this page, which is not to be indexed as such", evidence=[*evidence, *against])
    if listed:
        return passed("The sitemap lists this page", evidence=evidence)
    if not sitemaps.urls_count and sitemaps.complete:
        return inapplicable("The sitemap lists no URL: see “{check}”", check="sitemap-valid")
    if not sitemaps.complete or not listing.is_complete:
        return unknown("This page was not found in the sitemap, which was not searched to its end")
    if against:
        return passed("The sitemap omits this page, which should not be indexed under this URL", evidence=against)
    if page_url.is_later_page:
        return inapplicable("A later page of a list need not be in the sitemap")
    files = [url_evidence(file.url, file.response.status) for file in sitemaps.readable]
    return warned("{count|URL|URLs} in the sitemap; this page is not among them", count=sitemaps.urls_count, evidence=files)


def _indexing_obstacles(canonical: Canonical, directives: RobotsDirectives, robots: Robots | None) -> list[Evidence]:
    """Return evidence of anything that prevents the page from being indexed under its own URL."""
    found = []
    rule = directives.noindex(*GOOGLE)
    if rule is not None:
        found.append(directive_evidence(rule))
    decision = robots.decide(("Googlebot",), canonical.page_url) if robots else None
    if robots is not None and decision is not None and not decision.allowed:
        found.append(decision_evidence(robots, decision))
    if not canonical.is_self:
        found += declarations_evidence(canonical.effective)
    return found
