"""Worker inside the service: pass jobs to the analyser, do housekeeping, shut down gracefully."""

import asyncio
import logging
import os
import platform
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

from findable.clock import monotonic_s, now
from findable.errors import Unavailable
from findable.jobs import heartbeats
from findable.jobs.carrier import Carrier
from findable.jobs.embedded import EmbeddedCarrier
from findable.jobs.engine_carrier import Engine, EngineCarrier
from findable.jobs.heartbeats import HEARTBEAT_S
from findable.jobs.protocol import Handler, JobT, StoredJobs
from findable.service import future_times, housekeeping
from findable.service.accounts import audit_entries
from findable.service.alerts import alert_notifications
from findable.service.crawls import crawl_acceptances, crawl_jobs
from findable.service.crawls.crawl_jobs import CrawlJob
from findable.service.delivery import deliveries, digests, monthly_reports
from findable.service.delivery.deliveries import DeliveryJob
from findable.service.projects import due_schedules, hit_recounting, log_folders, log_imports, retention
from findable.service.reports import batches, rechecks, report_jobs, stored_images
from findable.service.runtime.service import LAST_WRITES_S, Service
from findable.service.sites import known_sites
from findable.store.engine_messages import CRAWL, DELIVERY, REPORT, SCHEDULE
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
SCHEDULES = 4
"""Maximum number of schedules that start their runs concurrently; reading a sitemap takes up to a minute."""
ALERTS_EVERY_S = 5.0
CLOCK_EVERY_S = 1.0
FOLDERS_EVERY_S = 10.0
"""Interval at which folders with access logs are checked whether one is due."""
CLOCK_STEP_S = 60.0
"""Smallest step of the wall clock against the monotonic clock that counts as one."""
_log = logging.getLogger(__name__)


class Worker:
    """Runs jobs of a service. Call ``start()`` on its event loop and ``await stop()`` at the end.

    Args:
        service: owner of the jobs.
        analyser: fetches and checks a page.
        crawls: processes one slice of a crawl; None if this worker has no crawls.
        deliver: sends one delivery; None if this worker sends none.
    """

    def __init__(
        self,
        service: Service,
        analyser: Analyser,
        *,
        heartbeat_s: float = HEARTBEAT_S,
        crawls: Handler[CrawlJob] | None = None,
        deliver: Handler[DeliveryJob] | None = None,
    ) -> None:
        self._service = service
        self._name = f"{platform.node()}-{os.getpid()}-{secrets.token_hex(4)}"
        self._heartbeat_s = heartbeat_s
        shared = service.store.is_shared
        self._engine = (
            Engine(service.settings.database_url, heartbeat_s=heartbeat_s, lost_after_s=heartbeats.LOST_AFTER_S) if shared else None
        )
        task = ReportTask(service, analyser)
        at_once = service.settings.report_concurrency
        self._carrier = self._carrier_of(REPORT, report_jobs, task, at_once, spare=SPARE)
        crawls_at_once = service.settings.crawl_concurrency
        self._crawls = None if crawls is None else self._carrier_of(CRAWL, crawl_jobs, crawls, crawls_at_once)
        self._deliveries = None if deliver is None else self._carrier_of(DELIVERY, deliveries, deliver, DELIVERIES, listens=False)
        start = partial(due_schedules.run, service)
        schedules = self._carrier_of(SCHEDULE, due_schedules, start, SCHEDULES, listens=False)
        self._carriers = [carrier for carrier in (self._carrier, self._crawls, self._deliveries, schedules) if carrier is not None]
        self._wake_house = asyncio.Event()
        self._wake_feed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def _carrier_of(
        self, kind: str, jobs: StoredJobs[JobT], handle: Handler[JobT], at_once: int, *, spare: int = 0, listens: bool = True
    ) -> Carrier[JobT]:
        """Return the carrier of a kind of jobs: the engine where machines share a database, else a loop of this process."""
        run, name = self._service.run, self._name
        if self._engine is not None:
            return EngineCarrier(self._engine, kind, jobs, handle, run, name, at_once=at_once, spare=spare, listens=listens)
        return EmbeddedCarrier(jobs, handle, run, name, at_once=at_once, spare=spare, heartbeat_s=self._heartbeat_s)

    async def start(self) -> None:
        """Reclaim abandoned jobs, then work in the background."""
        if not self._service.store.is_shared:
            await self._service.run(report_jobs.sweep)
            await self._service.run(crawl_jobs.sweep)
            await self._service.run(deliveries.sweep)
        loop = asyncio.get_running_loop()
        self._service.events.on_queued(self._carrier.wake)
        self._service.events.on_queued(partial(_wake, loop, self._wake_house))
        self._service.events.on_queued(partial(_wake, loop, self._wake_feed))
        self._service.events.on_ended(lambda _report_id: _wake(loop, self._wake_feed))
        self._service.events.on_ended(self._recheck_reports)
        works = [
            *(carrier.run() for carrier in self._carriers),
            self._clean_up(),
            self._delete_old_runs(),
            self._feed_batches(),
            self._process_alerts(),
            self._watch_clock(),
            self._read_log_folders(),
        ]
        if self._crawls is not None:
            self._service.events.on_queued(self._crawls.wake)
            self._service.crawl_events.on_ended(partial(_recheck_crawls, self._crawls))
        if (carrier := self._deliveries) is not None:
            self._service.events.on_queued(carrier.wake)
            self._service.events.on_ended(lambda _report_id: carrier.wake())
            self._service.crawl_events.on_ended(lambda _crawl_id: carrier.wake())
        self._tasks = [asyncio.create_task(work) for work in works]

    def _recheck_reports(self, report_id: int | None) -> None:
        """Check the running jobs, because a report may have been deleted by this or another process."""
        self._carrier.recheck(lambda job: report_id in (None, job.report_id))

    async def stop(self, drain_s: float = DRAIN_S) -> None:
        """Stop claiming jobs, wait up to ``drain_s`` for running ones and hand the rest back. A repeated call may shorten the time."""
        self._service.drain()
        hang_up = asyncio.get_running_loop().call_later(drain_s + LAST_WRITES_S, self._service.store.hang_up)
        await asyncio.gather(*(carrier.drain(drain_s) for carrier in self._carriers))
        hang_up.cancel()
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with suppress(asyncio.CancelledError):
                await task
        if self._engine is not None:
            await self._engine.close()

    async def _clean_up(self) -> None:
        """Purge deleted data at once, and do other housekeeping every ten minutes."""
        steps = (housekeeping.delete_expired, known_sites.delete_expired, housekeeping.free_disk_space)
        while True:
            for step in steps:
                await self._run_logged(step)
            await self._repeat(retention.delete_old_pages)
            await self._repeat(housekeeping.end_acceptances)
            await self._repeat(housekeeping.note_outages)
            await self._repeat(crawl_acceptances.end_acceptances)
            await self._repeat(batches.delete_old)
            await self._repeat(log_imports.delete_old)
            await self._repeat(deliveries.delete_old)
            await self._repeat(audit_entries.delete_old)
            await self._run_logged(digests.send_due)
            await self._run_logged(monthly_reports.send_due)
            await self._repeat(stored_images.remove_unused)
            await self._purge_for(HOUSEKEEPING_EVERY_S)

    async def _watch_clock(self) -> None:
        """Correct stored times at the start and whenever the clock goes back.

        The clock was certainly wrong if it went ahead and came back while this process ran.
        """
        offset_s, ahead_s = _clock_offset_s(), 0.0
        await self._run_logged(future_times.correct_future_times)
        while True:
            await asyncio.sleep(CLOCK_EVERY_S)
            step_s = _clock_offset_s() - offset_s
            if step_s < -CLOCK_STEP_S:
                is_certain = ahead_s >= -step_s - CLOCK_STEP_S
                if not await self._run_logged(partial(future_times.correct_future_times, is_certain=is_certain)):
                    continue  # retried, because the offset is still that of the wrong clock
            ahead_s = max(0.0, ahead_s + step_s) if abs(step_s) > CLOCK_STEP_S else ahead_s
            offset_s += step_s

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
                    await self._repeat(crawl_jobs.purge_deleted)
                    await self._repeat(housekeeping.purge_deleted)
                    await self._repeat(retention.delete_excess_pages)
                    await self._wake_house.wait()

    async def _feed_batches(self) -> None:
        """Queue reports of batches as earlier ones finish."""
        while True:
            self._wake_feed.clear()
            await self._repeat(batches.feed)
            with suppress(TimeoutError):
                async with asyncio.timeout(FEED_EVERY_S):
                    await self._wake_feed.wait()

    async def _process_alerts(self) -> None:
        """Run suspect pages of alerts again and send due notifications, every few seconds."""
        while True:
            await self._run_logged(rechecks.queue_due)
            await self._run_logged(alert_notifications.notify_due)
            await asyncio.sleep(ALERTS_EVERY_S)

    async def _read_log_folders(self) -> None:
        """Read what is new in folders with access logs, and count again what changed."""
        while True:
            await self._logged(log_folders.read_due(self._service))
            await self._run_logged(hit_recounting.count_changed)
            await asyncio.sleep(FOLDERS_EVERY_S)

    async def _repeat(self, step: Callable[[Service], bool]) -> None:
        more = True
        while more:
            more = bool(await self._run_logged(step))
            await asyncio.sleep(PURGE_PAUSE_S)

    async def _run_logged(self, step: Callable[[Service], T]) -> T | None:
        return await self._logged(self._service.run(step))

    async def _logged(self, work: Awaitable[T]) -> T | None:
        try:
            return await work
        except Unavailable as error:
            _log.warning("background work is delayed: %s", error)
        except Exception:  # noqa: BLE001 - a step that fails must not end the others
            _log.exception("background work failed; it is retried at the next interval")
        return None


def _clock_offset_s() -> float:
    """Return the difference between the wall clock and the monotonic clock, which changes only if the wall clock is set."""
    return now().timestamp() - monotonic_s()


def _recheck_crawls(carrier: Carrier[CrawlJob], crawl_id: int | None) -> None:
    carrier.recheck(lambda job: crawl_id in (None, job.crawl_id))


def _wake(loop: asyncio.AbstractEventLoop, event: asyncio.Event) -> None:
    with suppress(RuntimeError):  # the event loop was closed
        loop.call_soon_threadsafe(event.set)
