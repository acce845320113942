"""All raw data (roots) of a settled crawl for its site checks. Each class computes the roots of one subject."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from findable.crawl.state import CrawlState
from findable.store.canonical_roots import CanonicalRoots
from findable.store.crawl_pages import FindingsReader
from findable.store.crawl_roots import CrawlRoots
from findable.store.crawl_url_roots import UrlRoots
from findable.store.duplicate_roots import DuplicateRoots
from findable.store.language_roots import LanguageRoots
from findable.store.place_roots import PlaceRoots
from findable.store.reach_roots import ReachRoots
from findable.store.record_pass import PageReader, passed_pages
from findable.store.resource_roots import ResourceRoots
from findable.store.signal_roots import SignalRoots
from findable.store.template_roots import TemplateRoots
from findable.store.trap_roots import TrapRoots

READERS: Mapping[Callable[[Connection, CrawlState], Any], Sequence[Callable[[Any], object]]] = {
    CrawlRoots: (CrawlRoots.summary, CrawlRoots.links, CrawlRoots.redirects, CrawlRoots.canonicals, CrawlRoots.sitemap),
    CanonicalRoots: (CanonicalRoots.signals,),
    DuplicateRoots: (DuplicateRoots.duplicates,),
    LanguageRoots: (LanguageRoots.languages,),
    ResourceRoots: (ResourceRoots.resources, ResourceRoots.external),
    TrapRoots: (TrapRoots.traps,),
    UrlRoots: (UrlRoots.variants, UrlRoots.parameters, UrlRoots.paginations, UrlRoots.folders),
}
"""Methods that compute a root from queries, by their class."""


class ReadSite:
    """Settled crawl whose pages were read once, for its roots and the findings of its pages.

    Args:
        connection: connection for reading.
        state: state of the crawl.
    """

    def __init__(self, connection: Connection, state: CrawlState) -> None:
        self._connection = connection
        self.findings = FindingsReader(connection, state)
        self._places, self._reach = PlaceRoots(connection, state), ReachRoots(connection, state)
        self._signals, self._templates = SignalRoots(connection, state), TemplateRoots(connection, state)
        readers: Sequence[PageReader] = (self.findings, self._places, self._reach, self._signals, self._templates)
        for page in passed_pages(connection):
            for reader in readers:
                reader.add(page)

    def roots(self, state: CrawlState) -> Iterator[object]:
        """Yield all roots."""
        for maker, reads in READERS.items():
            made = maker(self._connection, state)
            yield from (read(made) for read in reads)
        yield self._places.places()
        yield self._reach.reach()
        yield from (self._signals.signals(), self._signals.noindex())
        yield from (self._templates.templates(), self._templates.markup(), self._templates.thin())
