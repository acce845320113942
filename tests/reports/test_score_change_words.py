"""Words about the change of a score."""

from findable.reports.score_change_words import direction, score_change_words
from findable.wording import ENGLISH


def test_the_change_says_points_day_and_both_scores() -> None:
    assert score_change_words(98, 59, "27 October", ENGLISH) == "39 points worse since 27 October (from 98 to 59)"
    assert score_change_words(59, 60, "27 October", ENGLISH) == "1 point better since 27 October (from 59 to 60)"
    assert score_change_words(59, 59, "27 October", ENGLISH) == ""
    assert [direction(98, 59), direction(59, 98), direction(59, 59)] == ["down", "up", "same"]
