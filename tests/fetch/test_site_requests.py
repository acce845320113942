"""Requests for the site of a report."""

import asyncio
import gzip

import pytest

from findable.capture.response import Failure, ProbeResponse
from findable.capture.site import SiteCapture
from findable.fetch.extra_request_budget import Budget
from findable.fetch.fetcher import Fetcher
from findable.fetch.identity import Identity
from findable.fetch.site_cache import MemorySiteCache
from findable.fetch.site_requests import non_existent_url, probe_site, variant_urls
from tests.fetch.helpers import site_of, sitemap, with_fetcher
from tests.sites.server import Page, Request, Site, dynamic

HTML = "<!doctype html><title>A page</title><p>Text</p>"


def test_a_site_is_asked_for_what_belongs_to_it(site: Site) -> None:
    site.page("/robots.txt", "User-agent: *\nDisallow: /private", content_type="text/plain")
    site.page("/", HTML)
    site.page("/favicon.ico", b"\0\0\1\0", content_type="image/x-icon")
    site.page("/llms.txt", "# Site", content_type="text/plain")
    capture = site_of(site)
    assert capture.origin == site.base
    assert capture.robots_txt.body.startswith(b"User-agent")
    assert capture.home is not None
    assert capture.home.body == HTML.encode()
    assert capture.favicon is not None
    assert (capture.favicon.status, capture.favicon.total_bytes) == (200, 4)
    assert capture.llms_txt is not None
    assert capture.llms_txt.ok
    assert capture.made_up is not None
    assert (capture.made_up.url, capture.made_up.status) == (non_existent_url(site.base), 404)
    assert [answer.status for answer in capture.sitemaps] == [404, 404]
    assert capture.variants == ()


def test_the_home_page_is_not_asked_again(site: Site) -> None:
    site.page("/", HTML)
    assert site_of(site, "/").home is None
    assert len(site.asked("/")) == 3  # in three languages only


def test_a_made_up_address_is_the_same_each_time() -> None:
    assert non_existent_url("https://a.example") == non_existent_url("https://a.example")
    assert non_existent_url("https://a.example") != non_existent_url("https://b.example")


@pytest.mark.parametrize(
    ("origin", "count"),
    [
        ("https://example.com", 4),
        ("http://www.example.co.uk", 4),
        ("https://shop.example.com", 2),
        ("https://example.com:8443", 0),
        ("http://127.0.0.1", 0),
        ("http://localhost", 0),
    ],
)
def test_variants_of_a_host(origin: str, count: int) -> None:
    variants = variant_urls(origin)
    assert len(variants) == count
    assert not variants or f"{origin}/" in variants


@pytest.mark.parametrize("redirects", [5, 6])
def test_f20_robots_txt_follows_five_redirects(site: Site, redirects: int) -> None:
    site.redirect("/robots.txt", "/r1")
    for number in range(1, redirects):
        site.redirect(f"/r{number}", f"/r{number + 1}")
    site.page(f"/r{redirects}", "User-agent: *\nDisallow:", content_type="text/plain")
    robots_txt = site_of(site).robots_txt
    assert robots_txt.ok == (redirects == 5)
    assert robots_txt.failure is (Failure.NONE if redirects == 5 else Failure.TOO_MANY_REDIRECTS)


def test_f20_a_huge_robots_txt_is_cut(site: Site) -> None:
    site.page("/robots.txt", b"# x\n" * 2_500_000, content_type="text/plain")
    robots_txt = site_of(site).robots_txt
    assert robots_txt.truncated
    assert len(robots_txt.body) == 500 * 1024
    assert robots_txt.total_bytes == 10_000_000


def test_announced_sitemaps_are_read_and_sampled(site: Site) -> None:
    for number in range(30):
        site.page(f"/p{number}", HTML)
    site.page("/robots.txt", f"Sitemap: {site.url('/map.xml')}\nSitemap: /more.xml.gz", content_type="text/plain")
    site.page("/map.xml", sitemap(*(site.url(f"/p{number}") for number in range(30))), content_type="application/xml")
    site.page("/more.xml.gz", gzip.compress(sitemap(site.url("/p0")).encode()), content_type="application/gzip")
    capture = site_of(site)
    assert [answer.url for answer in capture.sitemaps] == [site.url("/map.xml"), site.url("/more.xml.gz")]
    summaries = [answer.sitemap for answer in capture.sitemaps]
    assert [(summary.urls_count, summary.read_to_end) for summary in summaries if summary] == [(30, True), (1, True)]
    assert capture.sitemaps[1].body.startswith(b"<?xml")
    assert len(capture.sitemap_sample) == 10
    assert all(answer.ok for answer in capture.sitemap_sample)


def test_an_index_is_followed_once(site: Site) -> None:
    children = "".join(f"<sitemap><loc>{site.url(path)}</loc></sitemap>" for path in ("/a.xml", "/sitemap.xml", "/b.xml"))
    site.page("/sitemap.xml", f"<sitemapindex>{children}</sitemapindex>", content_type="application/xml")
    site.page("/a.xml", sitemap(site.url("/1")), content_type="application/xml")
    site.page("/b.xml", f"<sitemapindex>{children}</sitemapindex>", content_type="application/xml")
    capture = site_of(site)
    assert [answer.url for answer in capture.sitemaps] == [site.url(path) for path in ("/sitemap.xml", "/a.xml", "/b.xml")]
    assert len(site.asked("/sitemap.xml")) == 1


def test_an_index_of_many_files_says_how_many_were_left(site: Site) -> None:
    children = "".join(f"<sitemap><loc>{site.url(f'/{number}.xml')}</loc></sitemap>" for number in range(40))
    site.page("/sitemap.xml", f"<sitemapindex>{children}</sitemapindex>", content_type="application/xml")
    sitemaps = site_of(site).sitemaps
    assert len(sitemaps) == 11
    assert (sitemaps[-1].failure, sitemaps[-1].left_count) == (Failure.BUDGET, 31)


def test_the_home_page_is_asked_for_in_three_languages(site: Site) -> None:
    def by_language(request: Request) -> Page:
        language = request.headers.get("accept-language")
        return Page(b"", 302, [("Location", f"/{language}")]) if language == "de" else Page(HTML.encode() * 20_000)

    site.handler("/", dynamic(by_language))
    site.page("/de", "<html lang=de>")
    languages = site_of(site).languages
    assert [(sent, answer.final_url) for sent, answer in languages] == [("", site.url("/")), ("en", site.url("/")), ("de", site.url("/de"))]
    assert [len(answer.body) for _, answer in languages] == [32 * 1024, 32 * 1024, 14]


def test_a_site_that_somebody_is_signed_in_to_is_not_asked_for_in_languages(site: Site) -> None:
    site.page("/", HTML)
    assert site_of(site, identity=Identity(origin=site.base, cookies=(("id", "1"),))).languages == ()
    assert len(site_of(site, identity=Identity(origin=site.base, user_agent="Other")).languages) == 3


def test_a_redirect_before_a_sitemap_is_no_part_of_it(site: Site) -> None:
    site.page("/sitemap.xml", "<html>moved</html>", status=301, headers=[("Location", "/real.xml")])
    site.page("/real.xml", sitemap(site.url("/1")), content_type="application/xml")
    summary = site_of(site).sitemaps[0].sitemap
    assert summary is not None
    assert (summary.urls_count, summary.error) == (1, "")


def test_a_site_asked_anew_has_a_fresh_robots_txt(site: Site) -> None:
    site.page("/robots.txt", "User-agent: *\nDisallow: /old", content_type="text/plain")

    async def run(fetcher: Fetcher) -> list[bytes]:
        cache = MemorySiteCache()
        bodies = []
        for _ in range(3):
            capture = await cache.site_of("key", lambda: probe_site(fetcher, site.url("/"), Budget()))
            bodies.append(capture.robots_txt.body[-4:])
            if len(bodies) == 2:
                cache.delete("key")
            site.page("/robots.txt", "User-agent: *\nDisallow: /new", content_type="text/plain")
        return bodies

    assert with_fetcher(run) == [b"/old", b"/old", b"/new"]


def test_a_failed_site_is_not_remembered() -> None:
    async def run() -> list[str]:
        cache = MemorySiteCache()
        told = []

        async def fail() -> SiteCapture:
            raise OSError("no")

        async def work() -> SiteCapture:
            return SiteCapture("https://a.example", "2026-11-21T00:00:00Z", ProbeResponse("https://a.example/robots.txt"))

        with pytest.raises(OSError, match="no"):
            await cache.site_of("key", fail)
        told.append((await cache.site_of("key", work)).origin)
        told.append((await cache.site_of("key", fail)).origin)
        return told

    assert asyncio.run(run()) == ["https://a.example"] * 2
