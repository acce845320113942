"""Outcomes of iframe-title: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import finding, page, verdict

HIDING = "/* bar */ b{color:red} h1, iframe#bar, .off { display: none !important } @media print { #wide { display: none } } #wide{}"

OUTCOMES = [
    ("a title", page('<iframe src="https://v.example/" title="Film"></iframe>'), "passed"),
    ("a label", page('<iframe src="https://v.example/" aria-label="Film"></iframe>'), "passed"),
    ("one pixel", page('<iframe src="https://v.example/" width=1 height=1></iframe>'), "inapplicable"),
    (
        "hidden",
        page(
            '<iframe src="https://v.example/" hidden></iframe><div style="visibility:hidden"><iframe src="https://v.example/"></iframe></div>'
        ),
        "inapplicable",
    ),
    ("a measuring service", page('<iframe src="https://a30.cdn.optimizely.com/client_storage/a30.html"></iframe>'), "inapplicable"),
    ("without an address", page("<iframe></iframe>"), "inapplicable"),
    ("in a noscript", page('<noscript><iframe src="https://t.example/"></iframe></noscript>'), "inapplicable"),
    (
        "hidden by the page's own style",
        page('<iframe src="https://v.example/" id="bar"></iframe>', head=f"<style>{HIDING}</style>"),
        "inapplicable",
    ),
    (
        "in a part that the page's own style hides",
        page('<p class="big off"><iframe src="https://v.example/"></iframe>', head=f"<style>{HIDING}</style>"),
        "inapplicable",
    ),
    ("hidden on some screens", page('<iframe src="https://v.example/" id="wide"></iframe>', head=f"<style>{HIDING}</style>"), "warned"),
    ("none high, but for its style", page('<iframe src="https://v.example/" height=0 style="height: 800px"></iframe>'), "warned"),
    ("none high by its style", page('<iframe src="https://v.example/" height=80 style="width:80%;height:0"></iframe>'), "inapplicable"),
    ("none", page('<iframe src="https://v.example/"></iframe>'), "warned"),
    ("a document of its own", page('<iframe srcdoc="<p>x</p>"></iframe>'), "warned"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("iframe-title", html) == expected, case


def test_a_title_is_never_the_name_of_the_host() -> None:
    frame = '<iframe src="https://www.openstreetmap.org/e"></iframe>'
    assert finding("iframe-title", page(f"<h1>Bakery</h1>{frame}")).fixes == ()
    assert finding("iframe-title", page(f"<section><h2>Map</h2>{frame}{frame}</section>")).fixes == ()
    button = '<iframe src="https://www.facebook.com/plugins/like.php?href=x"></iframe>'
    assert finding("iframe-title", page(f"<section><h2>Map</h2>{button}</section>")).fixes == ()
    assert finding("iframe-title", page(f"<div><aside><h2>Follow us</h2></aside><p>{frame}</p></div>")).fixes == ()
    named = finding("iframe-title", page(f"<section><h2>Map</h2>{frame}</section>")).fixes
    hidden = '<h2>Map <a href="/" style="display: none">Cancel</a></h2>'
    assert [fix.code for fix in finding("iframe-title", page(f"<section>{hidden}{frame}</section>")).fixes] == [fix.code for fix in named]
    assert [fix.code for fix in named] == ['<iframe src="https://www.openstreetmap.org/e" title="Map"></iframe>']
