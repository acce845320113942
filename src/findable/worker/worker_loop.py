"""Worker inside the service: pass jobs to the analyser, do housekeeping, shut down gracefully."""

import asyncio
import logging
import os
import platform
import secrets
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial
from typing import Generic, TypeVar

from findable.errors import Unavailable
from findable.jobs import protocol
from findable.jobs.embedded import HEARTBEAT_S, EmbeddedCarrier
from findable.jobs.protocol import Handler, JobT
from findable.service import housekeeping
from findable.service.accounts import audit_reading
from findable.service.alerts import alert_notifications
from findable.service.crawls import crawl_acceptances, crawl_slices
from findable.service.crawls.crawl_slices import CrawlJob
from findable.service.delivery import deliveries, digests, monthly_reports
from findable.service.delivery.deliveries import DeliveryJob
from findable.service.projects import due_schedules, retention
from findable.service.reports import batches, generation, merging, rechecks, stored_images
from findable.service.reports.generation import ReportJob
from findable.service.runtime.service import LAST_WRITES_S, Service
from findable.service.sites import known_sites
from findable.worker.report_task import Analyser, ReportTask

T = TypeVar("T")

DRAIN_S = 25.0
"""Time that running reports get at shutdown; supervisors kill after 30 s or later."""
HOUSEKEEPING_EVERY_S = 600.0
PURGE_PAUSE_S = 0.05
SPARE = 1
"""Number of extra slots for accounts without a running report, so that stalled pages of another account do not block them."""
DELIVERIES = 8
"""Maximum concurrent deliveries of this process."""
FEED_EVERY_S = 5.0
"""Interval at which batches are checked without an event."""
SCHEDULES_EVERY_S = 5.0
_log = logging.getLogger(__name__)


class _Leases(Generic[JobT]):
    """Lease table of one kind of jobs for the job runner."""

    def __init__(
        self,
        service: Service,
        claim: Callable[[int, int], list[JobT]],
        beat: Callable[[Service, JobT], bool],
        hand_back: Callable[[Service, JobT], object],
        sweep: Callable[[Service, Collection[int]], object],
    ) -> None:
        self._service = service
        self._claim = claim
        self._beat = beat
        self._hand_back = hand_back
        self._sweep = sweep

    def claim(self, limit: int, spare: int) -> list[JobT]:
        return self._claim(limit, spare)

    def beat(self, job: JobT) -> bool:
        return self._beat(self._service, job)

    def hand_back(self, job: JobT) -> None:
        self._hand_back(self._service, job)

    def sweep(self, at_work: Collection[int]) -> None:
        self._sweep(self._service, at_work)


def _report_leases(service: Service, worker: str) -> _Leases[ReportJob]:
    claim = partial(generation.claim_some, service, worker)
    return _Leases(service, claim, generation.beat, generation.hand_back, generation.sweep)


def _crawl_leases(service: Service, worker: str) -> _Leases[CrawlJob]:
    def claim(limit: int, spare: int) -> list[CrawlJob]:
        return crawl_slices.claim_some(service, worker, limit + spare)

    return _Leases(service, claim, crawl_slices.beat, crawl_slices.hand_back, crawl_slices.sweep)


def _delivery_leases(service: Service, worker: str) -> _Leases[DeliveryJob]:
    def claim(limit: int, spare: int) -> list[DeliveryJob]:
        return deliveries.claim_some(service, worker, limit + spare)

    return _Leases(service, claim, deliveries.beat, deliveries.hand_back, deliveries.sweep)


class Worker:
    """Runs jobs of a service. Call ``start()`` on its event loop and ``await stop()`` at the end.

    Args:
        service: owner of the jobs.
        analyser: fetches and checks a page.
        alone: whether no other process uses this database; jobs of a dead process are then reclaimed at once, not when their lease expires.
            Must be False if the store is shared.
        crawls: processes one slice of a crawl; None if this worker has no crawls.
        deliver: sends one delivery; None if this worker sends none.
    """

    def __init__(
        self,
        service: Service,
        analyser: Analyser,
        *,
        alone: bool = True,
        heartbeat_s: float = HEARTBEAT_S,
        crawls: Handler[CrawlJob] | None = None,
        deliver: Handler[DeliveryJob] | None = None,
    ) -> None:
        self._service = service
        self._alone = alone and not service.store.is_shared
        name = f"{platform.node()}-{os.getpid()}-{secrets.token_hex(4)}"
        task = ReportTask(service, analyser)
        self._carrier: EmbeddedCarrier[ReportJob] = EmbeddedCarrier(
            _report_leases(service, name),
            task,
            self._in_thread,
            at_once=service.settings.report_concurrency,
            spare=SPARE,
            heartbeat_s=heartbeat_s,
            lease_s=protocol.LEASE_S,
            may_outlive=task.is_offered,
        )
        self._crawls: EmbeddedCarrier[CrawlJob] | None = None
        if crawls is not None:
            self._crawls = EmbeddedCarrier(
                _crawl_leases(service, name),
                crawls,
                self._in_thread,
                at_once=service.settings.crawl_concurrency,
                heartbeat_s=heartbeat_s,
                lease_s=protocol.LEASE_S,
            )
        self._deliveries: EmbeddedCarrier[DeliveryJob] | None = None
        if deliver is not None:
            leases = _delivery_leases(service, name)
            self._deliveries = EmbeddedCarrier(
                leases, deliver, self._in_thread, at_once=DELIVERIES, heartbeat_s=heartbeat_s, lease_s=protocol.LEASE_S
            )
        self._wake_house = asyncio.Event()
        self._wake_feed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def _in_thread(self, function: Callable[[], T]) -> T:
        return await self._service.run(lambda _: function())

    async def start(self) -> None:
        """Reclaim abandoned jobs, then work in the background."""
        if self._alone:
            await self._service.run(partial(generation.sweep, all_of_them=True))
            await self._service.run(partial(crawl_slices.sweep, all_of_them=True))
            await self._service.run(partial(deliveries.sweep, all_of_them=True))
        loop = asyncio.get_running_loop()
        self._service.events.on_queued(self._carrier.wake)
        self._service.events.on_queued(partial(_wake, loop, self._wake_house))
        self._service.events.on_queued(partial(_wake, loop, self._wake_feed))
        self._service.events.on_settled(lambda _report_id: _wake(loop, self._wake_feed))
        self._service.events.on_settled(self._recheck_leases)
        works = [
            self._carrier.run(),
            self._clean_up(),
            self._delete_old_runs(),
            self._feed_batches(),
            self._run_schedules(),
            self._process_alerts(),
        ]
        if self._crawls is not None:
            self._service.events.on_queued(self._crawls.wake)
            self._service.crawl_events.on_settled(self._recheck_crawl_leases)
            works.append(self._crawls.run())
        if self._deliveries is not None:
            self._service.events.on_queued(self._deliveries.wake)
            self._service.events.on_settled(lambda _report_id: self._wake_deliveries())
            self._service.crawl_events.on_settled(lambda _crawl_id: self._wake_deliveries())
            works.append(self._deliveries.run())
        self._tasks = [asyncio.create_task(work) for work in works]

    def _wake_deliveries(self) -> None:
        if self._deliveries is not None:
            self._deliveries.wake()

    def _recheck_leases(self, report_id: int | None) -> None:
        """Recheck leases, because a running report may have been deleted by this or another process."""
        self._carrier.recheck_leases(lambda job: report_id in (None, job.report_id))

    def _recheck_crawl_leases(self, crawl_id: int | None) -> None:
        if self._crawls is not None:
            self._crawls.recheck_leases(lambda job: crawl_id in (None, job.crawl_id))

    async def stop(self, drain_s: float = DRAIN_S) -> None:
        """Stop claiming jobs, give running ones this much time and hand the rest back. A repeated call may shorten the time."""
        self._service.drain()
        hang_up = asyncio.get_running_loop().call_later(drain_s + LAST_WRITES_S, self._service.store.hang_up)
        carriers = (self._carrier, self._crawls, self._deliveries)
        drains = [carrier.drain(drain_s) for carrier in carriers if carrier is not None]
        await asyncio.gather(*drains)
        hang_up.cancel()
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with suppress(asyncio.CancelledError):
                await task

    async def _clean_up(self) -> None:
        """Purge deleted data at once, and do other housekeeping every ten minutes."""
        steps = (housekeeping.forget_expired, known_sites.forget_old, merging.forget_old, housekeeping.tidy)
        while True:
            for step in steps:
                await self._run_logged(step)
            await self._repeat(housekeeping.forget_old_pages)
            await self._repeat(housekeeping.end_acceptances)
            await self._repeat(crawl_acceptances.end_acceptances)
            await self._repeat(batches.forget_old)
            await self._repeat(deliveries.forget_old)
            await self._repeat(audit_reading.forget_old)
            await self._run_logged(digests.send_due)
            await self._run_logged(monthly_reports.send_due)
            await self._repeat(stored_images.remove_unused)
            await self._purge_for(HOUSEKEEPING_EVERY_S)

    async def _delete_old_runs(self) -> None:
        """Delete old runs of projects, a few at a time."""
        while True:
            await self._repeat(retention.delete_old)
            await asyncio.sleep(HOUSEKEEPING_EVERY_S)

    async def _purge_for(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while True:
                    self._wake_house.clear()
                    await self._repeat(crawl_slices.purge_deleted)
                    await self._repeat(housekeeping.purge_deleted)
                    await self._repeat(housekeeping.forget_excess_pages)
                    await self._wake_house.wait()

    async def _feed_batches(self) -> None:
        """Queue reports of batches as earlier ones finish."""
        while True:
            self._wake_feed.clear()
            await self._repeat(batches.feed)
            with suppress(TimeoutError):
                async with asyncio.timeout(FEED_EVERY_S):
                    await self._wake_feed.wait()

    async def _run_schedules(self) -> None:
        """Run due schedules every few seconds. Reading their sitemaps may take minutes but blocks nothing else."""
        while True:
            try:
                if await due_schedules.run_due(self._service):
                    continue
            except Unavailable as error:
                _log.warning("schedules are delayed: %s", error)
            except Exception:  # noqa: BLE001 - a schedule that fails must not end the others
                _log.exception("schedules failed; retrying")
            await asyncio.sleep(SCHEDULES_EVERY_S)

    async def _process_alerts(self) -> None:
        """Run suspect pages of alerts again and send due notifications, every few seconds."""
        while True:
            await self._run_logged(rechecks.queue_due)
            await self._run_logged(alert_notifications.notify_due)
            await asyncio.sleep(SCHEDULES_EVERY_S)

    async def _repeat(self, step: Callable[[Service], bool]) -> None:
        more = True
        while more:
            more = bool(await self._run_logged(step))
            await asyncio.sleep(PURGE_PAUSE_S)

    async def _run_logged(self, step: Callable[[Service], T]) -> T | None:
        try:
            return await self._service.run(step)
        except Unavailable as error:
            _log.warning("background work is delayed: %s", error)
        except Exception:  # noqa: BLE001 - a step that fails must not end the others
            _log.exception("background work failed; it is retried at the next interval")
        return None


def _wake(loop: asyncio.AbstractEventLoop, event: asyncio.Event) -> None:
    with suppress(RuntimeError):  # the event loop was closed
        loop.call_soon_threadsafe(event.set)
