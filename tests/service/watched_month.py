"""Months of watched sites on a simulated clock: the real service and database, sites that do what a plan says."""

import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from msgspec import structs
from sqlalchemy import func, select

from findable.errors import PageErrorCode, PageUnavailable
from findable.monitor.site_alert_conditions import SiteFacts
from findable.notify.outgoing_event import AlertData, Event
from findable.reports.report import Report
from findable.service.alerts import alert_notifications
from findable.service.projects import due_schedules, schedules
from findable.service.reports import batches, rechecks, report_jobs, reports
from findable.service.reports.report_jobs import AnalysedPage, ReportJob, RunOutcome, UnchangedPage
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.report_values import NewReport
from findable.service.values.schedule_values import ScheduleCreate
from findable.store.schema.site_tables import alert, page_watch, schedule
from findable.store.store_protocol import Session
from tests.service import samples
from tests.simulated_clock import SimulatedClock

START = 1_796_083_200  # 1 December 2026, 00:00 UTC
HOUR_S, DAY_S = 3600, 86_400
ROBOTS = "User-agent: *\nDisallow: /cart\n"
TIME_OUT = PageUnavailable(PageErrorCode.TARGET_TIMEOUT)
DOWN = PageUnavailable(PageErrorCode.CONNECT_FAILED)
LIMITED = PageUnavailable(PageErrorCode.TARGET_RATE_LIMITED)


@dataclass(frozen=True)
class Planted:
    """Something that happens to a site between two times, to pages whose URL has a text."""

    what: str
    """down, limited, noindex, canonical, robots, blocked or flapping."""
    begin: int
    end: int
    host: str
    of: str = ""

    def holds(self, url: str, at: int) -> bool:
        return self.begin <= at < self.end and f"//{self.host}/" in url and self.of in url


@dataclass
class Message:
    """A message that was sent."""

    at: int
    kind: str
    data: AlertData
    project: str

    @property
    def told(self) -> tuple[str, str, str, int]:
        return self.kind, self.data.rule, self.project, self.data.pages_count


@dataclass
class Month:
    """The service on a simulated clock, and what it sends."""

    service: Service
    caller: Caller
    clock: SimulatedClock
    patch: pytest.MonkeyPatch
    plan: Sequence[Planted]
    time_outs: float = 0.0
    seed: int = 0
    messages: list[Message] = field(default_factory=list)
    in_a_row: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    unlucky: set[str] = field(default_factory=set)
    """Pages that timed out so often in a row that they are down for whoever watches them."""
    answered_at: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """Times of the runs that did not time out, by URL."""
    runs: int = 0

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)

        def write_event(session: Session, event: Event) -> bool:
            del session
            assert isinstance(event.data, AlertData)
            self.messages.append(Message(event.at, event.type.value, event.data, event.project))
            return True

        self.patch.setattr(alert_notifications, "write_event", write_event)

    def watch(self, urls: Sequence[str], every: str = "day", at: str = "03:00") -> None:
        for url in urls:
            reports.create(self.service, self.caller, NewReport(url))
        self.work()
        schedules.create(self.service, self.caller, ScheduleCreate(project=urls[0].split("/")[2], every=every, at=at))

    def go(self, until: int, meanwhile: Callable[[int], None] = lambda at: None) -> None:
        """Let the time pass: everything that is due is done when it is due."""
        while (due := self._next()) is not None and due <= until:
            self.clock.at = max(self.clock.at, due)
            meanwhile(self.clock.at)
            rechecks.queue_due(self.service)
            for schedule_id in (job.id for job in due_schedules.claim_some(self.service, "w", 4)):
                with self.service.store.read() as session:
                    row = session.schedules.by_id(schedule_id)
                assert row is not None
                due_schedules.complete_run(self.service, row)
            self.work()
            alert_notifications.notify_due(self.service)
        self.clock.at = until

    def _next(self) -> int | None:
        with self.service.store.read() as session:
            connection = session.alerts._connection
            columns = (schedule.c.due_at, alert.c.next_at, page_watch.c.again_at)
            found = [connection.execute(select(func.min(column)).where(column.is_not(None))).scalar() for column in columns]
        return min((int(one) for one in found if one is not None), default=None)

    def work(self) -> None:
        while True:
            while batches.feed(self.service):
                pass
            jobs = report_jobs.claim_some(self.service, "tests", 16)
            if not jobs:
                return
            self.runs += len(jobs)
            assert len(report_jobs.store_outcomes(self.service, [(job, self.answer(job)) for job in jobs])) == len(jobs)

    def confirmed_pages(self, host: str, since: int, until: int) -> int:
        """Pages with two runs between two times that did not time out: only their finding is confirmed then."""
        return sum(sum(since <= at < until for at in times) >= 2 for url, times in self.answered_at.items() if f"//{host}/" in url)

    def answer(self, job: ReportJob) -> RunOutcome:
        at, holds = self.clock.at, {one.what for one in self.plan if one.holds(job.url, self.clock.at)}
        if "down" in holds:
            self.answered_at[job.url].append(at)
            return DOWN
        if "limited" in holds:
            return LIMITED
        if self.chance.random() < self.time_outs:
            self.in_a_row[job.url] += 1
            if self.in_a_row[job.url] > len((60, 300, 900)):
                self.unlucky.add(job.url)
            return TIME_OUT
        self.in_a_row[job.url] = 0
        self.answered_at[job.url].append(at)
        noindex = "noindex" in holds or ("flapping" in holds and at // (2 * HOUR_S) % 2 == 1)
        more = "Disallow: /\n" if "blocked" in holds else "Disallow: /new\n" if "robots" in holds else ""
        site = SiteFacts(ROBOTS + more, 10)
        made = f"{noindex} {'canonical' in holds} {site.robots_txt}"
        digest = sha256(made.encode()).digest()[:16]
        if job.known == digest:
            return UnchangedPage(site)
        return structs.replace(_page(noindex=noindex, canonical="canonical" not in holds), site=site, fingerprint=digest)


@lru_cache(maxsize=8)
def _page(*, noindex: bool, canonical: bool) -> AnalysedPage:
    """A page as a report has it that Google can index, or not."""
    whole: dict[str, Any] = msgspec.to_builtins(samples.report())
    bot = {"token": "Googlebot", "operator": "", "purpose": "", "token_only": False, "verified": True, "allowed": True}
    robots = {"state": "read", "url": "", "status": 200, "reason": "", "bots_as_of": "", "sitemaps": [], "sitemaps_count": 0}
    target = "https://example.com/" if canonical else None
    whole["facts"] = {
        "canonical": {"target": target, "is_self": canonical, "differences": [], "declarations": []},
        "robots": {**robots, "rules_count": 0, "remarks": [], "remarks_count": 0, "bots": [bot]},
        "robots_directives": {"rules": [], "rules_count": 0, "google": {"noindex": noindex, "nofollow": False, "nosnippet": False}},
    }
    return structs.replace(samples.seen(), report=msgspec.convert(whole, Report, strict=False))
