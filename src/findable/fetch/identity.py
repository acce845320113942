"""Credentials and headers that requests send to one site."""

import base64
from typing import ClassVar

from findable import urls
from findable.errors import SettingError
from findable.values import Discreet

NEVER_SET = frozenset(
    {
        "host",
        "content-length",
        "transfer-encoding",
        "connection",
        "keep-alive",
        "te",
        "trailer",
        "upgrade",
        "expect",
        "range",
        "accept-encoding",
        "proxy-authorization",
        "proxy-connection",
    }
)
"""Headers that Findable sets itself, or that are not meant for the site."""
_NO_SECRETS = frozenset(
    {"accept", "accept-language", "cache-control", "dnt", "pragma", "referer", "sec-gpc", "upgrade-insecure-requests", "user-agent"}
)
"""Headers whose values are ordinary words that occur in many pages."""


def _refusal(name: str, value: str) -> str | None:
    """Return why a header cannot be sent; None if it can."""
    if not name.isascii() or not name or any(character in name for character in " :;=\t\r\n\0") or any(c in value for c in "\r\n\0"):
        return f"{name!r} cannot be sent as a header"
    return f"{name} is set by the request itself" if name.lower() in NEVER_SET else None


class Identity(Discreet, frozen=True):
    """Credentials and headers for one origin. They are sent only there, never after a redirect elsewhere.

    Raises SettingError if a header cannot be sent.
    """

    hidden: ClassVar[frozenset[str]] = frozenset({"user_agent", "headers", "user_password", "cookies"})
    origin: str = ""
    """Origin, like ``https://staging.example.com``; nothing is sent if it is empty."""
    user_agent: str | None = None
    """User agent that replaces the default."""
    headers: tuple[tuple[str, str], ...] = ()
    user_password: tuple[str, str] | None = None
    """User name and password for Basic authentication."""
    cookies: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for name, value in (*self.headers, *self.cookies, ("user-agent", self.user_agent or "")):
            if refused := _refusal(name, value):
                raise SettingError("header", refused)

    @property
    def has_credentials(self) -> bool:
        """Whether requests to the origin contain headers, a password or cookies that requests to other origins do not."""
        return bool(self.origin and (self.headers or self.user_password or self.cookies))

    @property
    def secrets(self) -> tuple[str, ...]:
        """Secret values that a page could echo, longest first (see `capture.redaction`)."""
        found = {value for name, value in self.headers if name.lower() not in _NO_SECRETS} | {value for _, value in self.cookies}
        # Only the second word of "Bearer abc" is secret.
        found |= {value.partition(" ")[2].strip() for name, value in self.headers if name.lower() == "authorization"}
        if self.user_password:
            found |= {self._basic or "", self.user_password[1]}
        if self.user_agent and any(character.isdigit() for character in self.user_agent):  # without digits a user agent is no secret
            found.add(self.user_agent)
        return tuple(sorted(found - {""}, key=lambda text: (-len(text), text)))

    @property
    def _basic(self) -> str | None:
        return base64.b64encode(":".join(self.user_password).encode()).decode("ascii") if self.user_password else None

    def agent_for(self, url: str) -> str | None:
        """Return the user agent for the URL; None for the default."""
        return self.user_agent if self._is_for(url) else None

    def _is_for(self, url: str) -> bool:
        return bool(self.origin) and urls.origin_of(url) == self.origin

    def lines_for(self, url: str, *, with_cookies: bool = True) -> tuple[tuple[str, str], ...]:
        """Return the header lines for the URL, without the user agent."""
        if not self._is_for(url):
            return ()
        lines = list(self.headers)
        if self._basic:
            lines.append(("Authorization", f"Basic {self._basic}"))
        if self.cookies and with_cookies:
            lines.append(("Cookie", "; ".join(f"{name}={value}" for name, value in self.cookies)))
        return tuple(lines)


NOBODY = Identity()
