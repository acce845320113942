"""Values that elements of a page inherit from the elements around them, computed once per element, however many descendants it has."""

from collections.abc import Callable
from typing import Generic, TypeVar

from findable.artifacts.html.document import Document

Value = TypeVar("Value")


class Inherited(Generic[Value]):
    """Values that elements inherit, computed on demand.

    Args:
        document: the page.
        initial: value outside the root element.
        derive: returns the value of the element at a position from that of its parent.
    """

    def __init__(self, document: Document, initial: Value, derive: Callable[[int, Value], Value]) -> None:
        self._parents = document.parents
        self._derive = derive
        self._known = {-1: initial}

    def value_of(self, order: int) -> Value:
        """Return the inherited value of the element at a position."""
        known, path = self._known, []
        while order not in known:
            path.append(order)
            order = self._parents[order]
        value = known[order]
        for inner in reversed(path):
            value = known[inner] = self._derive(inner, value)
        return value


class AncestorTest:
    """Finds elements that pass a test, or have an ancestor nearby that does.

    Args:
        document: the page.
        passes: test for the element at a position.
        within: maximum number of levels between an element and the ancestor.
    """

    def __init__(self, document: Document, passes: Callable[[int], bool], within: int) -> None:
        self._levels = Inherited(document, within + 1, lambda order, levels: 0 if passes(order) else levels + 1)
        self._within = within

    def holds(self, order: int) -> bool:
        """Return whether the element at a position, or an ancestor within the maximum number of levels, passes the test."""
        return self._levels.value_of(order) <= self._within
