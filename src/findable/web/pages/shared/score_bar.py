"""Bars: of a score, with the part that fixes would add, and of values in a group."""

from msgspec import Struct

from findable.reports.scoring import DECENT_FROM, GOOD_FROM, RULESET
from findable.reports.titles import RATINGS
from findable.wording import Translator


class ScoreBar(Struct, frozen=True):
    """Score from 0 to 100 as a bar."""

    score: int
    rating: str
    """Rating: ``good``, ``decent`` or ``bad``; a class of the stylesheet; empty for none."""
    words: str
    """Rating in words."""
    after: int
    """Score after the recommended fixes; the score itself if no gain is projected."""
    after_words: str
    """Words for the projected score and its fixes; empty if no gain is projected."""
    ruleset: str = RULESET
    """Ruleset of the thresholds."""
    thresholds: tuple[int, ...] = (DECENT_FROM, GOOD_FROM)
    """Scores where decent and good begin; a page that is at least decent has only the latter."""


class Meter(Struct, frozen=True):
    """One labelled bar of a group, such as the score of a category."""

    name: str
    percent: float | None
    """Length of the bar from 0 to 100; None for no bar."""
    value: str
    """Value in words."""
    note: str = ""
    values: str = ""
    """Measured values behind the bar; empty for none."""
    rating: str = ""
    """Rating, a class of the stylesheet; empty without one."""
    href: str = ""
    filter: str = ""
    """Category to which the bar links on the same page; empty for none."""


def score_bar(score: int, rating: str, say: Translator, after: int = 0, after_words: str = "") -> ScoreBar:
    """Return the bar of a score; ``after`` is the score after the fixes that ``after_words`` describe, 0 for none."""
    words = after_words if after > score else ""
    thresholds = (DECENT_FROM, GOOD_FROM) if score < DECENT_FROM else (GOOD_FROM,)
    return ScoreBar(score, rating, say.text(RATINGS.get(rating, "")), max(score, after), words, thresholds=thresholds)
