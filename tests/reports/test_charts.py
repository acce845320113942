"""Charts by their values: bands of a bar, and columns of a histogram of scores."""

from findable.reports.charts import Band, bands, rating_counts, score_columns
from findable.reports.scoring import DECENT_FROM, GOOD_FROM, rating_of
from findable.reports.site_areas import UrlState
from findable.vocabulary import Rating


def counts_of(scores: dict[int, int]) -> tuple[int, ...]:
    return tuple(scores.get(score, 0) for score in range(101))


def test_bands_follow_each_other_in_percent_of_the_whole() -> None:
    counts = {UrlState.INDEXABLE: 30, UrlState.EXCLUDED: 0, UrlState.ERROR: 10}
    assert bands(counts, 80) == (Band(UrlState.INDEXABLE, 0.0, 37.5), Band(UrlState.ERROR, 37.5, 12.5))
    assert bands({}, 0) == ()


def test_each_score_counts_in_the_column_of_its_rating() -> None:
    counts = counts_of({0: 1, DECENT_FROM - 1: 2, DECENT_FROM: 3, GOOD_FROM - 1: 4, GOOD_FROM: 5, 100: 6})
    columns = score_columns(counts)
    assert rating_counts(counts) == {Rating.GOOD: 11, Rating.DECENT: 7, Rating.BAD: 3}
    assert all(rating_of(one.score) is one.rating for one in columns)
    assert (columns[-1].score, columns[-1].count, columns[-1].height) == (100, 6, 100.0)


def test_a_column_of_one_page_can_be_seen_and_an_empty_one_has_no_height() -> None:
    columns = score_columns(counts_of({97: 5_000, 12: 1}))
    assert [columns[score].height for score in (97, 12, 50)] == [100.0, 2.0, 0.0]
    assert score_columns(()) == ()
