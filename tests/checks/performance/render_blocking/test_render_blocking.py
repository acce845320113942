"""Outcomes of render-blocking: first what must not be flagged, then what must."""

from typing import Any

import pytest

from findable.checks.performance.render_blocking import SCRIPTS_ADVICE, STYLESHEETS_ADVICE
from tests.checks.harness import finding, page, verdict

CSS = "https://www.example.com/a.css"
JS = "https://www.example.com/a.js"
SHEET = '<link rel="stylesheet" href="/a.css">'
PRINT = '<link rel="stylesheet" media="print" href="p.css"><link rel="alternate stylesheet" href="q.css"><link rel="stylesheet" disabled href="r.css">'
MEDIA = {"a": "screen, print", "b": "print,only  screen", "c": "ALL", "d": "print, (min-width: 800px)", "e": "print,"}

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("nothing", page(), {}, "passed"),
    ("one style sheet", page(head=SHEET), {}, "passed"),
    (
        "deferred scripts",
        page(head="<script src=a.js defer></script><script src=b.js async></script><script type=module src=c.js></script>"),
        {},
        "passed",
    ),
    ("inline scripts and data", page(head='<script>let x</script><script type="application/ld+json" src="x.json"></script>'), {}, "passed"),
    ("a script in the body", page("<script src=a.js></script>"), {}, "passed"),
    ("for old browsers", page(head="<script nomodule src=a.js></script>"), {}, "passed"),
    ("for print, alternate, disabled", page(head=SHEET + PRINT), {}, "passed"),
    ("two style sheets of the site", page(head=SHEET + SHEET.replace("a.css", "b.css")), {}, "passed"),
    ("two style sheets, one from elsewhere", page(head=SHEET + SHEET.replace("/a.css", "https://fonts.example.net/b.css")), {}, "warned"),
    ("three style sheets", page(head=SHEET + SHEET.replace("a.css", "b.css") + SHEET.replace("a.css", "c.css")), {}, "warned"),
    ("a script", page(head="<script src=a.js></script>"), {}, "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("render-blocking", html, **given) == expected, case


def test_a_script_that_does_not_load_is_not_deferred() -> None:
    html = page("<h1>Prices</h1>", head='<script src="/a.js"></script>')
    url = "https://www.example.com/a.js"

    assert finding("render-blocking", html, assets={url: {"body": "a()"}}).fixes
    assert finding("render-blocking", html, assets={url: 404}).fixes == ()


def test_message_and_advice_are_about_what_there_is() -> None:
    sheets = finding("render-blocking", page(head="".join(SHEET.replace("a.css", f"{name}.css") for name in "abc")))
    scripts = finding("render-blocking", page(head=SHEET + "<script src=a.js></script>"))

    assert "scripts_count" not in sheets.message
    assert sheets.advice == STYLESHEETS_ADVICE
    assert scripts.advice == SCRIPTS_ADVICE


def test_a_media_list_with_screen_applies_to_screens() -> None:
    lists = [SHEET.replace("a.css", f"{name}.css").replace("<link", f'<link media="{media}"') for name, media in MEDIA.items()]

    assert finding("render-blocking", page(head="".join(lists))).params["sheets_count"] == 3


def test_nothing_is_said_about_stylesheets_behind_an_early_end_of_the_head() -> None:
    html = f"<!doctype html><html><head><title>A</title><script src=a.js></script><iframe></iframe>{SHEET}</head><body><p>Text</p></body></html>"
    found = finding("render-blocking", html)

    assert "sheets_count" not in found.message
    assert found.evidence[-1].note == "ends the head; files after it are not counted"


def test_a_deferred_script_is_pasted_with_its_end_tag() -> None:
    found = finding("render-blocking", page("<h1>Prices</h1>", head='<script src="/a.js"></script>'))

    assert [fix.code for fix in found.fixes] == ['<script src="/a.js" defer></script>']


def test_a_script_that_does_not_load_is_named_as_such() -> None:
    found = finding("render-blocking", page(head='<script src="/a.js"></script>'), assets={JS: 404})

    assert "cannot be loaded" in found.evidence[0].note
