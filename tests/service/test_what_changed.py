"""What changed since a time: pages, alerts, certificates and lost pages, and that the home page says the same."""

import time
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from findable import clock
from findable.errors import NotFound, ValidationFailed
from findable.monitor.page_alert_conditions import PageFacts
from findable.service.projects import change_overview, home, project_lists, projects, schedules
from findable.service.projects.change_overview import LONGEST, ChangeOverview
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.schedule_values import ScheduleCreate, ScheduledWork
from findable.store import store_protocol
from findable.store.setback_statements import ChangeScope, SetbackKey
from tests.service import samples

FAILS = {**samples.VERDICTS, "noindex": "failed"}
START = datetime.now(UTC).replace(microsecond=0) + timedelta(days=1)
"""A first day after that on which the tests make reports."""


class Days:
    """A clock of days, for the modules that write and read changes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch

    def go(self, day: float) -> None:
        at = START + timedelta(days=day)
        self._monkeypatch.setattr(clock, "now", lambda: at)
        for module in (store_protocol, change_overview, home, project_lists):
            self._monkeypatch.setattr(module, "now", clock.now)


@pytest.fixture
def days(monkeypatch: pytest.MonkeyPatch) -> Days:
    return Days(monkeypatch)


def got(service: Service, caller: Caller, day: float, project: str = "") -> ChangeOverview:
    return change_overview.get(service, caller, project, START + timedelta(days=day))


def lines(found: ChangeOverview) -> tuple[list[tuple[str, tuple[str, ...]]], list[tuple[str, tuple[str, ...]]]]:
    return [(one.url, one.new) for one in found.pages.worse], [(one.url, one.fixed) for one in found.pages.better]


def test_the_same_changes_since_different_times(service: Service, caller: Caller, days: Days) -> None:
    url = "https://a.example/"
    for day, fails in ((0, False), (5, True), (20, True), (25, False), (26, True)):
        days.go(day)
        samples.made(service, caller, url, samples.seen(60 if fails else 90, FAILS if fails else samples.VERDICTS))
    days.go(27)
    assert lines(got(service, caller, 1)) == ([(url, ("noindex",))], [])
    assert lines(got(service, caller, 21)) == ([], [])
    assert lines(got(service, caller, 25.5)) == ([(url, ("noindex",))], [])
    (worse,) = got(service, caller, 1).pages.worse
    assert (worse.score_before, worse.score, worse.new_count, worse.fixed_count, worse.open_count) == (90, 60, 1, 0, 0)
    assert worse.at == START + timedelta(days=26)


def test_what_is_fixed_is_listed_though_it_was_never_new(service: Service, caller: Caller, days: Days) -> None:
    days.go(0)
    samples.made(service, caller, "https://a.example/", samples.seen(50, {**FAILS, "title-present": "failed"}))
    days.go(10)
    samples.made(service, caller, "https://a.example/", samples.seen(90, {**samples.VERDICTS, "title-present": "failed"}))
    (better,) = got(service, caller, 8).pages.better
    assert (better.fixed, better.fixed_count, better.open_count) == (("noindex",), 1, 1)
    days.go(11)
    assert lines(got(service, caller, 10.5)) == ([], [])


def test_the_home_page_lists_what_the_page_of_a_week_lists(service: Service, caller: Caller, days: Days) -> None:
    days.go(0)
    for number in range(4):
        samples.made(service, caller, f"https://a.example/{number}", samples.seen(90))
    for day, number in ((1, 0), (3, 1), (9, 2)):
        days.go(day)
        samples.made(service, caller, f"https://a.example/{number}", samples.seen(70))
    days.go(9.5)
    shown = home.get(service, caller).changes
    assert shown == change_overview.get(service, caller).pages
    assert [one.url for one in shown.worse] == ["https://a.example/2", "https://a.example/1"]


def test_only_changes_of_the_project_and_of_the_account(service: Service, caller: Caller, days: Days) -> None:
    other = samples.owner(service, "other@example.com")
    days.go(0)
    for host in ("a", "b"):
        for score in (90, 60):
            samples.made(service, caller, f"https://{host}.example/", samples.seen(score))
    days.go(1)
    assert [url for url, _ in lines(got(service, caller, -1, "b.example"))[0]] == ["https://b.example/"]
    assert got(service, other, -1).is_empty
    with pytest.raises(NotFound):
        got(service, other, -1, "b.example")
    projects.delete(service, caller, "b.example")
    assert [url for url, _ in lines(got(service, caller, -1))[0]] == ["https://a.example/"]


def test_a_certificate_that_ends_soon_is_listed(service: Service, caller: Caller, days: Days) -> None:
    days.go(0)
    for number, left in enumerate((20, 22)):
        report = samples.made(service, caller, f"https://{number}.example/", samples.seen(90))
        new = ScheduleCreate(project=f"{number}.example", what=ScheduledWork.REPORTS, every="week", at="mon 03:00", time_zone="UTC")
        schedules.create(service, caller, new)
        facts = PageFacts(certificate_ends=(START + timedelta(days=left)).isoformat())
        with service.store.write() as session:
            row = session.reports.by_id(report)
            assert row is not None
            values = {"account_id": row.account_id, "project_id": row.project_id, "seen_at": 1, "is_reached": 1, "again_at": None}
            session.alerts.save_page(report, {**values, "facts": msgspec.json.encode(facts).decode()})
    (found,) = got(service, caller, -1).certificates
    assert (found.project, found.days_left) == ("0.example", 20)


@pytest.mark.parametrize("since", [timedelta(days=31), timedelta(seconds=-5)])
def test_a_time_that_is_too_long_ago_or_to_come_is_refused(service: Service, caller: Caller, since: timedelta) -> None:
    with pytest.raises(ValidationFailed):
        change_overview.get(service, caller, "", clock.now() - since)
    assert change_overview.get(service, caller, "", clock.now() - LONGEST + timedelta(seconds=5)).is_empty


@pytest.mark.full
def test_thousands_of_changed_pages_are_read_in_milliseconds(service: Service, caller: Caller) -> None:
    samples.made(service, caller, "https://a.example/")
    at = int(clock.now().timestamp()) - 60
    findings = ",".join(
        f'"{check}:{number}":[[[0,"passed"],[{at},"failed"]]]'
        for number, check in enumerate(("noindex", "title-present", "https", "h1-present"))
    )
    changes = f'{{"scores":[[0,90],[{at},60]],"findings":{{{findings}}},"failed_count":9}}'
    with service.store.write() as session:
        project = session.projects.by_name(caller.account_id, "a.example")
        assert project is not None
        for number in range(5_000):
            session.setbacks.save(SetbackKey(caller.account_id, project.id, f"https://a.example/{number}", None, None), at, at, changes)
    took = []
    for _ in range(5):
        began = time.process_time()
        with service.store.read() as session:
            found = change_overview.changed_pages(session, ChangeScope(caller.account_id), at - 60, at + 60)
        took.append(time.process_time() - began)
    assert found.is_part
    assert len(found.worse) == change_overview.MOST
    assert min(took) < 0.05, took
