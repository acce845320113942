"""Canonical links between pages of a settled crawl."""

from collections.abc import Iterator, Sequence

from sqlalchemy import select

from findable.capture.site_graph import CanonicalPair
from findable.store.crawl_reading import CrawlReading
from findable.store.crawl_schema import PAGE
from findable.values import once


class CanonicalReading(CrawlReading):
    """Reads canonical links from one page to another."""

    @once
    def _canonicals(self) -> dict[int, int]:
        """Ids of pages that declare another page as canonical, with the id of that page."""
        rows = self._connection.execute(select(PAGE.c.id, PAGE.c.canonical).where(PAGE.c.canonical != 0).order_by(PAGE.c.id))
        return {row.id: row.canonical for row in rows}

    def pairs(self, links: Sequence[tuple[int, int]]) -> Iterator[CanonicalPair]:
        """Yield pages and the pages that they declare as canonical, by their ids."""
        rows = self.url_rows({number for link in links for number in link})
        thirds = self.url_rows({end.canonical for _, target in links if (end := rows[target]).canonical})
        for page, target in links:
            row, end = rows[page], rows[target]
            yield CanonicalPair(
                url=row.url,
                target=end.url,
                target_status=end.status or 0,
                target_reason=end.reason or "",
                target_canonical=thirds[end.canonical].url if end.canonical else "",
                target_known=end.status is not None,
                template=row.template or 0,
            )
