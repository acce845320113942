"""Outcomes of charset: first what must not be flagged, then what must."""

from typing import Any

import pytest

from findable.checks.page_fix import FixPlace
from tests.checks.fix_trial import findings_of, try_fixes
from tests.checks.harness import capture, page, verdict

PLAIN: dict[str, Any] = {"headers": [("Content-Type", "text/html")]}

LATIN: dict[str, Any] = {"headers": [("Content-Type", "text/html; charset=windows-1252")]}
XHTML: dict[str, Any] = {"headers": [("Content-Type", "application/xhtml+xml")]}

OUTCOMES: list[tuple[str, str | bytes, dict[str, Any], str]] = [
    ("header and meta agree", page("ä"), {}, "passed"),
    ("header only", "<!doctype html><title>ä</title>", {}, "passed"),
    ("meta only", page("ä"), PLAIN, "passed"),
    ("byte order mark", "\ufeff<!doctype html><title>ä</title>", PLAIN, "passed"),
    ("utf8 and UTF-8 are one", page("ä").replace("utf-8", "UTF8"), {}, "passed"),
    ("a replacement character that was written", page("\ufffd"), {}, "passed"),
    ("cut in the middle of a letter", page("ä").encode()[: page("ä").encode().index("ä".encode()) + 1], {"truncated": True}, "passed"),
    ("XML, which is UTF-8 where nothing is declared", '<?xml version="1.0"?>\n<html><head><title>ä</title></head></html>', XHTML, "passed"),
    (
        "declared for XML, sent as XML",
        '<?xml version="1.0" encoding="UTF-8"?>\n<html><head><title>ä</title></head></html>',
        XHTML,
        "passed",
    ),
    (
        "declared for XML, sent as HTML",
        '<?xml version="1.0" encoding="UTF-8"?>\n<html><head><title>ä</title></head></html>',
        PLAIN,
        "warned",
    ),
    ("not HTML", "x", {"headers": [("Content-Type", "text/plain")]}, "inapplicable"),
    ("an old encoding", "<!doctype html><meta charset=iso-8859-1><title>ä</title>".encode("latin-1"), PLAIN, "warned"),
    ("they differ, and no letter shows it", page("a").replace("–", "-"), LATIN, "warned"),
    ("they differ, and the page is in the encoding of the header", page("ä").encode("cp1252"), LATIN, "warned"),
    ("a label nobody knows", page("ä").replace("utf-8", "utf-9"), {}, "warned"),
    (
        "begins before byte 1,024 and ends behind it",
        "<!doctype html><head><title>ä</title>" + "x" * 0 + "<!-- " + "x" * 950 + " --><meta data-a='" + "b" * 60 + "' charset=utf-8>",
        PLAIN,
        "warned",
    ),
    ("late", "<!doctype html><head><title>ä</title>" + "<!-- " + "x" * 1100 + " --><meta charset=utf-8>", PLAIN, "warned"),
    ("none, and plain ASCII", "<!doctype html><title>a</title>", PLAIN, "warned"),
    ("none, and letters that need one", "<!doctype html><title>ä</title>", PLAIN, "failed"),
    ("UTF-8 that the header has read as something else", page("ä"), LATIN, "failed"),
    ("UTF-8 that only the meta has read as something else", page("ä").replace("utf-8", "iso-8859-1"), PLAIN, "failed"),
    ("wrong bytes", "<!doctype html><title>ä</title>".encode("latin-1"), {}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str | bytes, given: dict[str, Any], expected: str) -> None:
    assert verdict("charset", html, **given) == expected, case


@pytest.mark.parametrize(
    ("html", "place", "code"),
    [
        ("<!doctype html><html><head id=a><title>ä</title>", FixPlace.ELEMENT, '<head id=a><meta charset="utf-8">'),
        ("<!doctype html><html lang=de><title>ä</title>", FixPlace.ELEMENT, '<html lang=de><meta charset="utf-8">'),
        ("<!doctype html><title>ä</title>", FixPlace.HEAD, '<meta charset="utf-8">'),
        (f"<!doctype html><html class='{'a ' * 500}'><head><title>ä</title>", FixPlace.HEADER, "Content-Type: text/html; charset=utf-8"),
    ],
)
def test_the_declaration_is_offered_where_browsers_search_it(html: str, place: FixPlace, code: str) -> None:
    page_as_sent = capture(html, **PLAIN)
    before = findings_of(page_as_sent)
    trial = try_fixes(page_as_sent, before, "charset")

    assert [(fix.place, fix.code) for fix in before["charset"].fixes] == [(place, code)]
    assert trial is not None
    assert trial.is_right


def test_no_utf8_declaration_is_offered_for_other_bytes() -> None:
    assert findings_of(capture("<!doctype html><title>ä</title>".encode("latin-1"), **PLAIN))["charset"].fixes == ()
