"""The page's URL and its properties."""

import re
from urllib.parse import unquote_to_bytes, urlencode

from msgspec import Struct

from findable.artifacts.registry import Absent, artifact
from findable.capture.page import PageCapture
from findable.formats.encodings import is_utf8
from findable.formats.session_ids import session_name
from findable.lazy_pattern import lazy_pattern
from findable.urls import Url, display_host, parse, query_parameters, without_fragment

INDEX_FILES = frozenset({"", "index.html", "index.htm", "index.php", "default.aspx", "default.html", "home.html"})
_PAGE_NAMES = frozenset({"page", "paged", "seite", "pagina"})
_LATER = re.compile(r"(?:[2-9]|[1-9]\d{1,5})")
_LATER_PATH = lazy_pattern(rf"/(?:page|seite|pagina)[/-]{_LATER.pattern}/?$")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")


class PageUrl(Struct, frozen=True):
    """Final URL of the page, and properties of it that checks use."""

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
        """Number of folders in the path, which is not the click depth."""
        return len(self.segments)

    @property
    def is_later_page(self) -> bool:
        """Whether the URL is that of the second or a later page of a list."""
        return _first_page_url(self.url) is not None

    def is_later_page_of(self, href: str) -> bool:
        """Return whether the page is a later page of the list that begins at ``href``."""
        first = _first_page_url(self.url)
        return first is not None and first.rstrip("/") in (href.rstrip("/"), without_fragment(href).rstrip("/"))

    @property
    def plain_path(self) -> str:
        """Decoded path, in the letters that the author used."""
        return _ESCAPE.sub("", self.url.path)


def _first_page_url(url: Url) -> str | None:
    """Return the URL of the list's first page, None if this is not a later page."""
    if (match := _LATER_PATH.search(url.path)) is not None:
        return url.href.partition("?")[0].replace(match[0], "", 1)
    pairs = query_parameters(url.href)
    rest = [(name, value) for name, value in pairs if not (name.lower() in _PAGE_NAMES and _LATER.fullmatch(value))]
    if len(rest) == len(pairs):
        return None
    return url.href.partition("?")[0] + (f"?{urlencode(rest)}" if rest else "")


@artifact
def make_page_url(page: PageCapture) -> PageUrl | Absent:
    """Parse the final URL of the page; absent if it is not a valid URL."""
    url = parse(page.response.final_url)
    if url is None:
        return Absent("the URL could not be read")
    names = tuple(name for name, _ in query_parameters(url.href))
    segments = tuple(segment for segment in url.path.split("/") if segment)
    return PageUrl(
        url=url,
        is_home=not url.query and url.path.removeprefix("/").lower() in INDEX_FILES,
        segments=segments,
        parameters=names,
        session_parameter=session_name(url.href),
        path_is_utf8=is_utf8(unquote_to_bytes(url.path)),
        display_host=display_host(url.host),
    )
