"""Outcomes of links-fragment: first what must not be flagged, then what must."""

from typing import Any

import pytest

from findable.checks.engine import all_checks
from findable.vocabulary import Verdict
from tests.checks.harness import page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("tabs and threads of scripts", page('<a href="#tab-lid">Lid</a><a href="#coral_thread">Comments</a>'), {}, "inapplicable"),
    ("sign in by a script", page('<a href="#signin">Sign in</a><a href="#log-out">Leave</a>'), {}, "inapplicable"),
    ("an id", page('<a href="#a">A</a><p id="a">a</p>'), {}, "passed"),
    ("a name", page('<a href="#a">A</a><a name="a">a</a>'), {}, "passed"),
    ("escaped", page('<a href="#%C3%A9">E</a><p id="é">e</p>'), {}, "passed"),
    ("a text fragment behind an id", page('<a href="#a:~:text=x">A</a><p id="a">a</p>'), {}, "passed"),
    ("only the top", page('<a href="#">Up</a><a href="#!">X</a><a href="#0">X</a>'), {}, "inapplicable"),
    ("a tab", page('<a href="#a" role="tab">A</a>'), {}, "inapplicable"),
    ("a dialog", page('<a href="#login" data-bs-toggle="modal">Log in</a>'), {}, "inapplicable"),
    ("hooks of scripts", page('<a href="#comments">3 comments</a><a href="#prev">Back</a>'), {}, "inapplicable"),
    ("a skip link to such a place", page('<a class="skip-link" href="#comments">Comments</a>'), {}, "warned"),
    ("a skip link by its text", page('<a href="#nav">Zur Navigation springen</a>'), {}, "warned"),
    ("another page", page('<a href="/b#a">A</a>'), {}, "inapplicable"),
    ("a page that was cut", page('<a href="#a">A</a>'), {"truncated": True}, "unknown"),
    ("letter case counts", page('<a href="#A">A</a><p id="a">a</p>'), {}, "warned"),
    ("only in a template", page('<a href="#a">A</a><template><p id="a">a</p></template>'), {}, "warned"),
    ("missing", page('<a href="/shop/blue-widgets#a">A</a>'), {}, "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("links-fragment", html, **given) == expected, case


def test_only_the_warning_that_it_gives_has_a_cost() -> None:
    assert set(all_checks()["links-fragment"].costs or ()) == {Verdict.WARNED}


def test_a_link_that_opens_the_consent_layer_again_needs_no_target() -> None:
    for link in (
        '<a href="#uc-corner-modal-show">Privatsphäre-Einstellungen</a>',
        '<a href="#settings">Cookie settings</a>',
        '<a class="cmp-link" href="#x1">Choices</a>',
    ):
        assert verdict("links-fragment", page(f'<h2 id="a">A</h2><a href="#a">A</a>{link}')) == "passed", link
    assert verdict("links-fragment", page('<h2 id="a">A</h2><a href="#a">A</a><a href="#prices">Prices</a>')) == "warned"
