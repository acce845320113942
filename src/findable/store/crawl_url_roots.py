"""Raw data (roots) for site checks of the URLs of a settled crawl: variants, parameters, unnecessary requests, paginated lists, folders."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sqlalchemy import select

from findable.capture.site_graph import LIST_LIMIT, LinkSource
from findable.capture.site_urls import CrawledFolders, CrawledPaginations, CrawledParameters, CrawledVariants, Parameter
from findable.capture.status_classes import ERRORS, OK, REFUSALS, SERVER_ERRORS
from findable.crawl.site.folders import missing_folders
from findable.crawl.site.paginations import LinksOfLists, PageOfList, pages_by_number, pagination
from findable.crawl.site.parameters import ParameterPage, multiplying_parameters
from findable.crawl.site.useless_requests import useless_requests
from findable.crawl.site.variants import VariantPage, possible_variants, variants
from findable.crawl.url_keys import url_key
from findable.crawl.varints import unpack, unpack_sorted
from findable.limits import MAX_BROKEN, MAX_PAGED_LISTS
from findable.store.crawl_reading import AT_ONCE, CrawlReading
from findable.store.crawl_schema import (
    ALL_PAGES,
    ALL_URLS,
    BLOCK,
    INDEXABLE,
    INLINKS,
    PAGE,
    PAGES,
    RECORD,
    SETTLED,
    SETTLED_PAGES,
    URL,
    WITH_RECORD,
)
from findable.store.dialect import stream_rows
from findable.store.packed_pages import link_columns
from findable.store.rows_by_id import rows_in

VARIANT_COLUMNS = (URL.c.id, URL.c.url, PAGE.c.text, PAGE.c.plain_text, PAGE.c.title, PAGE.c.heading, SETTLED.c.linked_from)
"""Columns of a `VariantPage`."""
_PARAMETER_COLUMNS = (URL.c.id, URL.c.url, PAGE.c.text, PAGE.c.plain_text, PAGE.c.title, SETTLED.c.similar)
"""Columns of a `ParameterPage`."""
_LIST_COLUMNS = (URL.c.id, URL.c.url, PAGE.c.status, PAGE.c.reason, PAGE.c.canonical, SETTLED.c.template)
"""Columns of a `PageOfList`."""
_WITH_PARAMETERS = URL.c.has_query, *INDEXABLE


class UrlRoots(CrawlReading):
    """Computes the roots of one crawl about URLs."""

    # --- variants

    def variants(self) -> CrawledVariants:
        """Return indexable pages with several linked URLs."""
        linked = select(URL.c.id, URL.c.url).select_from(SETTLED_PAGES).where(*INDEXABLE, SETTLED.c.linked_from > 0).order_by(URL.c.id)
        groups = possible_variants(stream_rows(self._connection, linked))
        pages = select(*VARIANT_COLUMNS).select_from(SETTLED_PAGES)
        read = (self._connection.execute(pages.where(URL.c.id.in_(numbers[:LIST_LIMIT]))) for numbers in groups)
        return CrawledVariants(self.count(*INDEXABLE), variants(((VariantPage(*row) for row in rows) for rows in read), self._source_of))

    def _source_of(self, number: int) -> LinkSource | None:
        return next(iter(self.sources(number)), None)

    # --- parameters

    def parameters(self) -> CrawledParameters:
        """Return the number of requests by parameter and folder."""
        requested = select(URL.c.url, PAGE.c.reason).select_from(PAGES).order_by(URL.c.id)
        useless = useless_requests(stream_rows(self._connection, requested))
        return CrawledParameters(self.count(*_WITH_PARAMETERS), self.multiplying(), *useless)

    def multiplying(self) -> tuple[Parameter, ...]:
        """Return the parameters that mostly create duplicates."""
        chosen = select(*_PARAMETER_COLUMNS).select_from(ALL_PAGES).where(*_WITH_PARAMETERS).order_by(URL.c.id)
        batches = self._connection.execute(chosen).partitions(AT_ONCE)
        return multiplying_parameters(([ParameterPage(*row) for row in rows] for rows in batches), self._pages_at, self._source_of)

    def _pages_at(self, urls: Iterable[str]) -> dict[int, ParameterPage]:
        """Return the fetched pages among URLs, by URL key."""
        chosen = select(URL.c.key, *_PARAMETER_COLUMNS).select_from(ALL_PAGES).where(PAGE.c.status == OK)
        return {key: ParameterPage(*row) for key, *row in rows_in(self._connection, chosen, URL.c.key, map(url_key, urls))}

    # --- lists on several pages

    def paginations(self) -> CrawledPaginations:
        """Return paginated lists with a problem, without endless series."""
        chosen = select(URL.c.id, URL.c.url).where(URL.c.series != 0, self.not_endless).order_by(URL.c.id)
        series = pages_by_number(stream_rows(self._connection, chosen))
        largest = sorted(series.items(), key=lambda item: (-len(item[1]), item[0]))[:MAX_PAGED_LISTS]
        links = LinksOfLists(self._targets_of, self._indexable_urls)
        found = (pagination(base, self._pages_of_list(members), self._pages_of_base(base), links) for base, members in largest)
        return CrawledPaginations(len(series), tuple(item for item in found if item is not None))

    def _pages_of_list(self, members: Mapping[int, int]) -> dict[int, PageOfList]:
        """Return the pages of a list by page number."""
        rows = rows_in(self._connection, select(*_LIST_COLUMNS).select_from(ALL_URLS), URL.c.id, members.values())
        pages = {row.id: PageOfList(*row) for row in rows}
        return {number: pages[page] for number, page in members.items()}

    def _pages_of_base(self, base: str) -> list[PageOfList]:
        """Return the requested pages at the URL of a list, with and without a slash."""
        chosen = select(*_LIST_COLUMNS).select_from(ALL_PAGES.join(RECORD, WITH_RECORD))
        with_key = chosen.where(URL.c.key.in_((url_key(base), url_key(f"{base}/")))).order_by(URL.c.id)
        return [PageOfList(*row) for row in self._connection.execute(with_key)]

    def _targets_of(self, pages: Sequence[int]) -> list[frozenset[int]]:
        """Return the URLs to which each of some pages links."""
        records = rows_in(self._connection, select(RECORD.c.id, RECORD.c.blocks), RECORD.c.id, pages)
        blocks = {row.id: set(unpack(row.blocks)) for row in records}
        rows = rows_in(self._connection, select(BLOCK.c.id, BLOCK.c.links), BLOCK.c.id, sorted(set().union(*blocks.values())))
        targets = {row.id: link_columns(row.links)[0] for row in rows}
        return [frozenset().union(*map(targets.__getitem__, blocks.get(number, ()))) for number in pages]

    def _indexable_urls(self, numbers: Iterable[int]) -> Iterator[str]:
        """Yield the URLs of the indexable pages among these."""
        chosen = select(URL.c.url).select_from(PAGES).where(*INDEXABLE)
        return (row.url for row in rows_in(self._connection, chosen, PAGE.c.id, sorted(numbers)))

    # --- folders

    def folders(self) -> CrawledFolders:
        """Return missing folders: several link blocks point into them, and no URL in them loads."""
        is_broken = PAGE.c.status >= ERRORS, PAGE.c.status < SERVER_ERRORS, PAGE.c.status.not_in(REFUSALS)
        chosen = select(URL.c.id, URL.c.url).select_from(SETTLED_PAGES).where(SETTLED.c.linked_from > 0, *is_broken)
        broken = self._connection.execute(chosen.order_by(SETTLED.c.linked_from.desc(), URL.c.url).limit(MAX_BROKEN))
        return CrawledFolders(missing_folders([(row.id, row.url) for row in broken], self._living(), self._sources_count, self.target))

    def _living(self) -> Iterator[str]:
        """Yield the URLs that load."""
        chosen = select(URL.c.url).select_from(PAGES).where(PAGE.c.status > 0, PAGE.c.status < ERRORS)
        for (url,) in stream_rows(self._connection, chosen):
            yield url

    def _sources_count(self, targets: Sequence[int]) -> tuple[int, int]:
        """Return the numbers of blocks and of pages with a link to one of some URLs."""
        inlinks = rows_in(self._connection, select(INLINKS.c.blocks), INLINKS.c.target, targets)
        blocks = {block for row in inlinks for block in unpack_sorted(row.blocks)}
        return len(blocks), len(self.pages_of_blocks(sorted(blocks)[:MAX_BROKEN]))
