"""All raw data (roots) of a settled crawl for its site checks. Each class computes the roots of one subject."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

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

READERS: Mapping[Callable[[Connection, CrawlState], Any], Sequence[Callable[[Any], object]]] = {
    CrawlRoots: (
        CrawlRoots.summary,
        CrawlRoots.links,
        CrawlRoots.redirects,
        CrawlRoots.canonicals,
        CrawlRoots.sitemap,
        CrawlRoots.templates,
    ),
    CanonicalRoots: (CanonicalRoots.signals,),
    DuplicateRoots: (DuplicateRoots.duplicates,),
    LanguageRoots: (LanguageRoots.languages,),
    PlaceRoots: (PlaceRoots.places,),
    ReachRoots: (ReachRoots.reach,),
    ResourceRoots: (ResourceRoots.resources, ResourceRoots.external),
    SignalRoots: (SignalRoots.signals, SignalRoots.noindex),
    TemplateRoots: (TemplateRoots.markup, TemplateRoots.thin),
    TrapRoots: (TrapRoots.traps,),
    UrlRoots: (UrlRoots.variants, UrlRoots.parameters, UrlRoots.paginations, UrlRoots.folders),
}
"""Methods that compute a root, by their class."""


def site_roots(connection: Connection, state: CrawlState) -> Iterator[object]:
    """Yield the roots of all classes."""
    for maker, reads in READERS.items():
        roots = maker(connection, state)
        yield from (read(roots) for read in reads)
