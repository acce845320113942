"""Use cases run in one thread while they are short, and long ones do not hold up the others."""

import asyncio
import threading
from collections.abc import Iterator
from functools import partial

import pytest

from findable.service.runtime.use_case_threads import UseCaseThreads
from tests.worker.processes import eventually, until

MOST = 4


@pytest.fixture
def threads() -> Iterator[UseCaseThreads]:
    """One thread for short use cases, four in all."""
    made = UseCaseThreads(1, MOST)
    yield made
    made.close()


def test_short_use_cases_share_one_thread(threads: UseCaseThreads) -> None:
    async def story() -> None:
        names = await asyncio.gather(*(threads.run(lambda: threading.current_thread().name) for _ in range(100)))
        assert len(set(names)) == 1

    asyncio.run(story())


def test_errors_are_raised_where_the_result_is_awaited(threads: UseCaseThreads) -> None:
    async def story() -> None:
        def fail() -> None:
            raise ValueError("no")

        with pytest.raises(ValueError, match="no"):
            await threads.run(fail)
        assert await threads.run(lambda: 7) == 7

    asyncio.run(story())


def test_long_use_cases_hold_up_others_only_when_every_thread_has_one(threads: UseCaseThreads) -> None:
    async def story() -> None:
        is_over = threading.Event()
        long = [asyncio.create_task(threads.run(is_over.wait)) for _ in range(MOST - 1)]
        try:
            assert await asyncio.wait_for(threads.run(lambda: 7), 30) == 7
            long.append(asyncio.create_task(threads.run(is_over.wait)))
            held = asyncio.create_task(threads.run(lambda: 8))
            await asyncio.wait([held], timeout=0.2)
            assert not held.done()
        finally:
            is_over.set()
        assert await held == 8
        assert await asyncio.gather(*long) == [True] * MOST

    asyncio.run(story())


def test_threads_of_long_use_cases_end_with_them(threads: UseCaseThreads) -> None:
    async def story() -> None:
        is_over = threading.Event()
        long = [asyncio.create_task(threads.run(is_over.wait)) for _ in range(MOST - 1)]
        await asyncio.wait_for(threads.run(lambda: 7), 30)
        before = threading.active_count()
        is_over.set()
        await asyncio.gather(*long)
        until(lambda: threading.active_count() <= before - len(long))
        assert await threads.run(lambda: 8) == 8

    asyncio.run(story())


def test_a_cancelled_wait_leaves_the_use_case_running(threads: UseCaseThreads) -> None:
    async def story() -> None:
        is_over, has_ended = threading.Event(), threading.Event()

        def wait() -> None:
            is_over.wait(30)
            has_ended.set()

        waiting = asyncio.create_task(threads.run(wait))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        is_over.set()
        assert await threads.run(partial(has_ended.wait, 30))

    asyncio.run(story())


def test_several_event_loops_use_the_same_threads(threads: UseCaseThreads) -> None:
    assert [asyncio.run(threads.run(lambda: 7)) for _ in range(3)] == [7, 7, 7]


def test_closing_runs_what_is_queued() -> None:
    async def story() -> None:
        threads = UseCaseThreads(1, 1)
        found: list[int] = []
        running = [asyncio.create_task(threads.run(partial(found.append, number))) for number in range(5)]
        await asyncio.sleep(0)
        threads.close()
        assert found == [0, 1, 2, 3, 4]
        await asyncio.gather(*running)

    asyncio.run(story())


def test_threads_that_are_started_while_others_end_do_not_keep_them_from_ending() -> None:
    async def story() -> None:
        closed, is_over = UseCaseThreads(4, 4), threading.Event()
        running = asyncio.create_task(closed.run(is_over.wait))
        await asyncio.sleep(0)
        closing = threading.Thread(target=closed.close, daemon=True)
        closing.start()
        await eventually(lambda: closed._newest > 1)  # its use case is long, so that another thread is started
        is_over.set()
        await running
        await asyncio.to_thread(closing.join, 10)
        assert not closing.is_alive()

    asyncio.run(story())
