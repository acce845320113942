"""Outcomes of ai-training-bots: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import finding, page

OUTCOMES = [
    ("nothing forbidden", "User-agent: *\nDisallow:\n", "info"),
    ("some", "User-agent: GPTBot\nDisallow: /\n", "info"),
]


@pytest.mark.parametrize(("case", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, given: str, expected: str) -> None:
    assert finding("ai-training-bots", page(), robots_txt=given).verdict == expected, case


def test_tokens_are_named_and_user_fetchers_counted_apart() -> None:
    found = finding("ai-training-bots", page(), robots_txt="User-agent: GPTBot\nUser-agent: CCBot\nUser-agent: Claude-User\nDisallow: /\n")

    assert found.params["names"] == ["GPTBot", "CCBot"]
    assert found.params["users_count"] == 1
