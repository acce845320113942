"""Score as a bar, with the score that the limit takes away, and parts of a whole as bars."""

from msgspec import Struct

from findable.reports.scoring import DECENT_FROM, GOOD_FROM
from findable.reports.titles import RATINGS, score_after
from findable.wording import Wording


class ScoreBar(Struct, frozen=True):
    """Score from 0 to 100 as a bar."""

    score: int
    rating: str
    """Rating: ``good``, ``decent`` or ``bad``; a class of the stylesheet; empty for none."""
    words: str
    """Rating in words."""
    after: int
    """Score after the fixes that lift its limit; the score itself if nothing limits it."""
    after_words: str
    """Words for that score and those fixes; empty if nothing limits it."""
    thresholds: tuple[int, ...] = (DECENT_FROM, GOOD_FROM)
    """Scores where decent and good begin."""


class Meter(Struct, frozen=True):
    """One of several values as a bar."""

    name: str
    percent: float | None
    """Length of the bar from 0 to 100; None for no bar."""
    value: str
    """Value in words."""
    note: str = ""
    rating: str = ""
    """Rating, a class of the stylesheet; empty for none."""
    href: str = ""
    filter: str = ""
    """Category of the findings that it leads to on the same page; empty for none."""


def score_bar(score: int, rating: str, say: Wording, after: int = 0, fixes_count: int = 0) -> ScoreBar:
    """Return the bar of a score; ``after`` is the score that so many first fixes lead to."""
    words = score_after(after, fixes_count, say) if after > score else ""
    return ScoreBar(score, rating, say.text(RATINGS.get(rating, "")), max(score, after), words)
