"""Codes of languages and countries."""

import pytest

from findable.artifacts.page.language_codes import CodeFault, code_fault, tag_fault


@pytest.mark.parametrize(
    "code",
    [
        "de",
        "DE",
        "es",
        "en-GB",
        "en-gb",
        "zh-Hant",
        "zh-Hant-TW",
        "x-default",
        "X-Default",
        "pt-BR",
        "eu",
        "iw",
        "sr-Latn-RS",
        "fil",
        "ast",
    ],
)
def test_legal_codes(code: str) -> None:
    assert code_fault(code) == (CodeFault.NONE, "")


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("", "EMPTY"),
        ("en_US", "UNDERSCORE"),
        ("en-UK", "NO_REGION"),
        ("en-EU", "NO_REGION"),
        ("es-419", "NUMERIC_REGION"),
        ("us", "BARE_COUNTRY"),
        ("jp", "BARE_COUNTRY"),
        ("xx", "NO_LANGUAGE"),
        ("english", "NOT_A_CODE"),
        ("de-DE-1996", "NOT_A_CODE"),
        ("eng", "THREE_LETTERS"),
    ],
)
def test_illegal_codes(code: str, fault: str) -> None:
    assert code_fault(code)[0] is CodeFault[fault]


@pytest.mark.parametrize(
    ("tag", "fault"),
    [
        ("de-AT", ""),
        ("zh-Hant-TW", ""),
        ("x-klingon", ""),
        ("es-419", ""),
        ("en-UK", "lang “{lang}”: “{part}” is not a country"),
        ("en_US", "lang “{lang}” is written with an underscore instead of a hyphen"),
        ("eng", "lang “{lang}”: the registered code of this language has two letters"),
        ("english", "lang “{lang}” is no language tag"),
        ("xx", "lang “{lang}”: “{part}” is not a language"),
    ],
)
def test_tag_of_a_lang_attribute(tag: str, fault: str) -> None:
    assert tag_fault(tag)[0] == fault
