"""The main text is repeated on another page of the site.

In plain words: Another page of your site has the same text, and Google shows only one of the two.

Why it matters: Search engines show one of several identical pages and choose it themselves; links and signals are split between the pages.
There is no penalty for it.

How to fix: Merge the pages, or declare one of them as canonical on the others.

    <link rel="canonical" href="https://www.example.com/shop/blue-widgets">

Sources: [Google: SEO Starter Guide](https://developers.google.com/search/docs/fundamentals/seo-starter-guide) (2025): duplicate content is
no violation, but inefficient; [Google: consolidate duplicate
URLs](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls) (2025).

Not judged: without a crawl; texts with less than 90 % in common; pages that already declare one canonical page.
"""

from findable.capture.crawl import PageInCrawl
from findable.checks.engine import Finding, check, failed, passed, url_evidence, warned
from findable.vocabulary import EditPlace, Effort, Importance

NEAR_SHARE = 0.9


@check(
    "Is the main text repeated on another page?",
    Importance.MEDIUM,
    Effort.CONTENT,
    place=EditPlace.TEXT,
    failed=200,
    warned=100,
    site_twins=("site-text-duplicate", "site-text-near"),
)
def content_duplicate(crawl: PageInCrawl) -> Finding:
    if crawl.same_text:
        return failed(
            "{count|other page has|other pages have} the same text",
            count=max(len(crawl.same_text), crawl.same_text_count),
            evidence=[url_evidence(url) for url in crawl.same_text],
        )
    near = [(url, share) for url, share in crawl.similar_text if share >= NEAR_SHARE]
    if near:
        return warned(
            "{count|other page has|other pages have} nearly the same text, {least_percent} of it or more",
            least_percent=round(100 * NEAR_SHARE),
            evidence=[url_evidence(url, None, "{share_percent} identical", share_percent=round(100 * share)) for url, share in near],
        )
    return passed("No other of {count|page|pages} has this text", count=crawl.pages_count)
