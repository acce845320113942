"""Requests of bots for the URLs of a site, counted in its access logs and joined with its crawl.

"Search bots" are verified bots for search and AI search, as in the column of pages. A list contains its items with the most requests.
"""

from collections.abc import Mapping
from datetime import date

from msgspec import Struct

from findable.capture.root import root
from findable.vocabulary import Source, Subject


class LogCoverage(Struct, frozen=True):
    """Logs that were counted."""

    first_day: date
    last_day: date
    days_count: int
    """Days with lines, from the first to the last day."""
    sources: tuple[str, ...]
    """Names of servers and CDNs."""
    lines: int
    unreadable: int
    missing_days: tuple[date, ...] = ()
    """Days without lines between the first and the last day, in order."""

    @property
    def gaps_count(self) -> int:
        """Number of days without lines."""
        return (self.last_day - self.first_day).days + 1 - self.days_count


class BotTotal(Struct, frozen=True):
    """Requests of a bot."""

    bot: str
    verification: str
    """``verified``, ``unverified`` or ``fake``."""
    hits_count: int
    urls_count: int
    statuses: Mapping[str, int]
    """Number of requests by class of status."""
    indexable_count: int = 0
    """Indexable pages of the crawl that it requested: a bot with many requests may know few pages."""


class HitUrl(Struct, frozen=True):
    """URL with its number of requests."""

    url: str
    hits_count: int
    bot: str = ""
    """Bot of the requests; empty for several."""


class HitList(Struct, frozen=True):
    """URLs with something in common."""

    hits_count: int = 0
    urls_count: int = 0
    items: tuple[HitUrl, ...] = ()


class HitPart(Struct, frozen=True):
    """Part of the site: a folder, template, segment or query parameter."""

    name: str
    hits_count: int
    pages_count: int = 0
    """Indexable pages of the crawl; 0 for a parameter."""
    requested_count: int = 0
    """Indexable pages that search bots requested; for a parameter, its requested URLs."""
    wasted_count: int = 0
    """Requests for URLs that cannot be indexed, as the crawl found them; of a folder or parameter."""


class NewPage(Struct, frozen=True):
    """Indexable page that a crawl was the first to find."""

    url: str
    found: date
    """Day of that crawl."""
    requested: date | None
    """Day of the first request of a search bot in the logs, which may be before that crawl; null for none yet."""


class NewPages(Struct, frozen=True):
    """New indexable pages since the last gap in the logs, and the days from the crawl that found them to the first request."""

    pages_count: int
    requested_count: int
    median_days: int | None
    """Days within which half of the pages were requested; null if fewer were."""
    most_days: int | None
    """Days within which nine of ten pages were requested; null if fewer were."""
    items: tuple[NewPage, ...]
    """Pages without a request first, the oldest first; at most `LIST_LIMIT`."""


@root(Source.LOGS, Subject.SITE, without="no access log was imported")
class SiteHits(Struct, frozen=True):
    """Requests of bots in a period. All lists and parts but ``bots`` and ``top`` are of search bots."""

    coverage: LogCoverage
    bots: tuple[BotTotal, ...]
    top: HitList
    """URLs that bots requested most, without fakes."""
    hits_count: int
    """Requests of search bots."""
    redirects: HitList
    missing: HitList
    """URLs that responded with 404 or 410."""
    missing_linked: HitList
    """Missing URLs that the site links to or lists in a sitemap."""
    refused: HitList
    """URLs that refused a bot with 401, 403, 406, 429 or 451, by bot; with a crawl, those that it loaded with status 200."""
    errors: HitList
    """URLs that responded with 5xx."""
    parameters: HitList
    """URLs with query parameters."""
    by_folder: tuple[HitPart, ...]
    by_parameter: tuple[HitPart, ...]
    is_joined: bool = False
    """Whether the site was crawled near the time of the logs. If not, everything below is empty."""
    noindex: HitList = HitList()
    not_indexable: HitList = HitList()
    """Pages that cannot be indexed, as the crawl found them: noindex, another canonical URL, redirect, error."""
    disallowed: HitList = HitList()
    """URLs that robots.txt disallows for crawlers."""
    unlinked: HitList = HitList()
    """Pages with 2xx that the crawl did not find."""
    variants: HitList = HitList()
    """URLs with 2xx that differ from one of the crawl only by scheme, slash, letter case, index file, escapes or order of parameters.

    Their requests also count for that page.
    """
    chains: HitList = HitList()
    """First URLs of chains of two or more redirects, with the redirected requests of all URLs of the chain."""
    new_pages: NewPages | None = None
    """New pages; null if the crawl was not compared with an earlier one, or found none within the logs."""
    never: HitList = HitList()
    """Indexable pages without a request, those with the most links first; their numbers of requests are 0."""
    indexable_count: int = 0
    by_template: tuple[HitPart, ...] = ()
    by_segment: tuple[HitPart, ...] = ()

    def total(self, verification: str) -> int:
        """Return the number of requests with a verification."""
        return sum(one.hits_count for one in self.bots if one.verification == verification)
