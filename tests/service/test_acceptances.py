"""Accepted findings end by themselves, and hold for what is made meanwhile."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from findable.capture.saved import dump
from findable.errors import Forbidden, NotFound, ValidationFailed
from findable.reports.analysis import analyse
from findable.service import housekeeping
from findable.service.reports import acceptances, report_jobs, reports
from findable.service.reports.report_jobs import AnalysedPage
from findable.service.runtime.service import Service
from findable.service.values.caller import READ, Caller
from findable.service.values.report_values import NewAcceptance, ReportChanges, ReportView, Scope
from findable.store import store_protocol
from findable.store.report_list_queries import rating_keys
from tests.checks.harness import capture, page
from tests.service import samples
from tests.simulated_clock import simulated_clock
from tests.stored_damage import damage_of

NOON = datetime(2026, 11, 2, 12, tzinfo=UTC)
TODAY = NOON.date()
NOINDEX = page(head='<title>A page of a shop</title><meta name="robots" content="noindex">')


@pytest.fixture(autouse=True)
def noon() -> Iterator[None]:
    """The time of all tests here, so that none runs across midnight."""
    with simulated_clock(int(NOON.timestamp())):
        yield


def seen(url: str = "https://example.com/", html: str = NOINDEX) -> AnalysedPage:
    captured = capture(html, url=url, captured_at=NOON.strftime("%Y-%m-%dT%H:%M:%SZ"))
    return AnalysedPage(dump(captured), analyse(captured))


def accepted(view: ReportView) -> list[str]:
    assert view.report is not None
    return [finding.id for finding in view.report.findings if finding.accepted]


def later(monkeypatch: pytest.MonkeyPatch, days: int) -> None:
    moment = NOON + timedelta(days=days)
    monkeypatch.setattr(store_protocol, "now", lambda: moment)


def test_an_acceptance_ends_when_its_last_day_is_over(service: Service, caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    report_id = samples.made(service, caller, outcome=seen())
    other = samples.made(service, caller, "https://example.com/b", outcome=seen("https://example.com/b"))
    before = reports.get(service, caller, report_id)
    acceptances.accept(service, caller, report_id, "noindex", NewAcceptance("for a week", TODAY + timedelta(days=7)))
    acceptances.accept(service, caller, other, "noindex", NewAcceptance("for good"))
    for days, held in ((0, ["noindex"]), (7, ["noindex"]), (8, [])):
        later(monkeypatch, days)
        assert housekeeping.end_acceptances(service) is False
        view = reports.get(service, caller, report_id)
        assert accepted(view) == held
        assert accepted(reports.get(service, caller, other)) == ["noindex"]
    assert (view.score, view.result, view.run, view.generated_at) == (before.score, before.result, 1, before.generated_at)
    assert view.report is not None
    assert before.report is not None
    assert view.report == before.report


def test_many_that_end_at_once_end_a_few_at_a_time(service: Service, caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    first = samples.made(service, caller, outcome=seen())
    acceptances.accept(service, caller, first, "noindex", NewAcceptance("for a day", TODAY, Scope.PROJECT))
    made = [first, *(samples.made(service, caller, url, outcome=seen(url)) for url in (f"https://example.com/{n}" for n in range(6)))]
    assert all(accepted(reports.get(service, caller, number)) for number in made)
    later(monkeypatch, 1)
    assert housekeeping.end_acceptances(service) is True
    assert housekeeping.end_acceptances(service) is False
    assert not any(accepted(reports.get(service, caller, number)) for number in made)


def test_what_is_accepted_while_a_generation_runs_holds_for_its_result(service: Service, caller: Caller) -> None:
    report_id = samples.made(service, caller, outcome=seen())
    reports.update(service, caller, report_id, ReportChanges(results=True))
    job = report_jobs.claim(service, "w")
    assert job is not None
    result = seen()
    acceptances.accept(service, caller, report_id, "noindex", NewAcceptance("meanwhile"))
    assert report_jobs.complete(service, job, result)
    view = reports.get(service, caller, report_id)
    assert (view.run, accepted(view)) == (2, ["noindex"])


def test_the_counters_of_ratings_follow(service: Service, caller: Caller) -> None:
    sound = page(head='<title>Blue widgets – Example</title><meta name="robots" content="noindex">')
    report_id = samples.made(service, caller, outcome=seen(html=sound))
    view = acceptances.accept(service, caller, report_id, "noindex", NewAcceptance("known"))
    with service.store.read() as session:
        account = session.accounts.by_id(caller.account_id)
        row = session.reports.by_id(report_id)
        assert account is not None
        assert row is not None
        assert (row.result, row.score) == (view.result, view.score)
        assert rating_keys(row.result, row.score).items() >= {"result_down": row.result_down, "worst_down": row.worst_down}.items()
    assert damage_of(service.store) == []


def test_a_report_under_an_older_ruleset_is_generated_again_first(service: Service, caller: Caller) -> None:
    report_id = samples.made(service, caller, outcome=samples.seen(50, {"noindex": "failed"}, ruleset="2001-01"))
    with pytest.raises(ValidationFailed) as raised:
        acceptances.accept(service, caller, report_id, "noindex", NewAcceptance("x"))
    assert "2001-01" in raised.value.errors["check"][0]


def test_it_takes_the_right_to_write(service: Service, caller: Caller) -> None:
    report_id = samples.made(service, caller, outcome=seen())
    reader = Caller(caller.account_id, caller.user_id, caller.key_id, frozenset({READ}))
    with pytest.raises(Forbidden):
        acceptances.accept(service, reader, report_id, "noindex", NewAcceptance("x"))
    with pytest.raises(Forbidden):
        acceptances.withdraw(service, reader, report_id, "noindex")


def test_a_project_has_a_bound_of_them(service: Service, caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("findable.service.results.acceptances.MAX_FOR_PROJECT", 2)
    report_id = samples.made(service, caller, outcome=seen())

    def accept(pattern: str) -> Any:
        return acceptances.accept(service, caller, report_id, "noindex", NewAcceptance("x", scope=Scope.PROJECT, pattern=pattern))

    accept("/")
    accept("/*")
    accept("/*")
    with pytest.raises(ValidationFailed):
        accept("*")
    acceptances.withdraw(service, caller, report_id, "noindex", Scope.PROJECT)
    with pytest.raises(NotFound):
        acceptances.withdraw(service, caller, report_id, "noindex")
