"""Links from a page or to a page of a crawl. They are stored as lists that pages share, and expanded to rows here."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence

from msgspec import Struct
from sqlalchemy import Connection, select

from findable.crawl.state import CrawlState
from findable.crawl.tables import LinkRow
from findable.crawl.traps import without_parameters
from findable.crawl.url_keys import url_key
from findable.crawl.varints import unpack, unpack_sorted
from findable.store.crawl_frontier import parts, rows_in
from findable.store.crawl_schema import ANCHOR, BLOCK, BLOCK_PAGES, INLINKS, PAGE, RECORD, URL
from findable.store.packed_pages import links_of

CACHED_BLOCKS = 2000


class LinkPlace(Struct, frozen=True):
    """Position in a list of links. For links from a page: the index; for links to a page: the block and the source page."""

    first: int
    second: int = 0


class _Target(Struct, frozen=True):
    number: int
    url: str
    status: int | None
    failure: str
    anchor_text: str
    nofollow: bool


class _Block(Struct, frozen=True):
    landmark: str
    selector: str
    targets: tuple[_Target, ...]

    def row(self, source: int, source_url: str, target: _Target) -> LinkRow:
        """Return the row of a link from a page to a target."""
        return LinkRow(
            source=source,
            source_url=source_url,
            target=target.number,
            target_url=target.url,
            target_status=target.status,
            target_failure=target.failure,
            anchor_text=target.anchor_text,
            nofollow=target.nofollow,
            landmark=self.landmark,
            selector=self.selector,
        )


class CrawlLinks:
    """Reads the links of one crawl. Links to a page are known once the crawl is settled.

    Args:
        connection: connection for reading.
        state: state of the crawl.
    """

    def __init__(self, connection: Connection, state: CrawlState) -> None:
        self._connection = connection
        self._state = state
        self._blocks: OrderedDict[int, _Block] = OrderedDict()

    def number_of(self, url: str) -> int | None:
        """Return the id of a URL; None if the crawl did not find it."""
        key = url_key(without_parameters(url, frozenset(self._state.session_names)))
        return self._connection.execute(select(URL.c.id).where(URL.c.key == key)).scalar()

    def from_page(self, number: int, *, after: LinkPlace | None = None, limit: int | None = None) -> Iterator[tuple[LinkRow, LinkPlace]]:
        """Yield the links of a page in document order, from a position on."""
        row = self._connection.execute(
            select(RECORD.c.blocks, URL.c.url).join(URL, URL.c.id == RECORD.c.id).where(RECORD.c.id == number)
        ).first()
        if row is None:
            return
        at, first = 0, after.first if after else 0
        for block in dict.fromkeys(unpack(row.blocks)):
            found = self._block(block)
            for target in found.targets:
                at += 1
                if limit is not None and at > first + limit:
                    return
                if at > first:
                    yield found.row(number, row.url, target), LinkPlace(at)

    def to_page(self, number: int, *, after: LinkPlace | None = None, limit: int | None = None) -> Iterator[tuple[LinkRow, LinkPlace]]:
        """Yield the links to a URL, ordered by block and source page, from a position on."""
        data = self._connection.execute(select(INLINKS.c.blocks).where(INLINKS.c.target == number)).scalar()
        left = limit
        for block in unpack_sorted(data or b""):
            if after is not None and block < after.first:
                continue
            found = self._block(block)
            target = next(target for target in found.targets if target.number == number)
            pages = self._pages_of(block, after.second if after is not None and block == after.first else 0)
            for part in parts(pages if left is None else pages[:left]):
                urls = self._urls_of(part)
                for page in part:
                    yield found.row(page, urls.get(page, ""), target), LinkPlace(block, page)
            if left is not None:
                left -= min(left, len(pages))
                if not left:
                    return

    def _pages_of(self, block: int, after: int) -> list[int]:
        data = self._connection.execute(select(BLOCK_PAGES.c.pages).where(BLOCK_PAGES.c.block == block)).scalar()
        return [page for page in unpack_sorted(data or b"") if page > after]

    def _urls_of(self, numbers: Sequence[int]) -> dict[int, str]:
        return {row.id: row.url for row in self._connection.execute(select(URL.c.id, URL.c.url).where(URL.c.id.in_(numbers)))}

    def _block(self, number: int) -> _Block:
        if number in self._blocks:
            self._blocks.move_to_end(number)
            return self._blocks[number]
        if len(self._blocks) >= CACHED_BLOCKS:
            self._blocks.popitem(last=False)
        columns = (BLOCK.c.links, BLOCK.c.landmark, BLOCK.c.selector)
        row = self._connection.execute(select(*columns).where(BLOCK.c.id == number)).one()
        self._blocks[number] = _Block(row.landmark, row.selector, tuple(self._targets(row.links)))
        return self._blocks[number]

    def _targets(self, links: bytes) -> Iterator[_Target]:
        found = list(links_of(links))
        joined = URL.outerjoin(PAGE, PAGE.c.id == URL.c.id)
        columns = (URL.c.id, URL.c.url, PAGE.c.status, PAGE.c.failure)
        urls = rows_in(self._connection, select(*columns).select_from(joined), URL.c.id, sorted({target for target, _, _ in found}))
        targets = {row.id: row for row in urls}
        texts = rows_in(self._connection, select(ANCHOR.c.id, ANCHOR.c.text), ANCHOR.c.id, sorted({anchor for _, anchor, _ in found}))
        anchors = {row.id: row.text for row in texts}
        for target, anchor, nofollow in {target: (target, anchor, nofollow) for target, anchor, nofollow in reversed(found)}.values():
            row = targets[target]
            yield _Target(target, row.url, row.status, row.failure or "", anchors[anchor], nofollow)
