"""The page's URL and its properties."""

import re
from urllib.parse import unquote_to_bytes

from msgspec import Struct

from findable.artifacts.registry import Absent, artifact
from findable.capture.page import PageCapture
from findable.urls import Url, display_host, parse, query_parameters

INDEX_FILES = frozenset({"", "index.html", "index.htm", "index.php", "default.aspx", "default.html", "home.html"})
SESSION_NAMES = frozenset(
    {"phpsessid", "jsessionid", "sid", "sessionid", "session_id", "aspsessionid", "cfid", "cftoken", "zenid", "oscsid"}
)
_SESSION_PATH = re.compile(r";jsessionid=", re.IGNORECASE)
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")


class Address(Struct, frozen=True):
    """Properties of the final URL."""

    url: Url
    is_home: bool
    """Whether the path is ``/`` or an index file, without query."""
    segments: tuple[str, ...]
    """Non-empty path segments as sent, with escapes."""
    parameters: tuple[str, ...]
    """Names of the query parameters, in order."""
    session_parameter: str
    """Parameter or path part that looks like a session id; empty if there is none."""
    path_is_utf8: bool
    """Whether escaped bytes of the path are UTF-8."""
    display_host: str
    """Host in Unicode, for people."""

    @property
    def depth(self) -> int:
        """Number of folders in the path, which is unrelated to clicks."""
        return len(self.segments)

    @property
    def plain_path(self) -> str:
        """Path without escapes, in the letters that the author used."""
        return _ESCAPE.sub("", self.url.path)


@artifact
def make_address(page: PageCapture) -> Address | Absent:
    """Parse the final URL."""
    url = parse(page.response.final_url)
    if url is None:
        return Absent("the address could not be read")
    names = tuple(name for name, _ in query_parameters(url.href))
    segments = tuple(segment for segment in url.path.split("/") if segment)
    session = next((name for name in names if name.lower() in SESSION_NAMES), "")
    if not session and _SESSION_PATH.search(url.path):
        session = "jsessionid"
    return Address(
        url=url,
        is_home=not url.query and url.path.removeprefix("/").lower() in INDEX_FILES,
        segments=segments,
        parameters=names,
        session_parameter=session,
        path_is_utf8=_is_utf8(url.path),
        display_host=display_host(url.host),
    )


def _is_utf8(path: str) -> bool:
    try:
        unquote_to_bytes(path).decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
