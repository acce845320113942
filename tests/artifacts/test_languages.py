"""Languages of tags."""

import pytest

from findable.artifacts.tables.languages import primary


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("de-AT", "de"),
        ("zho", "zh"),
        ("EN", "en"),
        ("zh_Hant_TW", "zh"),
        ("", ""),
        (None, ""),
        ("gsw", "gsw"),
        ("in", "id"),
        ("iw-IL", "he"),
        ("arb", "ar"),
        ("cmn-Hans", "zh"),
        ("ger", "de"),
        ("nob", "no"),
    ],
)
def test_language_of_a_tag(tag: str | None, language: str) -> None:
    assert primary(tag) == language
