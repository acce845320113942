"""Who looks at a page, and how a page is made for somebody who is signed in.

``return await for_person(request, work)`` answers a page that guests do not see: they sign in first and come back.
``return await from_person(request, work)`` answers a form. ``work`` gets an `Asked` and runs in a thread; who may do what is decided by
the use cases (`callers.require_role`). Pages that guests see too ask `signed_in`, and show the bar of `bar_of`.
"""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, tzinfo
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Struct, field
from starlette.responses import Response

from findable.service.accounts import callers
from findable.service.accounts.sessions import Place
from findable.service.runtime.app import Service
from findable.service.values.use_cases import Caller
from findable.web import client_address
from findable.web.auth import cookies, refuse_cross_site, session_cookie_name
from findable.web.bodies import ORDINARY, TEXTS, Bounds, Fields, Kinds
from findable.web.pages.shared.rendering import see_other
from findable.web.routing import Request
from findable.wording import Wording, best_language, wording

MAX_PATH_CHARS = 2048
_OWN_PATH = re.compile(r"/(?![/\\])[!-\[\]-~]*")


class Bar(Struct, frozen=True):
    """What stands on top of a page."""

    at: str
    """``home``, ``projects``, ``account``, ``sign_in``, or empty: which of its entries is this page."""
    is_signed_in: bool


class Asked(Struct, frozen=True):
    """A request of somebody who is signed in."""

    service: Service
    caller: Caller
    say: Wording
    token: str
    """Of the session."""
    place: Place
    query: Mapping[str, str]
    fields: Fields = field(default_factory=dict)
    """Of a form."""

    @property
    def zone(self) -> tzinfo:
        """In which moments are shown."""
        return zone_of(self.caller)

    def text(self, name: str) -> str:
        """A field of the form; empty where it was not sent or is no text."""
        value = self.fields.get(name, "")
        return value if isinstance(value, str) else ""


Work = Callable[[Asked], Response]


async def for_person(request: Request, work: Work) -> Response:
    """A page for somebody who is signed in. Guests are asked to sign in and come back."""
    return await _answered(request, work, {}, back=own_path(_path_of(request)))


async def from_person(request: Request, work: Work, bounds: Bounds = ORDINARY, kinds: Kinds = TEXTS) -> Response:
    """A form that somebody sent who is signed in. Guests are asked to sign in. Raises Forbidden for a form of another site."""
    headers = request.headers
    refuse_cross_site(headers, request.service.settings.base_url)
    return await _answered(request, work, await request.fields(bounds, kinds), back="/")


async def _answered(request: Request, work: Work, fields: Fields, *, back: str) -> Response:
    headers = request.headers
    query = {name: value for name, value in request.query.items() if isinstance(value, str)}
    place = place_of(request)

    def answer(service: Service) -> Response:
        caller = signed_in(service, headers)
        if caller is None:
            return see_other("/sign-in" + (f"?next={quote(back)}" if back != "/" else ""))
        return work(Asked(service, caller, wording_of(headers, caller), session_token(service, headers), place, query, fields))

    service = request.service
    return await service.run(answer)


def _path_of(request: Request) -> str:
    path = quote(request.scope["path"], safe="/~!$&'()*+,;=:@%")
    query = request.scope["query_string"].decode("latin-1")
    return f"{path}?{query}" if query else path


def own_path(text: str) -> str:
    """The path where it leads to a page of ours, else the first page: nobody is sent to another site."""
    return text if len(text) <= MAX_PATH_CHARS and _OWN_PATH.fullmatch(text) else "/"


def bar_of(caller: Caller | None, at: str = "") -> Bar:
    """The bar on top of a page, for somebody signed in or a guest: the variable ``bar`` of a template."""
    return Bar(at, caller is not None)


def zone_of(caller: Caller | None) -> tzinfo:
    """The time zone in which moments are shown to somebody."""
    try:
        return ZoneInfo(caller.time_zone) if caller and caller.time_zone else UTC
    except (ZoneInfoNotFoundError, ValueError):  # chosen where the machine knew more of them
        return UTC


def session_token(service: Service, headers: Mapping[str, str]) -> str:
    """What the session cookie holds; empty without one."""
    return cookies(headers).get(session_cookie_name(service.settings.base_url), "")


def place_of(request: Request) -> Place:
    """Where whoever asks is."""
    return Place(request.headers.get("user-agent", ""), address_of(request, request.service))


def signed_in(service: Service, headers: Any) -> Caller | None:
    """The owner of the session cookie, None for a guest (blocking)."""
    token = session_token(service, headers)
    return callers.authenticate_session(service, token) if token else None


def wording_of(headers: Mapping[str, str], caller: Caller | None = None) -> Wording:
    """The language a page is shown in: the one somebody signed in has chosen, else what the browser asks for."""
    chosen = caller.language if caller else None
    return wording(chosen or best_language(headers.get("accept-language", "")))


def address_of(request: Request, service: Service) -> str:
    """The IP address of whoever asks."""
    return client_address.address_of(request.scope, service.settings.trusted_proxies)
