"""Internal links lead to URLs whose canonical URL is another page.

In plain words: Your links lead to other web addresses than the ones that Google is to show, which leaves it unsure.

Why it matters: Links tell search engines which URL is preferred. If they use one URL and the canonical link another, the signals contradict
each other, and crawlers request every page twice. This happens in shops where categories link to products below their own path.

How to fix: Link to the canonical URL of the page. In shop systems this is usually a setting of the category template.

Sources: [Google: consolidate duplicate URLs](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)
(2025): link consistently to the URL that you consider canonical.

Not judged: Up to 5 % of the internal links and of the pages; sort orders, filters and variants that differ by parameters only; older
versions of a documentation; canonical URLs that return an error or redirect (see site-canonical-target).
"""

from findable.capture.site_graph import CrawledLinks
from findable.capture.status_classes import OK
from findable.checks.engine import Finding, by_cause, check
from findable.checks.site_causes import block_causes
from findable.vocabulary import Effort, Importance, Stage, Verdict

UNKNOWN = 0
WARN_SHARE = 0.05
"""Share of the internal links above which the check warns (set by Findable)."""


@check("Do internal links lead to canonical URLs?", Importance.HIGH, Effort.CONTENT, status=Stage.PREVIEW)
def site_links_canonicalised(links: CrawledLinks) -> Finding:
    """Warns if more than 5 % of the internal links lead to URLs with another canonical URL, or more than 5 % of the pages are such URLs.

    Counting both keeps the many links of menus from hiding those of lists.
    """
    targets = [target for target in links.canonicalised if target.end_status in (OK, UNKNOWN)] if _are_mostly_canonicalised(links) else []
    causes = block_causes(
        targets,
        verdict=lambda _: Verdict.WARNED,
        message="{targets_count|link leads to a URL|links lead to URLs} with another canonical URL",
        note="“{anchor_text}” in {selector} links to {target}, whose canonical URL is {end_url}",
        joins_places=True,
    )
    return by_cause(
        "{canonicalised_count} of {links_count|internal link leads|internal links lead} to URLs with another canonical URL",
        causes,
        sums_up=True,
        canonicalised_count=links.canonicalised_links_count,
        links_count=links.links_count,
    )


def _are_mostly_canonicalised(links: CrawledLinks) -> bool:
    """Return whether more than 5 % of the internal links, or of the pages, concern URLs with another canonical URL."""
    of_links = links.canonicalised_links_count > WARN_SHARE * links.links_count
    return of_links or links.canonicalised_count > WARN_SHARE * links.pages_count
