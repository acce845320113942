"""Queries of a settled crawl for its roots: groups of pages, and URLs with the links to them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace
from sqlalchemy import Connection, func, select

from findable.capture.crawl import Group, Reason, StartPage
from findable.capture.site_graph import LIST_LIMIT, URL_LIMIT, LinkSource, LinkTarget
from findable.crawl.common_folder import common_folder
from findable.crawl.redirect_chains import chain_of
from findable.crawl.site.reach import top_pages_count
from findable.crawl.state import CrawlState
from findable.crawl.varints import unpack_sorted
from findable.store.crawl_schema import ALL_PAGES, ALL_URLS, ANCHOR, BLOCK, BLOCK_PAGES, INLINKS, PAGE, SERIES, SETTLED, URL
from findable.store.packed_pages import links_of
from findable.store.rows_by_id import parts, rows_in
from findable.urls import path_of
from findable.values import once

AT_ONCE = 2000
_MAX_SOURCES = 20
_UNSIGNED = (1 << 64) - 1


def top_score_threshold(connection: Connection, *conditions: Any) -> int:
    """Return the link score from which a page belongs to the top pages among those that meet conditions."""
    pages = PAGE.join(SETTLED, SETTLED.c.id == PAGE.c.id)
    count = connection.execute(select(func.count()).select_from(pages).where(*conditions)).scalar_one()
    ranked = select(SETTLED.c.link_score).select_from(pages).where(*conditions).order_by(SETTLED.c.link_score.desc())
    return int(connection.execute(ranked.offset(top_pages_count(count) - 1).limit(1)).scalar() or 0)


_OF_PAGE = (PAGE.c.status, PAGE.c.failure, PAGE.c.reason, PAGE.c.canonical)
_URL_ROWS = select(URL.c.id, URL.c.url, URL.c.refusal, *_OF_PAGE, SETTLED.c.linked_from, SETTLED.c.template).select_from(ALL_URLS)


class CrawlReading:
    """Queries of one settled crawl; base class of the classes that compute its roots, the raw data for site checks.

    Args:
        connection: connection for reading.
        state: state of the crawl.
    """

    def __init__(self, connection: Connection, state: CrawlState) -> None:
        self._connection = connection
        self._state = state

    @once
    def _redirects(self) -> dict[int, int]:
        """Ids of the URLs that redirect, with the id of the target of each."""
        rows = self._connection.execute(select(PAGE.c.id, PAGE.c.location).where(PAGE.c.location != 0))
        return {row.id: row.location for row in rows}

    @property
    def start_page(self) -> StartPage | None:
        """Start page as the crawl read it last, as far as it is known; None in a crawl of a list."""
        if not self._state.settings.follows_links:
            return None
        target, canonical = URL.alias(), URL.alias()
        columns = (
            URL.c.url,
            PAGE.c.status,
            PAGE.c.failure,
            PAGE.c.reason,
            target.c.url.label("target"),
            canonical.c.url.label("canonical"),
        )
        pages = PAGE.join(URL, URL.c.id == PAGE.c.id).outerjoin(target, target.c.id == PAGE.c.location)
        pages = pages.outerjoin(canonical, canonical.c.id == PAGE.c.canonical)
        chosen = select(*columns).select_from(pages).where(URL.c.url == self._state.settings.start_url)
        page = self._connection.execute(chosen).first()
        if page is None:
            start = self._state.start
            if start is None or not start.blocks_google:
                return start
            return replace(start, url=self._state.settings.start_url, reason=Reason.ROBOTS)
        known = self._state.start or StartPage()
        failure = known.failure if page.reason == Reason.REDIRECT.value else page.failure  # of the request at the end of the redirects
        failed = {} if failure == known.failure else {"cause": "", "detail": ""}
        found = {"url": page.url, "target": page.target or "", "canonical": page.canonical or ""}
        return replace(known, status=page.status, failure=failure, reason=Reason(page.reason), **found, **failed)

    @property
    def not_endless(self) -> Any:
        """Condition for URLs outside endless series, which are a separate cause."""
        return URL.c.series.not_in(select(SERIES.c.id).where(SERIES.c.closed))

    def count(self, *conditions: Any) -> int:
        """Return the number of requested URLs that meet the conditions."""
        return int(self._connection.execute(select(func.count()).select_from(ALL_PAGES).where(*conditions)).scalar_one())

    def count_urls(self, *conditions: Any) -> int:
        """Return the number of URLs, requested or not, that meet the conditions."""
        return int(self._connection.execute(select(func.count()).select_from(URL).where(*conditions)).scalar_one())

    def group(self, name: str, *conditions: Any) -> Group | None:
        """Return the pages that meet the conditions as a group, the highest link score first; None if there are none."""
        count = self.count(*conditions)
        if not count:
            return None
        rows = select(URL.c.url).select_from(ALL_PAGES).where(*conditions).order_by(SETTLED.c.link_score.desc(), URL.c.url).limit(URL_LIMIT)
        return Group(name, count, tuple(row.url for row in self._connection.execute(rows)))

    def groups(self, column: Any, *conditions: Any) -> Iterator[Group]:
        """Yield a group of pages for each value of a column."""
        for row in self._connection.execute(select(column).distinct().select_from(ALL_PAGES).where(*conditions).order_by(column)).all():
            group = self.group(str(row[0]), column == row[0], *conditions)
            if group is not None:
                yield group

    def target(self, number: int) -> LinkTarget:
        """Return a URL, by its id, with the links to it."""
        row = self.url_row(number)
        chain, _ = chain_of(number, self._redirects.get)
        end = self.url_row(chain[-1]) if len(chain) > 1 else self.url_row(row.canonical) if row.canonical else None
        sources = self.sources(number)
        return LinkTarget(
            url=row.url,
            status=row.status or 0,
            failure=row.failure or "",
            end_url=end.url if end is not None else "",
            end_status=(end.status or 0) if end is not None else 0,
            hops_count=len(chain) - 1,
            inlinks_count=row.linked_from or 0,
            sources=sources[:_MAX_SOURCES],
            sources_count=len(sources),
        )

    def url_row(self, number: int) -> Any:
        """Return the row of a URL joined with the row of its page."""
        return self._connection.execute(_URL_ROWS.where(URL.c.id == number)).one()

    def url_rows(self, numbers: Iterable[int]) -> dict[int, Any]:
        """Return the rows of URLs, joined with those of their pages, by id."""
        return {row.id: row for row in rows_in(self._connection, _URL_ROWS, URL.c.id, numbers)}

    def sources(self, target: int) -> tuple[LinkSource, ...]:
        """Return the blocks that link to a URL, those on the most pages first."""
        found = [self.source(block, target) for block in self.blocks_linking_to(target)[:LIST_LIMIT]]
        return tuple(sorted(found, key=lambda source: (-source.pages_count, source.pages, source.block)))

    def source(self, number: int, target: int) -> LinkSource:
        """Return a block that links to a URL."""
        row = self._connection.execute(
            select(BLOCK.c.key, BLOCK.c.links, BLOCK.c.landmark, BLOCK.c.selector, BLOCK_PAGES.c.pages)
            .join(BLOCK_PAGES, BLOCK_PAGES.c.block == BLOCK.c.id)
            .where(BLOCK.c.id == number)
        ).one()
        links = list(links_of(row.links))
        anchor, nofollow = next((anchor, nofollow) for url, anchor, nofollow in links if url == target)
        text = self._connection.execute(select(ANCHOR.c.text).where(ANCHOR.c.id == anchor)).scalar_one()
        pages = unpack_sorted(row.pages)
        urls = sorted(self.urls_of(pages[:LIST_LIMIT]))[:URL_LIMIT]
        return LinkSource(
            block=f"{row.key & _UNSIGNED:016x}",
            landmark=row.landmark,
            selector=row.selector,
            block_links_count=len(links),
            anchor_text=text,
            nofollow=nofollow,
            pages_count=len(pages),
            pages=tuple(urls),
        )

    def blocks_linking_to(self, target: int) -> list[int]:
        """Return the ids of the blocks with a link to a URL, ascending."""
        return unpack_sorted(self._connection.execute(select(INLINKS.c.blocks).where(INLINKS.c.target == target)).scalar() or b"")

    def pages_of_block(self, block: int) -> list[int]:
        """Return the ids of the pages with a block, ascending."""
        return unpack_sorted(self._connection.execute(select(BLOCK_PAGES.c.pages).where(BLOCK_PAGES.c.block == block)).scalar() or b"")

    def pages_linking_to(self, targets: Iterable[int]) -> list[int]:
        """Return the ids of the pages with a link to one of these URLs, ascending."""
        rows = rows_in(self._connection, select(INLINKS.c.blocks), INLINKS.c.target, targets)
        return self.pages_of_blocks(sorted({block for row in rows for block in unpack_sorted(row.blocks)}))

    def pages_of_blocks(self, blocks: Sequence[int]) -> list[int]:
        """Return the ids of the pages with one of these blocks, ascending."""
        rows = rows_in(self._connection, select(BLOCK_PAGES.c.pages), BLOCK_PAGES.c.block, blocks)
        return sorted({page for row in rows for page in unpack_sorted(row.pages)})

    def group_of(self, numbers: Sequence[int], *, is_named: bool = False) -> Group:
        """Return pages by their ascending ids as a group; ``is_named``: whether to name the group after the folder of most pages."""
        urls = sorted(self.urls_of(numbers[:LIST_LIMIT]))
        return Group(self.folder_of(numbers) if is_named else "", len(numbers), tuple(urls[:URL_LIMIT]))

    def folder_of(self, numbers: Sequence[int]) -> str:
        """Return the name of the folder of most of the pages with these ids."""
        return common_folder(path_of(url) for part in parts(numbers) for url in sorted(self.urls_of(part)))

    def urls_of(self, numbers: Sequence[int]) -> list[str]:
        """Return the URLs with these ids."""
        return [row.url for row in self._connection.execute(select(URL.c.url).where(URL.c.id.in_(numbers)))]
