"""Words for ratings within a sentence."""

from collections.abc import Mapping

from findable.wording import later

RATING_WORDS: Mapping[str, str] = {"good": later("good"), "decent": later("decent"), "bad": later("bad")}
"""Ratings for the middle of a sentence."""
