"""Link score, depth, templates, near duplicates: what follows from all pages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findable.crawl.settle import NOWHERE, Graph, chain_of, common_path, depths, link_scores, scale_scores, templates
from findable.crawl.sketches import estimate, shingles, similar_groups, similarity, sketch
from findable.crawl.varints import pack, pack_sorted, unpack, unpack_sorted

numbers = st.lists(st.integers(0, 2**40))


@given(numbers)
def test_numbers_come_back_from_their_bytes(given_numbers: list[int]) -> None:
    assert unpack(pack(given_numbers)) == given_numbers
    assert unpack_sorted(pack_sorted(sorted(given_numbers))) == sorted(given_numbers)


def test_small_numbers_take_one_byte() -> None:
    assert len(pack(range(128))) == 128


def test_links_to_the_page_itself_and_repeated_links_count_once() -> None:
    graph = Graph.from_rows([[1, 1, 0, 2], [0], []])

    assert list(graph.targets_of(0)) == [1, 2]
    assert list(graph.targets_of(1)) == [0]


def test_depth_is_the_shortest_path_of_links() -> None:
    assert list(depths(Graph.from_rows([[1], [2], [3], [], []]), 0)) == [0, 1, 2, 3, NOWHERE]


@given(st.lists(st.lists(st.integers(0, 9), max_size=8), min_size=10, max_size=10))
def test_link_scores_sum_to_one_and_stay_positive(rows: list[list[int]]) -> None:
    scores = link_scores(Graph.from_rows(rows))

    assert sum(scores) == pytest.approx(1, abs=1e-6)
    assert min(scores) > 0


def test_the_page_that_all_link_to_has_the_highest_score() -> None:
    scores = link_scores(Graph.from_rows([[1], [0], [0], [0]]))

    assert scale_scores(scores)[0] == 100
    assert scale_scores(scores)[2] == 0
    assert scale_scores([0.25] * 4) == [50] * 4


def test_redirects_are_followed_to_their_end_or_the_loop() -> None:
    assert chain_of(1, {1: 2, 2: 3}.get) == ((1, 2, 3), False)
    assert chain_of(1, {1: 2, 2: 1}.get) == ((1, 2, 1), True)


def test_pages_with_the_same_kinds_of_blocks_share_a_template() -> None:
    pages = [(n, (1, 2, 100 + n), ("Product",)) for n in range(8)] + [(n, (1, 3), ()) for n in range(8, 14)] + [(99, (1, 7), ("Thing",))]

    found = templates(pages)

    assert {found[n] for n in range(8)} == {1}
    assert {found[n] for n in range(8, 14)} == {2}
    assert found[99] == 0


def test_a_template_is_named_by_its_folder() -> None:
    assert common_path(["/products/a", "/products/b"]) == "/products/*"
    assert common_path(["/a", "/b"]) == "/*"
    assert common_path(["/only"]) == "/only"
    assert common_path(["https://example.org/a/1", "https://example.org/a/2"]) == "/a/*"


WORDS = [f"w{n}" for n in range(400)]


def test_a_slightly_edited_text_is_similar_and_another_is_not() -> None:
    first, second = " ".join(WORDS), " ".join([*WORDS[:200], "changed", *WORDS[201:]])
    other = " ".join(f"x{n}" for n in range(400))
    texts = {1: first, 2: second, 3: other}

    groups = similar_groups({n: sketch(text) for n, text in texts.items()}, lambda a, b: similarity(shingles(texts[a]), shingles(texts[b])))

    assert groups == [(1, 2)]


@given(st.text(max_size=300))
def test_a_text_is_similar_to_itself(text: str) -> None:
    assert estimate(sketch(text), sketch(text)) == 1
    assert similarity(shingles(text), shingles(text)) == 1


def test_a_text_without_spaces_has_shingles_of_characters() -> None:
    assert len(shingles("これは単語の間に空白のない日本語の文章です")) > 10
