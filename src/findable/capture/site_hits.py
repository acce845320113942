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
    never: HitList = HitList()
    """Indexable pages without a request, those with the most links first; their numbers of requests are 0."""
    indexable_count: int = 0
    by_template: tuple[HitPart, ...] = ()
    by_segment: tuple[HitPart, ...] = ()

    def total(self, verification: str) -> int:
        """Return the number of requests with a verification."""
        return sum(one.hits_count for one in self.bots if one.verification == verification)
