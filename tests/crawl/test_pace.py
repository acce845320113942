"""Pace of requests."""

from findable.crawl.found_by import FoundBy
from findable.crawl.order import priority, shares
from findable.crawl.pace import RECOVERY_S, SAMPLES, Pace


def test_requests_keep_the_rate() -> None:
    pace = Pace(5, 2)

    assert [round(pace.next_at_s(100), 1) for _ in range(3)] == [100, 100.2, 100.4]


def test_crawl_delay_means_one_request_at_a_time() -> None:
    pace = Pace(5, 2, delay_s=3)

    assert pace.connections == 1
    assert [pace.next_at_s(100) for _ in range(2)] == [100, 103]


def test_a_busy_host_is_requested_less_and_recovers() -> None:
    pace = Pace(5, 3)
    pace.adapt(429, 0, 100)

    assert (pace.connections, pace.is_slowed) == (2, True)
    pace.adapt(200, 20, 100 + RECOVERY_S)
    assert pace.connections == 3


def test_a_host_that_becomes_slow_is_requested_less() -> None:
    pace = Pace(5, 2)
    for first_byte_ms in [80.0] * SAMPLES + [300.0] * SAMPLES:
        pace.adapt(200, first_byte_ms, 100)

    assert pace.connections == 1


def test_near_pages_come_first_and_parameters_get_a_share() -> None:
    assert priority(1, FoundBy.LINK) < priority(1, FoundBy.SITEMAP) < priority(2, FoundBy.LINK)
    assert shares(50) == (40, 10)
