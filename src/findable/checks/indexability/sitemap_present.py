"""No sitemap is declared, and none exists at the default locations.

In plain words: Google finds new pages of yours later, because it gets no list of them.

Why it matters: A sitemap tells search engines which pages exist, including those with few links. Small, well-linked sites do not need one.

How to fix: Publish one and declare it in robots.txt.

    Sitemap: https://www.example.com/sitemap.xml

Sources: [sitemaps.org protocol](https://www.sitemaps.org/protocol.html); [Google: Learn about
sitemaps](https://developers.google.com/search/docs/crawling-indexing/sitemaps/overview) (2025): sites of about 500 pages or fewer may not
need one.

Not judged: sitemaps that are only submitted in a search console.
"""

from typing import Any

from findable.artifacts.site.robots import Robots
from findable.artifacts.site.sitemap import SitemapFile, Sitemaps, SitemapState
from findable.capture.response import outcome
from findable.capture.site_graph import CrawledSitemap
from findable.checks.engine import Evidence, Finding, check, covered_by, passed, quoted, unknown, url_evidence, warned
from findable.vocabulary import Code, Effort, Importance


class Unmeasured(Code, params=("reason",)):
    """Reason why it is unknown whether a sitemap is declared."""

    ROBOTS_TXT_UNREAD = "robots_txt_unread", "robots.txt was not read"


@check("Is a sitemap announced?", Importance.LOW, Effort.SERVER, warned=5)
def sitemap_present(sitemaps: Sitemaps, robots: Robots | None, crawled_sitemap: CrawledSitemap | None) -> Finding:
    """Checks robots.txt first, then the usual locations; in a crawl site-sitemap-none checks whether the site needs one."""
    if sitemaps.declarations:
        lines = [_line(robots, line, url) for line, url in sitemaps.declarations]
        return passed("robots.txt declares {count|sitemap|sitemaps}", evidence=lines)
    if sitemaps.readable:
        file = sitemaps.readable[0]
        return passed("There is a sitemap at {url}", url=file.url, evidence=url_evidence(file.url, file.response.status))
    pending = [file for file in sitemaps.files if file.state is SitemapState.UNKNOWN]
    if pending or robots is None:
        return unknown("Whether there is a sitemap is not known: {reason}", **_reason(pending))
    if crawled_sitemap is not None:
        return covered_by("site-sitemap-none")
    tried = [url_evidence(file.url, file.response.status) for file in sitemaps.files]
    return warned("No sitemap in robots.txt or at the usual paths", evidence=tried)


def _line(robots: Robots | None, line: int, url: str) -> Evidence:
    return quoted(f"Sitemap: {url}", line=line, url=robots.response.url if robots else "", kind="robots_txt")


def _reason(pending: list[SitemapFile]) -> dict[str, Any]:
    return outcome(pending[0].response) if pending else {"reason": Unmeasured.ROBOTS_TXT_UNREAD}
