"""Rolling crawls: pages are carried over from the earlier crawl, and a number of them is requested again."""

import asyncio
from collections import Counter
from collections.abc import Collection, Iterable
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
import sqlalchemy
from msgspec import structs

from findable.capture.crawl import CrawlEnd
from findable.compute import compute_here
from findable.crawl.found_by import FoundBy
from findable.crawl.rolling import CarriedPage, DuePages, due_pages, important_pages, lastmod_s, proposed_limit, round_days
from findable.crawl.settings import CrawlSettings
from findable.crawl.state import CrawlState, Phase
from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.fetch.fetcher import Fetcher
from findable.service.crawls.crawl_comparing import StoredCrawl, compare_crawls
from findable.service.crawls.crawl_run import CrawlRun, report_of_crawl
from findable.store.crawl_file import CrawlFile
from findable.store.crawl_frontier import CARRIED, DONE, REFUSED
from tests.crawl.page_rows import page_rows, record_of
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
                f"Folder {self.texts.get(path, folder)} of the shop",
                "<ul>" + "".join(f'<li><a href="{one}">Product {one}</a></li>' for one in listed) + "</ul>",
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


@pytest.mark.full
def test_pages_that_come_go_and_fail_are_recorded(site: Site, tmp_path: Path) -> None:
    shop = Shop(site, 2, 4)
    shop.hidden |= {"/1/3"}
    with simulated_clock(START_S) as clock:
        first, of_first = crawl(tmp_path / "1.sqlite", shop)
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
        changes = compare_crawls(StoredCrawl(first, of_first), StoredCrawl(second, state), {}).comparison
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


@pytest.mark.full
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
    shop = Shop(site, 2, 5)
    with simulated_clock(START_S) as clock:
        first, _ = crawl(tmp_path / "1.sqlite", shop)
        shop.conditional()
        clock.at += DAY_S
        shop.texts["/1/3"], shop.dates["/1/3"] = "changed", "2026-09-22"
        second, state = crawl(tmp_path / "2.sqlite", shop, first, rolling=4)
        asked = shop.conditional()
        full, of_full = crawl(tmp_path / "full.sqlite", shop)
        killed = CrawlFile(tmp_path / "killed.sqlite")
        killed.save_state(structs.replace(state, phase=Phase.DISCOVER))
        killed.carry_over(second)
        killed.queue_due(site.url("/"), lambda _, start: DuePages((start,), (2, 3)), clicks={}, lastmods={}, has_other_rule=None)
        assert [item.number for item in killed.take(2)] == [1, 2]
        killed.release()
        assert [item.number for item in killed.take(9)] == [1, 2, 3]
    assert "/1/3" in asked
    assert asked.total() <= 4
    assert state.ended_by is CrawlEnd.COMPLETE
    counts = second.counts()
    assert (counts.done, counts.carried, counts.oldest_at) == (4, 13, START_S)
    assert facts(second, state) == facts(full, of_full)


class Ages:
    """Pages of a site over simulated days, without requests: what the choice of pages does to their age."""

    def __init__(self, count: int, changing: Collection[int] = ()) -> None:
        self.requested, self.changed = [0] * count, [0] * count
        self.changing = changing
        self.seen: dict[int, int] = {}
        self.visits = Counter[int]()

    def run(self, day: int, limit: int, declared: Collection[int] = ()) -> None:
        important, now_s = len(self.requested) // 20, day * DAY_S
        pages = [
            CarriedPage(number, requested, changed, 90 if number < important else 5, 0, number in declared)
            for number, (requested, changed) in enumerate(zip(self.requested, self.changed, strict=True))
        ]
        due = due_pages(pages, 0, limit, now_s)
        chosen = (*due.before_new, *due.after_new)
        assert len(set(chosen)) == len(chosen) == min(limit, len(pages))
        for number in chosen:
            self.requested[number] = now_s
            self.changed[number] = now_s if number in self.changing else self.changed[number]
            self.seen.setdefault(number, day)
            self.visits[number] += 1


def test_important_pages_are_read_daily_and_all_within_a_round() -> None:
    ages = Ages(2000)
    for day in range(1, 20):
        ages.run(day, 200)
        assert all(ages.visits[number] == day for number in range(100))
    assert round_days(2000, 200) == 19
    assert len(ages.seen) == 2000
    proposed = Ages(2000)
    for day in range(1, 11):
        proposed.run(day, proposed_limit(2000))
    assert (proposed_limit(2000), round_days(2000, 300), len(proposed.seen)) == (300, 10, 2000)


def test_pages_that_change_are_read_more_often_and_no_page_is_left_out() -> None:
    changing = range(150, 200)
    ages = Ages(1000, changing)
    for day in range(1, 61):
        ages.run(day, 150)
    often = sum(ages.visits[number] for number in changing) / len(changing)
    others = [ages.visits[number] for number in range(200, 1000)]
    assert 1.3 < often / (sum(others) / len(others)) < 2.2
    assert min(others) >= 60 // (2 * round_days(1000, 150))


def test_dates_of_the_sitemap_come_first_unless_they_are_always_new() -> None:
    ages = Ages(1000)
    ages.run(1, 100, declared=range(900, 1000))
    assert len([number for number in range(900, 1000) if number in ages.seen]) == 50
    doubted = Ages(1000)
    doubted.run(1, 100, declared=range(400, 1000))
    assert sorted(doubted.seen) == list(range(100))


def test_half_of_the_important_pages_are_those_with_the_most_clicks() -> None:
    pages = [CarriedPage(number, 0, 0, link_score=100 - number, clicks=number) for number in range(100)]
    assert important_pages(pages, 6) == [99, 98, 97, 0, 1, 2]


@pytest.mark.parametrize(
    ("written", "latest"),
    [("2026-09-20", "2026-09-20T23:59:59Z"), ("2026-09-20T10:00:00+02:00", "2026-09-20T08:00:00Z"), ("2026-09-22", ""), ("soon", "")],
)
def test_a_date_without_a_time_means_the_whole_day(written: str, latest: str) -> None:
    found = lastmod_s(written, START_S)
    assert found == (int(datetime.fromisoformat(latest).timestamp()) if latest else 0)


@pytest.mark.full
def test_ten_days_of_rolling_crawls_lead_to_the_state_of_a_full_crawl(site: Site, tmp_path: Path) -> None:
    shop = Shop(site, 20, 48)
    with simulated_clock(START_S) as clock:
        earlier, _ = crawl(tmp_path / "0.sqlite", shop)
        random = Random(7)
        dated = random.sample(list(shop.paths), 45)
        important = [f"/{folder}/" for folder in range(5)]
        changed = {path: f"other {path}" for path in (*dated, *important)}
        shop.texts |= changed
        shop.gone = shop.hidden = set(random.sample(sorted(set(shop.paths) - set(dated)), 3))
        seen: dict[str, int] = {}
        for day in range(1, 11):
            clock.at += DAY_S
            shop.dates |= dict.fromkeys(dated, "2026-09-22")
            file, state = crawl(tmp_path / f"{day}.sqlite", shop, earlier, rolling=100)
            assert file.counts().done <= 100
            assert state.ended_by is CrawlEnd.COMPLETE
            for path, said in changed.items():
                record = record_of(file, site.url(path))
                if record is not None and said in record.title:
                    seen.setdefault(path, day)
            earlier.close()
            earlier = file
        full, of_full = crawl(tmp_path / "full.sqlite", shop)
    assert [seen.get(path) for path in (*important, *dated)] == [1] * 50
    assert facts(earlier, state) == facts(full, of_full)
