"""Weeks of a portfolio of watched shops on a simulated clock: all that a worker does, with real requests, crawls and e-mails."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import func, select

from findable import clock
from findable.compute import compute_here
from findable.reports import scoring
from findable.service import housekeeping
from findable.service.alerts import alert_notifications
from findable.service.crawls import crawl_jobs
from findable.service.crawls.crawl_jobs import CrawlJob
from findable.service.delivery import deliveries, digests
from findable.service.projects import due_schedules
from findable.service.reports import batches, rechecks, report_jobs
from findable.service.runtime.service import Service
from findable.store import crawl_findings
from findable.store.job_statements import Jobs
from findable.store.schema.job_tables import job
from findable.store.schema.message_tables import delivery
from findable.store.schema.site_tables import alert, page_watch, schedule
from findable.worker.crawl_task import CrawlTask
from findable.worker.delivery_task import DeliveryTask
from findable.worker.page_analyser import PageAnalyser
from findable.worker.report_task import ReportTask
from tests.service.watched_shops import Shop
from tests.simulated_clock import SimulatedClock
from tests.worked_crawls import FAST

MINUTE_S, HOUR_S, DAY_S, WEEK_S = 60, 3600, 86_400, 7 * 86_400
TOGETHER_S = 240
"""Schedules that are due within this time start together, which no schedule notices: it is late after 15 minutes."""
PAGES_AT_ONCE, CRAWLS_AT_ONCE, DELIVERIES_AT_ONCE = 8, 4, 8


class Planned(Struct, frozen=True):
    """What happens to a shop between two times."""

    shop: Shop
    fault: str
    begin: int
    end: int
    certificate: Path | None = None


@contextmanager
def ageing_caches(told: SimulatedClock) -> Iterator[None]:
    """Let the time of caches and pauses pass with the simulated clock too."""
    began_at, real = told.at, clock.monotonic_s
    with pytest.MonkeyPatch.context() as patch:
        _everywhere(patch, "monotonic_s", real, lambda: real() + told.at - began_at)
        patch.setattr(Jobs, "clock", lambda _self, now: now)  # also where the database has a clock
        yield


@contextmanager
def ruleset(name: str) -> Iterator[None]:
    """Judge under a ruleset of that name."""
    with pytest.MonkeyPatch.context() as patch:
        _everywhere(patch, "RULESET", scoring.RULESET, name)
        patch.setattr(crawl_findings.stored_report, "__defaults__", (name,))
        yield


def _everywhere(patch: pytest.MonkeyPatch, attribute: str, known: object, new: object) -> None:
    for name, module in list(sys.modules.items()):
        if name.startswith("findable.") and getattr(module, attribute, None) == known:
            patch.setattr(module, attribute, new)


class Portfolio:
    """The worker of a service, on an event loop, and the shops to which something happens."""

    def __init__(self, service: Service, told: SimulatedClock, plan: Sequence[Planned]) -> None:
        self.service, self.clock = service, told
        self._happens = sorted(
            [(one.begin, number, True) for number, one in enumerate(plan)] + [(one.end, number, False) for number, one in enumerate(plan)]
        )
        self._plan = plan
        self._analyser = PageAnalyser(service)
        self._pool = self._analyser._pool
        self._analyser._pool = compute_here  # type: ignore[assignment]  # processes would have the ruleset of their start
        self._crawls = CrawlTask(service, self._analyser.fetching)
        self._crawls._pool = self._crawls._settling = compute_here  # type: ignore[assignment]  # as above
        self._reports = ReportTask(service, self._analyser)
        self._deliver = DeliveryTask(service)

    async def close(self) -> None:
        """End the work."""
        await self._deliver.close()
        self._analyser._pool = self._pool
        await self._analyser.close()

    async def go(self, until: int) -> None:
        """Let the time pass: everything that is due is done when it is due."""
        while (at := self._next()) <= until:
            self.clock.at = max(self.clock.at, at)
            self._let_happen()
            await self._work()
        self.clock.at = until

    def _let_happen(self) -> None:
        while self._happens and self._happens[0][0] <= self.clock.at:
            _, number, begins = self._happens.pop(0)
            one = self._plan[number]
            if one.fault == "resets":
                one.shop.resets = 2 if begins else 0  # the request and its repetition
            elif one.fault == "certificate ends" and not begins:
                one.shop.certificate = one.certificate
                one.shop.give("")
            elif one.fault == "certificate ends":
                continue  # it ended in three weeks only now
            else:
                one.shop.give(one.fault if begins else "", one.certificate if begins else None)

    def _next(self) -> int:
        """The next time at which something is due."""
        now = self.clock.at
        with self.service.store.read() as session:
            connection = session.alerts._connection
            waits = [
                (alert.c.next_at, None),
                (page_watch.c.again_at, None),
                (job.c.run_at, job.c.state),
                (delivery.c.run_at, delivery.c.state),
            ]
            found = []
            for column, state in waits:
                statement = select(func.min(column)).where(column > now)
                found.append(connection.execute(statement if state is None else statement.where(state == "ready")).scalar())
            planned = connection.execute(select(func.min(schedule.c.due_at))).scalar()
        found += [None if planned is None else max(int(planned), now) + TOGETHER_S, now - now % HOUR_S + HOUR_S]
        found += [one[0] for one in self._happens[:1]]
        return min(int(one) for one in found if one is not None)

    async def _work(self) -> None:
        """What the loops of a worker do until nothing is left to do now."""
        service = self.service
        is_busy = True
        while is_busy:
            for step in (rechecks.queue_due, batches.feed, alert_notifications.notify_due, digests.send_due, housekeeping.note_outages):
                while step(service):
                    pass
            done = [
                await self._all(due_schedules.claim_some(service, "w", 4), lambda one: due_schedules.run(service, one)),
                await self._all(report_jobs.claim_some(service, "w", PAGES_AT_ONCE), self._reports),
                await self._all(crawl_jobs.claim_some(service, "w", CRAWLS_AT_ONCE), self._crawl),
                await self._all(deliveries.claim_some(service, "w", DELIVERIES_AT_ONCE), self._deliver),
            ]
            is_busy = any(done)

    async def _crawl(self, one: CrawlJob) -> None:
        await self._crawls(replace(one, settings=replace(one.settings, **FAST)))

    @staticmethod
    async def _all(jobs: Sequence[Any], handle: Callable[[Any], Awaitable[None]]) -> bool:
        await asyncio.gather(*map(handle, jobs))
        return bool(jobs)
