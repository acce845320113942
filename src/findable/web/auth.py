"""Authentication of requests: API keys in the Authorization header, session cookies, and protection against other sites."""

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from findable.clock import now
from findable.errors import Forbidden, RateLimited, Unauthenticated
from findable.service.accounts import callers
from findable.service.accounts.permissions import require
from findable.service.runtime.service import Service
from findable.service.values.account_values import Session
from findable.service.values.caller import Caller
from findable.web.request_context import Context
from findable.wording import later

_BEARER = re.compile(r"bearer +([!-~]+) *", re.IGNORECASE)
ANOTHER_SITE = later("This form was sent from another site.")
PREVIEW_S = 30 * 86_400
"""Life of the cookie of a preview, which ends with its session before."""
KEY_PARAMETERS = frozenset({"api_key", "apikey", "api-key", "api_token", "access_token", "key", "token"})
"""Query parameters that are rejected as API keys, because URLs end up in logs and histories."""


def bearer_token(headers: Mapping[str, str], query: Mapping[str, Any]) -> str:
    """Return the API key in the Authorization header. Raises Unauthenticated without one, and if the URL contains a key."""
    match = _BEARER.fullmatch(headers.get("authorization", ""))
    if match is None or not KEY_PARAMETERS.isdisjoint(name.lower() for name in query):
        raise Unauthenticated
    return match[1]


def enter(service: Service, token: str, scope: str, context: Context) -> Caller:
    """Return the caller of an API key, after counting the request against the rate limit and checking the scope (blocking).

    Raises Unauthenticated, Forbidden, RateLimited.
    """
    caller = callers.authenticate_key(service, token)
    try:
        context.rate = service.rates.count(caller)
    except RateLimited:
        context.rate = service.rates.state(caller)
        raise
    finally:
        context.account_rate = service.rates.account_state(caller)
    require(caller, scope)
    return caller


def session_cookie_name(base_url: str) -> str:
    """Return the name of the session cookie; with https it has the prefix that restricts a cookie to this host and https."""
    return "__Host-findable" if base_url.startswith("https://") else "findable"


def set_cookie(name: str, value: str, max_age_s: int, *, secure: bool) -> str:
    """Return the value of a Set-Cookie header for the whole site; scripts cannot read the cookie."""
    return f"{name}={value}; Path=/; Max-Age={max_age_s}; HttpOnly; SameSite=Lax" + ("; Secure" if secure else "")


def session_cookie(base_url: str, session: Session | None) -> str:
    """Return the Set-Cookie value that stores a session; without a session, the value that deletes the cookie."""
    left_s = int((session.expires_at - now()).total_seconds()) if session else 0
    return set_cookie(session_cookie_name(base_url), session.token if session else "", left_s, secure=base_url.startswith("https://"))


def preview_cookie(base_url: str, token: str, *, is_on: bool) -> str:
    """Return the Set-Cookie value that tells error pages, which read no database, whether a session looks at a project as a viewer."""
    name, value = f"{session_cookie_name(base_url)}-preview", _digest(token) if is_on else ""
    return set_cookie(name, value, PREVIEW_S if is_on else 0, secure=base_url.startswith("https://"))


def has_preview_cookie(base_url: str, headers: Mapping[str, str]) -> bool:
    """Return whether a browser has the cookie of `preview_cookie` for the session that it has."""
    found, name = cookies(headers), session_cookie_name(base_url)
    return found.get(f"{name}-preview", "") == _digest(found.get(name, ""))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def cookies(headers: Mapping[str, str]) -> Mapping[str, str]:
    """Return the cookies of a request by name (RFC 6265 section 5.4), in linear time; of equal names, the last counts.

    ``http.cookies`` would take a minute for a header of backslashes (CVE-2024-7592).
    """
    pairs = (pair.partition("=") for pair in headers.get("cookie", "").split(";"))
    return {name.strip(" \t"): value.strip(" \t") for name, sign, value in pairs if sign}


def refuse_cross_site(headers: Mapping[str, str], base_url: str) -> None:
    """Raise Forbidden for a write request that a page of another site sent through the browser.

    Browsers send the origin of a request in Sec-Fetch-Site and, if the service has no https, in Origin. A request without both headers is
    allowed only without a session, which another site could abuse. ``Origin: null``, which a page with ``Referrer-Policy:
    no-referrer`` sends to itself, counts as missing.
    """
    fetch_site = headers.get("sec-fetch-site", "").lower()
    if fetch_site:
        if fetch_site not in ("same-origin", "none"):
            raise Forbidden(ANOTHER_SITE)
        return
    origin = headers.get("origin", "null")
    if origin == base_url:
        return
    if origin != "null" or session_cookie_name(base_url) in cookies(headers):
        raise Forbidden(ANOTHER_SITE)
