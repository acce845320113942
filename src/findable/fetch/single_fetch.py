"""Make one request of a crawl: pooled connection, no redirect followed, no retry. A crawl stores each redirect as a separate URL."""

import asyncio
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from findable import urls
from findable.capture.page_size_limits import STORED_BYTES
from findable.capture.response import HTML_TYPES, Failure, Headers, Hop, Response
from findable.capture.status_classes import is_redirect
from findable.clock import monotonic_s
from findable.fetch.identity import Identity
from findable.fetch.redirect_cookies import RedirectCookies
from findable.fetch.redirects import MAX_REDIRECTS, loop_of, redirect_target
from findable.fetch.request_headers import Lines, page_lines
from findable.fetch.wire import Exchange, Order, hop_of, response_of

if TYPE_CHECKING:
    from findable.fetch.fetcher import Fetcher

DEADLINE_S = 30.0


class SingleFetch(Struct, frozen=True):
    """Outcome of one request of a crawl: a response, or the reason why there is none."""

    failure: Failure = Failure.NONE
    response: Response | None = None
    location: str = ""
    """Target of a redirect, without fragment."""
    is_unchanged: bool = False
    """Whether the site returned 304, so that the response is the stored one."""


async def fetch_single(
    fetcher: "Fetcher",
    url: str,
    identity: Identity,
    *,
    stored_response: Response | None = None,
    ends_loops: bool = False,
    deadline_s: float = DEADLINE_S,
) -> SingleFetch:
    """Request a URL once, after any pause that its host requested. Only HTML bodies are read.

    With ``stored_response``, an earlier response of the URL, the request is conditional, and a 304 returns that response. A redirect to
    the same URL in other escapes is followed once, because a crawl treats both as one URL, and one to the URL itself with its cookies.
    ``ends_loops``: whether a loop over several URLs of the host, which a crawl found, is also followed with its cookies.
    """
    if pause_s := fetcher.politeness.pause_left_s(urls.origin_of(url)):
        await asyncio.sleep(pause_s)
    validators = _validators(stored_response) if stored_response is not None else ()
    lines = (*page_lines(url, identity, fetcher.user_agent), *validators)
    order = Order(monotonic_s() + deadline_s, lines=lines, should_read_body=_may_be_html, stored_bytes=STORED_BYTES)
    exchange = await fetcher.send(url, order)
    hops: tuple[Hop, ...] = ()
    target = _equal_target(url, exchange)
    if target not in ("", url):
        url = target
        exchange = await fetcher.send(url, order)
        target = _equal_target(url, exchange)
    if target == url or (ends_loops and exchange.error is None):
        hops, exchange = await _after_loop(fetcher, url, identity, exchange, order, is_long=ends_loops)
    if exchange.error is not None:
        return SingleFetch(exchange.error.failure)
    if stored_response is not None and validators and exchange.status == NOT_MODIFIED:
        final = replace(stored_response.final, timing=hop_of(url, exchange, "").timing)
        return SingleFetch(response=replace(stored_response, hops=(*hops, final)), is_unchanged=True)
    location = redirect_target(url, exchange.status, exchange.headers)
    response = response_of(url, (*hops, hop_of(url, exchange, "")), exchange)
    return SingleFetch(response=response, location=urls.without_fragment(location or ""))


NOT_MODIFIED = 304


async def _after_loop(
    fetcher: "Fetcher", url: str, identity: Identity, first: Exchange, order: Order, *, is_long: bool
) -> tuple[tuple[Hop, ...], Exchange]:
    """Return the hops of the redirect loop that begins with ``first`` and the exchange after it, with the cookies that it sets.

    No hops and ``first`` if there is no loop, if it sets no cookies for itself, or if they do not end it. ``is_long``: whether other URLs
    of the host may belong to it.
    """
    cookies = RedirectCookies()
    hops: list[Hop] = []
    loop_from = 0
    at, exchange = url, first
    while len(hops) < MAX_REDIRECTS:
        location = redirect_target(at, exchange.status, exchange.headers) if exchange.error is None else None
        if exchange.error is None and cookies.are_sent and at == url and location not in {hop.url for hop in hops}:
            return tuple(hops), exchange
        if location is None or not urls.same_host(location, url) or (location != url and not is_long):
            break
        hops.append(hop_of(at, exchange, location))
        cookies.add(at, exchange.set_cookies)
        if loop := loop_of(hops[loop_from:], location):
            if not cookies.may_end_loop(loop):
                break
            loop_from = len(hops)
        lines = order.lines if location == url else page_lines(location, identity, fetcher.user_agent)
        at, exchange = location, await fetcher.send(location, replace(order, lines=cookies.lines_for(location, lines)))
    return (), first


def _equal_target(url: str, exchange: Exchange) -> str:
    """Return the target of a redirect to the URL itself, perhaps in other escapes; empty for another response."""
    target = redirect_target(url, exchange.status, exchange.headers) if exchange.error is None else None
    return target if target is not None and urls.with_uniform_escapes(target) == urls.with_uniform_escapes(url) else ""


def _validators(stored_response: Response) -> Lines:
    """Return the header lines that revalidate a stored response (RFC 9110 section 13)."""
    found = (
        ("If-None-Match", stored_response.headers.first("etag")),
        ("If-Modified-Since", stored_response.headers.first("last-modified")),
    )
    return tuple((name, value) for name, value in found if value)


def _may_be_html(status: int, headers: Headers) -> bool:
    """Return whether the body must be read: redirects and media such as videos are not read."""
    return not is_redirect(status) and headers.media_type in ("", *HTML_TYPES)
