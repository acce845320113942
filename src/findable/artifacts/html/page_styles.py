"""Elements that styles of the page or common class names hide."""

from itertools import islice

from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.inherited import AncestorTest
from findable.formats.css_hiding import hidden_names
from findable.values import once

_HIDING_CLASSES = frozenset({"hidden", "is-hidden", "hide", "d-none", "u-hidden", "ng-hide"})
"""Class names with which common frameworks hide elements."""
MAX_CLASS_CHARS = 1000
MAX_STYLES = 100
MAX_ANCESTORS = 30


class PageStyles:
    """Which elements the style elements of the page and common class names hide; the styles are read on demand."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._classes = AncestorTest(document, self._has_hiding_class, MAX_ANCESTORS)

    @once
    def _hidden(self) -> AncestorTest | None:
        """Elements that a rule hides, None if the page's own styles hide nothing."""
        sheets = (node for node in self._document.all("style", limit=MAX_STYLES) if (node.attr("media") or "all") in ("all", "screen"))
        hidden = {name for sheet in sheets if not _is_in_noscript(sheet) for name in hidden_names(sheet.raw_text)}
        document = self._document

        def is_hidden(order: int) -> bool:
            return not hidden.isdisjoint(_selectors(*document.class_and_id_at(order)))

        return AncestorTest(document, is_hidden, MAX_ANCESTORS) if hidden else None

    def hide(self, element: Element) -> bool:
        """Return whether a rule with only an id or a class hides the element or an ancestor."""
        return self._hidden is not None and self._hidden.holds(element.order)

    def hide_until_shown(self, element: Element) -> bool:
        """Return whether a rule or a common class name hides the element or an ancestor until a script shows it."""
        return self._classes.holds(element.order) or self.hide(element)

    def _has_hiding_class(self, order: int) -> bool:
        classes, _ = self._document.class_and_id_at(order)
        return classes is not None and has_hiding_class(classes)


def has_hiding_class(classes: str) -> bool:
    """Return whether one of the class names hides an element in common frameworks."""
    return not _HIDING_CLASSES.isdisjoint(classes[:MAX_CLASS_CHARS].lower().split())


def _is_in_noscript(element: Element) -> bool:
    return any(outer.tag == "noscript" for outer in islice(element.ancestors, 5))


def _selectors(classes: str | None, name: str | None) -> list[str]:
    """Return the class and id as selectors."""
    return [f"#{name}", *(f".{part}" for part in (classes or "")[:MAX_CLASS_CHARS].split())]
