"""Links to places on other pages of a crawl: first those that find something or are not judged, then those that find nothing."""

from pathlib import Path

from findable.artifacts.html.document import Document
from findable.artifacts.html.ids import Ids
from findable.artifacts.page.links import Links
from findable.capture.crawl import Reason
from findable.capture.site_places import CrawledPlaces, MissingPlace
from findable.crawl.places import has_place, links_to_places, place_keys
from tests.checks.harness import artifacts, page
from tests.crawl.stored_crawl import StoredPage, stored_crawl, url
from tests.crawl.test_crawls import Crawled
from tests.sites.plugin import make_site, site
from tests.sites.server import Site

__all__ = ["make_site", "site"]

PAGE = "<!doctype html><html lang=en><title>{0} of the garden</title><main><h1>{0}</h1>{1}<p>{2}</p></main>"
TEXT = "Tulips need a cold winter, dry soil and a place in the sun. " * 12


def places_of(body: str) -> bytes | None:
    made = artifacts(page(body))
    document, ids, links = made.get_or_none(Document), made.get_or_none(Ids), made.get_or_none(Links)
    assert document is not None
    assert ids is not None
    assert links is not None
    return place_keys(document, ids, links)


def test_ids_names_and_values_for_scripts_are_places() -> None:
    keys = places_of(
        '<h2 id="a">A</h2><a name="b"></a><p id="caf%C3%A9"><p id="süß"><p id="user-content-c"><i data-tab="#d"></i><input name="e"><a href="#f">F</a>'
    )
    assert keys is not None
    assert [name for name in ("a", "b", "caf%C3%A9", "s%C3%BC%C3%9F", "süß", "c", "d", "e", "f") if not has_place(keys, name)] == []
    assert [name for name in ("A", "g", "content", "") if has_place(keys, name)] == []


def test_places_that_scripts_add_are_unknown() -> None:
    assert places_of('<div v-for="item in items" :id="item.id"></div>') is None
    assert places_of("<p>Text</p>") == b""


def test_only_fragments_of_other_pages_of_the_site_that_name_a_place_are_read() -> None:
    hrefs = (
        "#a",
        "/b",
        "/b#",
        "/b#top-1",
        "/b#:~:text=x",
        "/b#/shop",
        "/b#x=1",
        "/b#comments",
        "/b#L10-L20",
        "https://www.example.org/b#c",
        "/b#d:~:text=x",
    )
    links = artifacts(page("".join(f'<a href="{href}">Text</a>' for href in hrefs))).get_or_none(Links)
    assert links is not None
    assert links_to_places(links) == (("https://www.example.com/b", "top-1"), ("https://www.example.com/b", "d"))


def test_links_to_pages_whose_places_are_unknown_are_not_judged(tmp_path: Path) -> None:
    targets = ("/moved", "/app", "/gone", "/unseen", "/refresh")
    pages = {
        "/": StoredPage(record={"place_links": tuple((url(path), "a") for path in targets)}),
        "/app": StoredPage(),
        "/moved": StoredPage(record={"status": 301, "location": url("/app"), "reason": Reason.REDIRECT, "verdicts": b""}),
        "/refresh": StoredPage(record={"refresh": url("/app"), "reason": Reason.REDIRECT, "places": b""}),
    }
    assert stored_crawl(tmp_path, pages, sitemap=targets[:3] + targets[4:])[CrawledPlaces] == CrawledPlaces(0)


def test_missing_places_are_listed_with_the_pages_that_link_to_them(tmp_path: Path) -> None:
    missing, other = (url("/b"), "gone"), (url("/b"), "old")
    pages = {
        "/": StoredPage(record={"place_links": (missing, other)}),
        "/a": StoredPage(record={"place_links": (missing,)}),
        "/b": StoredPage(record={"places": b""}),
    }
    found = stored_crawl(tmp_path, pages, sitemap=("/a", "/b"))[CrawledPlaces]

    first = MissingPlace(url("/b#gone"), 2, (url("/"), url("/a")))
    assert found == CrawledPlaces(3, (first, MissingPlace(url("/b#old"), 1, (url("/"),))), 2, 3)


def test_a_crawl_reports_links_to_places_that_do_not_exist(site: Site, tmp_path: Path) -> None:
    site.page(
        "/",
        PAGE.format(
            "Start page", '<a href="/tulips#winter">Winter</a> <a href="/tulips#summer">Summer</a> <a href="/old#sun">Sun</a>', TEXT
        ),
    )
    site.page("/tulips", PAGE.format("Tulips", '<h2 id="winter">Winter</h2> <a href="/">Start page</a>', TEXT))
    site.redirect("/old", "/tulips")
    report = Crawled(tmp_path / "places.sqlite", site.url("/")).report()

    (found,) = [item for item in report.findings if item.id == "site-links-fragment"]
    assert (found.cause.key, found.summary()) == (site.url("/"), "1 link leads to places that other pages do not have")
    assert [item.params["target"] for item in found.evidence] == [site.url("/tulips#summer")]
