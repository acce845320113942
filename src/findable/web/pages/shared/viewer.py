"""Viewer of a page, and pages for signed-in people.

`person_page` declares a page for signed-in people; guests are redirected to sign in. `person_form` declares a form. The function gets a
`SignedInRequest` and runs in a thread; use cases check permissions (`callers.require_role`). Handlers that need the request itself call
`for_person` or `from_person`. Pages for guests too call `signed_in`, and show the bar of `bar_of`.
"""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, tzinfo
from functools import partial
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Struct, field
from starlette.responses import Response

from findable.service.accounts import callers
from findable.service.accounts.callers import may
from findable.service.accounts.external_sign_in import Identity, proxy_identity
from findable.service.accounts.sessions import SignInClient
from findable.service.runtime.service import Service
from findable.service.values.caller import OWNER, Caller
from findable.settings import Settings
from findable.web import client_address
from findable.web.auth import cookies, refuse_cross_site, session_cookie_name
from findable.web.bodies import ORDINARY, TEXTS, Bounds, Fields, Kinds
from findable.web.pages.shared.page_templates import Bar, see_other
from findable.web.routing import Endpoint, Request, get, post
from findable.wording import Translator, best_language, wording

MAX_PATH_CHARS = 2048
_OWN_PATH = re.compile(r"/(?![/\\])[!-\[\]-~]*")


class SignedInRequest(Struct, frozen=True):
    """Request of a signed-in person."""

    service: Service
    caller: Caller
    say: Translator
    token: str
    """Token of the session."""
    place: SignInClient
    query: Mapping[str, str]
    fields: Fields = field(default_factory=dict)
    """Fields of the submitted form."""

    @property
    def zone(self) -> tzinfo:
        """Time zone of shown times."""
        return zone_of(self.caller)

    def text(self, name: str) -> str:
        """Return a field of the form; empty if it was not sent or is not a text."""
        value = self.fields.get(name, "")
        return value if isinstance(value, str) else ""


Work = Callable[[SignedInRequest], Response]


def person_page(*paths: str) -> Callable[[Callable[..., Response]], Endpoint]:
    """Declare a page for signed-in people: a function of their request and the path parameters by name."""

    def decorate(show: Callable[..., Response]) -> Endpoint:
        async def handle(request: Request, **values: str) -> Response:
            return await for_person(request, partial(show, **values))

        return get(*paths)(handle)

    return decorate


def person_form(*paths: str) -> Callable[[Callable[..., Response]], Endpoint]:
    """Declare a form of signed-in people, see `person_page`."""

    def decorate(take: Callable[..., Response]) -> Endpoint:
        async def handle(request: Request, **values: str) -> Response:
            return await from_person(request, partial(take, **values))

        return post(*paths)(handle)

    return decorate


async def for_person(request: Request, work: Work) -> Response:
    """Return a page for a signed-in person. Guests are redirected to sign in and then return."""
    return await _respond_signed_in(request, work, {}, back=own_path(_path_of(request)))


async def from_person(request: Request, work: Work, bounds: Bounds = ORDINARY, kinds: Kinds = TEXTS) -> Response:
    """Handle a form of a signed-in person. Guests are redirected to sign in. Raises Forbidden for a form of another site."""
    headers = request.headers
    refuse_cross_site(headers, request.service.settings.base_url)
    return await _respond_signed_in(request, work, await request.fields(bounds, kinds), back="/")


async def _respond_signed_in(request: Request, work: Work, fields: Fields, *, back: str) -> Response:
    headers = request.headers
    query = {name: value for name, value in request.query.items() if isinstance(value, str)}
    place = place_of(request)

    def answer(service: Service) -> Response:
        caller = signed_in(service, headers)
        if caller is None:
            return see_other("/sign-in" + (f"?next={quote(back)}" if back != "/" else ""))
        return work(SignedInRequest(service, caller, wording_of(headers, caller), session_token(service, headers), place, query, fields))

    service = request.service
    return await service.run(answer)


def _path_of(request: Request) -> str:
    path = quote(request.scope["path"], safe="/~!$&'()*+,;=:@%")
    query = request.scope["query_string"].decode("latin-1")
    return f"{path}?{query}" if query else path


def own_path(text: str) -> str:
    """Return the path if it is a page of this service, else the home page, to prevent open redirects."""
    return text if len(text) <= MAX_PATH_CHARS and _OWN_PATH.fullmatch(text) else "/"


def bar_of(caller: Caller | None, at: str = "") -> Bar:
    """Return the bar at the top of a page, for a signed-in person or a guest: the variable ``bar`` of a template."""
    if caller is None:
        return Bar(at, is_signed_in=False)
    return Bar(at, is_signed_in=True, is_owner=may(caller, OWNER), is_operator=caller.is_operator)


def zone_of(caller: Caller | None) -> tzinfo:
    """Return the time zone of times shown to a person."""
    try:
        return ZoneInfo(caller.time_zone) if caller and caller.time_zone else UTC
    except (ZoneInfoNotFoundError, ValueError):  # chosen on a machine with more time zones
        return UTC


def session_token(service: Service, headers: Mapping[str, str]) -> str:
    """Return the value of the session cookie; empty without one."""
    return cookies(headers).get(session_cookie_name(service.settings.base_url), "")


def place_of(request: Request) -> SignInClient:
    """Return the client of the request."""
    return SignInClient(request.headers.get("user-agent", ""), address_of(request, request.service))


def signed_in(service: Service, headers: Any) -> Caller | None:
    """Return the signed-in person of the session cookie; None for a guest, or if a trusted proxy identifies another person (blocking)."""
    token = session_token(service, headers)
    identity = proxied_identity(service.settings, headers)
    return callers.authenticate_session(service, token, identity.email if identity else "") if token else None


def proxied_identity(settings: Settings, headers: Mapping[str, str]) -> Identity | None:
    """Return the person identified by the proxy; `middleware.Edge` removes these headers from other requests."""
    if not settings.proxy_email_header:
        return None
    return proxy_identity(headers.get(settings.proxy_email_header, ""), headers.get(settings.proxy_groups_header or "-", ""))


def wording_of(headers: Mapping[str, str], caller: Caller | None = None) -> Translator:
    """Return the language of a page: the choice of the signed-in person, else the language of the browser."""
    chosen = caller.language if caller else None
    return wording(chosen or best_language(headers.get("accept-language", "")))


def address_of(request: Request, service: Service) -> str:
    """Return the IP address of the client."""
    return client_address.address_of(request.scope, service.settings.trusted_proxies)
