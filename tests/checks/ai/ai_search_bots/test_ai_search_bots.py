"""Outcomes of ai-search-bots: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import finding, page

OUTCOMES = [
    ("nothing forbidden", "User-agent: *\nDisallow:\n", "passed"),
    ("training refused only", "User-agent: GPTBot\nUser-agent: ClaudeBot\nDisallow: /\n", "passed"),
    ("another folder", "User-agent: *\nDisallow: /private/\n", "passed"),
    ("all may, by name", "User-agent: *\nDisallow: /private\n\nUser-agent: OAI-SearchBot\nAllow: /\n", "passed"),
    ("everything forbidden: the fault of robots-txt-allows", "User-agent: *\nDisallow: /\n", "inapplicable"),
    ("one refused", "User-agent: OAI-SearchBot\nDisallow: /\n", "warned"),
    ("upper case", "USER-AGENT: perplexitybot\nDISALLOW: /\n", "warned"),
    ("all but Googlebot", "User-agent: Googlebot\nAllow: /\n\nUser-agent: *\nDisallow: /\n", "warned"),
]


@pytest.mark.parametrize(("case", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, given: str, expected: str) -> None:
    assert finding("ai-search-bots", page(), robots_txt=given).verdict == expected, case


def test_a_page_that_no_search_engine_may_list_has_no_answer() -> None:
    assert finding("ai-search-bots", page(head='<meta name="robots" content="noindex">'), robots_txt="").verdict == "inapplicable"


def test_the_deciding_line_is_shown() -> None:
    found = finding("ai-search-bots", page(), robots_txt="User-agent: Claude-SearchBot\nDisallow: /shop/\n")

    assert found.params["names"] == ["Claude-SearchBot"]
    assert [(item.line, item.text) for item in found.evidence] == [(2, "Disallow: /shop/")]
