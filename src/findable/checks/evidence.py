"""Proof of a finding: elements, headers, URLs and texts, as sent."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from findable.artifacts.html.document import Element
from findable.vocabulary import require_words

EVIDENCE_SHOWN = 10
"""Number of examples stored with a finding; the finding counts all."""
TEXT_CHARS = 300
TEXT_MARK = r"(?<=>)[^<]+(?=<)"
"""Pattern of the text of an element in its source."""


def attribute_mark(names: str) -> str:
    """Return the pattern of an attribute with its value in the source of an element; ``names``: pattern of its name."""
    return rf'\b{names}="[^"]*"'


class Evidence(Struct, frozen=True, omit_defaults=True):
    """Proof of a finding. ``kind``: element, header, url, robots_txt, sitemap, certificate or text."""

    kind: str
    text: str = ""
    """Snippet, header line, robots.txt line or value, as sent."""
    selector: str = ""
    line: int | None = None
    column: int | None = None
    url: str = ""
    status: int | None = None
    note: str = ""
    """Message template for the fault of this example; may be empty."""
    params: Mapping[str, Any] = {}

    def __post_init__(self) -> None:
        require_words(self.params)


class _ElementEvidence(Evidence, frozen=True, omit_defaults=True):
    """Evidence of an element whose snippet, selector and position are not computed yet."""

    node: Element | None = None


def element(node: Element, note: str = "", **params: Any) -> Evidence:
    """Return evidence of an element of the page; `quote` adds its snippet and position."""
    return _ElementEvidence("element", note=note, params=params, node=node)


def quote(occurrence: Evidence | Element) -> Evidence:
    """Return evidence with the snippet, the selector and the position of its element."""
    if isinstance(occurrence, Element):
        return Evidence("element", (occurrence.as_sent or occurrence).snippet, occurrence.selector, occurrence.line, occurrence.column)
    if not isinstance(occurrence, _ElementEvidence) or occurrence.node is None:
        return occurrence
    node = occurrence.node
    snippet = (node.as_sent or node).snippet
    return Evidence(
        "element", snippet, node.selector, node.line, node.column, occurrence.url, occurrence.status, occurrence.note, occurrence.params
    )


def header(name: str, value: str, note: str = "", **params: Any) -> Evidence:
    """Return evidence of a response header, as sent."""
    return Evidence("header", f"{name}: {value}"[:TEXT_CHARS], note=note, params=params)


def url_evidence(url: str, status: int | None = None, note: str = "", **params: Any) -> Evidence:
    """Return evidence of a URL, with the status that it returned."""
    return Evidence("url", url=url, status=status or None, note=note, params=params)


SELECTOR = "selector"
"""Kind of evidence whose text is the selector of an element."""


def quoted(text: str, note: str = "", *, line: int | None = None, url: str = "", kind: str = "text", **params: Any) -> Evidence:
    """Return evidence of a text: a robots.txt line (kind="robots_txt"), a sitemap entry, a value."""
    return Evidence(kind, text[:TEXT_CHARS], line=line, url=url, note=note, params=params)


Shown = Evidence | Element | Iterable[Evidence | Element]


def as_evidence(pairs: Iterable[tuple[Element, str]]) -> list[Evidence]:
    """Return evidence of each element with its note."""
    return [element(node, note) for node, note in pairs]
