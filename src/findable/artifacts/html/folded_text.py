"""Fold the white space of texts, as browsers do."""

from findable.lazy_pattern import lazy_pattern

FOLDED_AT_ONCE_CHARS = 100_000
"""Size of the pieces in which a long text is folded: the list of all its words would take ten times its memory."""
_SPACE = lazy_pattern(r"\s")


def fold_space(text: str, start: int = 0, end: int | None = None) -> str:
    """Return a part of the text, trimmed and with runs of white space replaced by one space.

    It works in pieces, because a list of all words of a large page takes more than ten times the memory of its text.
    """
    end = len(text) if end is None else end
    if end - start <= FOLDED_AT_ONCE_CHARS:
        return " ".join(text[start:end].split())
    pieces = []
    while start < end:
        space = _SPACE.search(text, start + FOLDED_AT_ONCE_CHARS, end)
        stop = space.start() if space else end
        pieces.append(" ".join(text[start:stop].split()))
        start = stop
    return " ".join(filter(None, pieces))
