"""Links to places on other pages."""

import zlib

import pytest

from findable.capture.site_places import CrawledPlaces, MissingPlace
from findable.crawl.site import missing_places
from findable.crawl.site.missing_places import crawled_places
from findable.crawl.url_keys import url_key

GUIDE = "https://shop.example/guide"
NO_NAMES = [(url_key(GUIDE), b"")]


def test_places_on_pages_whose_names_are_not_known_are_left_out() -> None:
    assert crawled_places([("https://shop.example/", [(GUIDE, "size")])], lambda _keys: []) == CrawledPlaces(0)


def test_missing_places_with_links_from_the_most_pages_come_first() -> None:
    pages = [("https://shop.example/a", [(GUIDE, "care"), (GUIDE, "size")]), ("https://shop.example/b", [(GUIDE, "size")])]
    found = crawled_places(pages, lambda _keys: NO_NAMES)

    size = MissingPlace(f"{GUIDE}#size", 2, ("https://shop.example/a", "https://shop.example/b"))
    assert found.missing == (size, MissingPlace(f"{GUIDE}#care", 1, ("https://shop.example/a",)))
    assert (found.links_count, found.missing_count, found.broken_links_count) == (3, 2, 3)


def test_a_place_that_is_there_is_not_missing() -> None:
    names = zlib.crc32(b"size").to_bytes(4)
    found = crawled_places([("https://shop.example/", [(GUIDE, "size")])], lambda _keys: [(url_key(GUIDE), names)])

    assert found == CrawledPlaces(1)


def test_more_places_than_the_limit_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(missing_places, "MAX_PLACES", 1)

    assert crawled_places([("https://shop.example/", [(GUIDE, "a"), (GUIDE, "b")])], lambda _keys: NO_NAMES).is_cut
