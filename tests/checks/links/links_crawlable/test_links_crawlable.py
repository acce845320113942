"""Outcomes of links-crawlable: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import finding, page, verdict

OUTCOMES = [
    (
        "a URL on an element within a link, and around one",
        page(
            '<a href="/a"><div href="/a">A page</div></a><ul><li href="/b"><a href="/b">Another</a></li></ul>'
            '<div data-fancybox href="/large.jpg"><img src="/small.jpg" alt="A"></div>'
        ),
        "passed",
    ),
    (
        "buttons that share, search and ask for consent",
        page(
            '<a href="javascript:;" onclick="open_(1)" class="social-link">Twitter</a><a href="javascript:go()">Search</a>'
            '<a href="javascript:window.Cookiebot.renew();">Administrér samtykke</a><a href="/a">A page</a>'
            '<a href="javascript:decreaseFontSize();">A</a><button href="https://www.facebook.com/sharer.php?u=x">Share</button>'
        ),
        "passed",
    ),
    ("plain links", page('<a href="/a">A page</a><a href="//b.example/">B</a>'), "passed"),
    ("a named place", page('<a id="x"></a><a name="y"></a><a href="/a">A page</a>'), "passed"),
    ("an empty href", page('<a href="">Here</a><a href="/a">A page</a>'), "passed"),
    ("href wins over a handler", page('<a href="/a" onclick="go()">A page</a>'), "passed"),
    ("back to the top", page('<a href="#">Up</a><a href="#top">Top</a><a href="/a">A page</a>'), "passed"),
    ("a placeholder in a menu", page('<ul><li><a>Products</a><ul><li><a href="/a">A page</a></li></ul></li></ul>'), "passed"),
    ("a script behind a role", page('<a href="javascript:void(0)" role="button">Menu</a><a href="/a">A page</a>'), "passed"),
    ("a script behind a state", page('<a href="javascript:;" aria-expanded="false">Menu</a><a href="/a">A page</a>'), "passed"),
    ("a script behind a sign", page('<a href="javascript:;">×</a><a href="/a">A page</a>'), "passed"),
    ("back in the history", page('<a href="javascript:history.back();">Back</a><a href="/a">A page</a>'), "passed"),
    (
        "printing and closing",
        page('<a href="javascript:window.print()">Print</a><a href="JavaScript:void window.close()">Close</a><a href="/a">A</a>'),
        "passed",
    ),
    (
        "telephone, mail and other programs",
        page('<a href="tel:1">Call</a><a href="mailto:a@b.example">Mail</a><a href="whatsapp://send">Chat</a><a href="/a">A</a>'),
        "passed",
    ),
    ("a button with a stray href", page('<button href="#">Like</button><a href="/a">A page</a>'), "passed"),
    ("a fragment of an anchor with a name", page('<a href="#/how">How</a><a name="how"></a><a href="/a">A page</a>'), "passed"),
    ("a fragment with a slash that exists", page('<a href="#/x">X</a><p id="/x">x</p><a href="/a">A page</a>'), "passed"),
    ("one of sixty", page('<a href="javascript:go()">Go</a>' + '<a href="/a">A page</a>' * 60), "passed"),
    ("spaces and tabs in the href", page('<a href=" \t/a\n">A page</a>'), "passed"),
    ("in a template", page('<template><a href="javascript:go()">Go</a></template><a href="/a">A page</a>'), "passed"),
    ("no links", page("<p>Text</p>"), "inapplicable"),
    ("a widget", page('<a class="fb-like" data-href="https://a.example/">Like</a><a href="/a">A page</a>'), "passed"),
    ("one share button alone", page('<a href="javascript:void(0)" class="share-button">Post this</a>'), "inapplicable"),
    (
        "a share button by its script",
        page('<a href="javascript:void(0)" onclick="share2weibo.showPopup(this)">微博</a><a href="/a">A</a>'),
        "passed",
    ),
    ("a share button by its text", page('<a onclick="go()">Teilen</a><a href="/a">A page</a>'), "passed"),
    (
        "share buttons by the URL that they open or pass on",
        page(
            "<a href='javascript:void(0)' onclick=\"window.open('https://pinterest.com/pin/create/button/?url=x')\">Pin</a>"
            '<a href="javascript:" data-href="https://www.example.com/shop/blue-widgets" class="btn_fb">FB</a>'
            '<a href="javascript:" data-href="/x" aria-label="LINE分享"><b>L</b></a><a href="/a">A</a>'
        ),
        "passed",
    ),
    ("a consent button", page('<a href="javascript:openCmp()" id="consent-settings">Privacy</a><a href="/a">A page</a>'), "passed"),
    ("a vote", page('<a onclick="getMotions(1);"><img src="/m.gif" alt="">Happy</a><a href="/a">A page</a>'), "passed"),
    ("a button of a widget", page('<a href="javascript:void(0);" title="Upload">Upload</a><a href="/a">A page</a>'), "passed"),
    ("data that names a page", page('<a href="javascript:;" data-url="/b">B</a>' + '<a href="/a">A page</a>' * 9), "warned"),
    ("a page of a list", page('<a href="javascript:;">Next</a>' + '<a href="/a">A page</a>' * 9), "warned"),
    (
        "words that only begin so",
        page('<a href="javascript:go()" class="shareholder">Printers</a>' + '<a href="/a">A page</a>' * 9),
        "warned",
    ),
    ("one of ten", page('<a href="javascript:go()">Go</a>' + '<a href="/a">A page</a>' * 9), "warned"),
    ("only a handler", page('<a onclick="go()">Go</a>' + '<a href="/a">A page</a>' * 9), "warned"),
    ("letter case and entities", page('<a href="JaVaScript&colon;go()">Go</a>' + '<a href="/a">A page</a>' * 9), "warned"),
    ("a hash route", page('<a href="#/about">About</a>' + '<a href="/a">A page</a>' * 9), "warned"),
    ("a span that poses as a link", page('<span href="/b">B</span>' + '<a href="/a">A page</a>' * 9), "warned"),
    ("a fifth and more", page('<a href="javascript:go()">Go</a>' * 3 + '<a href="/a">A page</a>' * 9), "failed"),
    ("no internal link at all", page('<a href="javascript:go()">Go</a><a href="https://b.example/">B</a>'), "failed"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("links-crawlable", html) == expected, case


def test_a_click_that_would_open_two_pages_gets_no_code() -> None:
    def fixes(handler: str) -> list[str]:
        html = page(f"<a href='javascript:;' onclick=\"{handler}\">Go</a>" + '<a href="/a">A page</a>' * 9)
        return [fix.code for fix in finding("links-crawlable", html).fixes]

    assert fixes("window.open('/b')") == []
    assert len(fixes("window.open('/b'); return false")) == 1
    assert len(fixes("location.href='/b'")) == 1
