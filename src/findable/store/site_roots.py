"""All raw data (roots) of a settled crawl for its site checks. Each class computes the roots of one subject."""

from collections.abc import Iterator

from sqlalchemy import Connection

from findable.crawl.state import CrawlState
from findable.store.canonical_roots import CanonicalRoots
from findable.store.crawl_roots import CrawlRoots
from findable.store.crawl_url_roots import UrlRoots
from findable.store.duplicate_roots import DuplicateRoots
from findable.store.language_roots import LanguageRoots
from findable.store.place_roots import PlaceRoots
from findable.store.reach_roots import ReachRoots
from findable.store.resource_roots import ResourceRoots
from findable.store.signal_roots import SignalRoots
from findable.store.template_roots import TemplateRoots
from findable.store.trap_roots import TrapRoots

MAKERS = (
    CrawlRoots,
    CanonicalRoots,
    DuplicateRoots,
    LanguageRoots,
    PlaceRoots,
    ReachRoots,
    ResourceRoots,
    SignalRoots,
    TemplateRoots,
    TrapRoots,
    UrlRoots,
)


def site_roots(connection: Connection, state: CrawlState) -> Iterator[object]:
    """Yield the roots of all classes."""
    for maker in MAKERS:
        yield from maker(connection, state).all()
