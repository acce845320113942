"""Sketch of the main text of a page, from which a report and a crawl find out whether it is a copy of another page."""

from findable.artifacts.page.text import Text
from findable.formats.sketches import estimate, sketch

SKETCH_FROM_WORDS = 100
MAIN_SHARE, SHORT_MAIN_SHARE = 0.1, 0.5
"""Minimum shares of the visible words for comparing a main text, and one with fewer than SKETCH_FROM_WORDS (set by Findable)."""
ALIKE_FROM = 0.8
"""Share of the three-word sequences of two main texts from which one page is a copy of the other (set by Findable)."""
UNLIKE_BELOW = 0.3
"""Share below which two main texts count as different (set by Findable)."""


def stands_for_page(text: Text) -> bool:
    """Return whether the main text is long enough, compared with the visible text, to be compared with those of other pages."""
    share = MAIN_SHARE if text.main_count >= SKETCH_FROM_WORDS else SHORT_MAIN_SHARE
    return text.main_count >= share * (text.visible.count(" ") + 1)


def sketch_of(text: Text) -> bytes:
    """Return the sketch of the main text; empty if it cannot be compared."""
    return sketch(text.main) if text.main_count >= SKETCH_FROM_WORDS and stands_for_page(text) else b""


def clear_share(one: bytes, other: bytes) -> float | None:
    """Return the share that two main texts have in common, if it tells that they are alike or unlike; None if it does not."""
    share = estimate(one, other) if one and other else None
    return None if share is None or UNLIKE_BELOW <= share < ALIKE_FROM else share
