"""Slots and pauses."""

import asyncio
from contextlib import AsyncExitStack
from datetime import UTC, datetime

import pytest

from findable.fetch.politeness import Politeness, on_behalf_of, retry_after_s


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("0", 0.0),
        (" 30 ", 30.0),
        ("Sat, 21 Nov 2026 10:00:30 GMT", 30.0),
        ("Sat, 21 Nov 2026 09:00:00 GMT", 0.0),
        ("9" * 40, 999999999999.0),
        ("Sat, 99 Nov 2026 09:00:00 GMT", None),
    ],
)
def test_retry_after_in_each_form(value: str | None, seconds: float | None) -> None:
    assert retry_after_s(value, datetime(2026, 11, 21, 10, tzinfo=UTC)) == seconds


def test_a_shorter_pause_does_not_end_a_longer_one() -> None:
    async def left_s() -> float:
        politeness = Politeness()
        politeness.pause("https://a.example", 50)
        politeness.apply_pause("https://a.example", 1)
        return politeness.pause_left_s("https://a.example")

    assert asyncio.run(left_s()) > 40


def test_a_pause_is_never_longer_than_a_minute() -> None:
    async def run() -> float:
        politeness = Politeness()
        politeness.pause("https://a.example", 1e9)
        assert politeness.pause_left_s("https://a.example:8443") == 0
        return politeness.pause_left_s("https://a.example")

    assert 59 < asyncio.run(run()) <= 60


def test_slots_are_counted_per_host_and_forgotten() -> None:
    async def run() -> None:
        politeness = Politeness(host_connections=2)
        most: dict[str, int] = {}
        now: dict[str, int] = {}

        async def use(host: str) -> None:
            async with politeness.slot(host):
                now[host] = now.get(host, 0) + 1
                most[host] = max(most.get(host, 0), now[host])
                await asyncio.sleep(0)
                now[host] -= 1

        await asyncio.gather(*(use(host) for host in ("a", "b") for _ in range(10)))
        assert most == {"a": 2, "b": 2}
        assert not politeness._shared

    asyncio.run(run())


def test_s92_hanging_requests_of_one_account_leave_a_connection_to_others() -> None:
    async def run() -> None:
        politeness, gate, held = Politeness(host_connections=4), asyncio.Event(), 0

        async def hang() -> None:
            nonlocal held
            on_behalf_of.set("greedy")
            async with politeness.slot("a"):
                held += 1
                await gate.wait()

        hanging = [asyncio.create_task(hang()) for _ in range(9)]
        await asyncio.sleep(0)
        assert held == 3
        for account in ("other", "third"):
            on_behalf_of.set(account)
            async with asyncio.timeout(60), politeness.slot("a"):
                pass
        gate.set()
        await asyncio.gather(*hanging)
        assert not politeness._shared

    asyncio.run(run())


def test_a_command_has_all_connections_of_a_host() -> None:
    async def run() -> None:
        politeness = Politeness(host_connections=4)
        async with asyncio.timeout(60), AsyncExitStack() as held:
            for _ in range(4):
                await held.enter_async_context(politeness.slot("a"))

    asyncio.run(run())
