"""Stop words, as they are shipped."""

import json
from importlib.resources import files

from findable.artifacts.tables.stop_words import stop_words


def test_stop_words_are_shipped_with_their_source_version_and_license() -> None:
    table = json.loads((files("findable.artifacts.tables") / "data/stop_words.json").read_bytes())

    assert (table["source"], table["as_of"]) == ("https://github.com/stopwords-iso/stopwords-iso", "0.7.1")
    assert table["license"] == "MIT; compiled by Gene Diaz"
    assert len(table["words"]) == 58


def test_unsupported_languages_have_no_stop_words() -> None:
    assert stop_words("xx") == frozenset()
