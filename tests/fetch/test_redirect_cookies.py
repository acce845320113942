"""Redirect loops that end with a cookie, as browsers follow them, and those that do not."""

from collections.abc import Callable

import pytest

from findable.artifacts.request_targets import Targets
from findable.capture.page import PageProbes
from findable.capture.response import Failure, ProbeResponse, cookie_loop
from findable.capture.site import SiteCapture
from findable.fetch.extra_request_budget import Budget
from findable.fetch.fetcher import Fetcher
from findable.fetch.identity import Identity
from findable.fetch.page_requests import probe_page
from findable.fetch.single_fetch import SingleFetch, fetch_single
from tests.fetch.helpers import ask, fetch, not_seen, with_fetcher
from tests.sites.server import Page, Request, Site, dynamic

MakeSite = Callable[..., Site]
HTML = b"<!doctype html><title>A page</title><p>Text</p>"


def gate(site: Site, path: str, cookie: str = "seen=Vx81; Path=/", *, target: str = "", page: bytes = HTML) -> str:
    """Register a page that only requests with the cookie get; others are redirected to ``target``, by default the page, and get it."""
    pair = cookie.partition(";")[0]

    def respond(request: Request) -> Page:
        if pair in request.headers.get("cookie", ""):
            return Page(page)
        return Page(b"", 302, [("Location", target or path), ("Set-Cookie", cookie)])

    return site.handler(path, dynamic(respond))


def cookies_of(site: Site, path: str) -> list[str]:
    return [request.headers.get("cookie", "") for request in site.asked(path)]


# --- what must stay as it is


def test_a_loop_without_cookies_stays_one(site: Site) -> None:
    site.redirect("/a", "/b")
    site.redirect("/b", "/a")

    assert not_seen(site.url("/a")).code == "too_many_redirects"
    assert ask(site.url("/a"), keeps_cookies=True).failure is Failure.TOO_MANY_REDIRECTS
    assert len(site.requests) == 4


def test_a_loop_that_cookies_do_not_end_stays_one(site: Site) -> None:
    site.page("/a", status=302, headers=[("Location", "/a"), ("Set-Cookie", "seen=1")])

    assert not_seen(site.url("/a")).code == "too_many_redirects"
    assert cookies_of(site, "/a") == ["", "seen=1"]
    looping = ask(site.url("/a"), keeps_cookies=True)
    assert looping.failure is Failure.TOO_MANY_REDIRECTS


def test_a_cookie_of_an_ordinary_redirect_changes_nothing(site: Site) -> None:
    site.page("/old", status=301, headers=[("Location", "/new"), ("Set-Cookie", "session=Vx81; Path=/")])
    site.page("/new", HTML)
    response = fetch(site.url("/old"))

    assert (response.status, response.cookie_loop, len(response.redirects)) == (200, (), 1)
    assert cookies_of(site, "/new") == [""]


def test_a_cookie_is_not_sent_to_other_origins(make_site: MakeSite) -> None:
    first, second = make_site(), make_site()
    first.page("/a", status=302, headers=[("Location", second.url("/b")), ("Set-Cookie", "seen=1; Path=/")])
    second.redirect("/b", first.url("/a"))

    assert not_seen(first.url("/a")).code == "too_many_redirects"
    assert cookies_of(first, "/a") == ["", "seen=1"]
    assert cookies_of(second, "/b") == ["", ""]


@pytest.mark.parametrize(
    "cookie",
    [
        "seen=1; Path=/other",
        "seen=1; Domain=example.com",
        "seen=1; Secure",
        "seen=1; Max-Age=0",
        "seen=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
        "",
    ],
)
def test_a_cookie_that_browsers_do_not_send_back_is_not_sent(site: Site, cookie: str) -> None:
    site.page("/a", status=302, headers=[("Location", "/a"), ("Set-Cookie", cookie)])

    assert not_seen(site.url("/a")).code == "too_many_redirects"
    assert cookies_of(site, "/a") == [""]


def test_other_requests_keep_no_cookies(site: Site) -> None:
    gate(site, "/a")

    assert ask(site.url("/a")).failure is Failure.TOO_MANY_REDIRECTS
    assert cookies_of(site, "/a") == [""]


# --- loops that a cookie ends


def test_a_page_behind_a_cookie_is_fetched_with_it(site: Site) -> None:
    response = fetch(gate(site, "/a"))

    assert (response.status, response.body) == (200, HTML)
    assert [(hop.url, hop.status) for hop in response.cookie_loop] == [(site.url("/a"), 302)]
    assert response.redirects == ()
    assert cookies_of(site, "/a") == ["", "seen=Vx81"]
    assert "Vx81" not in repr(response)
    assert response.hops[0].headers.first("set-cookie") == "seen=…; Path=/"


def test_a_loop_over_several_urls_ends_with_its_cookie(site: Site) -> None:
    site.redirect("/start", "/a")
    gate(site, "/a", "other=2", target="/check")
    site.page("/check", status=302, headers=[("Location", "/a"), ("Set-Cookie", "other=2; Path=/")])
    response = fetch(site.url("/start"))

    assert [hop.url for hop in response.hops] == [site.url(path) for path in ("/start", "/a", "/check", "/a")]
    assert [hop.url for hop in response.redirects] == [site.url("/start")]
    assert [hop.url for hop in response.cookie_loop] == [site.url("/a"), site.url("/check")]


def test_a_cookie_joins_those_of_the_identity(site: Site) -> None:
    identity = Identity(site.base, cookies=(("login", "abc"), ("seen", "old")))
    response = fetch(gate(site, "/a"), identity=identity)

    assert response.status == 200
    assert cookies_of(site, "/a") == ["login=abc; seen=old", "login=abc; seen=Vx81"]


def check(site: Site, *paths: str) -> tuple[ProbeResponse, ...]:
    bare = SiteCapture(site.base, "2026-11-21T00:00:00Z", ProbeResponse(site.url("/robots.txt"), failure=Failure.NOT_ASKED))
    targets = Targets(site.url("/page"), links_internal=tuple(site.url(path) for path in paths))

    async def run(fetcher: Fetcher) -> PageProbes:
        return await probe_page(fetcher, targets, Budget(), bare)

    return with_fetcher(run).links


def test_a_checked_link_is_followed_with_its_cookie(site: Site) -> None:
    gate(site, "/gate")
    site.redirect("/loop", "/loop")
    gated, looping = check(site, "/gate", "/loop")

    assert (gated.failure, gated.status) == (Failure.NONE, 200)
    assert [hop.url for hop in cookie_loop(gated.hops)] == [site.url("/gate")]
    assert looping.failure is Failure.TOO_MANY_REDIRECTS


def single(url: str) -> SingleFetch:
    return with_fetcher(lambda fetcher: fetch_single(fetcher, url, Identity()))


def test_a_crawled_url_that_redirects_to_itself_is_followed_with_its_cookie(site: Site) -> None:
    gate(site, "/gate")
    site.page("/loop", status=302, headers=[("Location", "/loop"), ("Set-Cookie", "seen=1")])
    site.page("/old", status=301, headers=[("Location", "/new"), ("Set-Cookie", "seen=1")])
    gated, looping, old = (single(site.url(path)) for path in ("/gate", "/loop", "/old"))

    assert gated.response is not None
    assert (gated.location, gated.response.status, gated.response.body) == ("", 200, HTML)
    assert len(gated.response.cookie_loop) == 1
    assert looping.location == site.url("/loop")
    assert old.location == site.url("/new")
    assert not site.asked("/new")


def test_a_redirect_to_other_escapes_is_followed_once(site: Site) -> None:
    site.redirect("/caf%C3%A9", "/caf%c3%a9", 301)
    site.page("/caf%c3%a9", HTML)
    site.redirect("/b%C3%A9", "/b%c3%a9", 301)
    site.redirect("/b%c3%a9", "/b%C3%A9", 301)
    site.redirect("/a%2Fb", "/a/b", 301)
    moved, looping, other = (single(site.url(path)) for path in ("/caf%C3%A9", "/b%C3%A9", "/a%2Fb"))

    assert moved.response is not None
    assert (moved.location, moved.response.status) == ("", 200)
    assert looping.location == site.url("/b%C3%A9")
    assert other.location == site.url("/a/b")
    assert [request.path for request in site.requests] == ["/caf%C3%A9", "/caf%c3%a9", "/b%C3%A9", "/b%c3%a9", "/a%2Fb"]


def test_the_audit_follows_a_redirect_to_other_escapes(site: Site) -> None:
    site.redirect("/caf%C3%A9", "/caf%c3%a9", 301)
    site.page("/caf%c3%a9", HTML)
    response = fetch(site.url("/caf%C3%A9"))

    assert [(hop.url, hop.status) for hop in response.hops] == [(site.url("/caf%C3%A9"), 301), (site.url("/caf%c3%a9"), 200)]
    assert response.cookie_loop == ()
