"""Rolling crawls: pages are carried over from the earlier crawl, and a number of them is requested again."""

import asyncio
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy

from findable.analyze import compute_here
from findable.capture.crawl import CrawlEnd
from findable.crawl.scope import CrawlSettings
from findable.crawl.state import CrawlState
from findable.crawl.url_keys import FoundBy
from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.fetch.fetcher import Fetcher
from findable.service.crawls.crawl_comparing import StoredCrawl, compare_crawls
from findable.service.crawls.crawl_run import CrawlRun, report_of_crawl
from findable.store.crawl_file import CrawlFile
from findable.store.crawl_frontier import CARRIED, DONE, REFUSED
from tests.crawl.page_rows import page_rows
from tests.crawl.test_crawls import FAST
from tests.crawl_sites import html, text
from tests.simulated_clock import simulated_clock
from tests.sites.plugin import make_site, site
from tests.sites.server import Page, Request, Site, Wire, answer_bytes

__all__ = ["make_site", "site"]

DAY_S = 86_400
START_S = 1_790_000_000


class Shop:
    """A site of folders with products, whose responses have ETags, and its sitemap with dates."""

    def __init__(self, site: Site, folders: int, products: int) -> None:
        self.site = site
        self.folders, self.products = folders, products
        self.texts: dict[str, str] = {}
        self.dates: dict[str, str] = {}
        self.gone: set[str] = set()
        self.down: set[str] = set()
        self.hidden: set[str] = set()
        self.robots = ""
        site.fallback(self._respond)

    @property
    def paths(self) -> Iterable[str]:
        return (f"/{folder}/{product}" for folder in range(self.folders) for product in range(self.products))

    def body(self, path: str) -> str | None:
        if path in self.gone:
            return None
        parts = path.strip("/").split("/")
        said = self.texts.get(path, path)
        if path == "/":
            links = "".join(f'<li><a href="/{folder}/">Folder {folder}</a></li>' for folder in range(self.folders))
            return html("Start page of the shop", f"<ul>{links}</ul><p>{text(said)}</p>")
        if path in ("/shop", "/about", "/imprint", "/privacy"):
            return html(f"The page {path}", f"<p>{text(path)}</p>")
        folder = int(parts[0]) if parts[0].isdigit() else self.folders
        if folder >= self.folders:
            return None
        if len(parts) == 1:
            listed = (path for path in (f"/{folder}/{product}" for product in range(self.products)) if path not in self.hidden)
            return html(
                f"Folder {folder} of the shop", "<ul>" + "".join(f'<li><a href="{one}">Product {one}</a></li>' for one in listed) + "</ul>"
            )
        return html(f"Product {said}", f"<p>{text(said)}</p>", description=f"All about the product {said} of this shop.")

    async def _respond(self, request: Request, wire: Wire) -> None:
        path = request.path
        if path in self.down:
            return wire.reset()
        if path == "/robots.txt":
            page = Page(self.robots.encode(), headers=[("Content-Type", "text/plain")])
        elif path == "/sitemap.xml":
            listed = (one for one in self.paths if one not in self.hidden)
            urls = "".join(
                f"<url><loc>{self.site.url(one)}</loc><lastmod>{self.dates.get(one, '2020-01-01')}</lastmod></url>" for one in listed
            )
            xml = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
            page = Page(xml.encode(), headers=[("Content-Type", "application/xml")])
        elif (body := self.body(path)) is None:
            page = Page(html("Not found", "<p>Nothing here</p>").encode(), 404)
        else:
            etag = f'"{hash(body):x}"'
            is_same = request.headers.get("if-none-match") == etag
            page = Page(b"" if is_same else body.encode(), 304 if is_same else 200, [("ETag", etag)])
        return await wire.send(answer_bytes(page))

    def conditional(self) -> Counter[str]:
        """Paths of pages that were requested with conditions since the last call; the others are requested by checks of the site."""
        found = Counter(request.path for request in self.site.requests if "if-none-match" in request.headers)
        self.site.requests.clear()
        return found


def crawl(path: Path, shop: Shop, earlier: CrawlFile | None = None, **settings: Any) -> tuple[CrawlFile, CrawlState]:
    file = CrawlFile(path)

    async def run() -> CrawlState:
        async with Fetcher(Guard(allow_targets=[AllowedTarget.parse("127.0.0.1")])) as fetcher:
            wanted = CrawlSettings(shop.site.url("/"), **{**FAST, "confirm_after_s": 0.0, **settings})
            return await CrawlRun(file, fetcher, compute_here, earlier=earlier).run(wanted)

    return file, asyncio.run(run())


def facts(file: CrawlFile, state: CrawlState) -> tuple[Any, ...]:
    """Rows and findings of a crawl, without times."""
    with file.engine.connect() as connection:
        rows = [msgspec.structs.replace(row, first_byte_ms=0.0, requested_at=None) for row in page_rows(connection, state)]
    report = report_of_crawl(file, state)
    return rows, report.score, sorted(map(repr, (*report.findings, *report.notes)))


def row(file: CrawlFile, path: str) -> Any:
    """State, reason of the last failure, status and day of the last request of a URL; None if it is not in the crawl."""
    columns = "url.state, url.detail, url.found_by, page.status, (page.requested_at - :start) / :day"
    tables = "crawl_url AS url LEFT JOIN crawl_page AS page ON page.id = url.id"
    with file.engine.connect() as connection:
        chosen = sqlalchemy.text(f"SELECT {columns} FROM {tables} WHERE url.url LIKE :url")
        return connection.execute(chosen, {"start": START_S, "day": DAY_S, "url": f"%{path}"}).one_or_none()


def test_pages_that_come_go_and_fail_are_recorded(site: Site, tmp_path: Path) -> None:
    shop = Shop(site, 2, 4)
    shop.hidden |= {"/1/3"}
    with simulated_clock(START_S) as clock:
        first, _ = crawl(tmp_path / "1.sqlite", shop)
        clock.at += DAY_S
        shop.gone, shop.hidden, shop.down = {"/1/0"}, {"/1/0"}, {"/0/2"}
        shop.robots = "User-agent: *\nDisallow: /0/3\n"
        second, state = crawl(tmp_path / "2.sqlite", shop, first, rolling=20)
        found = {path: row(second, path) for path in ("/1/0", "/1/3", "/0/2", "/0/3")}
        assert found["/1/0"] == (DONE, "", FoundBy.EARLIER, 404, 1)
        assert found["/1/3"] == (DONE, "", FoundBy.LINK | FoundBy.SITEMAP, 200, 1)
        assert (found["/0/2"].state, found["/0/2"].status, found["/0/2"][4]) == (CARRIED, 200, 0)
        assert found["/0/2"].detail
        assert (found["/0/3"].state, found["/0/3"].status) == (REFUSED, None)
        changes = compare_crawls(StoredCrawl(first, first.state()), StoredCrawl(second, state), {}).comparison
        assert (changes.counts["added"], changes.counts["gone"], changes.not_compared) == (1, 1, {"robots": 1})
        first.close()
        (tmp_path / "1.sqlite").unlink()
        clock.at += DAY_S
        third, state = crawl(tmp_path / "3.sqlite", shop, second, rolling=20)
        assert row(third, "/1/0") is None
        assert (row(third, "/0/2").state, row(third, "/0/2").status, row(third, "/0/2")[4]) == (DONE, 0, 2)
        full, of_full = crawl(tmp_path / "full.sqlite", shop)
    assert facts(third, state) == facts(full, of_full)
    sizes = [[table_size(file, name) for name in ("crawl_url", "crawl_page", "crawl_block", "crawl_anchor")] for file in (third, full)]
    assert sizes[0] == sizes[1]


def table_size(file: CrawlFile, name: str) -> int:
    with file.engine.connect() as connection:
        return int(connection.execute(sqlalchemy.text(f"SELECT count(*) FROM {name}")).scalar_one())


def test_without_an_earlier_crawl_it_continues_from_run_to_run(site: Site, tmp_path: Path) -> None:
    shop = Shop(site, 2, 5)
    earlier, ends = None, []
    with simulated_clock(START_S) as clock:
        for day in range(4):
            earlier, state = crawl(tmp_path / f"{day}.sqlite", shop, earlier, rolling=6)
            counts = earlier.counts()
            ends.append((state.ended_by, counts.done, counts.read))
            clock.at += DAY_S
    assert [end for end, _, _ in ends][-1] is CrawlEnd.COMPLETE
    assert [done for _, done, _ in ends] == [6, 6, 6, 6]
    assert [read for _, _, read in ends] == [6, 11, 16, 17]


def test_a_rolling_crawl_carries_over_what_it_does_not_request(site: Site, tmp_path: Path) -> None:
    shop = Shop(site, 3, 10)
    with simulated_clock(START_S) as clock:
        first, _ = crawl(tmp_path / "1.sqlite", shop)
        shop.conditional()
        clock.at += DAY_S
        shop.texts["/1/3"], shop.dates["/1/3"] = "changed", "2026-09-22"
        second, state = crawl(tmp_path / "2.sqlite", shop, first, rolling=8)
        asked = shop.conditional()
        full, of_full = crawl(tmp_path / "full.sqlite", shop)
    assert "/1/3" in asked
    assert asked.total() <= 8
    assert state.ended_by is CrawlEnd.COMPLETE
    counts = second.counts()
    assert (counts.done, counts.carried, counts.oldest_at) == (8, 30, START_S)
    assert facts(second, state) == facts(full, of_full)
