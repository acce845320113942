"""Outcomes of render-blocking: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict

CSS = "https://www.example.com/a.css"
JS = "https://www.example.com/a.js"
SHEET = '<link rel="stylesheet" href="/a.css">'
PRINT = '<link rel="stylesheet" media="print" href="p.css"><link rel="alternate stylesheet" href="q.css"><link rel="stylesheet" disabled href="r.css">'

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
    ("two style sheets", page(head=SHEET + SHEET.replace("a.css", "b.css")), {}, "warned"),
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
