"""Texts, numbers and dates by language."""

import gettext
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from findable.wording import ENGLISH, Language, Translator, best_language, wording

NOON = datetime(2026, 11, 21, 12, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("accepted", "code"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-AT,en;q=0.5", "de"),
        ("fr, de;q=0.2", "de"),
        ("en;q=0.3, de;q=0.9", "de"),
        ("en, de", "en"),
        ("de;q=0, en;q=0.1", "en"),
        ("de;q=x", "en"),
        ("*", "en"),
        ("a," * 100_000, "en"),
    ],
)
def test_the_language_that_a_browser_asks_for(accepted: str, code: str) -> None:
    assert best_language(accepted) == code


def test_numbers_have_the_marks_of_the_language() -> None:
    assert [ENGLISH.number(value) for value in (0, 1234, 1234.5, 2.0, 0.125)] == ["0", "1,234", "1,234.5", "2", "0.12"]
    assert [wording("de").number(value) for value in (1234567, 1234.5)] == ["1.234.567", "1.234,5"]


def test_a_moment_names_its_zone() -> None:
    assert ENGLISH.moment(NOON) == "21 November 2026, 12:05 UTC"
    assert ENGLISH.moment(NOON, ZoneInfo("Europe/Berlin")) == "21 November 2026, 13:05 CET"


def test_what_no_catalogue_knows_is_shown_as_it_is() -> None:
    assert wording("de")("no catalogue has %(this)s sentence", this="such a") == "no catalogue has such a sentence"
    assert wording("de").plural("%(count)s odd thing", "%(count)s odd things", 1200) == "1.200 odd things"
    assert wording("xx").code == "en"


def test_a_sign_stays_before_its_number_from_right_to_left() -> None:
    arabic = Translator(Language("ar", "العربية", ",", ".", "rtl"), gettext.NullTranslations())
    assert (ENGLISH.signed(-4.5), ENGLISH.signed(1200.0)) == ("−4.5", "+1,200")
    assert (ENGLISH.signed(0), arabic.signed(0)) == ("+0", "\u200e+0")
    assert (arabic.signed(-4.5), arabic.signed(3)) == ("\u200e−4.5", "\u200e+3")
