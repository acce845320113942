"""Similarity of pages."""

import pytest

from findable.artifacts.responses.page_similarity import similarity_of_texts

WORDS = " ".join(f"word{number}" for number in range(100))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (WORDS, WORDS.upper(), 1.0),
        (WORDS, WORDS.replace("word1", "other1"), pytest.approx(0.80, abs=0.02)),
        (WORDS, "few words", None),
        ("", "", None),
    ],
)
def test_likeness(first: str, second: str, expected: float | None) -> None:
    assert similarity_of_texts(first, second) == expected
