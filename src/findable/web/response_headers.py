"""Headers of all responses: content security policies, CORS, HTTPS only, and rate limits."""

from collections.abc import Iterable, Mapping

from findable.service.runtime.rate_limits import RateState

UNTRUSTED_TYPES_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'; object-src 'none'"
)
"""Trusted Types policy for pages except the documentation, whose search parses the pages of its results."""
PAGE_POLICY = f"{UNTRUSTED_TYPES_POLICY}; require-trusted-types-for 'script'; trusted-types 'none'"
API_POLICY = "default-src 'none'; frame-ancestors 'none'"
PAGE_HEADERS = (
    ("content-security-policy", PAGE_POLICY),
    ("cross-origin-opener-policy", "same-origin"),
    ("referrer-policy", "same-origin"),
)
YEAR_S = 365 * 24 * 3600
CORS_HEADERS = (
    ("access-control-allow-origin", "*"),
    (
        "access-control-expose-headers",
        "ETag, Idempotent-Replayed, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id",
    ),
)
PREFLIGHT_HEADERS = (
    ("access-control-allow-methods", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"),
    ("access-control-allow-headers", "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer"),
    ("access-control-max-age", "86400"),
)


def constant_headers(base_url: str, *, is_api: bool) -> list[tuple[str, str]]:
    """Return the headers of all responses of the API or of the pages."""
    every = [("x-content-type-options", "nosniff"), ("cache-control", "private, no-store")]
    if base_url.startswith("https://"):
        every.append(("strict-transport-security", f"max-age={YEAR_S}"))
    return [*every, *((*CORS_HEADERS, ("content-security-policy", API_POLICY)) if is_api else PAGE_HEADERS)]


def encoded(headers: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    """Return headers as ASGI sends them."""
    return [(name.encode(), value.encode()) for name, value in headers]


def rate_headers(rates: Mapping[str, RateState | None]) -> list[tuple[str, str]]:
    """Return the headers ``RateLimit-Policy`` and ``RateLimit`` (draft-ietf-httpapi-ratelimit-headers); none without a limit."""
    limited = [(name, rate) for name, rate in rates.items() if rate is not None and rate.limit]
    if not limited:
        return []
    return [
        ("ratelimit-policy", ", ".join(f'"{name}";q={rate.limit};w={rate.window_s}' for name, rate in limited)),
        ("ratelimit", ", ".join(f'"{name}";r={rate.remaining};t={rate.reset_s}' for name, rate in limited)),
    ]
