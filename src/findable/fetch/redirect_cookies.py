"""Cookies that redirects set, to follow a redirect loop once as browsers do. They are never stored.

Googlebot keeps no cookies. So none are sent before a chain returns to one of its URLs, and then only to the origin that set them.
"""

from collections.abc import Iterable
from typing import ClassVar

from findable.artifacts.page.response_cookies import read_cookie
from findable.clock import now
from findable.fetch.request_headers import Lines
from findable.urls import origin_of, parse
from findable.values import Discreet

MAX_COOKIES = 50
MAX_COOKIE_CHARS = 4096
"""Limits of browsers (RFC 6265, section 6.1)."""


class SetCookies(Discreet, frozen=True):
    """Set-Cookie lines of one response, with their values."""

    hidden: ClassVar[frozenset[str]] = frozenset({"lines"})
    lines: tuple[str, ...] = ()


class RedirectCookies:
    """Cookies that the redirects of one chain set, by origin and path."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, str, str], str] = {}
        self.are_sent = False
        """Whether the chain returned to one of its URLs, so that cookies are sent."""

    def add(self, url: str, cookies: SetCookies) -> None:
        """Add the cookies that a response sets and a browser would accept."""
        parsed = parse(url)
        if parsed is None:
            return
        for line in cookies.lines[:MAX_COOKIES]:
            cookie = read_cookie(line, now())
            pair = line.partition(";")[0].strip()
            is_of_host = not cookie.domain or parsed.host == cookie.domain or parsed.host.endswith(f".{cookie.domain}")
            if not cookie.name or len(pair) > MAX_COOKIE_CHARS or not is_of_host or (cookie.secure and parsed.scheme != "https"):
                continue
            path = cookie.path if cookie.path.startswith("/") else _folder(parsed.path_and_query)
            self._values.pop((parsed.origin, path, cookie.name), None)
            if not cookie.is_expired:
                self._values[parsed.origin, path, cookie.name] = pair

    def may_end_loop(self, urls: Iterable[str]) -> bool:
        """Return whether a loop of these URLs may end with cookies, which are then sent: once, and only if one of them gets any."""
        if self.are_sent or not any(self._pairs(url) for url in urls):
            return False
        self.are_sent = True
        return True

    def lines_for(self, url: str, lines: Lines) -> Lines:
        """Return the header lines of a request with the cookies of its URL added to those of the identity, whose values they replace."""
        pairs = self._pairs(url) if self.are_sent else {}
        if not pairs:
            return lines
        given = "; ".join(value for name, value in lines if name.lower() == "cookie")
        known = {pair.partition("=")[0].strip(): pair.strip() for pair in given.split(";") if pair.strip()}
        rest = tuple(line for line in lines if line[0].lower() != "cookie")
        return (*rest, ("Cookie", "; ".join({**known, **pairs}.values())))

    def _pairs(self, url: str) -> dict[str, str]:
        """Return the cookies of a URL by name."""
        origin, path = origin_of(url), _path(url)
        found = {key: pair for key, pair in self._values.items() if key[0] == origin and _matches(path, key[1])}
        return {name: found[origin, folder, name] for _, folder, name in sorted(found, key=lambda key: len(key[1]))}


def _path(url: str) -> str:
    parsed = parse(url)
    return parsed.path_and_query.partition("?")[0] if parsed else ""


def _folder(path: str) -> str:
    """Return the path of a cookie that declares none (RFC 6265, section 5.1.4)."""
    return path.partition("?")[0].rpartition("/")[0] or "/"


def _matches(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder if folder.endswith("/") else f"{folder}/")
