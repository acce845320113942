"""Sign in and out: by password, by a one-time link.

Opening a link changes nothing, so that mail scanners and link previews do not use it up; only its button signs in.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence

from starlette.background import BackgroundTask
from starlette.responses import Response

from findable.errors import Forbidden, NotFound, RateLimited, ValidationFailed
from findable.service.accounts import external_sign_in, own_account, people, sessions, sign_in_emails, sign_in_links
from findable.service.accounts.first_start import OWNER_EMAIL
from findable.service.projects import project_links
from findable.service.reports import stored_images
from findable.service.runtime.service import Service
from findable.service.values.account_values import Identity
from findable.service.values.presentation import BrandView
from findable.web.auth import cookies as cookies_of
from findable.web.auth import refuse_cross_site, session_cookie
from findable.web.pages.shared.form_fields import FormView, problem_of, rejected_form, retry_headers
from findable.web.pages.shared.page_templates import Bar, PageContext, page_response, see_other
from findable.web.pages.shared.viewer import (
    SignedInRequest,
    bar_of,
    branded_bar,
    client_of,
    own_path,
    person_form,
    person_page,
    proxied_identity,
    session_token,
    signed_in,
    wording_of,
)
from findable.web.path_parts import without_nul
from findable.web.query_strings import text_of
from findable.web.routing import Request, get, post

NO_REFERRER = {"Referrer-Policy": "no-referrer"}
BRAND_COOKIE = "findable-brand"
BRAND_LIFE_S = 365 * 24 * 3600


class SignInPage(PageContext, frozen=True):
    """Variables of sign_in.html."""

    form: FormView
    next: str
    """Path of the page to open after signing in."""
    bar: Bar
    sends_mails: bool
    """Whether this service sends links for lost passwords."""
    has_passwords: bool
    """Whether sign-in by password is turned on."""
    provider: str
    """Name of the OpenID provider; empty without a provider."""
    has_ended: bool
    """Whether a form was sent after the end of the session."""


class ForgotPage(PageContext, frozen=True):
    """Variables of forgot.html."""

    form: FormView
    is_sent: bool
    """Whether the form was sent. The page is the same whether or not a person has that email address."""


class SignInLinkPage(PageContext, frozen=True):
    """Variables of sign_in_link.html."""


class LinkFailedPage(PageContext, frozen=True):
    """Variables of link_failed.html."""

    is_invitation: bool
    """Whether the link was an invitation."""
    sends_mails: bool = False
    """Whether this service sends links for lost passwords."""


class WelcomePage(PageContext, frozen=True):
    """Variables of welcome.html."""

    form: FormView
    has_password: bool
    """Whether the person has a password: then the page requests only a new one."""
    email: str
    """Email address of a person who has a password."""


# --- by password ------------------------------------------------------------------------------------------------------


@get("/sign-in")
async def get_sign_in(request: Request) -> Response:
    """Show the sign-in form, or redirect people who are signed in."""
    service, headers = request.service, request.headers
    next_path = own_path(str(request.query.get("next", "/")))
    if await service.run(signed_in, headers):
        return see_other(next_path)
    if identity := proxied_identity(service.settings, headers):
        return await _sign_in_proxied(request, identity, next_path)
    return sign_in_page(request, FormView(), next_path, bar=await service.run(_bar_of_sign_in, headers))


async def _sign_in_proxied(request: Request, identity: Identity, next_path: str) -> Response:
    """Sign in the person identified by the trusted proxy, which replaces all other ways to sign in."""
    service = request.service
    try:
        session = await service.run(external_sign_in.sign_in, identity, client_of(request), session_token(service, request.headers))
    except Forbidden as error:
        form = FormView(problem=problem_of(error, wording_of(request.headers)))
        return sign_in_page(request, form, next_path, status=error.status)
    return see_other(next_path, [session_cookie(service.settings.base_url, session)])


def sign_in_page(
    request: Request,
    form: FormView,
    next_path: str,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    cookies: Sequence[str] = (),
    bar: Bar | None = None,
) -> Response:
    """Return the sign-in page; ``next_path`` is the path of the page to open after signing in, ``bar`` one with a brand."""
    settings, provider = request.service.settings, request.provider
    shown = SignInPage(
        form,
        next_path,
        bar or bar_of(None, "sign_in"),
        bool(settings.smtp_url),
        has_passwords=settings.sign_in_password,
        provider=provider.name if provider else "",
        has_ended="ended" in request.query,
    )
    response = page_response(shown, wording_of(request.headers), status=status, headers=dict(headers or {}))
    for cookie in cookies:
        response.headers.append("Set-Cookie", cookie)
    return response


@post("/sign-in")
async def post_sign_in(request: Request) -> Response:
    """Sign in by password and redirect to the requested page."""
    service, headers, fields = request.service, request.headers, await request.form_fields()
    say = wording_of(headers)
    email, password, next_path = (text_of(fields, name) for name in ("email", "password", "next"))
    next_path = own_path(next_path)

    try:
        session = await service.run(sessions.sign_in, email, password, client_of(request), session_token(service, headers))
    except RateLimited as error:
        form = FormView({"email": email}, problem=problem_of(error, say))
        return sign_in_page(request, form, next_path, status=error.status, headers=retry_headers(error))
    if session is None:
        form = FormView({"email": email}, {"password": say("The email address or the password is wrong.")})
        return sign_in_page(request, form, next_path, status=403, bar=await service.run(_bar_of_sign_in, headers))
    return see_other(next_path, [session_cookie(service.settings.base_url, session)])


@post("/sign-out")
async def post_sign_out(request: Request) -> Response:
    """End the session and delete its cookie."""
    service, headers = request.service, request.headers
    refuse_cross_site(headers, service.settings.base_url)
    await end_existing_session(service, headers)
    return see_other("/", [session_cookie(service.settings.base_url, None)])


# --- forgotten passwords ----------------------------------------------------------------------------------------------


@get("/forgot")
async def get_forgot(request: Request) -> Response:
    """Show the form that requests a sign-in link by email."""
    settings = request.service.settings
    if not settings.smtp_url or not settings.sign_in_password:
        raise NotFound
    return page_response(ForgotPage(FormView(), is_sent=False), wording_of(request.headers))


@post("/forgot")
async def post_forgot(request: Request) -> Response:
    """Send a sign-in link by email.

    The person is looked up after the response, so that the response time does not reveal who has an account.
    """
    service, say, fields = request.service, wording_of(request.headers), await request.form_fields()
    try:
        address = await service.run(sign_in_emails.count_request, text_of(fields, "email"), client_of(request).address)
    except (RateLimited, ValidationFailed) as error:
        return page_response(
            ForgotPage(rejected_form(fields, error, say), is_sent=False), say, status=error.status, headers=retry_headers(error)
        )
    response = page_response(ForgotPage(FormView({"email": address}), is_sent=True), say)
    response.background = BackgroundTask(service.run, sign_in_emails.send_link, address)
    return response


# --- by link ----------------------------------------------------------------------------------------------------------


@get("/sign-in/{token}")
async def get_link(request: Request, token: str) -> Response:
    """Show the button of a sign-in link."""
    del token
    return page_response(SignInLinkPage(), wording_of(request.headers), headers=NO_REFERRER)


@post("/sign-in/{token}")
async def post_link(request: Request, token: str) -> Response:
    """Sign in by a one-time link and continue to the password form; an existing session of the browser ends."""
    service, headers = request.service, request.headers
    refuse_cross_site(headers, service.settings.base_url)
    session = await service.run(sign_in_links.redeem, without_nul(token), client_of(request))
    if session is None:
        failed = LinkFailedPage(is_invitation=False, sends_mails=bool(service.settings.smtp_url and service.settings.sign_in_password))
        return page_response(failed, wording_of(headers), status=410, headers=NO_REFERRER)
    await end_existing_session(service, headers)
    return see_other("/welcome", [session_cookie(service.settings.base_url, session)])


@person_page("/welcome")
def get_welcome(request: SignedInRequest) -> Response:
    """Show the form for name, email address and password after sign-in by a link."""
    if not own_account.needs_no_password(request.service, request.caller, request.token):
        return see_other("/account")
    me = people.myself(request.service, request.caller)
    # The email address of a first start is a placeholder that cannot be used to sign in.
    form = request.form_with({"name": me.name, "email": "" if me.email == OWNER_EMAIL else me.email})
    return page_response(WelcomePage(form, me.has_password, me.email), request.say, status=request.error.status if request.error else 200)


@person_form("/welcome", get_welcome)
def post_welcome(request: SignedInRequest) -> Response:
    """Save name, email address and password, and end the person's other sessions."""
    if not own_account.needs_no_password(request.service, request.caller, request.token):
        return see_other("/account")
    name, email, password = (request.text(each) for each in ("name", "email", "password"))
    if people.myself(request.service, request.caller).has_password:
        session = own_account.change_password(request.service, request.caller, request.token, request.client, present="", password=password)
    else:
        session = own_account.welcome(
            request.service, request.caller, request.token, request.client, name=name, email=email, password=password
        )
    return see_other("/", [session_cookie(request.service.settings.base_url, session)])


def branded_bar_of(service: Service, brand: BrandView) -> Bar:
    """Return the bar for guests with a brand, whose logo the page contains (blocking)."""
    logo = stored_images.image_of(service, brand.logo)
    return branded_bar(bar_of(None, "sign_in"), brand, f"data:image/png;base64,{b64encode(logo).decode()}" if logo else "")


def _bar_of_sign_in(service: Service, headers: Mapping[str, str]) -> Bar:
    """Return the bar with the brand of the project that once invited the person in this browser (blocking)."""
    return branded_bar_of(service, project_links.brand_behind(service, cookies_of(headers).get(BRAND_COOKIE, "")))


async def end_existing_session(service: Service, headers: Mapping[str, str]) -> None:
    """End the existing session of the browser, which the new cookie replaces."""
    old = session_token(service, headers)
    if old:
        await service.run(sessions.sign_out, old)
