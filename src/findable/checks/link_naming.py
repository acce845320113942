"""Name an empty link or an image by the text of another link with the same target."""

from collections.abc import Callable, Iterable, Mapping
from itertools import islice

from findable.artifacts.html.document import Document, Element
from findable.lazy_pattern import lazy_pattern
from findable.values import once

_WORDS = lazy_pattern(r"\w\W+\w|[^\W\d_a-zA-Z]{4}")
"""Pattern of several words, or of characters of a script without spaces.

A single word, such as Enlarge or Profile, may describe only that link.
"""
_LETTERS = lazy_pattern(r"[^\W\d_]{2}")
BLOCKS = frozenset({"p", "li", "dd", "td", "blockquote", "figcaption"})
MAX_ANCESTORS = 6
MAX_LINKS = 3000
MORE_CHARS = 10
"""Number of characters around a link from which it is part of a sentence."""


def is_cut(text: str) -> bool:
    """Return whether a text ends in an ellipsis, so that words are missing."""
    return text.rstrip().endswith(("…", "..."))


def words_for_target(link: Element, text: str) -> str:
    """Return the link's text if it is meaningful alone; empty for one word, prices, rights, truncated texts and links in a sentence."""
    if is_cut(text) or not _WORDS.search(text) or not _LETTERS.search(text) or "©" in text:
        return ""
    block = next((outer for outer in islice(link.ancestors, MAX_ANCESTORS) if outer.tag in BLOCKS), None)
    limit = len(text) + MORE_CHARS
    return "" if block is not None and len(block.text_up_to(limit + 1)) > limit else text


class LinkedWords:
    """Link texts by target URL as written. Links are read on first use, because few findings need them."""

    def __init__(self, document: Document, text_of: Callable[[Element], str], tags: Iterable[str] = ("a",)) -> None:
        self._document = document
        self._text_of = text_of
        self._tags = tags

    @once
    def _by_href(self) -> Mapping[str, list[int]]:
        """Positions of links by href."""
        found: dict[str, list[int]] = {}
        for tag in self._tags:
            for order, href in self._document.values(tag, "href", MAX_LINKS):
                if href:
                    found.setdefault(href, []).append(order)
        return found

    def text_for(self, href: str | None) -> str:
        """Return the first usable text of a link to the URL; empty for none."""
        if not href:
            return ""
        links = map(self._document.element_at, self._by_href.get(href, ()))
        texts = (words_for_target(link, self._text_of(link)) for link in links)
        return next(filter(None, texts), "")
