"""Lists of the pages of a crawl: filters and orders are those of a scan over its rows, by any place."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import insert, select, update

from findable.checks.removed_checks import REMOVED_CHECKS
from findable.compute import compute_here
from findable.crawl.page_columns import PageRow
from findable.crawl.page_selection import CanonicalKind, PagePlace, PageSelection
from findable.crawl.settings import CrawlSettings, Segment
from findable.crawl.state import CrawlState
from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.fetch.fetcher import Fetcher
from findable.service.crawls.crawl_reports import decode_report
from findable.service.crawls.crawl_run import CrawlRun, compute_report
from findable.store.crawl_file import CrawlFile
from findable.store.crawl_findings import findings_of_pages, stored_finding, stored_findings, stored_report
from findable.store.crawl_schema import FINDING, PAGE, PAGES, SETTLED, URL
from findable.store.packed_pages import packed_record
from findable.store.page_lists import PageLists
from findable.vocabulary import Verdict
from tests.crawl_sites import make_shop
from tests.sites.server import Site

KEYS: dict[str, Callable[[PageRow], Any]] = {
    "number": lambda row: row.n,
    "url": lambda row: row.url,
    "status": lambda row: row.status,
    "score": lambda row: row.score,
    "depth": lambda row: row.depth,
    "inlinks": lambda row: row.inlinks,
    "content_inlinks": lambda row: row.content_inlinks,
    "link_score": lambda row: row.link_score,
    "words": lambda row: row.words,
    "ttfb_ms": lambda row: row.first_byte_ms,
}


class Shop:
    """The settled crawl of a shop."""

    def __init__(self, path: Path, base: str) -> None:
        self.base = base
        self.file = CrawlFile(path)
        segments = (Segment("Products", ("/product/*",)), Segment("Rest", ("/s*", "/b*")))
        self.state = asyncio.run(self._run(CrawlSettings(f"{base}/", rate=1000.0, connections=4, confirm_after_s=0.05, segments=segments)))
        self.all = self.listed(PageSelection(limit=1000))[0]

    async def _run(self, settings: CrawlSettings) -> CrawlState:
        async with Fetcher(Guard(allow_targets=[AllowedTarget.parse("127.0.0.1")])) as fetcher:
            return await CrawlRun(self.file, fetcher, compute_here).run(settings)

    def listed(self, selection: PageSelection, state: CrawlState | None = None) -> tuple[list[PageRow], int]:
        with self.file.engine.connect() as connection:
            found = PageLists(connection, state or self.state).select(selection)
        return [item.row for item in found.pages], found.total

    def paged(self, selection: PageSelection) -> Iterator[int]:
        """Numbers of all pages of a list, three at a time, and back again."""
        place = None
        while True:
            with self.file.engine.connect() as connection:
                found = PageLists(connection, self.state).select(replace(selection, limit=3, place=place)).pages
            found = found[::-1] if place is not None and place.backwards else found
            yield from (item.row.n for item in found)
            if not found:
                if place is None or place.backwards:
                    return
                place = replace(place, backwards=True)
            else:
                place = PagePlace(found[-1].value, found[-1].row.n, backwards=place is not None and place.backwards)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    served = Site().start()
    try:
        make_shop(served)
        yield Shop(tmp_path_factory.mktemp("crawl") / "shop.sqlite", served.url("/").rstrip("/"))
    finally:
        served.stop()


FILTERS: list[tuple[PageSelection, Callable[[PageRow], bool]]] = [
    (PageSelection(status="404"), lambda row: row.status == 404),
    (PageSelection(status="300.."), lambda row: row.status >= 300),
    (PageSelection(type="text/html"), lambda row: row.type == "text/html"),
    (PageSelection(type="image/png"), lambda row: row.type == "image/png"),
    (PageSelection(check="meta-description", verdict=Verdict.FAILED), lambda row: "meta-description" in row.verdicts["failed"]),
    (PageSelection(check="meta-description"), lambda row: "meta-description" in row.verdicts["failed"] + row.verdicts["warned"]),
    (PageSelection(verdict=Verdict.WARNED), lambda row: bool(row.verdicts["warned"])),
    (PageSelection(check="no-such-check"), lambda row: False),
    (PageSelection(indexable=1), lambda row: row.indexable),
    (PageSelection(indexable=0), lambda row: not row.indexable),
    (PageSelection(reason="redirect"), lambda row: row.reason == "redirect"),
    (PageSelection(segment="Products"), lambda row: "Products" in row.segment),
    (PageSelection(folder="product"), lambda row: "/product/" in row.url),
    (PageSelection(folder="/"), lambda row: True),
    (PageSelection(folder="/prod/"), lambda row: False),
    (PageSelection(template=1), lambda row: row.template == 1),
    (PageSelection(in_sitemap=1), lambda row: "sitemap" in row.found_by),
    (PageSelection(in_sitemap=0), lambda row: "sitemap" not in row.found_by),
    (PageSelection(found_by="redirect"), lambda row: "redirect" in row.found_by),
    (PageSelection(canonical=CanonicalKind.OTHER), lambda row: bool(row.canonical)),
    (PageSelection(depth="1"), lambda row: row.depth == 1),
    (PageSelection(depth="..2"), lambda row: row.depth is not None and row.depth <= 2),
    (PageSelection(inlinks="5..20"), lambda row: 5 <= (row.inlinks or 0) <= 20),
    (PageSelection(content_inlinks="1.."), lambda row: (row.content_inlinks or 0) >= 1),
    (PageSelection(words="..50"), lambda row: (row.words or 0) <= 50),
    (PageSelection(search="PRODUCT/1"), lambda row: "product/1" in row.url),
    (PageSelection(search="_"), lambda row: "_" in row.url),
    (
        PageSelection(folder="/product/", depth="2..", search="t/2"),
        lambda row: row.url.startswith("/product/2") and row.depth is not None and row.depth >= 2,
    ),
]


@pytest.mark.parametrize(("selection", "fits"), FILTERS, ids=[str(at) for at in range(len(FILTERS))])
def test_a_filter_finds_what_a_scan_finds(shop: Shop, selection: PageSelection, fits: Callable[[PageRow], bool]) -> None:
    rows, total = shop.listed(replace(selection, limit=1000))

    assert [row.n for row in rows] == [row.n for row in shop.all if fits(replace(row, url=row.url.removeprefix(shop.base)))]
    assert total == len(rows)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("sort", KEYS)
def test_every_order_is_walked_by_places_there_and_back(shop: Shop, sort: str, descending: bool) -> None:
    key = KEYS[sort]
    rows = sorted((row for row in shop.all if key(row) is not None), key=key, reverse=descending)  # equal ones stay in order
    wanted = [row.n for row in rows] + [row.n for row in shop.all if key(row) is None]

    assert list(shop.paged(PageSelection(sort=sort, descending=descending))) == [*wanted, *wanted[-2::-1]]
    assert [row.n for row in shop.listed(PageSelection(sort=sort, descending=descending, offset=4, limit=4))[0]] == wanted[4:8]


@pytest.mark.parametrize("descending", [False, True])
def test_pages_of_a_site_that_declares_no_main_content_are_sorted_by_links_from_it(shop: Shop, descending: bool) -> None:
    selection = PageSelection(sort="content_inlinks", descending=descending)
    with shop.file.engine.connect() as connection:
        connection.execute(update(SETTLED).values(content_inlinks=None))
        lists = PageLists(connection, shop.state)
        first = lists.select(replace(selection, limit=3)).pages
        rest = lists.select(replace(selection, limit=1000, place=PagePlace(first[-1].value, first[-1].row.n))).pages
        connection.rollback()

    assert [item.row.n for item in (*first, *rest)] == [row.n for row in shop.all]


def test_all_rows_of_a_selection_are_yielded_in_order(shop: Shop) -> None:
    with shop.file.engine.connect() as connection:
        rows = [
            number for part in PageLists(connection, shop.state).numbers(PageSelection(folder="/product/"), at_once=7) for number in part
        ]

    assert rows == [row.n for row in shop.all if "/product/" in row.url]


def test_the_stored_report_is_the_judged_one(shop: Shop) -> None:
    with shop.file.engine.connect() as connection:
        stored = stored_report(connection)

    assert stored == compute_report(shop.file, shop.state)
    assert stored is not None
    assert stored.findings


@pytest.mark.parametrize("is_note", [False, True])
def test_a_stored_finding_of_a_removed_check_is_not_listed(shop: Shop, *, is_note: bool) -> None:
    (name, *_) = REMOVED_CHECKS
    with shop.file.engine.connect() as connection:
        before = stored_report(connection)
        place, row = 9999, stored_findings(connection)[0].finding
        removed = packed_record(replace(row, id=name, key=f"{name}:a"))
        values = {"id": place, "key": f"{name}:a", "check_id": name, "finding": removed, "pages_count": 1, "is_note": is_note}
        connection.execute(insert(FINDING).values(**values))

        assert stored_report(connection) == before
        assert stored_finding(connection, f"{name}:a") is None
        connection.rollback()

    assert before is not None
    encoded = msgspec.json.encode(replace(before, findings=(replace(row, id=name),), notes=(replace(row, id=name),)))
    assert (decode_report(encoded).findings, decode_report(encoded).notes) == ((), ())


def test_every_finding_lists_its_pages(shop: Shop) -> None:
    with shop.file.engine.connect() as connection:
        findings = stored_findings(connection)
        assert stored_finding(connection, findings[2].finding.key) == findings[2]
        assert stored_finding(connection, "none") is None
    listed = {item.finding.id: shop.listed(PageSelection(finding=item.finding.key, limit=1000)) for item in findings}

    assert [item.finding.id for item in findings if item.listed_count != item.finding.pages_count] == []
    assert [row.url for row in listed["meta-description"][0]] == [row.url for row in shop.all if "/product/" in row.url]
    assert [row.url.removeprefix(shop.base) for row in listed["site-orphans"][0]] == ["/sitemap-only"]
    assert all("/gone" not in row.url for row in listed["site-links-broken"][0])


def test_findings_of_a_segment_count_its_pages(shop: Shop) -> None:
    with shop.file.engine.connect() as connection:
        products = PageLists(connection, shop.state).ids(PageSelection(segment="Products"))
        found = {item.finding.id: item.listed_count for item in findings_of_pages(connection, products)}

    assert found["meta-description"] == 40
    assert "site-sitemap-missing" in found


def test_lists_read_the_pages_in_their_order_and_no_index(shop: Shop) -> None:
    with shop.file.engine.connect() as connection:
        chosen = PageLists(connection, shop.state).ids(PageSelection(depth="2..", in_sitemap=0))
        for statement in (chosen, select(PAGE.c.id, URL.c.url).select_from(PAGES).order_by(URL.c.url)):
            text = str(statement.compile(connection, compile_kwargs={"literal_binds": True}))
            steps = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}").all()
            assert not [step for step in steps if "INDEX" in step[3]]
