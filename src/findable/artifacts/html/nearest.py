"""Find enclosing elements that pass a test; each element of a page is tested only once, however many descendants it has."""

from collections.abc import Callable

from findable.artifacts.html.document import Document


class Nearest:
    """Finds the nearest enclosing elements that pass a test.

    Args:
        document: the page.
        meets: test for the element at a position.
        within: maximum number of levels between an element and its match.
    """

    def __init__(self, document: Document, meets: Callable[[int], bool], within: int) -> None:
        self._parents = document.parents
        self._meets = meets
        self._within = within
        self._known = {-1: within + 1}  # number of levels to the nearest matching element

    def holds(self, order: int) -> bool:
        """Return whether the element at the position, or an enclosing one, passes the test."""
        known, parents, path = self._known, self._parents, []
        while order not in known:
            path.append(order)
            order = parents[order]
        levels = known[order]
        for inner in reversed(path):
            levels = known[inner] = 0 if self._meets(inner) else levels + 1
        return levels <= self._within
