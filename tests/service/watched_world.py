"""A watched project whose pages say what a test wants, on a simulated clock, with the messages that are sent about it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest
from msgspec import structs

from findable.errors import PageErrorCode, PageUnavailable
from findable.monitor.site_alert_conditions import SiteFacts
from findable.notify.outgoing_event import AlertData, Event
from findable.reports.report import Report
from findable.service.alerts import alert_notifications
from findable.service.projects import schedules
from findable.service.reports import batches, rechecks, report_jobs, reports
from findable.service.reports.report_jobs import AnalysedPage
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.report_values import NewReport, ReportChanges
from findable.service.values.schedule_values import ScheduleCreate
from findable.store.store_protocol import Session
from tests.service import samples
from tests.simulated_clock import SimulatedClock, simulated_clock

NOON = 1_795_435_200
ProbeResponse = AnalysedPage | PageUnavailable
OUTAGE = PageUnavailable(PageErrorCode.TARGET_TIMEOUT)


class World:
    """A watched project whose pages say what a test wants."""

    def __init__(self, service: Service, caller: Caller, clock: SimulatedClock, told: list[Event]) -> None:
        self.service, self.caller, self.clock, self.told = service, caller, clock, told
        self.answer: Callable[[str], ProbeResponse] = lambda url: sound()

    def add(self, *urls: str) -> list[int]:
        made = [reports.create(self.service, self.caller, NewReport(url)).report.id for url in urls]
        for host in {url.split("/")[2] for url in urls}:
            schedules.create(self.service, self.caller, ScheduleCreate(project=host, every="month"))
        self.work()
        return made

    def work(self) -> None:
        while True:
            while batches.feed(self.service):
                pass
            job = report_jobs.claim(self.service, "tests")
            if job is None:
                return
            assert report_jobs.store_outcomes(self.service, [(job, self.answer(job.url))])

    def run(self, *numbers: int) -> None:
        for number in numbers:
            reports.update(self.service, self.caller, number, ReportChanges(results=True))
        self.work()

    def wait(self, seconds: int, step: int = 60) -> None:
        """Let the time pass as the worker does."""
        until = self.clock.at + seconds
        while self.clock.at < until:
            self.clock.at = min(until, self.clock.at + step)
            rechecks.queue_due(self.service)
            self.work()
            alert_notifications.notify_due(self.service)

    @property
    def messages(self) -> list[tuple[str, str, int]]:
        return [(one.type.value, str(getattr(one.data, "rule", "")), getattr(one.data, "pages_count", 0)) for one in self.told]


@contextmanager
def watched_world(service: Service, caller: Caller) -> Iterator[World]:
    """Yields the world; its messages go to `World.told` in place of the outbox."""
    told: list[Event] = []

    def write_event(session: Session, event: Event) -> bool:
        assert session.alerts.due(0, 1) == []  # in the transaction of the alert
        told.append(event)
        return True

    with pytest.MonkeyPatch.context() as patch, simulated_clock(NOON) as clock:
        patch.setattr(alert_notifications, "write_event", write_event)
        yield World(service, caller, clock, told)


def sound(site: SiteFacts | None = None, **changes: Any) -> AnalysedPage:
    return structs.replace(samples.seen(), report=structs.replace(samples.report(), **changes), site=site)


def facts(canonical: str = "https://example.com/", *, noindex: bool = False) -> dict[str, Any]:
    """Facts as a report has them, of a page that Google can index."""
    return {
        "canonical": {"target": canonical or None, "is_self": True, "differences": [], "declarations": []},
        "robots": {
            "state": "read", "url": "", "status": 200, "reason": "", "bots_as_of": "", "sitemaps": [], "sitemaps_count": 0,
            "rules_count": 0, "remarks": [], "remarks_count": 0,
            "bots": [{"token": "Googlebot", "operator": "", "purpose": "", "token_only": False, "verified": True, "allowed": True}],
        },
        "robots_directives": {"rules": [], "rules_count": 0, "google": {"noindex": noindex, "nofollow": False, "nosnippet": False}},
    }  # fmt: skip


def listed(**values: Any) -> AnalysedPage:
    whole = msgspec.to_builtins(samples.report())
    whole["facts"] = facts(**values)
    return structs.replace(samples.seen(), report=msgspec.convert(whole, Report, strict=False))


def subject_of(event: Event) -> tuple[str, str, str]:
    assert isinstance(event.data, AlertData)
    return event.data.subject_kind, event.data.subject, event.data.state
