"""Outcomes of control-names: first what must not be flagged, then what must."""

import pytest

from findable.checks.accessibility.control_names import ADVICE, EMPTY_LINK_ADVICE
from tests.checks.harness import finding, page, verdict

OUTCOMES = [
    ("a label", page('<label for="a">A</label><input id="a">'), "passed"),
    ("a label around", page("<label>A <select><option>1</option></select></label>"), "passed"),
    ("a hidden label still names", page('<span id="l" hidden>A</span><input aria-labelledby="l">'), "passed"),
    ("a placeholder", page('<input placeholder="Search">'), "passed"),
    ("buttons that browsers name", page('<input type="submit"><input type="reset">'), "passed"),
    ("a picture button", page('<input type="image" src="a.png" alt="Go">'), "passed"),
    ("a link with a label inside", page('<a href="/"><span aria-label="Home"></span></a>'), "passed"),
    (
        "hidden ones",
        page('<div hidden><input></div><p aria-hidden="true"><button></button></p><input style="display: none"><a href="/">Home</a>'),
        "passed",
    ),
    ("a trap for robots", page('<input tabindex="-1"><a href="/">Home</a>'), "passed"),
    (
        "a lazy picture with a fallback",
        page('<a href="/"><noscript><img src="a.png" alt="A"></noscript></a><a href="/">Home</a>'),
        "passed",
    ),
    (
        "a number that a script writes",
        page('<a href="/b"><span class="comment-count" data-id="7"></span></a><button><b ng-bind="total"></b></button>'),
        "passed",
    ),
    (
        "a link that a script fills",
        page('<a href="/b#disqus_thread"></a><a class="comment-count" href="/b"></a><a href="/">Home</a>'),
        "passed",
    ),
    ("a place of an advertisement", page('<a data-native-ad-id="title" href="/ad"></a><a href="/">Home</a>'), "passed"),
    ("a named script", page('<a href="javascript:void(0)" aria-label="Next"></a><a href="javascript:go()">More</a>'), "passed"),
    ("an address for a script", page('<a href="/f.g?id=1" id="comment-editor-src"></a><a href="/">Home</a>'), "passed"),
    ("an arrow without an address", page('<a class="next"></a><a href="/">Home</a>'), "passed"),
    ("none", page("<p>Text</p>"), "inapplicable"),
    ("a page that scripts build", page('<div id="root"></div><script src="/app.js"></script>'), "unknown"),
    (
        "a field whose id a script changes to that of its label",
        page(
            '<label for="comment">Comment</label><textarea id="j95b"></textarea>'
            '<script>document.getElementById("j95b").setAttribute("id", "comment")</script>'
        ),
        "unknown",
    ),
    ("a script that sets the id of another element", page('<input id="q1"><script>other("q2").setAttribute("id", "a")</script>'), "warned"),
    ("a script that hides the field", page('<input id="q1"><script>hide("q1")</script>'), "warned"),
    ("an image in a link that a text names", page('<a href="/a"><img src="a.png" aria-labelledby="t"></a><p id="t">WAI</p>'), "passed"),
    ("an icon button", page('<button><i class="icon"></i></button>'), "warned"),
    ("an empty value", page('<input type="submit" value="">'), "warned"),
    ("a label whose id is misspelt", page('<label for="a">A</label><input id="b">'), "warned"),
    ("an arrow with a script", page('<a href="javascript:void(0)" class="next"></a>'), "warned"),
    ("a role", page('<div role="button"></div>'), "warned"),
    ("white space and no-break space", page('<button aria-label=" ">&nbsp;</button>'), "warned"),
    ("a link with an image without alt is the image's fault", page('<a href="/a"><img src="a.png"></a>'), "inapplicable"),
    ("an image button without alt too", page('<input type="image" src="a.png">'), "inapplicable"),
    ("a drawing in a link is the link's fault", page('<a href="/a"><svg role="img"></svg></a>'), "warned"),
    ("four of many", page("<button></button>" * 4 + '<a href="/a">A</a>' * 236), "warned"),
    ("four", page("<button></button>" * 4), "failed"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("control-names", html) == expected, case


def test_a_fix_takes_words_for_readers_only() -> None:
    nameless = (
        '<a href="/basket"><i></i></a><a href="/shop/my-bag.html"><i></i></a><input name="user_mail" id="mail"><button value="go"></button>'
    )
    found = finding("control-names", page(f'{nameless}<a href="/basket">Enlarge</a><a href="/basket">Your basket</a>'))
    assert [fix.code for fix in found.fixes] == ['<a href="/basket" aria-label="Your basket">']
    assert found.advice == ADVICE


def test_a_link_that_holds_nothing_is_to_be_removed() -> None:
    found = finding("control-names", page('<a href="/basket">Your basket</a><a href="/basket"> </a>'))

    assert (found.fixes, found.advice) == ((), EMPTY_LINK_ADVICE)


def test_a_script_or_a_bare_number_sign_gives_no_name() -> None:
    links = '<a href="#">Sign in</a><a href="javascript:void(0)">Upload</a>'
    assert finding("control-names", page(f'{links}<a href="#" id="next"></a><a href="javascript:void(0)"></a>')).fixes == ()


def test_a_url_and_words_of_links_to_the_home_page_give_no_name() -> None:
    urls = '<a href="/a"><i></i></a><a href="/a">https://www.example.com/a</a>'
    home = '<a href="/"><i></i></a><a href="/">United Kingdom</a>'
    assert finding("control-names", page(urls + home)).fixes == ()
