"""Charts by their values: bands of a bar, columns of a histogram of scores, the waterfall of a score, pairs of bars, places in a plot."""

from datetime import UTC, datetime, timedelta

import pytest

from findable.reports.charts import (
    MAX_PARTS,
    Band,
    bands,
    findings_before_and_now,
    histogram,
    pair_lines,
    places,
    rating_counts,
    score_columns,
    score_waterfall,
)
from findable.reports.facts.delivery_facts import ResourceFacts, ResourceTypeFacts
from findable.reports.page_charts import weight_pairs
from findable.reports.projection import score_parts
from findable.reports.scoring import DECENT_FROM, GOOD_FROM, rating_of
from findable.reports.site_areas import UrlState
from findable.vocabulary import Category, Rating
from findable.wording import ENGLISH


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


def test_each_cost_of_a_waterfall_begins_where_the_one_before_ended() -> None:
    parts = score_parts([("noindex", "", 20), ("h1-present", "", 8), ("title-length", "", None)])
    table = score_waterfall(parts, 72, "decent", ENGLISH)
    assert table is not None
    assert [(one.count, one.bands) for one in table.lines] == [
        ("100", (Band("whole", 0, 100),)),
        ("−20", (Band("cost", 80, 20),)),
        ("−8", (Band("cost", 72, 8),)),
        ("72", (Band("decent", 0, 72),)),
    ]
    assert score_waterfall((), 100, "good", ENGLISH) is None


def test_a_waterfall_of_many_costs_ends_with_their_rest() -> None:
    checks = ("noindex", "h1-present", "title-length", "meta-description", "html-lang", "og-basic", "viewport", "canonical-valid")
    table = score_waterfall(score_parts([(check, "", 3) for check in checks]), 76, "decent", ENGLISH)
    assert table is not None
    assert len(table.lines) == MAX_PARTS + 2
    assert (table.lines[-2].name, table.lines[-2].bands) == ("3 more findings", (Band("cost", 76, 9),))


def test_findings_before_and_now_are_bars_by_category_on_one_scale() -> None:
    table = findings_before_and_now([Category.LINKS] * 4 + [Category.IMAGES], [Category.LINKS] + [Category.SECURITY] * 2, ENGLISH)
    assert table is not None
    assert [(one.name, one.left, one.left_percent, one.right, one.right_percent, one.state) for one in table.lines] == [
        ("Links", "4", 100.0, "1", 25.0, "good"),
        ("Security & trust", "0", 0.0, "2", 50.0, "cost"),
        ("Images", "1", 25.0, "0", 0.0, "good"),
    ]
    assert findings_before_and_now([], [], ENGLISH) is None
    unequal = pair_lines([("a", 10, 2)], ENGLISH, one_scale=False)
    assert (unequal[0].left_percent, unequal[0].right_percent) == (100.0, 100.0)


def test_bytes_and_requests_have_a_bar_each_and_unknown_sizes_none() -> None:
    types = (ResourceTypeFacts("script", 3, 1, 2, 4000), ResourceTypeFacts("font", 1, 0, 0, 0))
    table = weight_pairs(ResourceFacts(4, 1000, 5000, types), ENGLISH)
    assert [(one.name, one.left_percent, one.right_percent) for one in table.lines] == [
        ("HTML", 25.0, 33.3),
        ("script", 100.0, 100.0),
        ("font", 0.0, 33.3),
    ]
    assert [one.left for one in table.lines][2] == "–"
    assert table.lines[1].note == "1 of other sites, 1 of unknown size"


def test_the_zones_of_a_histogram_are_those_of_the_ratings() -> None:
    found = histogram(counts_of({30: 2, 90: 5}), ENGLISH)
    assert found is not None
    zones = [(zone.rating, zone.first, zone.pages_count) for zone in found.zones]
    assert zones == [(Rating.BAD, 0, 2), (Rating.DECENT, DECENT_FROM, 0), (Rating.GOOD, GOOD_FROM, 5)]
    assert sum(zone.scores_count for zone in found.zones) == len(found.columns) == 101


@pytest.mark.parametrize("counts", [(), (0,) * 101])
def test_site_without_a_rated_page_has_no_histogram(counts: tuple[int, ...]) -> None:
    assert histogram(counts, ENGLISH) is None


def test_times_fill_the_width_of_a_plot() -> None:
    start = datetime(2026, 11, 1, tzinfo=UTC)
    assert places([start, start + timedelta(days=1), start + timedelta(days=4)], 200) == [0.0, 50.0, 200.0]
    assert places([start], 200) == [0.0]
