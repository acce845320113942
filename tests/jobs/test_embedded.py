"""The carrier over a table in memory: how many at once, heartbeats, draining, a table that does not answer."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest

from findable.errors import Unavailable
from findable.jobs.embedded import EmbeddedCarrier
from findable.jobs.protocol import Queues

T = TypeVar("T")


@dataclass(frozen=True)
class Work:
    id: int


@dataclass
class Table:
    ready: list[Work] = field(default_factory=list)
    beaten: list[int] = field(default_factory=list)
    handed_back: list[int] = field(default_factory=list)
    swept: list[tuple[int, ...]] = field(default_factory=list)
    lost: set[int] = field(default_factory=set)
    away: int = 0
    """How often it does not answer."""
    cut: bool = False
    """It does not answer at all."""

    def claim_some(self, _service: object, _worker: str, limit: int, spare: int) -> list[Work]:
        if self.cut or self.away:
            self.away -= not self.cut
            raise Unavailable("away")
        taken, self.ready = self.ready[:limit], self.ready[limit:]
        return taken

    def dispatch(self, _service: object, queues: Queues, free: int, spare: int) -> int:
        raise NotImplementedError  # for the engine only

    def load(self, _service: object, _worker: str, job_id: int, attempt: int) -> Work | None:
        raise NotImplementedError  # for the engine only

    def beat(self, _service: object, job: Work) -> bool:
        if self.cut:
            raise Unavailable("cut")
        self.beaten.append(job.id)
        return job.id not in self.lost

    def hand_back(self, _service: object, job: Work) -> None:
        self.handed_back.append(job.id)

    def sweep(self, _service: object, at_work: Collection[int]) -> None:
        self.swept.append(tuple(at_work))


async def at_once(function: Callable[..., T], /, *args: Any) -> T:
    await asyncio.sleep(0)
    return function(None, *args)


class Hands:
    """Does jobs when it is told to."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.done: list[int] = []
        self.cancelled: list[int] = []
        self.most = 0
        self.gate = asyncio.Event()

    async def __call__(self, job: Work) -> None:
        self.begun.append(job.id)
        self.most = max(self.most, len(self.begun) - len(self.done) - len(self.cancelled))
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled.append(job.id)
            raise
        self.done.append(job.id)


def play(story: Callable[[EmbeddedCarrier[Work], Table, Hands], Awaitable[None]], jobs: int = 5, **options: Any) -> None:
    async def main() -> None:
        table, hands = Table([Work(n) for n in range(jobs)]), Hands()
        carrier: EmbeddedCarrier[Work] = EmbeddedCarrier(table, hands, at_once, "worker", at_once=3, **options)
        running = asyncio.create_task(carrier.run())
        async with asyncio.timeout(90):
            await story(carrier, table, hands)
            await carrier.drain(0)
            await running
        assert carrier.at_work == ()

    asyncio.run(main())


async def until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 - the stories look at plain lists
        await asyncio.sleep(0.001)


def test_no_more_than_allowed_are_done_at_once_and_all_are_done() -> None:
    async def story(carrier: EmbeddedCarrier[Work], table: Table, hands: Hands) -> None:
        await until(lambda: len(hands.begun) == 3)
        assert sorted(carrier.at_work) == [0, 1, 2]
        hands.gate.set()
        await until(lambda: len(hands.done) == 5)
        assert hands.most == 3
        table.ready.append(Work(9))
        carrier.wake()
        await until(lambda: 9 in hands.done)

    play(story)


def test_heartbeats_go_on_and_a_lost_job_is_dropped() -> None:
    async def story(carrier: EmbeddedCarrier[Work], table: Table, hands: Hands) -> None:
        await until(lambda: table.beaten.count(1) > 2)
        table.lost.add(1)
        await until(lambda: hands.cancelled == [1])
        assert any(1 in at_work for at_work in table.swept)
        hands.gate.set()
        await until(lambda: len(hands.done) == 4)
        assert table.handed_back == []

    play(story, heartbeat_s=0.01)


def test_a_job_is_never_swept_between_its_claim_and_its_beginning() -> None:
    """Nothing but `at_work` says that this process has it."""
    out: set[int] = set()
    missed: list[set[int]] = []

    class Watched(Table):
        def claim_some(self, _service: object, _worker: str, limit: int, spare: int) -> list[Work]:
            taken = super().claim_some(_service, _worker, limit, spare)
            out.update(job.id for job in taken)
            return taken

        def sweep(self, _service: object, at_work: Collection[int]) -> None:
            missed.append(out.difference(at_work))

    async def slowly(function: Callable[..., T], /, *args: Any) -> T:
        await asyncio.sleep(0)
        found = function(None, *args)
        await asyncio.sleep(0)
        return found

    async def handle(job: Work) -> None:
        await asyncio.sleep(0)
        out.discard(job.id)

    async def main() -> None:
        table = Watched([Work(n) for n in range(200)])
        carrier: EmbeddedCarrier[Work] = EmbeddedCarrier(table, handle, slowly, "worker", at_once=3, heartbeat_s=0)
        running = asyncio.create_task(carrier.run())
        async with asyncio.timeout(90):
            await until(lambda: not table.ready and not out and len(missed) > 20)
            await carrier.drain(0)
            await running

    asyncio.run(main())
    assert not any(missed)


def test_an_earlier_attempt_that_ends_does_not_hide_the_later_one() -> None:
    async def story(carrier: EmbeddedCarrier[Work], table: Table, hands: Hands) -> None:
        await until(lambda: hands.begun == [0])
        table.ready.append(Work(0))
        carrier.wake()
        await until(lambda: hands.begun == [0, 0])
        table.lost.add(0)
        await until(lambda: hands.cancelled == [0, 0])

    play(story, jobs=1, heartbeat_s=0.01)


def test_draining_lets_end_what_runs_and_begins_nothing() -> None:
    async def story(carrier: EmbeddedCarrier[Work], table: Table, hands: Hands) -> None:
        await until(lambda: len(hands.begun) == 3)
        draining = asyncio.create_task(carrier.drain(10))
        await asyncio.sleep(0)
        beats = len(table.beaten)
        await until(lambda: len(table.beaten) > beats)  # progress is stored to the end
        hands.gate.set()
        await draining
        assert sorted(hands.done) == [0, 1, 2]
        assert table.handed_back == []
        assert len(table.ready) == 2

    play(story, heartbeat_s=0.01)


def test_what_does_not_end_in_time_is_handed_back_and_a_second_call_hurries() -> None:
    async def story(carrier: EmbeddedCarrier[Work], table: Table, hands: Hands) -> None:
        await until(lambda: len(hands.begun) == 3)
        draining = asyncio.create_task(carrier.drain(1000))
        await asyncio.sleep(0.01)
        await carrier.drain(0)
        await draining
        assert sorted(table.handed_back) == sorted(hands.cancelled) == [0, 1, 2]

    play(story)


def test_a_carrier_that_is_cancelled_hands_everything_back() -> None:
    async def main() -> None:
        table, hands = Table([Work(1)]), Hands()
        running = asyncio.create_task(EmbeddedCarrier(table, hands, at_once, "worker", at_once=3).run())
        await until(lambda: hands.begun == [1])
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert table.handed_back == [1]

    asyncio.run(main())


def test_a_table_that_does_not_answer_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("findable.jobs.embedded.POLL_S", 0.01)

    async def story(carrier: EmbeddedCarrier[Work], table: Table, hands: Hands) -> None:
        table.away = 3
        hands.gate.set()
        await until(lambda: len(hands.done) == 5)

    play(story)


def test_whoever_doubts_a_job_has_the_table_asked_at_once() -> None:
    async def story(carrier: EmbeddedCarrier[Work], table: Table, hands: Hands) -> None:
        await until(lambda: len(hands.begun) == 3)
        carrier.recheck(lambda job: job.id == 7)  # not ours
        table.lost.add(1)
        carrier.recheck(lambda job: job.id == 1)
        await until(lambda: hands.cancelled == [1])

    play(story, heartbeat_s=1000)
