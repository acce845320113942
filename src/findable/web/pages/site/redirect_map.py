"""Redirect map in the report of a list of URLs: how many old URLs are wrong, and each with its result."""

from contextlib import suppress

from msgspec import Struct

from findable.crawl.redirect_map import RedirectMapRow, map_headline, results_of
from findable.errors import CrawlUnreadable, NotFound
from findable.service.crawls.redirect_map import UnmappedPages, mapped_urls, unmapped_pages
from findable.web.pages.shared.form_fields import Choice
from findable.web.pages.site.site_visit import SiteVisit

SHOWN = 200
"""Maximum number of URLs on the page; the file has all."""


class RedirectMapView(Struct, frozen=True):
    """Redirect map of a crawl."""

    headline: str
    filters: tuple[Choice, ...]
    """Results with their numbers of URLs, and all."""
    rows: tuple[RedirectMapRow, ...]
    """URLs with the chosen result, the wrong ones first."""
    left_count: int
    """Number of further URLs in the file."""
    unmapped: UnmappedPages | None
    """Pages that the map lacks, for the owner; None for none."""


def redirect_map(visit: SiteVisit) -> RedirectMapView | None:
    """Return the redirect map of a crawl; None without one."""
    rows: tuple[RedirectMapRow, ...] = ()
    with suppress(NotFound, CrawlUnreadable), visit.open_crawl() as handle:
        rows = mapped_urls(handle)
    if not rows:
        return None
    say, chosen = visit.say, visit.query.get("map", "")
    shown = tuple(row for row in rows if row.result == chosen) or rows
    choices = {"": (say("All"), len(rows)), **{result.value: (say.text(result.words), count) for result, count in results_of(rows).items()}}
    filters = tuple(
        Choice(name, words, name == (chosen if shown != rows else ""), _href(visit, name), count)
        for name, (words, count) in choices.items()
    )
    unmapped = None
    with suppress(NotFound, CrawlUnreadable):
        unmapped = unmapped_pages(visit.service, visit.crawl, rows, SHOWN) if visit.owner else None
    return RedirectMapView(map_headline(rows, say), filters, shown[:SHOWN], len(shown[SHOWN:]), unmapped)


def _href(visit: SiteVisit, name: str) -> str:
    return f"{visit.here}{visit.url(map=name).removeprefix(visit.path)}#redirect-map"
