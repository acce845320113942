"""Outcomes of html-deprecated: first what must not be flagged, then what must."""

import pytest

from findable.checks.technical.html_deprecated import LOOKS_ADVICE, OTHERS_ADVICE, PLUGIN_ADVICE, SUCCESSOR_ADVICE
from tests.checks.harness import finding, page, verdict

OUTCOMES = [
    ("none", page(), "passed"),
    ("a drawing's font", page("<svg><font></font></svg>"), "passed"),
    ("in a template or a comment", page("<template><center>x</center></template><!-- <font> -->"), "passed"),
    ("a PDF", page('<embed src="a.pdf" type="application/pdf">'), "passed"),
    ("s and u are back", page("<s>x</s><u>y</u><small>z</small>"), "passed"),
    ("center", page("<CENTER>x</CENTER>"), "warned"),
    ("marquee", page("<marquee>x</marquee>"), "warned"),
    ("a film beside the text", page('<embed src="a.swf">' + "word " * 60), "warned"),
    ("a film and nothing else", page('<object data="a.swf"></object>'), "failed"),
    ("an applet", page("<applet code=a></applet>"), "failed"),
    ("frames", "<!doctype html><frameset cols=1,1><frame src=a></frameset>", "failed"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("html-deprecated", html) == expected, case


def test_a_plugin_is_not_called_by_the_name_of_its_element() -> None:
    found = finding("html-deprecated", page('<object data="a.swf"></object><center>x</center>' + "word " * 60))

    assert found.params["names"] == ["plugin (1)", "center (1)"]
    assert [item.note for item in found.evidence] == ["browsers no longer run this plugin", ""]


@pytest.mark.parametrize(
    ("markup", "advice"),
    [
        ('<embed src="a.swf">' + "word " * 60, PLUGIN_ADVICE),
        ("<tt>x</tt><strike>y</strike>", SUCCESSOR_ADVICE),
        ("<tt>x</tt><font>y</font>", LOOKS_ADVICE),
        ("<noembed>x</noembed>", OTHERS_ADVICE),
    ],
)
def test_the_advice_fits_the_elements(markup: str, advice: str) -> None:
    assert finding("html-deprecated", page(markup)).advice == advice
