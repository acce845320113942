"""Accessible names of elements (W3C Accessible Name 1.2 and HTML-AAM 1.0, as far as markup determines them)."""

from collections.abc import Mapping
from itertools import islice

from findable.artifacts.html.document import Element
from findable.artifacts.html.ids import Ids
from findable.artifacts.html.name_text import cut_name

BUTTON_INPUTS = frozenset({"button", "submit", "reset", "image"})
_NAMED_BY_DEFAULT = frozenset({"submit", "reset"})
"""Button types with a name supplied by browsers ("Submit", "Reset")."""


_NAMED_BY_CONTENT = frozenset({"a", "button"})
MAX_LABELLED = 50


def name_of(element: Element, ids: Ids, labels: Mapping[str, str] | None = None) -> str:
    """Return the accessible name of an element, empty if it has none. ``labels`` maps ids to the texts of ``<label for>``."""
    if element.order in element.document.with_label and (label := _label(element, ids)):
        return cut_name((label,))
    if element.tag in _NAMED_BY_CONTENT:  # `name_text` is already folded and truncated
        return element.name_text or cut_name((_labels_inside(element, ids) or element.attr("title") or "",))
    attrs = element.attrs
    own = _name_by_markup(element, attrs, labels or {})
    return cut_name((own,)) if own.strip() else cut_name((attrs.get("title", ""),))


def _label(element: Element, ids: Ids) -> str:
    """Return the name that an attribute gives the element, empty if there is none."""
    by_reference = element.attr("aria-labelledby")
    if by_reference:
        parts = [
            named for part in by_reference.split()[:10] if part in ids.elements for named in [_referenced_text(ids.elements[part])] if named
        ]
        if parts:
            return " ".join(parts)
    label = element.attr("aria-label")
    return label if label and label.strip() else ""


def _labels_inside(element: Element, ids: Ids) -> str:
    """Return the names that ``aria-labelledby`` gives to descendants, such as the image of a link."""
    inside = element.first_descendants(MAX_LABELLED) if element.children else ()
    return " ".join(label for node in inside if node.attr("aria-labelledby") and (label := _label(node, ids)))


def _referenced_text(element: Element) -> str:
    """Return the text of a referenced element, even if it is hidden."""
    return element.attr("aria-label") or element.name_text or element.attr("alt") or element.attr("value") or ""


def _name_by_markup(element: Element, attrs: Mapping[str, str], labels: Mapping[str, str]) -> str:
    tag = element.tag
    if tag in ("img", "area"):
        return attrs.get("alt", "")
    if tag in ("input", "select", "textarea"):
        return _field_name(element, attrs, labels)
    if tag == "iframe":
        return ""
    return element.name_text


def _field_name(element: Element, attrs: Mapping[str, str], labels: Mapping[str, str]) -> str:
    kind = attrs.get("type", "").strip().lower() if element.tag == "input" else ""
    if kind in BUTTON_INPUTS:
        text = attrs.get("alt") if kind == "image" else attrs.get("value")
        if text and text.strip():
            return text
        return kind if kind in _NAMED_BY_DEFAULT and "value" not in attrs else attrs.get("value", "")
    label = labels.get(attrs.get("id", ""), "") or _wrapping_label(element)
    return label or attrs.get("title", "") or attrs.get("placeholder", "")


def _wrapping_label(element: Element) -> str:
    """Return the text of the ``<label>`` around the field."""
    for ancestor in islice(element.ancestors, 8):
        if ancestor.tag == "label":
            return ancestor.name_text
    return ""
