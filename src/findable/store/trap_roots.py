"""Crawler traps (endless series of URLs) of a settled crawl, as raw data (a root) for site checks."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import func, or_, select

from findable.capture.crawl import Refusal, TrapKind
from findable.capture.site_graph import LIST_LIMIT, URL_LIMIT, CrawlTraps, Trap
from findable.crawl.common_folder import common_folder
from findable.crawl.site.endless_urls import is_trap, session_ids_in_paths
from findable.store.crawl_frontier import REFUSED
from findable.store.crawl_reading import CrawlReading
from findable.store.crawl_schema import PAGE, SERIES, URL
from findable.store.dialect import stream_rows
from findable.urls import path_of


class TrapRoots(CrawlReading):
    """Computes `CrawlTraps` of one crawl."""

    def traps(self) -> CrawlTraps:
        """Return the crawler traps: endless series, session ids and growing paths."""
        requests = self._connection.execute(select(func.count()).select_from(PAGE)).scalar_one()
        closed = self._connection.execute(select(SERIES).where(SERIES.c.closed).order_by(SERIES.c.pattern)).all()
        items = [*map(self._series_trap, closed), *self._session_ids()]
        items = list(filter(is_trap, items))
        refused = (URL.c.state == REFUSED, URL.c.refusal == Refusal.TRAP.value, URL.c.detail == TrapKind.GROWING_PATH.value)
        urls, source = self._first_urls(*refused)
        if urls:
            items.append(Trap(TrapKind.GROWING_PATH, self._folder(*refused), self.count_urls(*refused), 0, urls, source))
        return CrawlTraps(requests, tuple(items[:LIST_LIMIT]))

    def _session_ids(self) -> Iterator[Trap]:
        """Yield the session parameters of query and path, which have another random value in each link."""
        for name in self._state.session_names:
            has_it = or_(*(URL.c.url.contains(f"{mark}{name}=", autoescape=True) for mark in "?&"))
            urls, source = self._first_urls(has_it)
            if urls:
                yield Trap(TrapKind.SESSION_ID, name, self.count_urls(has_it), self.count(has_it), urls, source)
        in_paths = select(SERIES.c.pattern).where(SERIES.c.kind == TrapKind.SESSION_ID.value).order_by(SERIES.c.pattern)
        yield from session_ids_in_paths([pattern for (pattern,) in self._connection.execute(in_paths)])

    def _series_trap(self, row: Any) -> Trap:
        start = row.pattern.partition("{}")[0]
        is_facets = row.kind == TrapKind.FACETS.value
        of_series = (URL.c.url.startswith(start, autoescape=True), URL.c.url.contains("&")) if is_facets else (URL.c.series == row.id,)
        return Trap(TrapKind(row.kind), row.pattern, row.found, self.count(*of_series), *self._first_urls(*of_series))

    def _folder(self, *conditions: Any) -> str:
        """Return the name of the folder of most URLs that meet conditions."""
        rows = stream_rows(self._connection, select(URL.c.url).where(*conditions).order_by(URL.c.url))
        return common_folder(path_of(url) for (url,) in rows)

    def _first_urls(self, *conditions: Any) -> tuple[tuple[str, ...], str]:
        """Return the first URLs that meet conditions, and the page on which the first was found; empty for none."""
        page = URL.alias()
        chosen = select(URL.c.url, page.c.url.label("page")).outerjoin(page, page.c.id == URL.c.source).where(*conditions)
        rows = self._connection.execute(chosen.order_by(URL.c.id).limit(URL_LIMIT)).all()
        return tuple(row.url for row in rows), (rows[0].page or "") if rows else ""
