"""The same saved page gives the same analysis, byte for byte, on every Python: each compares with the same digests.

``pages/*.json.gz`` are saved pages: four realistic ones of tests/mutations as they were on one day, and two odd ones (new characters,
broken structured data, dates, addresses and headers; another charset). They are input and do not change with the product. After a change
that is meant to show in reports: ``UPDATE_DIGESTS=1 pytest tests/determinism``.
"""

import gzip
import hashlib
import json
import os
from pathlib import Path

import pytest

from findable import __version__
from findable.analyze import analyse_saved
from findable.formats import characters

FOLDER = Path(__file__).parent
EXPECTED = FOLDER / "digests.json"
PAGES = {path.name.partition(".")[0]: path for path in sorted(FOLDER.glob("pages/*.json.gz"))}
UPDATES = bool(os.environ.get("UPDATE_DIGESTS"))
PARTS = ("findings", "facts", "score")
"""What else of an analysis has a digest of its own: a difference is easier to find there."""


def digest_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def digests(saved: bytes) -> dict[str, str]:
    """Of the whole analysis, less the number of our own version, and of its parts."""
    made = analyse_saved(saved).to_bytes()
    document = json.loads(made)
    version = f'"version":"{__version__}"'.encode()
    assert made.count(version) == 1
    parts = {name: digest_of(json.dumps(document[name], sort_keys=True).encode()) for name in PARTS}
    return {"analysis": digest_of(made.replace(version, b'"version":""')), **parts}


@pytest.fixture(scope="module", autouse=True)
def updated() -> None:
    if UPDATES:
        made = {name: digests(gzip.decompress(path.read_bytes())) for name, path in PAGES.items()}
        EXPECTED.write_text(json.dumps(made, indent=1, sort_keys=True) + "\n", encoding="utf-8")


@pytest.mark.parametrize("name", PAGES)
def test_an_analysis_is_the_same_bytes_on_every_python(name: str) -> None:
    expected = json.loads(EXPECTED.read_text(encoding="utf-8"))

    assert digests(gzip.decompress(PAGES[name].read_bytes())) == expected[name], "meant? UPDATE_DIGESTS=1 pytest tests/determinism"


def test_a_handful_of_pages_is_compared() -> None:
    assert set(json.loads(EXPECTED.read_text(encoding="utf-8"))) == set(PAGES)
    assert len(PAGES) >= 5


@pytest.mark.parametrize(
    ("char", "letter", "wide", "no_width"),
    [
        ("a", True, False, False),
        ("日", True, True, False),
        ("\u0301", False, False, True),
        ("\U00031350", True, True, False),  # an ideograph of 15.0
        ("\U0002ebf0", True, True, False),  # an ideograph of 15.1
        ("\U0001e030", True, False, False),  # a modifier letter of 15.0
        ("\U0001e4ec", False, False, True),  # a tone mark of 15.0
        ("\U0001fae8", False, True, False),  # an emoji of 15.0
        ("\U0003134f", False, False, False),  # no character yet
    ],
)
def test_characters_are_what_they_are_on_every_python(char: str, letter: bool, wide: bool, no_width: bool) -> None:
    assert (characters.is_letter(char), characters.is_wide(char), characters.has_no_width(char)) == (letter, wide, no_width)


def test_modifier_letters_are_folded_on_every_python() -> None:
    assert characters.compatible("ﬁ \U0001e030\U0001e06d") == "fi \u0430\u04b1"
