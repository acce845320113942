"""Outcomes of soft-404."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

LONG = " ".join(f"Sentence {number} tells what widget{number} is made of and how long it lasts." for number in range(20))
HTML = [["Content-Type", "text/html"]]

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("real", page(f"<h1>Blue widgets</h1><p>{LONG}</p>"), {}, "passed"),
    ("short and real", page("<h1>Contact</h1><p>Call us.</p>"), {}, "passed"),
    ("wording in the text", page(f"<h1>Help</h1><p>What to do when a page was not found. {LONG}</p>"), {}, "passed"),
    ("a number in the title", page(f"<h1>Peugeot 404</h1><p>{LONG}</p>", "<title>Peugeot 404</title>"), {}, "passed"),
    (
        "made-up address answers 404",
        page(f"<h1>Blue widgets</h1><p>{LONG}</p>"),
        {"made_up": {"status": 404, "body": page(f"<h1>Blue widgets</h1><p>{LONG}</p>"), "headers": HTML}},
        "passed",
    ),
    (
        "home page of a site that answers everything with it",
        page(f"<h1>Blue widgets</h1><p>{LONG}</p>"),
        {"url": "https://www.example.com/", "made_up": {"body": page(f"<h1>Blue widgets</h1><p>{LONG}</p>"), "headers": HTML}},
        "passed",
    ),
    (
        "an article about such pages",
        page(f"<h1>How to mend 404 errors: the page not found message explained</h1><p>{LONG * 2}</p>"),
        {},
        "passed",
    ),
    (
        "few words, like the made-up page: scripts build both",
        page(f"<p>{LONG[:240]}</p>"),
        {"made_up": {"body": page(f"<p>{LONG[:240]}</p>"), "headers": HTML}},
        "passed",
    ),
    ("real 404", page("<h1>Page not found</h1>"), {"status": 404}, "inapplicable"),
    ("wording and much text", page(f"<h1>Page not found</h1><p>{LONG}</p>"), {}, "warned"),
    (
        "like the made-up page",
        page(f"<h1>Blue widgets</h1><p>{LONG}</p>"),
        {"made_up": {"body": page(f"<h1>Blue widgets</h1><p>{LONG}</p>"), "headers": HTML}},
        "warned",
    ),
    ("long error page", page(f"<h1>Oops, page not found</h1><p>{LONG * 2}</p>"), {}, "warned"),
    ("wording and few words", page("<h1>Page not found</h1>"), {}, "failed"),
    ("German", page("<h1>Seite nicht gefunden</h1>", lang="de"), {}, "failed"),
    (
        "wording and like the made-up page",
        page(f"<h1>Page not found</h1><p>{LONG}</p>"),
        {"made_up": {"body": page(f"<h1>Page not found</h1><p>{LONG}</p>"), "headers": HTML}},
        "failed",
    ),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("soft-404", html, **given) == expected, case
