"""Outcomes of duplicate-id: first what must not be flagged, then what must."""

from time import perf_counter

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


def codes(body: str) -> list[str]:
    return [fix.code for fix in finding("duplicate-id", page(body)).fixes]


def test_references_next_to_a_duplicate_follow_its_new_id() -> None:
    one = '<div><input aria-describedby="help note"><p id="help">At least 8</p></div>'
    assert codes(f"<i id=note></i>{one}{one}") == ['<p id="help-2">', '<input aria-describedby="help-2 note">']
    assert codes('<a href="#a">A</a><p id="a">a</p><section><a href="/shop/blue-widgets#a">A</a><p id="a">b</p></section>') == [
        '<p id="a-2">',
        '<a href="/shop/blue-widgets#a-2">',
    ]


def test_an_element_with_several_changes_is_proposed_once() -> None:
    one = '<section aria-labelledby="a b"><b id="a">1</b><b id="b" aria-labelledby="a">2</b></section>'
    assert codes(one + one) == ['<b id="a-2">', '<section aria-labelledby="a-2 b-2">', '<b id="b-2" aria-labelledby="a-2">']


def test_a_field_gets_a_new_id_only_with_its_label() -> None:
    one = '<form><label for="mail">Mail</label><input id="mail"></form>'
    assert codes(one + one) == ['<input id="mail-2">', '<label for="mail-2">']
    assert codes('<label for="mail">Mail</label><input id="mail"><input id="mail">') == []


def test_a_reference_means_the_element_around_it_or_the_first_of_those_as_near() -> None:
    permalink = '<li id="c1"><div><a href="#c1">1</a><span id="c1">Report</span></div></li>'
    assert codes(f"<ul>{permalink}</ul>") == ['<span id="c1-2">']
    assert codes('<a href="#a">A</a><a href="#a">B</a><p id="a">a</p><p id="a">b</p>') == ['<p id="a-2">']


def test_no_id_is_proposed_without_all_references_to_it() -> None:
    many = '<section><p id="a">b</p>' + '<a href="#a">A</a>' * 10 + "</section>"
    assert codes(f'<p id="a">a</p>{many}') == []


def test_many_duplicates_and_references_are_read_in_part() -> None:
    labels = "".join(f'<label for="a">{number}</label><input id="a">' for number in range(4000))

    started = perf_counter()
    assert codes(labels) == []
    assert len(codes("".join(f'<p id="a{number}">x</p><i id="a{number}"></i><a href="#a{number}">y</a>' for number in range(2000)))) == 10
    assert perf_counter() - started < 5
