"""Language versions that a page declares."""

import pytest

from findable.artifacts.site.language_versions import LanguageSet
from tests.checks.harness import DEFAULT_HEADERS, artifacts, page


def hreflang(head: str = "", body: str = "", link: str = "") -> LanguageSet:
    headers = [*DEFAULT_HEADERS, *([("Link", link)] if link else [])]
    made = artifacts(page(body, head), headers=headers).get(LanguageSet)
    assert isinstance(made, LanguageSet)
    return made


def alternate(code: str, href: str = "https://www.example.com/de") -> str:
    return f'<link rel="alternate" hreflang="{code}" href="{href}">'


def test_feeds_style_sheets_and_templates_are_no_language_versions() -> None:
    made = hreflang(
        '<link rel="alternate" type="application/rss+xml" href="/feed"><link rel="alternate stylesheet" hreflang="de" href="/x.css">'
        f"<template>{alternate('de')}</template>"
    )

    assert made.entries == ()


def test_entries_of_headers_and_of_the_body() -> None:
    made = hreflang(
        body=alternate("de"),
        link='<https://www.example.com/fr>; rel="alternate"; hreflang="fr", <https://www.example.com/es>; hreflang=es; rel=alternate',
    )

    assert [(item.code, item.in_body, item.usable) for item in made.entries] == [
        ("de", True, False),
        ("fr", False, True),
        ("es", False, True),
    ]


@pytest.mark.parametrize(
    ("href", "fault"),
    [
        ("https://a.example/", ""),
        ("HTTPS://a.example/", ""),
        ("/de", "RELATIVE"),
        ("//a.example/de", "RELATIVE"),
        ("", "MISSING"),
        ("https://[", "UNREADABLE"),
    ],
)
def test_addresses_of_language_versions(href: str, fault: str) -> None:
    assert hreflang(alternate("de", href)).entries[0].url_fault.name.removesuffix("NONE") == fault


def test_contradictions_are_codes_with_two_addresses() -> None:
    made = hreflang(alternate("de") + alternate("DE") + alternate("fr") + alternate("fr", "https://www.example.com/fr"))

    assert [(code, len(entries)) for code, entries in made.contradictions] == [("fr", 2)]


def test_thousands_of_entries_are_counted_and_capped() -> None:
    made = hreflang(alternate("de") * 3000)

    assert (len(made.entries), made.entries_count) == (1000, 3000)


def test_code_is_trimmed_and_in_lower_case() -> None:
    (entry,) = hreflang(alternate("  en-UK ")).entries
    assert (entry.code, entry.code_as_written, entry.code_fault.name, entry.part) == ("en-uk", "  en-UK ", "NO_REGION", "uk")
