"""Viewer of a page, and pages for signed-in people.

`person_page` declares a page for signed-in people; guests are redirected to sign in. `person_form` declares a form, with the page that
shows it again if it is rejected. The function gets a `SignedInRequest`, runs in a thread, and returns a `PersonPage` or a response; use
cases check permissions (`permissions.require_role`). Pages for guests too call `signed_in`, and show the bar of `bar_of`.
"""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, tzinfo
from functools import partial
from typing import Any, ClassVar
from urllib.parse import quote

from msgspec import Struct, field
from msgspec.structs import replace
from starlette.responses import Response

from findable.errors import Forbidden, RateLimited, RequestError, ValidationFailed
from findable.service.accounts import callers, time_zones
from findable.service.accounts.external_sign_in import proxy_identity
from findable.service.accounts.permissions import PREVIEW, may
from findable.service.accounts.sessions import SignInClient
from findable.service.runtime.service import Service
from findable.service.values.account_values import Identity
from findable.service.values.caller import OWNER, Caller
from findable.service.values.presentation import BrandView, client_wording
from findable.settings import Settings
from findable.web import client_address
from findable.web.auth import cookies, session_cookie_name
from findable.web.bodies import ORDINARY, TEXTS, Bounds, Fields, Kinds
from findable.web.pages.shared.form_fields import FormView, rejected_form, retry_headers
from findable.web.pages.shared.page_templates import Bar, PageContext, page_response, see_other
from findable.web.query_strings import Query, text_of
from findable.web.routing import Endpoint, Request
from findable.wording import Translator, best_language

MAX_PATH_CHARS = 2048
SESSION_ENDED = "/sign-in?ended=1"
"""Page for people who sent a form after the end of their session. `drafts.js` keeps what they typed."""
_OWN_PATH = re.compile(r"/(?![/\\])[!-\[\]-~]*")


class SignedInRequest(Struct, frozen=True):
    """Request of a signed-in person."""

    service: Service
    caller: Caller
    say: Translator
    token: str
    """Token of the session."""
    client: SignInClient
    raw_query: Query
    """Parameters of the query, also lists, which validation rejects."""
    fields: Fields = field(default_factory=dict)
    """Fields of the submitted form."""
    rejected: Mapping[str, FormView] = {}
    """Form that is shown again with its errors, by its name."""
    error: RequestError | None = None
    """Error of the rejected form."""
    headers: Mapping[str, str] = {}
    """Headers of the request; empty if it shows a rejected form again."""

    @property
    def zone(self) -> tzinfo:
        """Time zone in which times are shown to the person."""
        return zone_of(self.caller)

    def text(self, name: str) -> str:
        """Return a field of the form; empty if it was not sent or is not a text."""
        return text_of(self.fields, name)

    @property
    def query(self) -> Mapping[str, str]:
        """Query parameters that occur once, by name."""
        return {name: value for name, value in self.raw_query.items() if isinstance(value, str)}

    def form_with(self, values: Mapping[str, str] | None = None, name: str = "") -> FormView:
        """Return a form with these values, or the rejected form of this name with its errors."""
        return self.rejected.get(name) or FormView(values or {})

    def with_error(self, error: RequestError, name: str = "", renamed: Mapping[str, str] | None = None) -> "SignedInRequest":
        """Return the request for a page that shows the form of this name again with an error; ``renamed`` as in `person_form`."""
        form = rejected_form(self.fields, error, self.say)
        errors = {(renamed or {}).get(field, field): words for field, words in form.errors.items()}
        return replace(self, error=error, rejected={name: replace(form, errors=errors)})


class PersonPage(PageContext, frozen=True, kw_only=True):
    """Template variables of every page for signed-in people; `person_page` and `person_form` set them."""

    entry: ClassVar[str] = "account"
    """Entry of the navigation bar."""
    confirmations: ClassVar[Mapping[str, str]] = {}
    """Confirmations of forms by the word in the URL."""
    bar: Bar = Bar("", is_signed_in=True)
    confirmation: str = ""
    """Confirmation of the last form; empty without one."""
    zone: tzinfo = UTC
    """Time zone in which times are shown."""
    form: FormView | None = None
    """Form of the page, empty or rejected; set from the request if the page does not set it."""
    sends_mails: bool = False
    """Whether this service sends emails."""
    status: int = 200
    """Status of the response; that of the error if the page shows a rejected form."""


def _response(request: SignedInRequest, made: PersonPage | Response) -> Response:
    """Return a page for a signed-in person as a response; with the status of the error if it shows a rejected form."""
    if isinstance(made, Response):
        return made
    error = request.error
    done = "" if error else made.confirmations.get(request.query.get("done", ""), "")
    confirmation, form = request.say.text(done), made.form or request.form_with()
    bar, sends_mails = bar_of(request.caller, made.entry), bool(request.service.settings.smtp_url)
    shown = replace(made, bar=bar, confirmation=confirmation, zone=request.zone, form=form, sends_mails=sends_mails)
    headers = retry_headers(error) if error else {}
    return page_response(shown, request.say, status=error.status if error else made.status, headers=headers)


class PersonEndpoint(Endpoint, frozen=True):
    """Page for signed-in people, which its forms can show again."""

    show: Callable[..., Response]


def person_page(*paths: str) -> Callable[[Callable[..., PersonPage | Response]], PersonEndpoint]:
    """Declare a page for signed-in people: a function of their request and the path parameters by name."""

    def decorate(show: Callable[..., PersonPage | Response]) -> PersonEndpoint:
        def respond(request: SignedInRequest, *more: Any, **values: Any) -> Response:
            return _response(request, show(request, *more, **values))

        async def handle(request: Request, **values: str) -> Response:
            return await _respond_signed_in(request, lambda signed: respond(signed, **values), {}, back=own_path(_path_of(request)))

        return PersonEndpoint("GET", paths, handle, respond)

    return decorate


def person_form(
    path: str,
    page: PersonEndpoint | None = None,
    name: str = "",
    errors: tuple[type[RequestError], ...] = (ValidationFailed, RateLimited),
    renamed: Mapping[str, str] | None = None,
    bounds: Bounds = ORDINARY,
    kinds: Kinds = TEXTS,
    *,
    in_preview: bool = False,
) -> Callable[[Callable[..., PersonPage | Response]], Endpoint]:
    """Declare a form of signed-in people, see `person_page`. Raises Forbidden for a form of another site.

    If one of the ``errors`` is raised, ``page`` shows the form of this name again. ``renamed`` has the names of fields of the form by the
    names that errors use.
    """

    def decorate(submit: Callable[..., PersonPage | Response]) -> Endpoint:
        def submit_or_show_again(values: Mapping[str, str], request: SignedInRequest) -> Response:
            try:
                return _response(request, submit(request, **values))
            except errors as error:
                if page is None:
                    raise
                of_page = {key: value for key, value in values.items() if f"{{{key}}}" in page.paths[0]}
                return page.show(request.with_error(error, name, renamed), **of_page)

        async def handle(request: Request, **values: str) -> Response:
            fields = await request.form_fields(bounds, kinds)
            submit_it = partial(submit_or_show_again, values)
            return await _respond_signed_in(request, submit_it if in_preview else _outside_preview(submit_it), fields, back="/")

        return Endpoint("POST", (path,), handle)

    return decorate


def _outside_preview(work: Callable[[SignedInRequest], Response]) -> Callable[[SignedInRequest], Response]:
    """Return the work of a form, which raises Forbidden for people who look at a project as a client."""

    def submit(request: SignedInRequest) -> Response:
        if request.caller.preview_of is not None:
            raise Forbidden(PREVIEW)
        return work(request)

    return submit


async def _respond_signed_in(request: Request, work: Callable[[SignedInRequest], Response], fields: Fields, *, back: str) -> Response:
    """Return a page or the result of a form. Guests are redirected to sign in, and then to the page ``back``."""
    headers, query, client = request.headers, request.query, client_of(request)

    def respond(service: Service) -> Response:
        caller = signed_in(service, headers)
        if caller is None:
            return see_other(SESSION_ENDED if fields else "/sign-in" + (f"?next={quote(back)}" if back != "/" else ""))
        token = session_token(service, headers)
        return work(SignedInRequest(service, caller, wording_of(headers, caller), token, client, query, fields, headers=headers))

    return await request.service.run(respond)


def _path_of(request: Request) -> str:
    path = quote(request.scope["path"], safe="/~!$&'()*+,;=:@%")
    query = request.scope["query_string"].decode("latin-1")
    return f"{path}?{query}" if query else path


def own_path(text: str) -> str:
    """Return the path if it is a page of this service, else the home page, to prevent open redirects."""
    return text if len(text) <= MAX_PATH_CHARS and _OWN_PATH.fullmatch(text) else "/"


def bar_of(caller: Caller | None, entry: str = "") -> Bar:
    """Return the bar at the top of a page, for a signed-in person or a guest: the variable ``bar`` of a template."""
    if caller is None:
        return Bar(entry, is_signed_in=False)
    brand, is_preview = caller.brand, caller.preview_of is not None
    shown = Bar(
        entry,
        is_signed_in=True,
        is_owner=may(caller, OWNER),
        is_operator=caller.is_operator,
        is_preview=is_preview,
        person=caller.user_id,
    )
    return branded_bar(shown, brand, f"/logo.png?v={brand.logo.hex()[:12]}" if brand.logo else "")


def branded_bar(bar: Bar, brand: BrandView, logo: str) -> Bar:
    """Return the bar with the name, logo and colour of a brand; ``logo`` is its URL, empty for none."""
    return replace(bar, brand=brand.name, logo=logo, color=brand.color.removeprefix("#"))


def zone_of(caller: Caller | None) -> tzinfo:
    """Return the time zone of times shown to a person."""
    return time_zones.zone_of(caller.time_zone if caller else None)


def session_token(service: Service, headers: Mapping[str, str]) -> str:
    """Return the session token in the cookie; empty without one."""
    return cookies(headers).get(session_cookie_name(service.settings.base_url), "")


def client_of(request: Request) -> SignInClient:
    """Return User-Agent and IP address of the request."""
    return SignInClient(request.headers.get("user-agent", ""), client_ip_address(request, request.service))


def signed_in(service: Service, headers: Any) -> Caller | None:
    """Return the person signed in by the session cookie (blocking).

    None for a guest, or if a trusted proxy identifies another person.
    """
    token = session_token(service, headers)
    identity = proxied_identity(service.settings, headers)
    return callers.authenticate_session(service, token, identity.email if identity else "") if token else None


def has_ended(service: Service, headers: Any) -> bool:
    """Return whether the browser has the cookie of a session that has ended (blocking)."""
    return bool(session_token(service, headers)) and signed_in(service, headers) is None


def required_person(service: Service, headers: Any) -> Caller:
    """Return the signed-in person, see `signed_in` (blocking). Raises Forbidden for a guest."""
    caller = signed_in(service, headers)
    if caller is None:
        raise Forbidden("Sign in first.")
    return caller


def proxied_identity(settings: Settings, headers: Mapping[str, str]) -> Identity | None:
    """Return the person identified by the proxy; `middleware.Edge` removes these headers from other requests."""
    if not settings.sign_in_proxy:
        return None
    email, groups, *_ = (*(headers.get(name, "") for name in settings.sign_in_proxy), "")
    return proxy_identity(email, groups)


def wording_of(headers: Mapping[str, str], caller: Caller | None = None) -> Translator:
    """Return the translator for a page: in the language chosen by the signed-in person, else in that of the browser."""
    chosen = caller.language if caller else None
    return client_wording(chosen or best_language(headers.get("accept-language", "")), caller.brand.rating_words if caller else "")


def client_ip_address(request: Request, service: Service) -> str:
    """Return the IP address of the client that sent the request."""
    return client_address.address_of(request.scope, service.settings.trusted_proxies)
