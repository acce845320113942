"""Outcomes of links-internal-nofollow: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import page, verdict

OUTCOMES = [
    (
        "actions",
        page(
            '<a href="/q/26862" class="js-share-link" rel="nofollow">Share</a><a href="/posts/8/bookmark" rel="nofollow">B</a>'
            '<a href="/utente/registrazione/start.html" rel="nofollow">Registrati</a><a href="/recipe/email/" rel="nofollow">E-mail</a>'
        ),
        "passed",
    ),
    ("a page about shares", page('<a href="/prices/shareholders" rel="nofollow">Shareholders</a>'), "warned"),
    ("followed", page('<a href="/a">A</a>'), "passed"),
    ("other tokens", page('<a href="/a" rel="noopener noreferrer">A</a>'), "passed"),
    ("to the basket", page('<a href="/cart/" rel="nofollow">Basket</a>'), "passed"),
    (
        "to a basket by another name",
        page('<a href="/store/ShopCart.aspx" rel="nofollow">0 items</a><a href="/b" rel="nofollow">Cart</a>'),
        "passed",
    ),
    ("to the source text", page('<a href="../_sources/api/a.rst.txt" rel="nofollow">source</a>'), "passed"),
    ("to a post of the thread", page('<a href="/threads/wood.18571/post-226972" rel="nofollow">#1</a>'), "passed"),
    ("to a sharing service", page('<a class="fb a2a_button_facebook" href="/#facebook" rel="nofollow"></a>'), "passed"),
    ("that removes a filter", page('<a rel="nofollow" href="/browse?" class="facet">Watches</a>'), "passed"),
    ("in a post of a visitor", page('<a rel="nofollow" href="/rules" class="postlink">Rules</a>'), "passed"),
    ("to a redirector", page('<a rel="nofollow" href="/url/pb/0dff86f7/">Register now</a>'), "passed"),
    ("to a printable page", page('<a rel="nofollow" href="/printer-friendly-topic/tips">Printer Friendly Format</a>'), "passed"),
    ("with an empty query", page('<a rel="nofollow" href="/browse?">Popular now</a>'), "passed"),
    ("to a calendar", page('<a href="/calendar/2026/11" rel="nofollow">November</a>'), "passed"),
    ("a filter", page('<a href="/shop?color=blue" rel="nofollow">Blue</a>'), "passed"),
    ("a reply", page('<a href="/post?replytocom=3" rel="nofollow">Reply</a>'), "passed"),
    ("to another site", page('<a href="/a">A</a><a href="https://other.example/" rel="nofollow">O</a>'), "passed"),
    ("to a feed", page('<a href="/fiction/syndication/63759" rel="nofollow">RSS</a>'), "passed"),
    ("the name of a commenter", page('<a href="/" rel="external nofollow" class="url">Ann</a>'), "passed"),
    ("in comments", page('<ol class="comment-list"><li><a href="/my%20home%20page" rel="nofollow">Home</a></li></ol>'), "passed"),
    ("no links", page("<p>Text</p>"), "inapplicable"),
    ("to a page of its own", page('<a href="/prices" rel="nofollow">Prices</a>'), "warned"),
    (
        "on a body of a class with comments",
        '<!doctype html><html lang="en"><title>A</title><body class="comments-open"><a href="/prices" rel="nofollow">Prices</a>',
        "warned",
    ),
    ("a word within a word", page('<a href="/cartography" rel="nofollow">Maps</a>'), "warned"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("links-internal-nofollow", html) == expected, case


def test_links_that_act_for_a_visitor_are_known_by_class_and_text() -> None:
    for link in (
        '<a rel="nofollow" class="action--note merkzettel" href="/note/add/1">+</a>',
        '<a rel="nofollow" href="/note">Wunschliste</a>',
        '<a rel="nofollow" href="/l/1">Ajouter à ma liste d’envies</a>',
        '<a rel="nofollow" href="/p/1" title="Drucken"><img src="/p.png" alt="P"></a>',
    ):
        assert verdict("links-internal-nofollow", page(f'<a href="/a">A</a>{link}')) == "passed", link
    assert (
        verdict("links-internal-nofollow", page('<a href="/a">A</a><a rel="nofollow" href="/notes-on-bread">Notes on bread</a>'))
        == "warned"
    )
