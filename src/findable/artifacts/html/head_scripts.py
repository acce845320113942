"""Detect inline scripts that may write elements of the head, so that a missing element is unknown without a browser."""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum

from msgspec import Struct

from findable.artifacts.html.client_side_rendering import is_script_shell
from findable.artifacts.html.document import Document, Element
from findable.artifacts.registry import artifact

MAX_SCRIPTS = 500
_MARKUP = r"(?:<|\\x3c|\\u003c|%3c|&lt;)"
_META = re.compile(rf"createElement\(\s*[\"'`]meta|{_MARKUP}meta\b", re.IGNORECASE)
_LINK = re.compile(rf"createElement\(\s*[\"'`]link|{_MARKUP}link\b", re.IGNORECASE)
_TITLE = re.compile(
    rf"\bdocument\.title\s*=(?!=)|createElement\(\s*[\"'`]title|\.write(?:ln)?\([^;]{{0,200}}?{_MARKUP}title\b|useHead\(|useSeoMeta\(",
    re.IGNORECASE,
)
_DATA = re.compile(r"json|template|html|text/x-|importmap|speculationrules", re.IGNORECASE)
"""Types of scripts that are not run."""


class HeadPart(StrEnum):
    """Part of the head that scripts often write."""

    TITLE = "title"
    VIEWPORT = "viewport"
    DESCRIPTION = "description"
    CANONICAL = "canonical"


_SIGNS: Mapping[HeadPart, tuple[str, re.Pattern[str]]] = {
    HeadPart.TITLE: ("title", _TITLE),
    HeadPart.VIEWPORT: ("viewport", _META),
    HeadPart.DESCRIPTION: ("description", _META),
    HeadPart.CANONICAL: ("canonical", _LINK),
}
"""Word that such a script has, and the way it writes."""


class HeadScripts(Struct, frozen=True):
    """Scripts that may write parts of the head. External scripts count only on a page that scripts build."""

    writers: Mapping[HeadPart, Element]

    def writer_of(self, part: HeadPart) -> Element | None:
        """Return the first script that may write it, None if there is none."""
        return self.writers.get(part)


@artifact
def make_head_scripts(document: Document) -> HeadScripts:
    """Search inline scripts for ways to write each part; any script of an empty shell may write all of them."""
    if is_script_shell(document):
        first = next((node for node in document.all("script") if (node.attr("src") or "").strip()), document.html)
        return HeadScripts(dict.fromkeys(HeadPart, first))
    found: dict[HeadPart, Element] = {}
    for node in _inline(document):
        text = node.raw_text
        for part, (word, sign) in _SIGNS.items():
            if part not in found and word in text and sign.search(text):
                found[part] = node
    return HeadScripts(found)


def _inline(document: Document) -> Iterator[Element]:
    for node in document.all("script", limit=MAX_SCRIPTS):
        if node.attr("src") is None and not _DATA.search(node.attr("type") or ""):
            yield node
