"""Link score, depth, templates, near duplicates: what follows from all pages."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findable.crawl.settle import (
    DAMPING,
    MAX_FOLDERS,
    MAX_TURNS,
    NOWHERE,
    SETTLED_BELOW,
    CommonFolder,
    SharedLinks,
    chain_of,
    scale_scores,
    templates,
)
from findable.crawl.varints import pack, pack_sorted, unpack, unpack_sorted
from findable.formats.sketches import estimate, shingles, similar_groups, similarity, sketch

numbers = st.lists(st.integers(0, 2**40))


@given(numbers)
def test_numbers_come_back_from_their_bytes(given_numbers: list[int]) -> None:
    assert unpack(pack(given_numbers)) == given_numbers
    assert unpack_sorted(pack_sorted(sorted(given_numbers))) == sorted(given_numbers)


def test_small_numbers_take_one_byte() -> None:
    assert len(pack(range(128))) == 128


SIZE = 10
urls = st.integers(0, SIZE - 1)


def links_of(rows: Sequence[Sequence[int]]) -> SharedLinks:
    """Return the links of pages with one list each."""
    pages = {page: array("i", [page]) for page in range(len(rows))}
    found = SharedLinks(len(rows), {page: array("i", sorted(set(row))) for page, row in enumerate(rows)}, pages)
    for page in range(len(rows)):
        found.add(page, [page])
    return found


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
    having = {number: array("i", sorted(page for page, own in pages.items() if number in own)) for number in range(len(lists))}
    found = SharedLinks(SIZE, {number: array("i", sorted(targets)) for number, targets in enumerate(lists)}, having)
    for page in sorted(pages):
        found.add(page, pages[page])
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


def test_redirects_are_followed_to_their_end_or_the_loop() -> None:
    assert chain_of(1, {1: 2, 2: 3}.get) == ((1, 2, 3), False)
    assert chain_of(1, {1: 2, 2: 1}.get) == ((1, 2, 1), True)


def test_pages_with_the_same_kinds_of_blocks_share_a_template() -> None:
    pages = [(n, (1, 2, 100 + n), ("Product",)) for n in range(8)] + [(n, (1, 3), ()) for n in range(8, 14)] + [(99, (1, 7), ("Thing",))]

    found = templates(pages)

    assert {found[n] for n in range(8)} == {1}
    assert {found[n] for n in range(8, 14)} == {2}
    assert found[99] == 0


def named(paths: Iterable[str]) -> str:
    folder = CommonFolder()
    for path in paths:
        folder.add(path)
    return folder.name


def test_a_template_is_named_after_most_of_its_pages_and_not_after_the_first() -> None:
    first = [f"/about/{number}" for number in range(200)]
    products = [f"/products/{number // 100}/{number}" for number in range(4800)]

    assert named(first + products) == "/products/*"
    assert named([]) == ""
    assert named(["/search", "/search"]) == "/search"
    assert named(["/a/1", "/b/1"]) == "/*"
    assert named(["/only"]) == "/only"


def test_the_name_of_a_template_does_not_depend_on_the_order_of_its_pages() -> None:
    paths = [f"/a/{number}/" for number in range(3000)] + [f"/products/{number}/{part}" for number in range(6000) for part in range(3)]
    shuffled = Random(1).sample(paths, len(paths))

    assert named(paths) == named(reversed(paths)) == named(shuffled) == "/products/*"


def test_the_folder_of_most_pages_is_found_in_bounded_memory() -> None:
    folder = CommonFolder()
    for number in range(20_000):
        folder.add(f"/products/{number}/view/item")

    assert folder.name == "/products/*"
    assert len(folder._counts) <= 2 * MAX_FOLDERS


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
