"""Outcomes of duplicate-id: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import finding, page, verdict

OUTCOMES = [
    ("unique", page('<p id="a">a</p><a href="#a">A</a>'), "passed"),
    ("double and unused", page('<p id="a">a</p><p id="a">b</p>'), "passed"),
    ("letter case makes two", page('<p id="a">a</p><p id="A">b</p><a href="#a">A</a>'), "passed"),
    ("a label around its field", page('<label for="gone">A <input id="b"></label>'), "passed"),
    ("what scripts add later", page('<button id="b" aria-controls="gone" aria-describedby="gone">B</button>'), "passed"),
    ("one part of a name is there", page('<p id="a">a</p><input aria-labelledby="a gone">'), "passed"),
    ("no ids", page("<p>Text</p>"), "inapplicable"),
    ("double and used by a link", page('<p id="a">a</p><p id="a">b</p><a href="#a">A</a>'), "warned"),
    ("double and used by a label", page('<input id="a"><input id="a"><label for="a">A</label>'), "warned"),
    ("a label that names nothing", page('<p id="a">a</p><label for="b">B</label>'), "warned"),
    ("a name that is not there", page('<p id="a">a</p><input aria-labelledby="b">'), "warned"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("duplicate-id", html) == expected, case


def test_the_message_says_only_what_is_the_case() -> None:
    twice = finding("duplicate-id", page('<p id="a">a</p><p id="a">b</p><a href="#a">A</a>')).message
    missing = finding("duplicate-id", page('<p id="a">a</p><label for="b">B</label>')).message
    assert "not exist" not in twice
    assert "twice" not in missing
