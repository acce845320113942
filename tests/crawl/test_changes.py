"""Changes between two crawls: of pages, of findings, and when there is nothing to compare."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from findable.analyze import compute_here
from findable.capture.crawl import Reason
from findable.crawl.changes import (
    ChangeKind,
    ComparedPage,
    CrawlComparison,
    NotComparable,
    NotCompared,
    PageChange,
    examples,
    page_changes,
)
from findable.crawl.scope import CrawlSettings
from findable.fetch.fetcher import Fetcher
from findable.fetch.guard import AllowedTarget, Guard
from findable.service.crawls.crawl_comparing import StoredCrawl, compare_crawls
from findable.service.crawls.crawl_run import CrawlRun, report_of_crawl
from findable.store.crawl_file import CrawlFile
from tests.crawl.test_crawls import FAST
from tests.crawl_sites import change_shop, make_shop
from tests.sites.plugin import make_site, site
from tests.sites.server import Site

__all__ = ["make_site", "site"]

URL = "https://www.example.com/bread"
PAGE = ComparedPage(URL, 7, status=200, is_page=True, title="Bread", description="Our bread.", h1="Bread", text_key=1, depth=2, inlinks=3)


def kinds(before: ComparedPage | None, after: ComparedPage | None) -> list[str]:
    found = page_changes([before] if before else [], [after] if after else [])
    return [change.kind.value if isinstance(change, PageChange) else f"not compared: {change.reason}" for change in found]


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ({}, []),
        ({"status": 404, "is_page": False, "reason": Reason.STATUS}, ["gone", "status"]),
        ({"status": 410, "is_page": False, "reason": Reason.STATUS}, ["gone", "status"]),
        ({"status": 301, "is_page": False, "reason": Reason.REDIRECT}, ["became_non_indexable", "status"]),
        ({"status": 500, "is_page": False, "reason": Reason.STATUS}, ["became_non_indexable", "status"]),
        ({"noindex": True, "reason": Reason.NOINDEX}, ["became_non_indexable", "robots"]),
        ({"reason": Reason.ROBOTS}, ["became_non_indexable", "robots"]),
        ({"canonical": "https://www.example.com/", "reason": Reason.CANONICAL}, ["became_non_indexable", "canonical"]),
        ({"title": ""}, ["title"]),
        ({"description": "New."}, ["description"]),
        ({"h1": "Cake"}, ["h1"]),
        ({"depth": 3}, ["depth"]),
        ({"depth": None}, ["depth"]),
        ({"inlinks": 4}, ["inlinks"]),
        ({"text_key": 2}, ["text"]),
        ({"status": 0, "is_page": False, "reason": Reason.FAILURE}, ["not compared: no_response"]),
        ({"status": 403, "is_page": False, "reason": Reason.STATUS}, ["not compared: no_response"]),
        ({"is_page": False, "reason": Reason.CHALLENGE}, ["not compared: no_response"]),
        ({"status": 0, "is_page": False, "left_out": "robots"}, ["not compared: robots"]),
        ({"status": 0, "is_page": False, "left_out": "budget"}, ["not compared: budget"]),
    ],
)
def test_a_page_changes_by_what_it_returns(after: dict[str, Any], expected: list[str]) -> None:
    assert kinds(PAGE, replace(PAGE, **after)) == expected


def test_what_only_one_crawl_requested_is_new_or_not_compared() -> None:
    known = ComparedPage(URL, 7, left_out="scope")

    assert kinds(None, PAGE) == ["added"]
    assert kinds(known, PAGE) == ["not compared: scope"]
    assert kinds(PAGE, None) == ["not compared: not_found_again"]
    assert kinds(known, None) == kinds(None, known) == kinds(known, known) == []
    assert kinds(None, replace(PAGE, status=404, is_page=False)) == []


def test_crawls_are_merged_in_the_order_of_their_urls() -> None:
    before = [ComparedPage(f"https://e.com/{name}", 1, status=200, is_page=True) for name in "abd"]
    after = [ComparedPage(f"https://e.com/{name}", 1, status=200, is_page=True) for name in "bcd"]
    found = [(type(change), change.url[-1]) for change in page_changes(before, after)]

    assert found == [(NotCompared, "a"), (PageChange, "c")]


class Crawls:
    """Crawls of a site, one after another."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.made: list[StoredCrawl] = []

    def crawl(self, url: str, **settings: Any) -> StoredCrawl:
        file = CrawlFile(self._folder / f"{len(self.made)}.sqlite")
        earlier = self.made[-1].file if self.made else None

        async def run() -> StoredCrawl:
            async with Fetcher(Guard(allow_targets=[AllowedTarget.parse("127.0.0.1")])) as fetcher:
                state = await CrawlRun(file, fetcher, compute_here, earlier=earlier).run(CrawlSettings(url, **{**FAST, **settings}))
                return StoredCrawl(file, state, report_of_crawl(file, state))

        self.made.append(asyncio.run(run()))
        return self.made[-1]

    def changes(self) -> CrawlComparison:
        return compare_crawls(self.made[0], self.made[1])


@pytest.fixture
def crawls(tmp_path: Path) -> Crawls:
    return Crawls(tmp_path)


def test_two_equal_crawls_have_no_changes(crawls: Crawls, site: Site) -> None:
    make_shop(site, products=4)
    crawls.crawl(site.url("/"))
    crawls.crawl(site.url("/"))
    changes = crawls.changes()

    assert (changes.counts, changes.not_compared) == ({}, {})
    assert (changes.findings.new, changes.findings.fixed) == ((), ())
    assert changes.findings.still_count > 0


def test_a_bad_day_is_told_by_kind(crawls: Crawls, site: Site) -> None:
    make_shop(site, products=3)
    crawls.crawl(site.url("/"))
    change_shop(site)
    crawls.crawl(site.url("/"))
    changes = crawls.changes()

    def urls(kind: ChangeKind) -> list[str]:
        return [change.url.removeprefix(site.base) for change in examples(changes, kind)]

    assert urls(ChangeKind.ADDED) == ["/new"]
    assert urls(ChangeKind.GONE) == ["/about"]
    assert sorted(urls(ChangeKind.BECAME_NON_INDEXABLE)) == ["/imprint", "/shop"]
    assert urls(ChangeKind.TITLE) == ["/privacy"]
    assert (changes.lost_titles_count, changes.foreign_canonicals_count) == (1, 1)
    assert "title-present" in {finding.id for finding in changes.findings.new}


def test_pages_that_nothing_leads_to_any_more_are_requested_again(crawls: Crawls, site: Site) -> None:
    make_shop(site, products=3)
    crawls.crawl(site.url("/"))
    change_shop(site)  # no page links to the products now
    site.page("/product/oak-brass-0", "<h1>Not found</h1>", status=404)
    second = crawls.crawl(site.url("/"))
    changes = crawls.changes()
    gone = {change.url.removeprefix(site.base) for change in examples(changes, ChangeKind.GONE)}

    assert gone == {"/about", "/product/oak-brass-0"}
    assert changes.not_compared == {}
    assert second.report.summary.orphans is not None
    assert second.report.summary.orphans.urls == (site.url("/sitemap-only"),)


def test_a_partial_crawl_is_not_compared(crawls: Crawls, site: Site) -> None:
    make_shop(site, products=3)
    crawls.crawl(site.url("/"))
    crawls.crawl(site.url("/"), pages=4)
    changes = crawls.changes()

    assert changes.not_comparable is NotComparable.AFTER_INCOMPLETE
    assert compare_crawls(crawls.made[1], crawls.made[0]).not_comparable is NotComparable.BEFORE_INCOMPLETE
    assert changes.counts == {}


def test_crawls_of_different_parts_of_a_site_are_not_compared(crawls: Crawls, site: Site) -> None:
    make_shop(site, products=3)
    crawls.crawl(site.url("/"))
    crawls.crawl(site.url("/"), exclude=("/product/*",))

    assert crawls.changes().not_comparable is NotComparable.OTHER_SETTINGS


def test_a_preview_host_is_compared_with_the_public_one(crawls: Crawls, make_site: Callable[..., Site]) -> None:
    public, preview = make_site(), make_site()
    make_shop(public, products=3)
    make_shop(preview, products=3)
    preview.page("/about", "<h1>Not found</h1>", status=404)
    crawls.crawl(public.url("/"))
    crawls.crawl(preview.url("/"))
    changes = crawls.changes()

    assert [change.url for change in examples(changes, ChangeKind.GONE)] == [public.url("/about")]
    assert ChangeKind.ADDED.value not in changes.counts
    assert changes.not_compared == {}
