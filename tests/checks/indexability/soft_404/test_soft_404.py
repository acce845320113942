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
    ("a short answer about such pages", page(f"<h1>How to mend a 404 page not found error in nginx</h1><p>{LONG}</p>"), {}, "passed"),
    (
        "few words, like the made-up page: scripts build both",
        page(f"<p>{LONG[:240]}</p>"),
        {"made_up": {"body": page(f"<p>{LONG[:240]}</p>"), "headers": HTML}},
        "passed",
    ),
    ("one word", page("<p>ok</p>"), {}, "passed"),
    ("a picture alone", page('<img src="/a.png" alt="">'), {}, "passed"),
    ("a drawing alone", page('<svg viewBox="0 0 1 1"><path d="M0 0h1"/></svg>'), {}, "passed"),
    ("frames", "<!doctype html><title>x</title><frameset cols=50%,50%><frame src=a><frame src=b></frameset>", {}, "passed"),
    ("a player", page('<iframe src="/player"></iframe>'), {}, "passed"),
    ("a script alone may write the page", page("<script>document.write(1)</script>"), {}, "passed"),
    ("a page that leads on", page("", '<title>x</title><meta http-equiv="refresh" content="0; url=/new">'), {}, "inapplicable"),
    ("a field to search in", page('<form action="/s"><input name="q"></form>'), {}, "passed"),
    ("nothing, and says so", page(""), {"status": 404}, "inapplicable"),
    ("nothing", page(""), {}, "failed"),
    ("not one byte", "", {}, "failed"),
    ("nothing but boxes and spaces", page('<div class="page"><p>&nbsp;</p></div>'), {}, "failed"),
    ("nothing but an address of style", page("", '<title>x</title><link rel="stylesheet" href="/a.css">'), {}, "failed"),
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


def test_a_page_that_shows_only_an_error_message_fails() -> None:
    for text, expected in (
        ("<b>Fatal error</b>: Uncaught Error in /srv/a.php on line 3", "failed"),
        ("<h1>Error establishing a database connection</h1>", "failed"),
        ("<center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center>", "failed"),
        (f"<h1>Internal server error: what it means</h1><p>{LONG * 3}</p>", "passed"),
        (f"<h1>Blue widgets</h1><p>Fatal error: {LONG}</p>", "passed"),
    ):
        assert verdict("soft-404", page(text)) == expected, text
