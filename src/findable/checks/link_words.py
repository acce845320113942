"""Words of one link that also name another thing with the same target: an empty link, the image of a link."""

import re
from itertools import islice

from findable.artifacts.html.document import Element

_WORDS = re.compile(r"\w\W+\w|[^\W\d_a-zA-Z]{4}")
"""Several words, or signs of a script without spaces: one word, such as Enlarge or Profile, may be what only that link does."""
_LETTERS = re.compile(r"[^\W\d_]{2}")
BLOCKS = frozenset({"p", "li", "dd", "td", "blockquote", "figcaption"})
MAX_ANCESTORS = 6
MORE_CHARS = 10
"""Text around a link from which it stands in a sentence."""


def words_for_target(link: Element, text: str) -> str:
    """Return the link's text if it can stand alone; empty for one word, prices, notices of rights and links in a sentence."""
    if not _WORDS.search(text) or not _LETTERS.search(text) or "©" in text:
        return ""
    block = next((outer for outer in islice(link.ancestors, MAX_ANCESTORS) if outer.tag in BLOCKS), None)
    limit = len(text) + MORE_CHARS
    return "" if block is not None and len(block.text_up_to(limit + 1)) > limit else text
