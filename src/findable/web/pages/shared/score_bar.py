"""Score as a bar, with the score that the limit takes away, and parts of a whole as bars."""

from msgspec import Struct

from findable.reports.scoring import DECENT_FROM, GOOD_FROM
from findable.reports.titles import RATINGS
from findable.wording import Wording


class Lifted(Struct, frozen=True):
    """Check that limits the score."""

    id: str
    href: str
    """Link to its finding; empty if it is not shown."""


class ScoreBar(Struct, frozen=True):
    """Score from 0 to 100 as a bar."""

    score: int
    rating: str
    """Rating: ``good``, ``decent`` or ``bad``; a class of the stylesheet; empty for none."""
    words: str
    """Rating in words."""
    after: int
    """Score without its limit; the score itself if nothing limits it."""
    without: tuple[Lifted, ...]
    """Checks that limit the score."""
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


def score_bar(score: int, rating: str, say: Wording, after: int | None = None, without: tuple[Lifted, ...] = ()) -> ScoreBar:
    """Return the bar of a score; ``after`` is the score that the fixes of the checks in ``without`` lead to."""
    return ScoreBar(score, rating, say.text(RATINGS.get(rating, "")), max(score, after or 0), without if after and after > score else ())
