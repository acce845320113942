"""Requests of crawlers that return no page for search results.

In plain words: Google spends its visits on web addresses that it cannot show, and gets to your real pages later.

Why it matters: Search engines spend a limited number of requests on a site. Requests for redirects, errors, copies and ``noindex`` pages
leave fewer for other pages; this matters for sites with many thousands of pages.

How to fix: Remove links to such URLs, link to final URLs, and disallow unwanted URLs in robots.txt.

Sources: [Google: crawl budget of large sites](https://developers.google.com/crawling/docs/crawl-budget) (2025).

Not judged: Files that are not pages; URLs that robots.txt disallows, which are not requested.
"""

from findable.capture.site_urls import CrawledParameters
from findable.checks.engine import Finding, check, inapplicable, info, url_evidence
from findable.vocabulary import Effort, Importance


@check("How many requests lead to indexable pages?", Importance.INFO, Effort.CONTENT)
def site_crawl_waste(parameters: CrawledParameters) -> Finding:
    """Counts requests that led to redirects, errors or pages that are not indexable, by folder and parameter."""
    if not parameters.requests_count:
        return inapplicable("no URL of the site was requested")
    evidence = [
        url_evidence(
            item.urls[0], None, "{requests_count|request|requests} for {pattern}", requests_count=item.requests_count, pattern=item.pattern
        )
        for item in parameters.wasted
    ]
    return info(
        "{wasted_count} of {requests_count|request|requests} led to redirects, errors or pages that are not indexable",
        wasted_count=parameters.wasted_count,
        requests_count=parameters.requests_count,
        evidence=evidence,
    )
