"""Cookies that the page's final response sets (RFC 6265bis, section 4.1). Their values are masked at capture."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from msgspec import Struct

from findable.artifacts.registry import artifact
from findable.capture.page import PageCapture
from findable.formats.timestamps import moment
from findable.lazy_pattern import lazy_pattern

MAX_COOKIES = 200
_SESSION_NAME = lazy_pattern(r"sess|\bsid\b|auth|login|passw|jwt|(?:^|[_-])token|remember", re.IGNORECASE)
_NOT_SESSION = lazy_pattern(r"csrf|xsrf", re.IGNORECASE)


class Cookie(Struct, frozen=True):
    """Cookie that one Set-Cookie line sets."""

    name: str
    secure: bool
    http_only: bool
    same_site: str
    """SameSite attribute: ``strict``, ``lax``, ``none`` or another value in lower case; empty if the attribute is missing."""
    domain: str
    path: str
    is_expired: bool
    """Whether the line deletes the cookie."""
    masked_line: str
    """The line with its value masked."""

    @property
    def looks_like_session(self) -> bool:
        """Whether the name looks like a login or session. CSRF tokens do not count, because scripts read them."""
        return bool(_SESSION_NAME.search(self.name)) and not _NOT_SESSION.search(self.name)


class Cookies(Struct, frozen=True):
    """First MAX_COOKIES cookies in the order they are set."""

    items: tuple[Cookie, ...]


@artifact
def make_cookies(page: PageCapture) -> Cookies:
    """Read the Set-Cookie lines of the final response."""
    now = moment(page.captured_at)
    lines = page.response.headers.all("set-cookie")[:MAX_COOKIES]
    return Cookies(tuple(read_cookie(line, now) for line in lines))


def read_cookie(line: str, now: datetime) -> Cookie:
    """Return the cookie of a Set-Cookie line, without its value."""
    pair, *attributes = line.split(";")
    name = pair.partition("=")[0].strip() if "=" in pair else ""
    values = {}
    for attribute in attributes:
        key, _, value = attribute.partition("=")
        values[key.strip().lower()] = value.strip()
    kept = "; ".join(attribute.strip() for attribute in attributes if attribute.strip())
    return Cookie(
        name=name,
        secure="secure" in values,
        http_only="httponly" in values,
        same_site=values.get("samesite", "").lower(),
        domain=values.get("domain", "").lstrip(".").lower(),
        path=values.get("path", ""),
        is_expired=_is_expired(values, now),
        masked_line=f"{name}=…; {kept}" if kept else f"{name}=…",
    )


def _is_expired(values: dict[str, str], now: datetime) -> bool:
    """Return whether the cookie is expired; Max-Age wins over Expires (RFC 6265bis, 5.6.1)."""
    age = values.get("max-age", "")
    if re.fullmatch(r"-?\d{1,18}", age):
        return int(age) <= 0
    try:
        until = parsedate_to_datetime(values["expires"].replace("-", " "))
    except (KeyError, ValueError, TypeError):
        return False
    return (until if until.tzinfo else until.replace(tzinfo=UTC)) <= now
