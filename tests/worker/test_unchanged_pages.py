"""Scheduled runs of pages that have not changed, over a real fetcher, worker and database."""

from pathlib import Path

import pytest
from sqlalchemy import update

from findable.jobs import embedded
from findable.service.projects import schedules
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.schedule_values import ScheduleCreate
from findable.store.schema.site_tables import schedule
from findable.worker import worker_loop
from tests.sites.server import Site
from tests.worker.processes import eventually
from tests.worker.test_reports_of_real_sites import html, made, story


def make_due(service: Service) -> None:
    with service.store.write() as session:
        session.schedules._connection.execute(update(schedule).values(due_at=0))


def runs(service: Service, report_id: int) -> tuple[int, int]:
    """Full runs and unchanged ones."""
    with service.store.read() as session:
        return session.runs.count(report_id), len(session.alerts.unchanged_run_times(report_id, 10))


def test_an_unchanged_page_is_requested_once_and_a_header_makes_it_a_full_run(
    tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_loop, "ALERTS_EVERY_S", 0.05)
    monkeypatch.setattr(embedded, "POLL_S", 0.05)
    url = site.page("/page", html())

    async def tell(service: Service, caller: Caller) -> None:
        report = await made(service, caller, url)
        schedules.create(service, caller, ScheduleCreate(project=report.project))
        make_due(service)
        await eventually(lambda: runs(service, report.id) == (2, 0))  # the first watched run is a full one
        before = len(site.requests)
        make_due(service)
        await eventually(lambda: runs(service, report.id) == (2, 1))
        assert {request.path for request in site.requests[before:]} <= {"/page", "/robots.txt"}
        site.page("/page", html(), headers=[("X-Robots-Tag", "noindex")])
        make_due(service)
        await eventually(lambda: runs(service, report.id) >= (3, 1))

    story(tmp_path, (site,), tell, rate_limit=0)
