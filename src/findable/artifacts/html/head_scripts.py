"""Detect inline scripts that may write elements of the head, so that a missing element is unknown without a browser."""

import re
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum

from msgspec import Struct

from findable.artifacts.html.client_side_rendering import is_script_shell
from findable.artifacts.html.document import Document, Element
from findable.artifacts.registry import artifact
from findable.patterns import lazy_pattern

MAX_SCRIPTS = 500
WRITE_CHARS = 200
"""Characters between ``document.write(`` and the markup that it writes."""
_BEFORE_TAG = lazy_pattern(r"(?:createElement\(\s{0,9}[\"'`]|<|\\x3c|\\u003c|%3c|&lt;)\Z", re.IGNORECASE)
_CREATED = re.compile(r"createElement\(\s{0,9}[\"'`]\Z")
_WRITTEN = re.compile(r"\.write(?:ln)?\([^;]{0,200}(?:<|\\x3c|\\u003c|%3c|&lt;)\Z", re.IGNORECASE)
_ASSIGNED = re.compile(r"\s{0,9}=(?!=)")
_DATA = re.compile(r"json|template|html|text/x-|importmap|speculationrules", re.IGNORECASE)
"""Types of scripts that are not run."""


class HeadPart(StrEnum):
    """Part of the head that scripts often write."""

    TITLE = "title"
    VIEWPORT = "viewport"
    DESCRIPTION = "description"
    CANONICAL = "canonical"


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
        for part, is_written in _WRITERS.items():
            if part not in found and is_written(text):
                found[part] = node
    return HeadScripts(found)


def _places(text: str, word: str) -> Iterator[int]:
    """Yield the places of a name in a script. Names are rare, so that what stands around them is read only there."""
    for written in (word, word.upper()):
        at = text.find(written)
        while at >= 0:
            end = at + len(word)
            if not text[end : end + 1].isalnum():
                yield at
            at = text.find(written, end)


def _writes_tag(text: str, name: str) -> bool:
    return any(_BEFORE_TAG.search(text, max(0, at - 30), at) for at in _places(text, name))


def _writes_title(text: str) -> bool:
    if "useHead(" in text or "useSeoMeta(" in text:
        return "title" in text
    if "document.title" not in text and "document.TITLE" not in text and "createElement(" not in text and ".write" not in text:
        return False  # as most: data of the page often says "title"
    for at in _places(text, "title"):
        if text.endswith("document.", 0, at) and _ASSIGNED.match(text, at + 5):
            return True
        if _CREATED.search(text, max(0, at - 30), at) or _WRITTEN.search(text, max(0, at - WRITE_CHARS - 30), at):
            return True
    return False


_WRITERS: Mapping[HeadPart, Callable[[str], bool]] = {
    HeadPart.TITLE: _writes_title,
    HeadPart.VIEWPORT: lambda text: "viewport" in text and _writes_tag(text, "meta"),
    HeadPart.DESCRIPTION: lambda text: "description" in text and _writes_tag(text, "meta"),
    HeadPart.CANONICAL: lambda text: "canonical" in text and _writes_tag(text, "link"),
}
"""Whether the text of a script may write a part."""


def _inline(document: Document) -> Iterator[Element]:
    for node in document.all("script", limit=MAX_SCRIPTS):
        if node.attr("src") is None and not _DATA.search(node.attr("type") or ""):
            yield node
