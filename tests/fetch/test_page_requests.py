"""Extra requests: what is asked, what is not, and what it may cost."""

import asyncio
import gzip
import time
from collections.abc import Callable
from typing import Any

import pytest

from findable.artifacts.request_targets import AssetTarget, Targets
from findable.capture.page import AssetKind, PageProbes
from findable.capture.response import Failure, ProbeResponse
from findable.capture.site import SiteCapture
from findable.errors import Cause
from findable.fetch.extra_request_budget import MAX_UNSENT, Budget
from findable.fetch.fetcher import Fetcher
from findable.fetch.identity import Identity
from findable.fetch.page_requests import probe_page
from findable.fetch.resolver import Resolver
from findable.fetch.site_cache import MemorySiteCache
from findable.fetch.site_requests import probe_site
from tests.fetch.helpers import besides_the_page, site_of, sitemap, with_fetcher
from tests.safety.dns import name_server
from tests.sites.server import Page, Request, Site, dynamic, silent

MakeSite = Callable[..., Site]
HTML = "<!doctype html><title>A page</title><p>Text</p>"


def bare_site(site: Site, **fields: Any) -> SiteCapture:
    return SiteCapture(site.base, "2026-11-21T00:00:00Z", ProbeResponse(site.url("/robots.txt"), failure=Failure.NOT_ASKED), **fields)


def probe(
    site: Site, targets: Targets, *, identity: Identity | None = None, known: SiteCapture | None = None, **settings: Any
) -> PageProbes:
    async def run(fetcher: Fetcher) -> PageProbes:
        return await probe_page(fetcher, targets, Budget(**settings), known or bare_site(site), identity=identity or Identity())

    return with_fetcher(run)


def links(site: Site, *paths: str, external: tuple[str, ...] = ()) -> Targets:
    return Targets(site.url("/page"), links_internal=tuple(site.url(path) for path in paths), links_external=external)


def test_the_page_is_found_in_the_sitemap(site: Site) -> None:
    site.page("/sitemap.xml", sitemap(site.url("/page#x"), site.url("/canonical")), content_type="application/xml")

    async def both(fetcher: Fetcher) -> PageProbes:
        budget = Budget()
        capture = await probe_site(fetcher, site.url("/page"), budget)
        return await probe_page(fetcher, Targets(site.url("/page"), canonical=site.url("/elsewhere")), budget, capture)

    (entry,) = with_fetcher(both).sitemap_entries
    assert (entry.url, entry.sitemap_url) == (site.url("/page"), site.url("/sitemap.xml"))


# --- the page ---------------------------------------------------------------------------------------------------------


def test_assets_are_asked_by_kind(site: Site) -> None:
    def image(request: Request) -> Page:
        if "range" in request.headers:
            return Page(b"x" * 65536, 206, [("Content-Range", "bytes 0-65535/900000"), ("Content-Type", "image/png")])
        return Page(b"x" * 900000, 200, [("Content-Type", "image/png")])

    site.handler("/image.png", dynamic(image))
    site.page("/ignores-range.png", b"x" * 900_000, content_type="image/png")
    site.page("/style.css", gzip.compress(b"p{}" * 1000), headers=[("Content-Encoding", "gzip")], content_type="text/css")
    names = {"/image.png": AssetKind.IMAGE, "/ignores-range.png": AssetKind.IMAGE, "/style.css": AssetKind.STYLESHEET}
    targets = Targets(site.url("/page"), assets=tuple(AssetTarget(site.url(path), kind) for path, kind in names.items()))
    first, second, style = probe(site, targets).assets
    assert (first.status, first.total_bytes, len(first.body), first.truncated) == (206, 900_000, 65536, False)
    assert (second.status, second.total_bytes, len(second.body), second.truncated) == (200, 900_000, 65536, True)
    assert (style.body, style.content_encoding) == (b"p{}" * 1000, "gzip")
    assert style.total_bytes == style.wire_bytes < 3000
    assert "range" not in site.asked("/style.css")[0].headers


def test_links_are_asked_by_head_then_get(site: Site) -> None:
    def no_head(status: int) -> Callable[[Request], Page]:
        return lambda request: Page(b"no", status) if request.method == "HEAD" else Page(HTML.encode())

    site.page("/fine", HTML * 20_000)
    site.page("/gone", HTML, status=410)
    for status in (403, 404, 405, 501, 500):
        site.handler(f"/{status}", dynamic(no_head(status)))
    answers = {answer.url: answer for answer in probe(site, links(site, "/fine", "/gone", "/403", "/404", "/405", "/501", "/500")).links}
    fine = answers[site.url("/fine")]
    assert (fine.method, fine.status, fine.tries) == ("HEAD", 200, ())
    for status in (403, 404, 405, 501, 500):
        answer = answers[site.url(f"/{status}")]
        assert (answer.method, answer.status, answer.tries) == ("GET", 200, (f"HEAD {status}",))
    assert answers[site.url("/gone")].status == 410
    assert "range" not in site.asked("/403")[1].headers


def without_ranges(status: int) -> Callable[[Request], Page]:
    return lambda request: Page(b"no", status) if "range" in request.headers else Page(b"x" * 900_000, 200, [("Content-Type", "image/png")])


@pytest.mark.parametrize("status", [403, 404, 410, 416, 500, 501, 503])
def test_a_server_that_rejects_ranges_is_asked_as_browsers_ask(site: Site, status: int) -> None:
    site.handler("/image.png", dynamic(without_ranges(status)))
    site.handler("/favicon.ico", dynamic(without_ranges(status)))
    (image,) = probe(site, Targets(site.url("/page"), assets=(AssetTarget(site.url("/image.png"), AssetKind.IMAGE),))).assets
    assert (image.status, len(image.body), image.tries) == (200, 65536, (f"GET {status}",))
    favicon = site_of(site).favicon
    assert favicon is not None
    assert favicon.status == 200


@pytest.mark.parametrize("status", [401, 429])
def test_an_image_that_needs_credentials_or_time_is_asked_once(site: Site, status: int) -> None:
    site.page("/image.png", b"", status=status)
    (image,) = probe(site, Targets(site.url("/page"), assets=(AssetTarget(site.url("/image.png"), AssetKind.IMAGE),))).assets
    assert (image.status, image.tries, len(site.asked("/image.png"))) == (status, (), 1)


def test_a_missing_image_is_asked_twice(site: Site) -> None:
    (image,) = probe(site, Targets(site.url("/page"), assets=(AssetTarget(site.url("/image.png"), AssetKind.IMAGE),))).assets
    assert (image.status, len(site.asked("/image.png"))) == (404, 2)


def test_links_that_work_by_head_cost_one_get_of_the_site(site: Site) -> None:
    for number in range(10):
        site.page(f"/{number}", HTML)
    answers = probe(site, links(site, *(f"/{number}" for number in range(10)))).links
    assert {(answer.method, answer.status) for answer in answers} == {("HEAD", 200)}
    assert len([request for request in besides_the_page(site) if request.method == "GET" and request.target != "/robots.txt"]) == 1


def test_a_server_that_allows_every_head_is_asked_by_get(site: Site) -> None:
    def any_head(status: int) -> Callable[[Request], Page]:
        return lambda request: Page(HTML.encode()) if request.method == "HEAD" else Page(HTML.encode(), status)

    site.handler("/gone", dynamic(any_head(404)))
    site.handler("/also-gone", dynamic(any_head(404)))
    answers = probe(site, links(site, "/gone", "/also-gone")).links
    assert [(answer.method, answer.status) for answer in answers] == [("GET", 404), ("GET", 404)]
    assert len(site.asked("/gone")) + len(site.asked("/also-gone")) == 4


def test_a_head_without_content_is_asked_by_get_at_any_host(site: Site, make_site: MakeSite) -> None:
    other = make_site(name="localhost")
    other.page("/robots.txt", "User-agent: *\nDisallow:", content_type="text/plain")
    other.handler("/gone", dynamic(lambda request: Page(b"") if request.method == "HEAD" else Page(b"no", 404)))
    (gone,) = probe(site, links(site, external=(other.url("/gone"),))).links
    assert (gone.method, gone.status, gone.tries) == ("GET", 404, ("HEAD 200",))


def test_s16_links_of_a_preview_get_what_it_wants_to_see_and_others_do_not(site: Site, make_site: Callable[..., Site]) -> None:
    other = make_site()
    site.page("/fine", HTML)
    other.page("/fine", HTML)
    identity = Identity(origin=site.base, user_agent="Preview/1", headers=(("X-K", "k"),), cookies=(("id", "1"),), user_password=("a", "b"))
    targets = Targets(site.url("/"), links_internal=(site.url("/fine"),), links_external=(other.url("/fine"),))
    probe(site, targets, identity=identity)
    request = site.asked("/fine")[0]
    assert request.headers["cookie"] == "id=1"
    assert request.headers["user-agent"] == "Preview/1"
    assert {"authorization", "x-k"} <= set(request.headers)
    assert other.requests
    for outside in other.requests:
        assert not {"cookie", "authorization", "x-k"} & set(outside.headers)
        assert "Preview" not in outside.headers["user-agent"]


def test_actions_are_left_alone(site: Site) -> None:
    paths = ("/logout", "/cart?add-to-cart=3", "/post/4/delete", "/x?_wpnonce=abc", "/unsubscribe?u=1")
    answers = probe(site, links(site, *paths)).links
    assert {answer.failure for answer in answers} == {Failure.SKIPPED}
    assert not besides_the_page(site)


def test_robots_txt_is_obeyed_for_links_with_the_line(site: Site) -> None:
    site.page("/robots.txt", "User-agent: Findable\nAllow: /\nDisallow: /private", content_type="text/plain")
    site.page("/public", HTML)
    public, private = probe(site, links(site, "/public", "/private/x")).links
    assert public.ok
    assert (private.failure, "3" in private.detail) == (Failure.ROBOTS_TXT, True)
    assert not site.asked("/private/x")
    assert len(site.asked("/robots.txt")) == 1


@pytest.mark.parametrize(("status", "allowed"), [(404, True), (403, True), (500, False), (503, False)])
def test_f20_robots_txt_that_is_missing_allows_and_one_that_fails_forbids(site: Site, status: int, allowed: bool) -> None:
    site.page("/robots.txt", "", status=status)
    site.page("/x", HTML)
    (answer,) = probe(site, links(site, "/x")).links
    assert answer.ok is allowed
    assert (answer.failure is Failure.ROBOTS_TXT) is not allowed


def test_links_known_for_the_site_are_not_asked_again(site: Site) -> None:
    known = ProbeResponse(site.url("/a"), failure=Failure.DNS)
    (answer,) = probe(site, links(site, "/a"), known=bare_site(site, links=(known,))).links
    assert answer is known
    assert not besides_the_page(site)


def test_no_way_out_is_not_a_broken_link(site: Site) -> None:
    site.page("/x", HTML)
    internal, external = probe(site, links(site, "/x", external=("http://no-such-name.invalid/",))).links
    assert internal.ok
    assert external.failure is Failure.NO_ROUTE


def test_an_answer_from_the_own_network_shows_no_way_out(site: Site, make_site: MakeSite) -> None:
    other = make_site(name="localhost")
    other.page("/y", HTML)
    dead, alive = probe(site, links(site, external=("http://no-such-name.invalid/", other.url("/y")))).links
    assert dead.failure is Failure.NO_ROUTE
    assert alive.ok


def test_no_way_out_is_no_broken_asset_and_no_broken_canonical(site: Site) -> None:
    site.page("/own.png", b"x", content_type="image/png")
    outside = "http://no-such-name.invalid"
    targets = Targets(
        site.url("/page"),
        assets=(AssetTarget(f"{outside}/a.js", AssetKind.SCRIPT), AssetTarget(site.url("/own.png"), AssetKind.IMAGE)),
        canonical=f"{outside}/",
        alternates=(f"{outside}/de",),
    )
    probes = probe(site, targets)
    script, image = probes.assets
    assert probes.canonical is not None
    assert {script.failure, probes.canonical.failure, probes.alternates[0].failure} == {Failure.NO_ROUTE}
    assert image.ok


def dead_hosts(count: int) -> tuple[str, ...]:
    return tuple(f"http://no-such-name-{number}.invalid/" for number in range(count))


def test_hosts_that_do_not_exist_cost_the_sites_own_links_nothing(site: Site) -> None:
    site.fallback(Page(HTML.encode()))
    scripts = tuple(AssetTarget(f"{url}a.js", AssetKind.SCRIPT) for url in dead_hosts(20))
    targets = Targets(site.url("/page"), scripts, tuple(site.url(f"/{number}") for number in range(60)), dead_hosts(20))
    with name_server() as server:

        async def run(fetcher: Fetcher) -> PageProbes:
            return await probe_page(fetcher, targets, Budget(), bare_site(site))

        probes = with_fetcher(run, resolver=Resolver([server.address]))
    assert [answer.ok for answer in probes.links] == [True] * 60 + [False] * 20
    assert len(probes.assets) == 20


def test_requests_that_never_left_come_back_but_not_without_end() -> None:
    async def run() -> tuple[int, int]:
        outer = Budget(max_requests=2)
        budget = outer.part(share_s=5, max_requests=1, max_bytes=1000)
        taken_count = 0
        while (grant := await budget.take(0)) is not None:
            taken_count += 1
            await budget.release(grant, requests_count=0, bytes_count=0)
        return taken_count, outer.requests_left

    assert asyncio.run(run()) == (MAX_UNSENT + 1, 1)


def test_who_comes_when_all_requests_are_lent_out_waits_for_one_that_never_left() -> None:
    async def run() -> None:
        budget = Budget(max_requests=1)
        first = await budget.take(0)
        assert first is not None
        waiting = asyncio.create_task(budget.take(0))
        await asyncio.sleep(0)
        await budget.release(first, requests_count=0, bytes_count=0)
        second = await waiting
        assert second is not None
        last = asyncio.create_task(budget.take(0))
        await asyncio.sleep(0)
        await budget.release(second, requests_count=1, bytes_count=0)
        assert await last is None
        assert budget.ended_by == "requests"

    asyncio.run(run())


@pytest.mark.full
def test_hosts_that_say_nothing_do_not_hold_up_the_sites_own_links(site: Site, make_site: MakeSite) -> None:
    site.fallback(Page(HTML.encode()))
    mute = [make_site(host=f"127.0.0.{number}") for number in range(2, 32)]
    for other in mute:
        other.fallback(silent())
    probes = probe(
        site, links(site, *(f"/{number}" for number in range(40)), external=tuple(other.url() for other in mute)), deadline_s=8.0
    )
    assert sum(answer.ok for answer in probes.links) == 40


def test_what_the_site_does_not_need_is_left_to_hosts_outside(site: Site, make_site: MakeSite) -> None:
    other = make_site(name="localhost")
    other.page("/robots.txt", "User-agent: *\nDisallow:", content_type="text/plain")
    other.fallback(Page(HTML.encode()))
    probes = probe(site, links(site, external=tuple(other.url(f"/{number}") for number in range(100))))
    assert 60 <= len(probes.links) <= 70
    assert probes.links_left_count == 100 - len(probes.links)


# --- languages ---------------------------------------------------------------------------------------------------------


def test_five_hundred_links_at_a_tenth_of_a_second_fit_the_budget(site: Site) -> None:
    site.fallback(Page(HTML.encode(), delay_s=0.1))
    started_s = time.monotonic()
    probes = probe(site, links(site, *(f"/{number}" for number in range(500))))
    assert time.monotonic() - started_s < 36
    assert len(probes.links) + probes.links_left_count == 500
    assert 70 <= len(probes.links) <= 80
    assert len(site.requests) <= 80
    assert site.peak_open_count <= 4


def test_the_time_of_the_budget_ends_everything(site: Site) -> None:
    site.fallback(silent())
    started_s = time.monotonic()
    probes = probe(site, links(site, *(f"/{number}" for number in range(20))), deadline_s=6.0)
    assert time.monotonic() - started_s < 12
    assert (probes.links, probes.links_left_count) == ((), 20)


def test_the_bytes_of_the_budget_are_kept(site: Site) -> None:
    site.fallback(Page(b"x" * 400_000, 200, [("Content-Type", "text/css")]))
    targets = Targets(
        site.url("/page"), assets=tuple(AssetTarget(site.url(f"/{number}.css"), AssetKind.STYLESHEET) for number in range(40))
    )
    probes = probe(site, targets, max_bytes=2_000_000)
    assert sum(answer.wire_bytes for answer in probes.assets) <= 2_000_000
    assert 4 <= len(probes.assets) <= 8
    assert probes.assets_left_count == 40 - len(probes.assets)


def test_a_hundred_reports_of_a_site_cost_one_set_of_site_requests(site: Site) -> None:
    site.page("/robots.txt", "User-agent: *\nDisallow:", content_type="text/plain")
    for path in ("/", "/shared", "/favicon.ico", "/llms.txt"):
        site.page(path, HTML)
    site.fallback(dynamic(lambda request: Page(HTML.encode(), 200 if request.path.startswith("/page") else 404)))

    async def report(fetcher: Fetcher, cache: MemorySiteCache, number: int) -> None:
        response = await fetcher.fetch_page(site.url(f"/page{number}"))
        budget = Budget()
        capture = await cache.site_of(site.base, lambda: probe_site(fetcher, response.final_url, budget))
        targets = Targets(response.final_url, links_internal=(site.url("/shared"),))
        probes = await probe_page(fetcher, targets, budget, capture)
        assert probes.links[0].ok
        cache.add_links(site.base, probes.links)

    async def run(fetcher: Fetcher) -> None:
        cache = MemorySiteCache()
        await report(fetcher, cache, 0)
        await asyncio.gather(*(report(fetcher, cache, number) for number in range(1, 100)))

    with_fetcher(run)
    pages = [request for request in site.requests if request.path.startswith("/page")]
    assert len(pages) == 100
    assert all(len(site.asked(path)) == 1 for path in ("/robots.txt", "/favicon.ico", "/llms.txt", "/sitemap.xml"))
    assert [request.method for request in site.asked("/shared")] == ["HEAD", "GET"]
    assert len(site.requests) - len(pages) < 15


def test_language_versions_of_the_sitemap_are_asked_and_looked_up(site: Site) -> None:
    page, german, other = site.url("/page"), site.url("/de"), site.url("/other")
    links = f'<xhtml:link rel="alternate" hreflang="en" href="{page}"/><xhtml:link rel="alternate" hreflang="de" href="{german}"/>'
    listed = "".join(f"<url><loc>{url}</loc>{links}</url>" for url in (page, german)) + f"<url><loc>{other}</loc></url>"
    namespaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    site.page("/sitemap.xml", f"<urlset {namespaces}>{listed}</urlset>", content_type="application/xml")
    site.page("/de", "<!doctype html><title>Seite</title>")

    async def both(fetcher: Fetcher) -> PageProbes:
        found = await probe_site(fetcher, page, Budget())
        return await probe_page(fetcher, Targets(page), Budget(), found)

    probes = with_fetcher(both)
    both_versions = (("en", page), ("de", german))
    assert [(entry.url, entry.alternates) for entry in probes.sitemap_entries] == [(page, both_versions)]
    assert [(answer.url, answer.status) for answer in probes.alternates] == [(german, 200)]
    assert [(entry.url, entry.alternates) for entry in probes.alternate_entries] == [(german, both_versions)]


def test_a_host_that_asks_for_a_pause_is_not_called_broken(site: Site) -> None:
    site.page("/busy", "", status=503, headers=[("Retry-After", "3600")])
    site.page("/x", HTML)

    async def run(fetcher: Fetcher) -> tuple[ProbeResponse, ProbeResponse]:
        return await fetcher.request(site.url("/busy")), await fetcher.request(site.url("/x"))

    busy, other = with_fetcher(run)
    assert busy.status == 503
    assert other.failure is Failure.PAUSED
    assert other.cause is Cause.PAUSED


def test_a_report_names_the_pause_that_the_server_asked_for(site: Site) -> None:
    site.page("/robots.txt", "", status=404)
    site.page("/busy.css", "", status=503, headers=[("Retry-After", "3600")])
    site.page("/a", HTML)

    async def run(fetcher: Fetcher) -> tuple[PageProbes, SiteCapture]:
        await fetcher.robots_txt_cache.robots_txt(site.base, fetcher.request)
        await fetcher.request(site.url("/busy.css"))
        probes = await probe_page(fetcher, links(site, "/a"), Budget(), bare_site(site))
        return probes, await probe_site(fetcher, site.url("/page"), Budget())

    probes, found = with_fetcher(run)
    assert [answer.failure for answer in probes.links] == [Failure.PAUSED]
    assert probes.links_left_count == 0
    assert found.robots_txt.failure is Failure.PAUSED
    assert all(answer.failure is Failure.PAUSED for answer in (found.made_up, found.favicon, *found.sitemaps) if answer)
    assert not site.asked("/a")
