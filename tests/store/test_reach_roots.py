"""Ways to the pages of a stored crawl: clicks and link texts."""

from pathlib import Path

from findable.capture.crawl import Reason
from findable.capture.site_graph import LIST_LIMIT
from findable.capture.site_reach import CrawledReach
from tests.crawl.stored_crawl import Link, StoredPage, stored_crawl, url

NOINDEX = {"reason": Reason.NOINDEX, "noindex": True}


def reach_of(path: Path, pages: dict[str, StoredPage], *, sitemap: tuple[str, ...] = ()) -> CrawledReach:
    found = stored_crawl(path, pages, sitemap=sitemap)[CrawledReach]
    assert isinstance(found, CrawledReach)
    return found


def test_deep_pages_are_counted_without_later_pages_of_lists(tmp_path: Path) -> None:
    pages = {f"/{n}": StoredPage((Link(f"/{n + 1}"),)) for n in range(1, 6)}
    pages |= {"/": StoredPage((Link("/1"),)), "/6": StoredPage((Link("/6?page=2"),)), "/6?page=2": StoredPage((Link("/"),))}
    reach = reach_of(tmp_path, pages, sitemap=("/6",))

    assert reach.by_clicks == ((0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1))
    assert reach.deep is not None
    assert reach.deep_listed is not None
    assert (reach.deep.urls, reach.deep_listed.urls) == ((url("/6"), url("/5")), (url("/6"),))
    assert reach.deepest == tuple(url(path) for path in ("/", "/1", "/2", "/3", "/4", "/5", "/6"))


def test_path_to_the_deepest_page_is_found_among_many_pages_that_link_to_it(tmp_path: Path) -> None:
    count = LIST_LIMIT + 20
    others = {f"/other/{n}": StoredPage((Link("/6", "Up"),)) for n in range(count)}
    pages = {**others, **{f"/{n}": StoredPage((Link(f"/{n + 1}"),)) for n in range(1, 6)}}
    pages |= {"/6": StoredPage(tuple(Link(f"/other/{n}") for n in range(count))), "/": StoredPage((Link("/1"),))}
    reach = reach_of(tmp_path, pages, sitemap=tuple(others))

    assert len(reach.deepest) == 8
    assert reach.deepest[:-1] == tuple(url(path) for path in ("/", "/1", "/2", "/3", "/4", "/5", "/6"))


def test_pages_whose_links_are_all_generic(tmp_path: Path) -> None:
    pages = {
        "/": StoredPage((Link("/a", "Read more"), Link("/b", "here"), Link("/c", ""), Link("/d", "More", nofollow=True)), (Link("/b"),)),
        "/a": StoredPage((Link("/", "here"), Link("/a", "Blue widgets of steel"))),
        **{path: StoredPage((Link("/"),)) for path in ("/b", "/c", "/d")},
    }
    reach = reach_of(tmp_path, {**pages, "/a": StoredPage((Link("/", "here"),))})

    assert [(item.url, item.anchor_texts) for item in reach.generic_links] == [(url("/a"), ("Read more",))]
    assert (reach.generic_links_count, reach.judged_links_count) == (1, 2)


def test_a_generic_word_that_names_its_page_is_no_generic_text(tmp_path: Path) -> None:
    pages = {"/": StoredPage((Link("/go.html", "Go"), Link("/java.html", "Go"))), "/go.html": StoredPage(()), "/java.html": StoredPage(())}

    assert [item.url for item in reach_of(tmp_path, pages).generic_links] == [url("/java.html")]


def test_a_start_page_that_is_noindex(tmp_path: Path) -> None:
    pages = {"/": StoredPage((Link("/a"), Link("/b")), record=NOINDEX), "/a": StoredPage((Link("/b"),)), "/b": StoredPage()}
    reach = reach_of(tmp_path, pages)

    assert reach.start is not None
    assert (reach.start.url, reach.start.status, reach.start.reason) == (url("/"), 200, Reason.NOINDEX)
