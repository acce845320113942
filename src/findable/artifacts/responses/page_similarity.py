"""Similarity of two pages: the share of their common words."""

from findable.artifacts.page.word_count import words_of
from findable.artifacts.responses.probed_page import ProbedPage

COMPARED_CHARS = 20_000
SAME_PAGE_SIMILARITY = 0.8
"""Share of common words from which two pages count as identical."""
MIN_COMPARED_WORDS = 20


def page_similarity(first: ProbedPage, second: ProbedPage) -> float | None:
    """Return the share of common words of two pages, 0–1, from their stored beginnings; None if there is too little text."""
    return similarity_of_texts(_text(first), _text(second))


def similarity_of_texts(first: str, second: str) -> float | None:
    """Return the share of common words (Jaccard index), 0–1; None if one has fewer than MIN_COMPARED_WORDS different ones."""
    one, other = (set(words_of(text[:COMPARED_CHARS].casefold())) for text in (first, second))
    if min(len(one), len(other)) < MIN_COMPARED_WORDS:
        return None
    return len(one & other) / len(one | other)


def _text(page: ProbedPage) -> str:
    return page.document.text if page.document else ""
