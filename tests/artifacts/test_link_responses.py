"""What an answer says of a link."""

from typing import Any

import pytest

from findable.artifacts.responses.link_responses import LinkState, PageLinkResponses, state_of_link
from tests.checks.harness import answer, artifacts, page

URL = "https://www.example.com/a"
STATES: list[tuple[dict[str, Any], LinkState]] = [
    ({}, LinkState.WORKS),
    ({"status": 304}, LinkState.WORKS),
    ({"final_url": "https://www.example.com/b"}, LinkState.WORKS),
    ({"status": 404}, LinkState.BROKEN),
    ({"status": 404, "method": "HEAD"}, LinkState.UNVERIFIED),
    ({"status": 404, "method": "HEAD", "tries": ("GET 404",)}, LinkState.BROKEN),
    ({"status": 500}, LinkState.UNVERIFIED),
    ({"status": 502, "tries": ("HEAD 500",)}, LinkState.BROKEN),
    ({"status": 503, "tries": ("HEAD 503",)}, LinkState.UNVERIFIED),
    ({"failure": "dns"}, LinkState.BROKEN),
    ({"failure": "timeout"}, LinkState.UNVERIFIED),
    ({"failure": "connect"}, LinkState.UNVERIFIED),
    ({"failure": "too_many_redirects"}, LinkState.LOOP),
    ({"failure": "budget"}, LinkState.UNKNOWN),
    ({"failure": "no_route"}, LinkState.UNKNOWN),
    ({"failure": "skipped"}, LinkState.UNKNOWN),
    *(({"status": status}, LinkState.UNVERIFIED) for status in (400, 401, 403, 405, 406, 429, 451, 999)),
]


@pytest.mark.parametrize(("given", "state"), STATES)
def test_state(given: dict[str, Any], state: LinkState) -> None:
    assert state_of_link(answer(URL, **given)) is state


def test_one_address_is_one_answer_whatever_its_fragment() -> None:
    answers = artifacts(page('<a href="/a#x">A</a><a href="/a">A</a><a href="/b">B</a>'), links={URL: 404}).get_or_none(PageLinkResponses)

    assert answers is not None
    first, second = answers.internal.responses
    assert (first.url, first.state, len(first.links)) == (URL, LinkState.BROKEN, 2)
    assert (second.state, second.response) == (LinkState.UNKNOWN, None)
