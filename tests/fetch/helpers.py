"""Runs the fetcher in a test."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import pytest

from findable.capture.response import ProbeResponse, Response
from findable.capture.site import SiteCapture
from findable.errors import PageUnavailable
from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.fetch.extra_request_budget import Budget
from findable.fetch.fetcher import Fetcher
from findable.fetch.identity import Identity
from findable.fetch.site_requests import probe_site
from tests.sites.server import AUTHORITY, Request, Site

T = TypeVar("T")
LOCAL = Guard(AllowedTarget.parse_all("127.0.0.0/8, ::1, localhost"))
"""Lets the test sites be reached."""


def with_fetcher(work: Callable[[Fetcher], Awaitable[T]], *, guard: Guard = LOCAL, **settings: Any) -> T:
    """Runs ``work`` with a fetcher of its own."""

    async def run() -> T:
        async with Fetcher(guard, ca_file=AUTHORITY, **settings) as fetcher:
            return await work(fetcher)

    return asyncio.run(run())


def fetch(url: str, *, guard: Guard = LOCAL, settings: dict[str, Any] | None = None, **options: Any) -> Response:
    return with_fetcher(lambda fetcher: fetcher.fetch_page(url, **options), guard=guard, **(settings or {}))


def ask(url: str, *, guard: Guard = LOCAL, **options: Any) -> ProbeResponse:
    return with_fetcher(lambda fetcher: fetcher.request(url, **options), guard=guard)


def not_seen(url: str, *, guard: Guard = LOCAL, settings: dict[str, Any] | None = None, **options: Any) -> PageUnavailable:
    """The reason why the page was not seen."""
    with pytest.raises(PageUnavailable) as caught:
        fetch(url, guard=guard, settings=settings, **options)
    return caught.value


def besides_the_page(site: Site) -> list[Request]:
    """What was asked for but the page itself."""
    return [request for request in site.requests if request.path != "/page"]


def site_of(site: Site, path: str = "/page", *, identity: Identity | None = None, **settings: Any) -> SiteCapture:
    return with_fetcher(lambda fetcher: probe_site(fetcher, site.url(path), Budget(**settings), identity=identity or Identity()))


def sitemap(*locs: str) -> str:
    return (
        '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        + "".join(f"<url><loc>{loc}</loc></url>" for loc in locs)
        + "</urlset>"
    )
