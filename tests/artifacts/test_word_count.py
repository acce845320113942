"""Words of texts, against counts that ICU 72 made of the same texts."""

import gc
import json
import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from findable.artifacts.page.word_count import count_words, words, words_of
from findable.artifacts.tables.languages import SUPPORTED

HERE = Path(__file__).parent / "languages"
COUNTS: dict[str, int] = json.loads((HERE / "counts.json").read_text(encoding="utf-8"))
UNSPACED = ("ja", "zh", "th")


def fixture(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8").strip()


@pytest.mark.parametrize("name", COUNTS)
def test_words_of_the_fixture_texts(name: str) -> None:
    tolerance = 0.10 if name[:2] in UNSPACED else 0.02

    assert abs(count_words(fixture(name)) - COUNTS[name]) <= COUNTS[name] * tolerance


def test_every_supported_language_has_three_texts() -> None:
    assert {name[:2] for name in COUNTS} >= set(SUPPORTED)
    assert all(sum(name.startswith(language) for name in COUNTS) == 3 for language in SUPPORTED)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("… – * 🙂 ©", 0),
        ("don't O'Neill l’eau", 3),
        ("e-mail well-known", 4),
        ("1,200.50 10:15 3-5", 5),
        ("example.com a.b@example.com", 3),
        ("snake_case __init__", 2),
        ("Na\u00efve nai\u0308ve", 2),
        ("soft\u00adhyphen non\u00a0breaking", 3),
        ("👩‍👩‍👧 family 🇩🇪", 1),
        ("مُحَدَّثٌ", 1),
        ("東京タワー", 2),
        ("ก", 1),
    ],
)
def test_words_of_odd_texts(text: str, count: int) -> None:
    assert count_words(text) == count


def test_words_keep_their_spelling_and_leave_out_unspaced_scripts() -> None:
    assert list(words("Don’t say 東京 to Bob's CO₂")) == ["Don’t", "say", "to", "Bob's", "CO₂"]


@pytest.mark.parametrize("text", ["a" * 10**7, "a." * 5 * 10**6, "'" * 10**7, "1," * 10**6, "あ" * 10**7, "a_" * 10**6])
def test_s30_counting_is_linear_and_bounded(text: str) -> None:
    start = time.process_time()
    count_words(text)

    assert time.process_time() - start < 3


TWO_LETTERS_OF_UNICODE_15 = "\U00011f04\U00011f05"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("plain words, 3.5 of them", ["plain", "words", "3.5", "of", "them"]),
        ("caf\u00e9 l\u2019eau", ["caf\u00e9", "l\u2019eau"]),
        ("with an emoji \U0001f600 in it", ["with", "an", "emoji", "in", "it"]),
        (f"newer {TWO_LETTERS_OF_UNICODE_15} letters", ["newer", TWO_LETTERS_OF_UNICODE_15, "letters"]),
        ("half \ud800 a character", ["half", "a", "character"]),
    ],
)
def test_words_are_the_same_by_whichever_pattern(text: str, found: list[str]) -> None:
    assert words_of(text) == list(words(text)) == found
    assert count_words(text) == len(found)


@pytest.mark.parametrize("name", COUNTS)
def test_words_are_counted_as_they_are_listed(name: str) -> None:
    text = fixture(name)
    odd = f"{text} _a b_ ½ 12.5 O’Neil's x-y … a\u00adb \u00a0 1,5€ \u0301 {text[:500].replace(' ', chr(0x2009))}"

    if not name.startswith(UNSPACED):
        assert count_words(odd) == len(words_of(odd))


@given(st.text("aZé0½²_.,;:'’‘·\u00ad \u00a0\n-–“…€", max_size=30))
@example("U.S.A. e.g. 1.5,5 it's")
def test_western_texts_have_as_many_words_as_are_listed(text: str) -> None:
    assert count_words(text) == len(words_of(text))


def test_a_text_that_is_not_western_is_freed_without_the_garbage_collector() -> None:
    gc.collect()
    gc.disable()
    try:
        count_words("語 слова " * 10)
        assert not [found for found in gc.get_objects() if isinstance(found, UnicodeEncodeError)]
    finally:
        gc.enable()
