"""Detect inline scripts that may write elements of the head, so that a missing element is unknown without a browser."""

import re
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum

from msgspec import Struct

from findable.artifacts.html.client_side_rendering import is_script_shell
from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.markup import SentDocument
from findable.artifacts.html.rendered_document import RenderedDocument
from findable.artifacts.registry import Absent, artifact
from findable.lazy_pattern import lazy_pattern

MAX_SCRIPTS = 500
_BEFORE_TAG = lazy_pattern(r"(?:createElement\(\s{0,9}[\"'`]|<|\\x3c|\\u003c|%3c|&lt;)\Z", re.IGNORECASE)
_TITLE = r"(?:title|TITLE)(?![^\W_])"
_TITLE_WRITERS = (
    ("document.", lazy_pattern(rf"document\.{_TITLE}\s{{0,9}}=(?!=)")),
    ("createElement(", lazy_pattern(rf"createElement\(\s{{0,9}}[\"'`]{_TITLE}")),
    (".write", lazy_pattern(rf"\.write(?:ln)?\([^;]{{0,200}}(?:<|\\x3[Cc]|\\u003[Cc]|%3[Cc]|&lt;){_TITLE}")),
)
"""Ways to set the title, each with a literal that most scripts lack: page data often contains the word "title"."""
_DATA = re.compile(r"json|template|html|text/x-|importmap|speculationrules", re.IGNORECASE)
"""Types of script elements that contain data and do not run."""


class HeadPart(StrEnum):
    """Part of the head that scripts often write."""

    TITLE = "title"
    VIEWPORT = "viewport"
    DESCRIPTION = "description"
    CANONICAL = "canonical"


class HeadScripts(Struct, frozen=True):
    """Scripts that may write parts of the head. External scripts count only on a page that scripts build."""

    document: Document

    def writer_of(self, part: HeadPart) -> Element | None:
        """Return the first inline script that may write the part; None if there is none. In an empty shell, any script may do so.

        Scripts are searched only if a part is missing, which is rare.
        """
        if is_script_shell(self.document):
            return next((node for node in self.document.all("script") if (node.attr("src") or "").strip()), self.document.html)
        is_written = _WRITERS[part]
        return next((node for node in inline_scripts(self.document) if is_written(node.raw_text)), None)


@artifact
def make_head_scripts(sent_document: SentDocument, rendered_document: RenderedDocument | None) -> HeadScripts | Absent:
    """Return the scripts of the page, which are searched on demand.

    Absent if a browser ran them, because the document then includes their changes.
    """
    return HeadScripts(sent_document.document) if rendered_document is None else Absent("a browser ran the scripts")


def _name_offsets(text: str, name: str) -> Iterator[int]:
    """Yield the positions of a name in a script. The context is examined only at these positions, because names are rare."""
    for written in (name, name.upper()):
        at = text.find(written)
        while at >= 0:
            end = at + len(name)
            if not text[end : end + 1].isalnum():
                yield at
            at = text.find(written, end)


def _writes_tag(text: str, name: str) -> bool:
    return any(_BEFORE_TAG.search(text, max(0, at - 30), at) for at in _name_offsets(text, name))


def _writes_title(text: str) -> bool:
    if "title" not in text and "TITLE" not in text:
        return False
    if "useHead(" in text or "useSeoMeta(" in text:
        return "title" in text
    return any(sign in text and way.search(text) for sign, way in _TITLE_WRITERS)


_WRITERS: Mapping[HeadPart, Callable[[str], bool]] = {
    HeadPart.TITLE: _writes_title,
    HeadPart.VIEWPORT: lambda text: "viewport" in text and _writes_tag(text, "meta"),
    HeadPart.DESCRIPTION: lambda text: "description" in text and _writes_tag(text, "meta"),
    HeadPart.CANONICAL: lambda text: "canonical" in text and _writes_tag(text, "link"),
}
"""Functions that return whether the text of a script may write a part."""


def inline_scripts(document: Document) -> Iterator[Element]:
    """Yield the inline scripts that run, without data blocks, among the first MAX_SCRIPTS script elements."""
    for node in document.all("script", limit=MAX_SCRIPTS):
        if node.attr("src") is None and not _DATA.search(node.attr("type") or ""):
            yield node
