"""How a request introduces itself, and what it may carry to the one site that asked for it."""

import base64
from dataclasses import dataclass

from findable import __version__, urls
from findable.errors import SettingError

PRODUCT_TOKEN = "Findable"  # noqa: S105 - the name robots.txt files may address
CONTACT = "https://github.com/findable-seo/findable"
_NEVER_SET = frozenset({"host", "content-length", "transfer-encoding", "connection", "te", "upgrade", "expect", "range", "accept-encoding"})


def user_agent(contact: str = CONTACT) -> str:
    """``Mozilla/5.0 (compatible; Findable/1.2.3; +https://…)``."""
    return f"Mozilla/5.0 (compatible; {PRODUCT_TOKEN}/{__version__}; +{contact})"


@dataclass(frozen=True, slots=True)
class Identity:
    """Credentials and the like for one origin. They are sent to that origin alone, never on after a redirect elsewhere.

    Raises SettingError where a header cannot be sent.
    """

    origin: str = ""
    """``https://staging.example.com``; nothing but the user agent is sent anywhere where this is empty."""
    user_agent: str | None = None
    """Instead of our own; sent with the page's own requests wherever they lead."""
    headers: tuple[tuple[str, str], ...] = ()
    user_password: tuple[str, str] | None = None
    """For Basic authentication."""
    cookies: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for name, value in (*self.headers, *self.cookies, ("user-agent", self.user_agent or "")):
            if (
                not name.isascii()
                or not name
                or any(character in name for character in " :;=\t\r\n\0")
                or any(c in value for c in "\r\n\0")
            ):
                raise SettingError("header", f"{name!r} cannot be sent as a header")
            if name.lower() in _NEVER_SET:
                raise SettingError("header", f"{name} is set by the request itself")

    @property
    def has_credentials(self) -> bool:
        """Whether anything is sent to its origin that others do not send."""
        return bool(self.origin and (self.headers or self.user_password or self.cookies))

    def lines_for(self, url: str, *, with_cookies: bool = True) -> tuple[tuple[str, str], ...]:
        """The header lines that go to that address."""
        target = urls.parse(url)
        if target is None or not self.origin or target.origin != self.origin:
            return ()
        lines = list(self.headers)
        if self.user_password:
            token = base64.b64encode(":".join(self.user_password).encode()).decode("ascii")
            lines.append(("Authorization", f"Basic {token}"))
        if self.cookies and with_cookies:
            lines.append(("Cookie", "; ".join(f"{name}={value}" for name, value in self.cookies)))
        return tuple(lines)


NOBODY = Identity()
