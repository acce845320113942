"""Sign-in through an OpenID provider: redirect to the provider, and handle its response."""

import base64
import binascii
import logging
import secrets

import msgspec
from starlette.responses import Response

from findable.clock import now
from findable.errors import Forbidden, NotFound, RateLimited, ValidationFailed
from findable.service.accounts import external_sign_in
from findable.service.accounts.account_admin import email_of
from findable.service.runtime.oidc import Attempt, OpenIdProvider, ProviderError
from findable.service.runtime.sealed_values import Unreadable, seal, unseal
from findable.service.runtime.service import Service
from findable.web.auth import cookies, session_cookie, set_cookie
from findable.web.pages.account.sign_in import sign_in_page
from findable.web.pages.shared.form_fields import FormView, problem_of, retry_headers
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.viewer import client_of, own_path, session_token, wording_of
from findable.web.query_strings import text_of
from findable.web.routing import Request, get
from findable.wording import later

ATTEMPT_LIFE_S = 600
_PURPOSE, _OWNER = "oidc attempt", b"findable browser"
FAILED = later("Signing in with %(provider)s did not work. Try again; the operator of this service can find the reason in the log.")
log = logging.getLogger("findable.sign-in")


def _provider(request: Request) -> OpenIdProvider:
    if request.provider is None:
        raise NotFound
    return request.provider


@get("/oidc/sign-in")
async def get_provider(request: Request) -> Response:
    """Redirect the browser to the provider, with a cookie that the response must match."""
    service, provider = request.service, _provider(request)
    next_path = own_path(str(request.query.get("next", "/")))
    try:
        url, attempt = await provider.begin(next_path, int(now().timestamp()) + ATTEMPT_LIFE_S)
    except ProviderError as error:
        return _failure_page(request, provider, next_path, error)
    sealed = seal(service.secret, _PURPOSE, _OWNER, msgspec.json.encode(attempt))
    return see_other(url, [_cookie(service, base64.urlsafe_b64encode(sealed).decode().rstrip("="))])


@get("/oidc/callback")
async def get_response(request: Request) -> Response:
    """Handle the response of the provider: sign in, and redirect to the requested page."""
    service, provider = request.service, _provider(request)
    attempt = _attempt(request)
    code, state, issuer = (text_of(request.query, name) for name in ("code", "state", "iss"))
    next_path = attempt.next if attempt else "/"
    try:
        if attempt is None or not secrets.compare_digest(attempt.state.encode(), state.encode()):
            raise ProviderError("the response matches no sign-in attempt of this browser")
        if not code:
            raise ProviderError(f"the provider returned the error {text_of(request.query, 'error')[:100]!r}")
        client = client_of(request)
        await service.run(external_sign_in.count_response, client.address)
        identity = await provider.identity(attempt, code, issuer)
        identity = msgspec.structs.replace(identity, email=_email(identity.email))
        session = await service.run(external_sign_in.sign_in, identity, client, session_token(service, request.headers))
    except ProviderError as error:
        return _failure_page(request, provider, next_path, error)
    except (Forbidden, RateLimited) as error:
        say = wording_of(request.headers)
        form = FormView(problem=problem_of(error, say))
        return sign_in_page(request, form, next_path, status=error.status, headers=retry_headers(error), cookies=[_cookie(service, "")])
    return see_other(next_path, [session_cookie(service.settings.base_url, session), _cookie(service, "")])


def _failure_page(request: Request, provider: OpenIdProvider, next_path: str, error: ProviderError) -> Response:
    log.warning("sign-in through %s failed: %s", provider.name, error)
    form = FormView(problem=wording_of(request.headers)(FAILED, provider=provider.name))
    return sign_in_page(request, form, next_path, status=403, cookies=[_cookie(request.service, "")])


def _attempt(request: Request) -> Attempt | None:
    """Return the sign-in attempt in the cookie; None without a valid one."""
    text = cookies(request.headers).get(_cookie_name(request.service), "")
    try:
        sealed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        attempt = msgspec.json.decode(unseal(request.service.secret, _PURPOSE, _OWNER, sealed), type=Attempt)
    except (Unreadable, binascii.Error, ValueError):
        return None
    return attempt if attempt.until > now().timestamp() else None


def _email(text: str) -> str:
    try:
        return email_of(text)
    except ValidationFailed:
        return ""


def _cookie_name(service: Service) -> str:
    return "__Host-findable-oidc" if service.settings.base_url.startswith("https://") else "findable-oidc"


def _cookie(service: Service, value: str) -> str:
    """Return the Set-Cookie header of a sign-in attempt; an empty ``value`` deletes the cookie."""
    secure = service.settings.base_url.startswith("https://")
    return set_cookie(_cookie_name(service), value, ATTEMPT_LIFE_S if value else 0, secure=secure)
