"""Whether hosts outside are dead or out of reach."""

import pytest

from findable.capture.response import Failure, Headers, Hop, ProbeResponse, Timing
from findable.capture.site import SiteCapture
from findable.fetch.internet_route import is_cut_off, mark_unreachable

PAGE = "https://example.com/"
PUBLIC, PRIVATE = "8.8.8.8", "10.0.0.1"


def answered(url: str, address: str, failure: Failure = Failure.NONE) -> ProbeResponse:
    return ProbeResponse(url, hops=(Hop(url, 200, Headers(), "1.1", Timing(), address),), failure=failure)


def dead(number: int, failure: Failure = Failure.DNS) -> ProbeResponse:
    return ProbeResponse(f"https://dead{number}.example/", failure=failure)


def site(address: str) -> SiteCapture:
    return SiteCapture("https://example.com", "2026-11-21T00:00:00Z", answered(f"{PAGE}robots.txt", address))


@pytest.mark.parametrize(
    ("address", "answers", "cut_off"),
    [
        (PUBLIC, [dead(1), dead(2)], False),
        (PUBLIC, [dead(1), dead(1), dead(1)], False),
        (PUBLIC, [dead(1), dead(2, Failure.TIMEOUT), dead(3, Failure.CONNECT)], True),
        (PUBLIC, [dead(1), dead(2), dead(3), answered("https://a.example/", PUBLIC)], False),
        (PRIVATE, [], False),
        (PRIVATE, [dead(1)], True),
        (PRIVATE, [dead(1), answered("https://a.example/", PUBLIC)], False),
        (PRIVATE, [dead(1), answered("https://a.example/", PRIVATE)], True),
        (PRIVATE, [dead(1), dead(2, Failure.TLS)], False),
        (PRIVATE, [dead(1, Failure.BUDGET), dead(2, Failure.ROBOTS_TXT)], False),
        (PRIVATE, [ProbeResponse(f"{PAGE}own", failure=Failure.TIMEOUT)], False),
    ],
)
def test_when_there_is_no_way_out(address: str, answers: list[ProbeResponse], cut_off: bool) -> None:
    assert is_cut_off(site(address), PAGE, answers) is cut_off


def test_only_hosts_outside_that_were_not_reached_are_unknown() -> None:
    own = ProbeResponse("https://www.example.com/x", failure=Failure.TIMEOUT)
    halfway = answered("https://a.example/", PRIVATE, Failure.TIMEOUT)
    assert [answer.failure for answer in mark_unreachable(PAGE, [own, dead(1), dead(2, Failure.TLS), halfway])] == [
        Failure.TIMEOUT,
        Failure.NO_ROUTE,
        Failure.TLS,
        Failure.TIMEOUT,
    ]
