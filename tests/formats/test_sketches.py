"""Sketches of texts: 64 numbers by which near duplicates are found."""

import struct
import zlib
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findable.formats.sketches import BINS, estimate, shingles, similar_groups, similarity, sketch

WORDS = [f"word{number}" for number in range(500)]


def text(count: int, seed: int = 1) -> str:
    return " ".join(Random(seed).choices(WORDS, k=count))


def least_by_definition(shingles_of_text: frozenset[str]) -> list[int | None]:
    values = [zlib.crc32(shingle.encode("utf-8", "surrogatepass")) for shingle in shingles_of_text]
    return [min((value for value in values if value % BINS == place), default=None) for place in range(BINS)]


@pytest.mark.parametrize(
    "words",
    [text(5000), text(40), text(3), text(2), "", "Straße ÉTÉ \ud800 x", "これは日本語の文章です" * 30, "Umlaute: Ä, ö, ü; und mehr"],
)
def test_a_sketch_has_the_least_number_of_each_bin(words: str) -> None:
    least = least_by_definition(shingles(words))
    borrowed = [next(value for step in range(BINS) if (value := least[(at + step) % BINS]) is not None) for at in range(BINS)]

    assert list(struct.unpack(f"<{BINS}I", sketch(words))) == borrowed


def test_shingles_are_three_words_in_small_letters() -> None:
    assert shingles("One two, THREE four") == {"one two three", "two three four"}


def test_sketches_agree_about_as_much_as_their_texts() -> None:
    first, second = text(2000), f"{text(2000)} {text(200, seed=2)}"

    assert abs(estimate(sketch(first), sketch(second)) - similarity(shingles(first), shingles(second))) < 0.1


def test_two_orders_of_one_list_of_identifiers_are_no_near_duplicates() -> None:
    names = [f"libraryModule{number}GetDefaultConfiguration" for number in range(300)]
    first, second = shingles(" ".join((*names, "©"))), shingles(" ".join(("©", *sorted(names, key=lambda name: name[::-1]))))

    assert similarity(first, second) < 0.5
    assert similarity(shingles("青いウィジェットを手作業で作っています"), shingles("青いウィジェットを手作業で作ります")) > 0.5


NUMBERED = [f"w{n}" for n in range(400)]


def test_a_slightly_edited_text_is_similar_and_another_is_not() -> None:
    first, second = " ".join(NUMBERED), " ".join([*NUMBERED[:200], "changed", *NUMBERED[201:]])
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
