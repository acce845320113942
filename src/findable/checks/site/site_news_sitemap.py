"""The sitemap for news has entries that Google News does not use.

In plain words: Google News may miss articles of yours, because your list of them has entries that it cannot use.

Why it matters: Google reads news sitemaps for articles of the last two days, with title, date and publication. Other entries are ignored,
and a file with more than 1,000 is not accepted.

How to fix: List articles of the last two days only, at most 1,000 in a file, each with ``news:name``, ``news:language``,
``news:publication_date`` and ``news:title``.

Sources: [Google: create a news sitemap](https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap) (2025).

Not judged: Sites without a news sitemap; articles up to three days old.
"""

from datetime import datetime, timedelta
from typing import Any

from findable.artifacts.site.sitemap import SitemapFile, Sitemaps
from findable.capture.crawl import CrawlSummary
from findable.capture.site import SiteCapture
from findable.checks.causes import CausedFinding
from findable.checks.engine import Finding, by_cause, check, inapplicable, url_evidence
from findable.checks.site_causes import page_cause
from findable.formats.dates import iso_moment
from findable.vocabulary import Effort, Importance, Verdict

MAX_ENTRIES = 1000
NEWS_FOR = timedelta(days=3)
"""Age from which an article is old: two days (Google), and one for time zones."""


@check("Does the news sitemap list current articles?", Importance.MEDIUM, Effort.SERVER, failed=30, warned=15)
def site_news_sitemap(sitemaps: Sitemaps, site: SiteCapture, summary: CrawlSummary) -> Finding:
    """Warns about too many, old or incomplete entries in a news sitemap."""
    files = [file for file in sitemaps.readable if file.summary and file.summary.news]
    if not files:
        return inapplicable("the site has no news sitemap")
    asked_at = iso_moment(site.captured_at)
    causes = [cause for file in files if asked_at is not None and (cause := _cause(file, asked_at, summary.indexable_count)) is not None]
    return by_cause("{files_count|news sitemap|news sitemaps}", causes, files_count=len(files))


def _cause(file: SitemapFile, now: datetime, pages_count: int) -> CausedFinding | None:
    news = file.summary.news if file.summary else None
    if news is None:
        return None
    first_day = (now - NEWS_FOR).strftime("%Y-%m-%d")
    old_count = sum(count for day, count in news.days if day < first_day)
    evidence = [url_evidence(file.url, file.response.status)]
    if news.incomplete_count:
        message, bad_count = "{bad_count|article|articles} of {articles_count} without a required element", news.incomplete_count
        evidence += [url_evidence(url, None, "news:{element} is missing", element=element) for url, element in news.incomplete]
    elif old_count:
        message, bad_count = "{bad_count|article|articles} of {articles_count} older than two days", old_count
        evidence.append(url_evidence(news.oldest_url, None, "published {date}", date=news.days[0][0]))
    elif news.count > MAX_ENTRIES:
        message, bad_count = "{articles_count} articles in one file, {limit_count} at most are read", news.count
    else:
        return None
    params: dict[str, Any] = {"bad_count": bad_count, "articles_count": news.count, "limit_count": MAX_ENTRIES}
    count = min(bad_count, max(1, pages_count))
    return page_cause(file.url, verdict=Verdict.WARNED, message=message, evidence=evidence, pages_count=count, **params)
