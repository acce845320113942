"""Inbound links, clicks from the start page, link scores."""

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findable.crawl.link_graph import DAMPING, MAX_TURNS, NOWHERE, SETTLED_BELOW, SharedLinks, scale_scores
from tests.crawl.made_lists import lists_of

SIZE = 10
urls = st.integers(0, SIZE - 1)


def links_of(rows: Sequence[Sequence[int]]) -> SharedLinks:
    """Return the links of pages with one list each."""
    lists = lists_of([[page] for page in range(len(rows))])
    return SharedLinks(lists_of([sorted(set(row)) for row in rows]), lists, lists)


def test_links_to_the_page_itself_and_repeated_links_count_once() -> None:
    assert list(links_of([[1, 1, 0, 2], [0], []]).inlinks) == [1, 1, 1]


def test_depth_is_the_shortest_path_of_links() -> None:
    depths, parents = links_of([[1], [2], [3], [], []]).paths(0, {}, range(5))
    assert list(depths) == [0, 1, 2, 3, NOWHERE]
    assert list(parents) == [0, 0, 1, 2, 0]


@given(
    st.lists(st.lists(urls, max_size=5, unique=True), min_size=6, max_size=6),
    st.dictionaries(urls, st.lists(st.integers(0, 5), unique=True)),
    st.dictionaries(urls, urls, max_size=4),
    st.permutations(range(SIZE)),
)
def test_links_counted_by_shared_lists_are_those_counted_page_by_page(
    lists: list[list[int]], pages: dict[int, list[int]], ends: dict[int, int], ranks: list[int]
) -> None:
    having = lists_of([pages.get(page, []) for page in range(SIZE)])
    found = SharedLinks(lists_of([sorted(targets) for targets in lists]), having, having.inverted(len(lists)))
    rows = {page: {target for number in own for target in lists[number]} - {page} for page, own in pages.items()}
    led = rows | {number: {end} - {number} for number, end in ends.items()}
    scored = rows | {number: {end} - {number, 0} for number, end in ends.items()}

    assert list(found.inlinks) == [sum(url in row for row in rows.values()) for url in range(SIZE)]
    depths, parents = found.paths(1, ends, ranks)
    assert list(depths) == depths_page_by_page(led, 1)
    for url, depth in enumerate(depths):
        before = [page for page, row in led.items() if depth > 0 and url in row and depths[page] == depth - 1]
        assert parents[url] == min(before, key=ranks.__getitem__, default=0)
    assert found.scores(ends) == pytest.approx(scores_page_by_page(scored), rel=1e-9)


def depths_page_by_page(rows: Mapping[int, set[int]], home: int) -> list[int]:
    found = {home: 0}
    for page in (waiting := [home]):
        for target in sorted(rows.get(page, set()) - found.keys()):
            found[target] = found[page] + 1
            waiting.append(target)
    return [found.get(url, NOWHERE) for url in range(SIZE)]


def scores_page_by_page(rows: Mapping[int, set[int]]) -> list[float]:
    scores = [1 / SIZE] * SIZE
    for _ in range(MAX_TURNS):
        spread = sum(score for url, score in enumerate(scores) if not rows.get(url))
        turned = [(1 - DAMPING + DAMPING * spread) / SIZE] * SIZE
        for page, targets in rows.items():
            for target in targets:
                turned[target] += DAMPING * scores[page] / len(targets)
        change = sum(abs(new - old) for new, old in zip(turned, scores, strict=True))
        scores = turned
        if change < SETTLED_BELOW:
            break
    return scores


@given(st.lists(st.lists(urls, max_size=8), min_size=SIZE, max_size=SIZE))
def test_link_scores_sum_to_one_and_stay_positive(rows: list[list[int]]) -> None:
    scores = links_of(rows).scores({})

    assert sum(scores) == pytest.approx(1, abs=1e-6)
    assert min(scores) > 0


def test_the_page_that_all_link_to_has_the_highest_score() -> None:
    scores = links_of([[1], [0], [0], [0]]).scores({})

    assert scale_scores(scores)[0] == 100
    assert scale_scores(scores)[2] == 0
    assert scale_scores([0.25] * 4) == [50] * 4
