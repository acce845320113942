"""The dates in the sitemap do not match its pages.

In plain words: Google does not notice which pages you changed, because the dates in your list of pages are wrong.

Why it matters: Google uses ``lastmod`` to decide what to request again, as long as the dates are correct. Because of generated dates,
Google ignores all of them.

How to fix: Write the date of the last significant change of each page, or omit ``lastmod``.

Sources: [Google: build and submit a sitemap](https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap) (2025):
lastmod is used if it is consistently and verifiably accurate.

Not judged: Files with fewer than 20 dates; equal dates of the last two days, when the site may have been deployed.
"""

from datetime import datetime, timedelta
from typing import Any

from findable.artifacts.site.sitemap import SitemapFile, Sitemaps
from findable.capture.crawl import CrawlSummary
from findable.capture.site import SiteCapture
from findable.capture.sitemap_summary import SitemapForm
from findable.checks.causes import CausedFinding
from findable.checks.engine import Finding, by_cause, check, inapplicable, url_evidence
from findable.checks.site_causes import page_cause
from findable.formats.dates import iso_moment
from findable.vocabulary import Effort, Importance, Verdict

DATES_FROM = 20
"""Minimum number of dates in a file that is checked (set by Findable)."""
DEPLOYED_WITHIN = timedelta(days=2)
FUTURE_FROM = timedelta(days=1)
MOMENT = timedelta(minutes=2)


@check("Are the dates of the sitemap those of its pages?", Importance.LOW, Effort.SERVER, failed=10, warned=5)
def site_sitemap_lastmod(sitemaps: Sitemaps, site: SiteCapture, summary: CrawlSummary) -> Finding:
    """Warns if all dates are equal, in the future, or equal to the time of the request."""
    files = [file for file in sitemaps.readable if file.summary and file.form is not SitemapForm.INDEX and file.summary.lastmod_count]
    if not files:
        return inapplicable("no sitemap has dates")
    asked_at = iso_moment(site.captured_at)
    causes = [cause for file in files if asked_at is not None and (cause := _cause(file, asked_at, summary.indexable_count)) is not None]
    return by_cause("{files_count|sitemap file|sitemap files} with dates", causes, files_count=len(files))


def _cause(file: SitemapFile, now: datetime, pages_count: int) -> CausedFinding | None:
    read = file.summary
    if read is None or read.lastmod_count < DATES_FROM:
        return None
    dates = [(entry, date) for entry in read.sample if entry.lastmod and (date := iso_moment(entry.lastmod)) is not None]
    future = [entry for entry, date in dates if date > now + FUTURE_FROM]
    if future:
        message, shown = "dates lie in the future, for example {date}", future[0]
    elif dates and all("T" in entry.lastmod and abs(date - now) <= MOMENT for entry, date in dates):
        message, shown = "all dates are the moment of the request, for example {date}", dates[0][0]
    elif read.lastmod_values_count == 1 and dates and now - dates[0][1] > DEPLOYED_WITHIN:
        message, shown = "all {dates_count} URLs have the same date, {date}", dates[0][0]
    else:
        return None
    params: dict[str, Any] = {"date": shown.lastmod, "dates_count": read.lastmod_count}
    count = min(read.urls_count, max(1, pages_count))
    evidence = [url_evidence(file.url, file.response.status), url_evidence(shown.url, None, "lastmod: {date}", date=shown.lastmod)]
    return page_cause(file.url, verdict=Verdict.WARNED, message=message, evidence=evidence, pages_count=count, **params)
