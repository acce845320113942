"""Create fixes with values of the page."""

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from msgspec import Struct

from findable.artifacts.html.document import Element
from findable.artifacts.page.private_hosts import is_private
from findable.formats.start_tag import set_attributes
from findable.urls import parse

_ABSOLUTE = re.compile(r"""https?://[^\s"'<>\\,;]{1,2000}""", re.IGNORECASE)
MAX_FIX_CHARS = 2000
"""Length above which code is not shown, because it would not be recognizable."""

SWALLOWING_TAGS = frozenset({"script", "iframe"})
"""Elements whose content ends only at their end tag, so that a fix must contain it."""


class FixPlace(StrEnum):
    """Place where the code of a fix is pasted."""

    ELEMENT = "element"
    """The code replaces source of the page at a line and a column."""
    SCRIPT = "script"
    """The code replaces part of a script at a line and a column."""
    HEAD = "head"
    """End of the head."""
    HEADER = "header"
    """The code replaces the response headers of the name."""
    ROBOTS_TXT = "robots_txt"
    """The code is appended to robots.txt."""


class Fix(Struct, frozen=True, omit_defaults=True):
    """Code that fixes a finding of this page, created with values of the page."""

    code: str
    """Text to insert; empty for a removal."""
    place: FixPlace
    instead_of: str = ""
    """Text of the source that the code replaces, as written."""
    line: int | None = None
    column: int | None = None

    @property
    def is_public(self) -> bool:
        """Whether the code contains no URL on a private network, so that it can be published."""
        return not any(url is not None and is_private(url.host) for url in map(parse, _ABSOLUTE.findall(self.code)))


def language_fix(root: Element, language: str) -> Fix | None:
    """Return the start tag of the html element with the language, also in ``xml:lang`` if it has one: HTML requires them to be equal."""
    return attribute_fix(root, **{name: language for name in ("lang", "xml:lang") if name == "lang" or root.attr(name) is not None})


def attribute_fix(element: Element, **changes: str | bool | None) -> Fix | None:
    """Return the element's start tag with attributes set (True for one without a value) or removed (None).

    Scripts and frames are returned with their end tag, without which they would swallow the markup that follows.
    An underscore at the end of a name is dropped, the others become hyphens: ``async_``, ``aria_label``. None if nothing changes or the
    element is not in the source.
    """
    element = element.as_sent or element
    written = element.whole_start_tag
    if written is None or len(written) > MAX_FIX_CHARS:
        return None
    code = set_attributes(written, _attribute_names(changes))
    rest = _rest_of_element(element, len(written)) if element.tag in SWALLOWING_TAGS else ""
    return None if code == written or rest is None else Fix(code + rest, FixPlace.ELEMENT, written + rest, element.line, element.column)


def _rest_of_element(element: Element, tag_chars: int) -> str | None:
    """Return the source from the start tag to the end tag; None if it is too long or has no end tag."""
    document = element.document
    start = document.offset_of(element.order)
    if start is None:
        return None
    inside = start + tag_chars
    end = re.compile(rf"</{element.tag}\s*>", re.IGNORECASE).search(document.source, inside, inside + MAX_FIX_CHARS)
    return document.source[inside : end.end()] if end else None


def _attribute_names(changes: Mapping[str, str | bool | None]) -> dict[str, str | bool | None]:
    return {name.rstrip("_").replace("_", "-"): value for name, value in changes.items()}


def removal_fix(element: Element) -> Fix | None:
    """Return the removal of an element without content, such as a link or meta element; None if it is not in the source."""
    element = element.as_sent or element
    written = element.whole_start_tag
    if written is None or len(written) > MAX_FIX_CHARS:
        return None
    return Fix("", FixPlace.ELEMENT, written, element.line, element.column)


def insertion_fix(element: Element, code: str) -> Fix | None:
    """Return the element's start tag with code behind it; None if the tag is not in the source."""
    element = element.as_sent or element
    written = element.whole_start_tag
    if written is None or len(written) + len(code) > MAX_FIX_CHARS:
        return None
    return Fix(written + code, FixPlace.ELEMENT, written, element.line, element.column)


def attribute_fixes(elements: Iterable[Element], **changes: str | bool | None) -> Iterator[Fix | None]:
    """Yield `attribute_fix` for each element."""
    for element in elements:
        yield attribute_fix(element, **changes)


def tag(name: str, **attributes: str | bool) -> str:
    """Return a start tag; attribute names are converted as in `attribute_fix`."""
    return set_attributes(f"<{name}>", _attribute_names(attributes))


def rename_fix(element: Element, name: str) -> Fix | None:
    """Return an element under another name, from its start tag to its end tag; None if it contains an element with its own name."""
    element = element.as_sent or element
    document = element.document
    start, tag_written = document.offset_of(element.order), element.whole_start_tag
    if start is None or tag_written is None or element.descendants(element.tag):
        return None
    end = re.compile(rf"</{element.tag}\s*>", re.IGNORECASE).search(document.source, start, start + MAX_FIX_CHARS)
    if end is None:
        return None
    inside = document.source[start + len(tag_written) : end.start()]
    code = f"<{name}{tag_written[1 + len(element.tag) :]}{inside}</{name}>"
    return Fix(code, FixPlace.ELEMENT, document.source[start : end.end()], element.line, element.column)


def head_fix(code: str) -> Fix | None:
    """Return code for the end of the head."""
    return Fix(code, FixPlace.HEAD) if len(code) <= MAX_FIX_CHARS else None


def header_fix(name: str, value: str) -> Fix:
    """Return a response header that replaces all lines of its name."""
    return Fix(f"{name}: {value}", FixPlace.HEADER)
