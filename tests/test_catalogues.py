"""The gettext catalogues hold what the code says."""

import re

from findable.wording import CATALOGUES, LANGUAGES
from tools.catalogue import catalogue as made_anew
from tools.catalogue import folder_of, missing, read, written


def test_the_catalogues_hold_what_the_code_says() -> None:
    behind = [
        f"{code}/{name}.{ending}: run make catalogues"
        for code in LANGUAGES
        if code != "en"
        for name in CATALOGUES
        for ending, content in zip(("po", "mo"), written(made_anew(name, code)), strict=True)
        if (folder_of(code) / f"{name}.{ending}").read_bytes() != content
    ]

    assert behind == []


def test_nothing_but_a_preview_lacks_a_translation() -> None:
    assert [
        f"{code}/{name}: {line}"
        for code in LANGUAGES
        if code != "en"
        for name in CATALOGUES
        for line in missing(made_anew(name, code), owed=True)
    ] == []


def test_no_line_of_a_translation_ends_within_the_url_of_a_link() -> None:
    messages = [message for code in LANGUAGES if code != "en" for name in CATALOGUES for message in made_anew(name, code)]

    assert [message.string for message in messages if re.search(r"\]\(https?://[^)]*\s", str(message.string))] == []


def test_texts_are_read_however_they_are_written() -> None:
    findings, checks, interface = read("findings"), read("checks"), read("interface")

    assert "{rule}: the date cannot be read" in findings  # put together from two places
    assert "lang “{lang}” is no language tag" in findings  # made by an artifact
    assert "{count|link|links}" not in findings
    assert "Does the title fit a result line?" in checks
    assert "Skip to the content" in interface
    assert "Not rated." in interface  # inside an f-string
    assert "The page did not load in time." in interface  # of a table that errors are made from
    assert "Sign in first." in interface  # raised
