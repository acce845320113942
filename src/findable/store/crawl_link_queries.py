"""Links from a page or to a page of a crawl. They are stored as lists that pages share, and expanded to rows here."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct, structs
from sqlalchemy import Connection, Select, func, select

from findable.crawl.state import CrawlState
from findable.crawl.tables import LinkRow
from findable.crawl.url_keys import url_key
from findable.crawl.url_parameters import without_parameters
from findable.crawl.varints import unpack, unpack_sorted
from findable.store.crawl_reading import CrawlReading
from findable.store.crawl_schema import ANCHOR, BLOCK, BLOCK_PAGES, PAGE, RECORD, URL
from findable.store.packed_pages import link_columns
from findable.store.rows_by_id import parts, rows_in

KEPT_BLOCKS, KEPT_ROWS = 2000, 200_000
"""Numbers of lists, and of URLs and link texts, that are kept in memory; if there are more, all are forgotten."""
BLOCKS_AT_ONCE = 50
_Cells = tuple[Any, ...]
LinkCells = Sequence[list[Any]]
"""Links as the cells of each column of `LinkRow`; those of a list of links are without the columns of the source."""


class LinkPlace(Struct, frozen=True):
    """Position in a list of links. For links from a page: the index; for links to a page: the block and the source page."""

    first: int
    second: int = 0


class CrawlLinks(CrawlReading):
    """Reads the links of one crawl. Links to a page are known once the crawl is settled."""

    def __init__(self, connection: Connection, state: CrawlState) -> None:
        super().__init__(connection, state)
        self._blocks: dict[int, LinkCells] = {}
        self._targets: dict[int, _Cells] = {}
        self._anchors: dict[int, _Cells] = {}

    def number_of(self, url: str) -> int | None:
        """Return the id of a URL; None if the crawl did not find it."""
        key = url_key(without_parameters(url, frozenset(self._state.session_names)))
        return self._connection.execute(select(URL.c.id).where(URL.c.key == key)).scalar()

    def from_page(self, number: int, *, after: LinkPlace | None = None, limit: int | None = None) -> Iterator[tuple[LinkRow, LinkPlace]]:
        """Yield the links of a page in document order, from a position on."""
        first = after.first if after else 0
        links = enumerate(map(LinkRow, *self.from_pages([number])), 1)
        yield from ((row, LinkPlace(at)) for at, row in islice(links, first, None if limit is None else first + limit))

    def from_pages(self, numbers: Sequence[int]) -> LinkCells:
        """Return the links of pages, those of each page in document order."""
        chosen = select(RECORD.c.id, RECORD.c.blocks, URL.c.url).join(URL, URL.c.id == RECORD.c.id).order_by(RECORD.c.id)
        pages = [(row.id, row.url, dict.fromkeys(unpack(row.blocks))) for row in rows_in(self._connection, chosen, RECORD.c.id, numbers)]
        known = self._blocks_of(dict.fromkeys(block for _, _, blocks in pages for block in blocks))
        columns: LinkCells = [[] for _ in structs.fields(LinkRow)]
        sources, source_urls, *others = columns
        for number, url, blocks in pages:
            for block in blocks:
                ends = known[block]
                sources.extend([number] * len(ends[0]))
                source_urls.extend([url] * len(ends[0]))
                for cells, more in zip(others, ends, strict=True):
                    cells.extend(more)
        return columns

    def to_page(self, number: int, *, after: LinkPlace | None = None, limit: int | None = None) -> Iterator[tuple[LinkRow, LinkPlace]]:
        """Yield the links to a URL, ordered by block and source page, from a position on."""
        blocks = [block for block in self.blocks_linking_to(number) if after is None or block >= after.first]
        left = limit
        for at in range(0, len(blocks), BLOCKS_AT_ONCE):
            for block, ends in self._blocks_of(blocks[at : at + BLOCKS_AT_ONCE]).items():
                at_target = ends[0].index(number)
                end = [cells[at_target] for cells in ends]
                last = after.second if after is not None and block == after.first else 0
                pages = [page for page in self.pages_of_block(block) if page > last]
                for part in parts(pages if left is None else pages[:left]):
                    urls = {row.id: row.url for row in self._connection.execute(select(URL.c.id, URL.c.url).where(URL.c.id.in_(part)))}
                    yield from ((LinkRow(page, urls.get(page, ""), *end), LinkPlace(block, page)) for page in part)
                if left is not None:
                    left -= min(left, len(pages))
                    if not left:
                        return

    def places_from(self, number: int) -> Mapping[str, int]:
        """Return the number of links on a page by landmark; empty for links outside all."""
        return Counter(link.landmark for link, _ in self.from_page(number))

    def places_to(self, number: int) -> Mapping[str, int]:
        """Return the number of pages with a link to a URL by the landmark of the link; a page counts in each of its landmarks."""
        chosen = select(BLOCK.c.landmark, BLOCK_PAGES.c.pages).join(BLOCK_PAGES, BLOCK_PAGES.c.block == BLOCK.c.id)
        pages: dict[str, set[int]] = defaultdict(set)
        for row in rows_in(self._connection, chosen, BLOCK_PAGES.c.block, self.blocks_linking_to(number)):
            pages[row.landmark].update(unpack_sorted(row.pages))
        return {landmark: len(found) for landmark, found in pages.items()}

    def _blocks_of(self, numbers: Collection[int]) -> dict[int, LinkCells]:
        """Return the links of lists by number, in this order."""
        self._blocks = self._blocks if len(self._blocks) < KEPT_BLOCKS else {}
        missing = [number for number in numbers if number not in self._blocks]
        if missing:
            self._blocks |= self._read_blocks(missing)
        return {number: self._blocks[number] for number in numbers}

    def _read_blocks(self, numbers: Sequence[int]) -> dict[int, LinkCells]:
        columns = (BLOCK.c.id, BLOCK.c.links, BLOCK.c.landmark, BLOCK.c.selector)
        blocks = list(rows_in(self._connection, select(*columns), BLOCK.c.id, numbers))
        links = {row.id: _first_links(row.links) for row in blocks}
        joined = URL.outerjoin(PAGE, PAGE.c.id == URL.c.id)
        chosen = select(URL.c.id, URL.c.url, PAGE.c.status, func.coalesce(PAGE.c.failure, "")).select_from(joined)
        targets = self._known(self._targets, chosen, URL.c.id, set().union(*(found[0] for found in links.values())))
        texts = set().union(*(found[1] for found in links.values()))
        anchors = self._known(self._anchors, select(ANCHOR.c.id, ANCHOR.c.text), ANCHOR.c.id, texts)
        found: dict[int, LinkCells] = {}
        for row in blocks:
            to, named, nofollow = links[row.id]
            ends = map(list, zip(*map(targets.__getitem__, to), strict=True)) if to else ([], [], [], [])
            shared = ([row.landmark] * len(to), [row.selector] * len(to))
            found[row.id] = [*ends, [text for _, text in map(anchors.__getitem__, named)], nofollow, *shared]
        return found

    def _known(self, known: dict[int, _Cells], chosen: Select[Any], column: Any, numbers: set[int]) -> dict[int, _Cells]:
        """Add rows to those that are known, and return these."""
        if len(known) > KEPT_ROWS:
            known.clear()
        known |= {row[0]: tuple(row) for row in rows_in(self._connection, chosen, column, sorted(numbers - known.keys()))}
        return known


def _first_links(data: bytes) -> LinkCells:
    """Return the first link of a stored block to each URL: ids of the URLs, ids of the link texts, whether nofollow."""
    cells: LinkCells = link_columns(data)
    if len(set(cells[0])) == len(cells[0]):
        return cells
    places = {target: at for at, target in reversed(list(enumerate(cells[0])))}.values()
    return [[column[at] for at in sorted(places)] for column in cells]
