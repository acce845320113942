"""The gettext catalogues hold what the code says."""

import gettext
import re
from io import BytesIO

from findable.wording import CATALOGUES, LANGUAGES
from hatch_build import compiled
from tools.catalogue import catalogue as made_anew
from tools.catalogue import folder_of, missing, read, written


def test_the_catalogues_hold_what_the_code_says() -> None:
    behind = [
        f"{code}/{name}: run make catalogues"
        for code in LANGUAGES
        if code != "en"
        for name in CATALOGUES
        if (folder_of(code) / f"{name}.po").read_bytes() != written(made_anew(name, code))
    ]

    assert behind == []


def test_gettext_reads_every_translation_of_a_compiled_catalogue() -> None:
    for code in LANGUAGES.keys() - {"en"}:
        for name in CATALOGUES:
            found = gettext.GNUTranslations(BytesIO(compiled((folder_of(code) / f"{name}.po").read_text("utf-8"))))
            assert found.charset() == "utf-8"
            for message in made_anew(name, code):
                if isinstance(message.id, tuple) and isinstance(message.string, tuple):
                    one, many = message.id
                    assert tuple(found.ngettext(one, many, count) for count in (1, 2)) == message.string
                elif isinstance(message.id, str) and message.id and message.string:
                    assert found.gettext(message.id) == message.string


def test_a_text_without_a_translation_is_not_in_a_compiled_catalogue() -> None:
    header = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
    found = gettext.GNUTranslations(BytesIO(compiled(header + 'msgid "a \\"b\\"\\n"\nmsgstr "ä \\"ö\\"\\n"\n\nmsgid "c"\nmsgstr ""\n')))
    assert (found.gettext('a "b"\n'), found.gettext("c")) == ('ä "ö"\n', "c")


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
