"""Outcomes of h1-present: first what must not be flagged, then what must."""

import pytest

from findable.vocabulary import Fault, Verdict
from tests.checks.harness import finding, page, verdict

OUTCOMES = [
    ("one", page("<h1>Blue widgets</h1>"), "passed"),
    ("in a part that a script unlocks", page(f'<div style="display:none"><h1>Blue widgets</h1>{"<p>x</p>" * 60}</div>'), "unknown"),
    ("in a part that React moves", page('<div hidden id="S:1"><h1>Blue widgets</h1></div>'), "unknown"),
    ("in a part that Marko moves", page('<div id="afbrwweb2" style="display:none"><h1>Blue widgets</h1></div>'), "unknown"),
    ("hidden alone", page('<div style="display:none"><h1>Blue widgets</h1></div><p>x</p>'), "warned"),
    ("an empty one first", page("<h1></h1><h1>Blue widgets</h1>"), "passed"),
    ("a logo with alternative text", page('<h1><img src="/l.png" alt="Example"></h1>'), "passed"),
    ("a role", page('<div role="heading" aria-level="1">Blue widgets</div>'), "passed"),
    ("a label", page('<h1 aria-label="Blue widgets"></h1>'), "passed"),
    ("for screen readers only", page('<h1 class="sr-only">Blue widgets</h1>'), "passed"),
    ("upper case and nested", page("<H1><span><b>Blue</b></span></H1>"), "passed"),
    ("below 400 divs", page("<div>" * 400 + "<h1>Deep</h1>"), "passed"),
    ("deeper than the parser keeps", page("<div>" * 3000 + "<h1>Deep</h1>"), "unknown"),
    ("a script shell", '<!doctype html><title>x</title><div id="root"></div><script src="/a.js"></script>', "unknown"),
    ("a hidden one before a visible one", page("<h1 hidden>Menu</h1><h1>Blue widgets</h1>"), "passed"),
    ("a logo beside the heading", page('<h1><a href="/"><img src="/l.png" alt="Example"></a></h1><h1>Blue</h1><h2>Sizes</h2>'), "passed"),
    ("a link to another page", page('<h1><a href="/shop/">Shop</a></h1><h2>Sizes</h2>'), "passed"),
    ("a logo without another heading", page('<h1><a href="/">Example</a></h1><aside><h2>News</h2></aside>'), "passed"),
    ("the title as a link", page('<h1><a href="/">Blue widgets</a></h1><h2>Sizes</h2>', head="<title>Blue widgets</title>"), "passed"),
    ("a logo", page('<h1><a href="/"><img src="/l.png" alt="Example"></a></h1><h2>Blue widgets</h2>'), "warned"),
    ("a logo in a link", page('<a href="https://example.com"><h1>Example</h1></a><h2>Sizes</h2>'), "warned"),
    ("hidden", page("<h1 hidden>Blue widgets</h1><p>Text</p>"), "warned"),
    ("in a hidden part", page('<div style="display:none"><h1>Blue widgets</h1></div><h2>Sizes</h2>'), "warned"),
    ("only in a textarea", page("<textarea><h1>x</h1></textarea><h2>Sizes</h2>"), "warned"),
    ("only in a template", page("<template><h1>x</h1></template><h2>Sizes</h2>"), "warned"),
    ("others only", page("<h2>Sizes</h2>"), "warned"),
    ("empty", page("<h1> </h1><p>Text</p>"), "warned"),
    ("none in a short text", page("<p>Text</p>"), "warned"),
    ("only an empty lower one in a long text", page(f"<h3></h3><p>{'Many words. ' * 100}</p>"), "failed"),
    ("only an empty lower one in a short text", page("<h3></h3><p>Text</p>"), "warned"),
    ("none in a long text", page(f"<p>{'Many words. ' * 100}</p>"), "failed"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("h1-present", html) == expected, case


def test_an_empty_heading_is_not_called_the_first_heading() -> None:
    found = finding("h1-present", page("<h3></h3><h2>Sizes</h2>"))

    assert found.params == {"level": 2}
    assert [item.text for item in found.evidence] == ["<h2>Sizes</h2>"]


def _fixes(body: str, title: str) -> list[str]:
    return [fix.code for fix in finding("h1-present", page(body, head=f"<title>{title}</title>")).fixes]


def test_only_the_heading_of_the_content_that_says_the_title_is_raised() -> None:
    assert _fixes("<h2>Highlights</h2><main><h2>Bread of the market</h2></main>", "Bread of the market") == ["<h1>Bread of the market</h1>"]
    assert _fixes("<h2>Highlights</h2><p>Text</p>", "Bread of the market") == []
    assert _fixes("<nav><h2>Bread of the market</h2></nav>", "Bread of the market") == []
    assert _fixes('<div class="share-drawer"><h2>Bread of the market</h2></div>', "Bread of the market") == []
    assert _fixes("<h2>Bread of the market</h2><h3>Rolls</h3>", "Bread of the market") == []
    assert _fixes("<h3>More from the Bread Show</h3>", "Rye | The Bread Show") == []


def _page(body: str, title: str, more: str = "") -> str:
    return page(body, head=f"<title>{title}</title>{more}")


def test_the_heading_that_agrees_with_the_title_is_the_main_one() -> None:
    for body, title, more in (
        ("<nav><h1>Menu</h1></nav><main><h1>Bread of the market</h1></main>", "Bread of the market | Example", ""),
        ("<h1>Example</h1><h1>Bread of the market</h1>", "Bread of the market | Example", ""),
        ("<h1>Example</h1><h1>市場のパンと小麦粉</h1>", "市場のパンと小麦粉_Example", ""),
        ("<h1>Search</h1><h1>Fresh bread</h1>", "Example", '<meta property="og:title" content="Fresh bread">'),
    ):
        found = finding("h1-present", _page(body, title, more))
        assert (found.verdict.value, found.params["text"]) == ("passed", next(text for text in NAMES if text in body)), body


NAMES = ("Bread of the market", "市場のパンと小麦粉", "Fresh bread")


def test_the_position_decides_if_the_title_does_not() -> None:
    assert finding("h1-present", _page("<h1>First</h1><h1>Second</h1>", "Other words")).params["text"] == "First"
    assert finding("h1-present", _page("<nav><h1>First</h1></nav><h1>Second</h1>", "Other words")).params["text"] == "Second"


def test_a_tagline_in_the_title_does_not_replace_the_main_heading() -> None:
    body = "<header><h1>Blue widgets</h1></header><main><h2>Delivered in three days</h2></main>"
    found = finding("h1-present", _page(body, "Blue widgets – delivered in three days"))

    assert (found.verdict.value, found.params["text"]) == ("passed", "Blue widgets")


def test_a_site_name_as_the_only_main_heading_is_reported() -> None:
    body = "<header><h1>Example</h1></header><article><h2>Bread of the market</h2><p>Text</p></article>"
    found = finding("h1-present", _page(body, "Bread of the market | Example"))
    assert (found.verdict.value, found.params["heading"]) == ("warned", "Bread of the market")

    section = "<main><h1>Literature</h1><h2>Bread of the market</h2></main>"
    assert verdict("h1-present", _page(section, "Bread of the market | Example")) == "info"
    home = finding("h1-present", _page(body, "Bread of the market | Example"), url="https://www.example.com/")
    assert home.verdict.value == "passed"


def test_the_logo_may_be_the_heading_of_the_home_page() -> None:
    html = page('<h1><a href="/"><img src="/l.png" alt="Example"></a></h1><h2>Blue widgets</h2>')

    assert verdict("h1-present", html, url="https://www.example.com/") == "passed"
    assert finding("h1-present", html).fault == Fault.WRONG_HEADING


def test_the_heading_of_an_article_is_one_of_two_names() -> None:
    advisory = "<main><article><header><h1>Advisory 2024-17</h1></header><h2>Faults fixed in the reader</h2></article></main>"
    logo = "<header><h1>Example reader</h1></header><main><h2>Faults fixed in the reader</h2></main>"

    assert finding("h1-present", _page(advisory, "Faults fixed in the reader — Example")).verdict is Verdict.INFO
    assert finding("h1-present", _page(logo, "Faults fixed in the reader — Example")).verdict is Verdict.WARNED


def test_the_heading_that_names_the_page_is_to_become_the_main_one() -> None:
    drawer = '<div class="drawer"><h4>Blue widgets</h4></div>'
    found = finding("h1-present", page(f"{drawer}<h2>Blue widgets</h2><h4>Sizes</h4>", head="<title>Blue widgets - Example</title>"))
    assert (found.advice, found.params.get("heading"), found.fixes) == ("Mark up “{heading}” as h1.", "Blue widgets", ())

    other = finding("h1-present", page(f"{drawer}<h2>News of the day</h2>", head="<title>Blue widgets</title>"))
    assert (other.advice, other.fixes) == ("", ())
