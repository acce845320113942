"""URLs that a crawl knows, as the requests of bots in access logs are joined with them."""

from typing import NamedTuple

from findable.reports.site_areas import UrlState


class CrawledUrl(NamedTuple):
    """URL that a crawl knows."""

    key: int
    url: str
    state: UrlState | None
    """State for search engines; None for files and URLs that were not requested."""
    reason: str | None
    """Value of `Reason`; None if it was not requested."""
    links_count: int
    """Number of pages that link to it."""
    is_listed: bool
    """Whether a sitemap lists it."""
    template: int
