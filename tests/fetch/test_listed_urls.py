"""The page addresses that a sitemap lists."""

import gzip

import pytest

from findable.fetch.listed_urls import listed_urls
from findable.reports.page_error_text import sitemap_sentence
from tests.fetch.helpers import with_fetcher
from tests.sites.server import Site, drip


def listed(site: Site, path: str = "/sitemap.xml", limit: int = 100) -> list[str]:
    return list(with_fetcher(lambda fetcher: listed_urls(fetcher, site.url(path), limit)).urls)


def problem(url: str) -> str:
    error = with_fetcher(lambda fetcher: listed_urls(fetcher, url, 10)).error
    return sitemap_sentence(error) if error else ""


def sitemap(*locs: str) -> str:
    return f"<urlset>{''.join(f'<url><loc>{loc}</loc></url>' for loc in locs)}</urlset>"


def index(*locs: str) -> str:
    return f"<sitemapindex>{''.join(f'<sitemap><loc>{loc}</loc></sitemap>' for loc in locs)}</sitemapindex>"


def pages(first: int, last: int) -> list[str]:
    return [f"https://example.com/{number}" for number in range(first, last)]


def test_each_address_once_in_order(site: Site) -> None:
    site.page("/sitemap.xml", sitemap(*pages(0, 3), *pages(1, 5)))
    assert listed(site) == pages(0, 5)


def test_the_files_of_an_index_each_once_one_level_deep(site: Site) -> None:
    site.page(
        "/sitemap.xml", index(site.url("/a.xml"), "/b.xml.gz", site.url("/a.xml"), site.url("/sitemap.xml"), site.url("/missing.xml"))
    )
    site.page("/a.xml", sitemap(*pages(0, 3)))
    site.page("/b.xml.gz", gzip.compress(sitemap(*pages(2, 6)).encode()), content_type="application/gzip")
    assert listed(site) == pages(0, 6)
    assert len(site.asked("/a.xml")) == 1


def test_a_large_file_is_read_whole(site: Site) -> None:
    listed_pages = [f"https://example.com/{'a-long-name-of-a-product-' * 3}{number}" for number in range(50_000)]
    site.page("/sitemap.xml", sitemap(*listed_pages))
    assert len(sitemap(*listed_pages)) > 5_000_000
    assert listed(site, limit=400_000) == listed_pages


def test_an_index_may_have_many_files(site: Site) -> None:
    site.page("/sitemap.xml", index(*(site.url(f"/{number}.xml") for number in range(120))))
    for number in range(120):
        site.page(f"/{number}.xml", sitemap(*pages(number, number + 1)))
    assert listed(site, limit=400_000) == pages(0, 120)


def test_the_files_of_an_index_in_an_index_are_left_alone(site: Site) -> None:
    site.page("/sitemap.xml", index(site.url("/inner.xml")))
    site.page("/inner.xml", index(site.url("/a.xml")))
    assert listed(site) == []
    assert not site.asked("/a.xml")


@pytest.mark.parametrize("headers", [[], [("Content-Encoding", "gzip")]])
def test_packed_as_a_file_and_as_a_transfer(site: Site, headers: list[tuple[str, str]]) -> None:
    site.page("/sitemap.xml", gzip.compress(sitemap(*pages(0, 4)).encode()), headers=headers)
    assert listed(site) == pages(0, 4)


def test_the_limit_ends_the_reading(site: Site) -> None:
    site.page("/sitemap.xml", index(site.url("/a.xml"), site.url("/b.xml"), site.url("/c.xml")))
    site.page("/a.xml", sitemap(*pages(0, 3)))
    site.page("/b.xml", sitemap(*pages(0, 50_000)))
    assert listed(site, limit=7) == pages(0, 7)
    assert not site.asked("/c.xml")


def test_a_feed_without_end_is_left_at_the_limit(site: Site) -> None:
    site.handler("/sitemap.xml", drip(b"<urlset>" + sitemap(*pages(0, 2))[8:-9].encode() + b" " * 10_000, pause_s=0.001))
    assert listed(site, limit=2) == pages(0, 2)


def test_what_is_no_address_is_left_out(site: Site) -> None:
    site.page("/sitemap.xml", sitemap("/relative", "ftp://example.com/", "javascript:alert(1)", "https://exa mple.com/", *pages(0, 1)))
    site.page("/text.txt", "\n".join(["Not a sitemap", *pages(0, 2)]), content_type="text/plain")
    assert listed(site) == pages(0, 1)
    assert listed(site, "/text.txt") == pages(0, 2)


def test_of_a_broken_file_what_came_before(site: Site) -> None:
    site.page("/sitemap.xml", sitemap(*pages(0, 2))[:-9] + "<url><loc>https://example.com/?a&b</loc></url></urlset>")
    site.page("/cut.xml.gz", gzip.compress(sitemap(*pages(0, 2000)).encode())[:-2000])
    assert listed(site) == pages(0, 2)
    cut = listed(site, "/cut.xml.gz", limit=5000)
    assert 0 < len(cut) < 2000
    assert cut == pages(0, len(cut))


@pytest.mark.parametrize(
    "body", ["", "<html><body><a href='/x'>x</a></body></html>", "<!DOCTYPE urlset SYSTEM 'x'><urlset/>", b"\x1f\x8bnothing", b"\0\1\2"]
)
def test_nothing_that_can_be_read_lists_nothing(site: Site, body: str | bytes) -> None:
    site.page("/sitemap.xml", body)
    assert listed(site) == []


@pytest.mark.parametrize("status", [404, 500])
def test_an_error_lists_nothing(site: Site, status: int) -> None:
    site.page("/sitemap.xml", sitemap(*pages(0, 2)), status=status)
    assert listed(site) == []


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ("", 404, "returned status 404"),
        ("<!doctype html><title>x</title>", 200, "is an HTML page, not a sitemap"),
        ("<urlset><url>", 200, "is not well-formed XML: line 1"),
        ("<urlset></urlset>", 200, "lists no http or https URLs"),
        ("<urlset><url><loc>mailto:a@example.com</loc></url></urlset>", 200, "lists no http or https URLs"),
    ],
)
def test_a_sitemap_without_addresses_says_why(site: Site, body: str, status: int, words: str) -> None:
    assert words in problem(site.page("/sitemap.xml", body, status=status))


def test_a_sitemap_that_cannot_be_reached_says_why() -> None:
    assert problem("http://127.0.0.1:9/sitemap.xml") == "The server did not accept the connection."
    assert "no.invalid does not exist" in problem("http://no.invalid/sitemap.xml")


def test_a_file_of_an_index_that_cannot_be_read_is_named(site: Site) -> None:
    url = site.page("/sitemap.xml", index(site.url("/gone.xml")))
    assert problem(url) == f"{site.url('/gone.xml')}: The server returned status 404."


def test_a_sitemap_with_addresses_has_no_problem(site: Site) -> None:
    site.page("/sitemap.xml", index(site.url("/gone.xml"), site.url("/a.xml")))
    site.page("/a.xml", sitemap(*pages(0, 3)))
    assert listed(site) == pages(0, 3)
    assert problem(site.url("/sitemap.xml")) == ""
