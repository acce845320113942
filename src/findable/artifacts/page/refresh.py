"""Refreshes declared by the page or its headers (HTML Standard, 4.2.5.3 "shared declarative refresh steps")."""

import re

from msgspec import Struct

from findable.artifacts.html.document import Document, Element
from findable.artifacts.page.head import Head
from findable.artifacts.registry import artifact
from findable.capture.response import Response
from findable.lazy_pattern import lazy_pattern
from findable.urls import join, without_fragment

MAX_CONTENT_CHARS = 8192

_REFRESH = lazy_pattern(r"\s*(\d*)(?:\.[\d.]*)?(?:\s*[;,]\s*|\s+|\Z)(.*)\Z", re.DOTALL)
_URL = lazy_pattern(r"url\s*=\s*", re.IGNORECASE)


class Refresh(Struct, frozen=True):
    """One refresh. ``url`` is resolved, None for a reload of the page itself or an invalid one."""

    after_s: int
    url: str | None
    element: Element | None
    header_value: str
    """Refresh header as sent; empty for a meta."""
    reloads: bool = False
    """Whether the refresh reloads the same page."""


class Refreshes(Struct, frozen=True):
    """Refresh of the header, else of the first valid meta outside noscript. Browsers ignore all others."""

    all: tuple[Refresh, ...]

    @property
    def redirect_url(self) -> str:
        """Target of a refresh of 0 seconds to another page, which search engines treat as a redirect; empty if there is none.

        Google, "Redirects and Google Search" (2025): an instant meta refresh is a permanent redirect.
        """
        return next((item.url for item in self.all if item.url and not item.reloads and item.after_s == 0), "")


@artifact
def make_refreshes(document: Document, head: Head, response: Response) -> Refreshes:
    """Read the refresh that has an effect; a document that will refresh ignores further ones."""
    page = without_fragment(document.url)
    found = [_refresh(value, response.final_url, page, None, value[:300]) for value in response.headers.all("refresh")[:1]]
    found += [
        _refresh(meta.content, document.base_url, page, meta.element, "") for meta in head.http_equiv("refresh") if meta.content is not None
    ]
    return Refreshes(tuple(item for item in found if item is not None)[:1])


def _refresh(content: str, base: str, page_url: str, element: Element | None, header_value: str) -> Refresh | None:
    match = _REFRESH.match(content[:MAX_CONTENT_CHARS])
    if match is None or (not match[1] and not content.strip().startswith(".")):
        return None
    seconds, rest = int(match[1][:9] or 0), match[2]
    named = _URL.match(rest)
    target = rest[named.end() :] if named else rest
    quote = target[:1]
    if quote in ("'", '"'):
        target = target[1:].partition(quote)[0]
    target = target.strip()
    url = join(base, target) if target else None
    return Refresh(seconds, url, element, header_value, reloads=not target or (url is not None and without_fragment(url) == page_url))
