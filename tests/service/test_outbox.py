"""Events are written with what they tell, and for whoever takes them."""

import json
from collections.abc import Sequence
from contextlib import suppress

from sqlalchemy import insert, select

from findable.errors import PageErrorCode, PageUnavailable
from findable.notify.outgoing_event import AlertData, Event, EventType
from findable.service.reports import report_jobs, reports
from findable.service.runtime.outbox import write_event
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.report_values import ReportChanges
from findable.store.schema.message_tables import delivery, event, webhook
from tests.service.samples import made, owner, seen, work


def subscribe(service: Service, account_id: int, events: str = "", **more: object) -> None:
    values = {"account_id": account_id, "name": "", "kind": "standard", "events": events, "target": b"", "created_at": 1, "updated_at": 1}
    with service.store.write() as session:
        session.outbox._connection.execute(insert(webhook), {**values, **more})


def queued(service: Service) -> Sequence[tuple[str, dict[str, object]]]:
    statement = select(event.c.type, event.c.data).join(delivery, delivery.c.event_id == event.c.id).order_by(event.c.id)
    with service.store.read() as session:
        return [(kind, json.loads(data)) for kind, data in session.outbox._connection.execute(statement)]


def types(service: Service) -> list[str]:
    return [kind for kind, _ in queued(service)]


def alert(account_id: int, cause: str = "alert:1") -> Event:
    data = AlertData(1, "noindex", "page", "https://example.com/", "open", "The page is {count} times noindex", {"count": 2})
    return Event(EventType.ALERT_OPENED, 5, account_id, cause, data)


def test_nothing_is_written_where_nobody_takes_events(service: Service, caller: Caller) -> None:
    other = owner(service, "other@example.com")
    subscribe(service, other.account_id)
    subscribe(service, caller.account_id, "crawl.done alert.opened")
    subscribe(service, caller.account_id, disabled_at=5)
    made(service, caller)
    with service.store.read() as session:
        assert session.outbox._connection.execute(select(event.c.id)).all() == []


def test_runs_of_a_report_are_told_with_their_scores(service: Service, caller: Caller) -> None:
    subscribe(service, caller.account_id)
    number = made(service, caller, outcome=seen(93))
    reports.update(service, caller, number, ReportChanges(results=True))
    work(service, seen(70))
    assert types(service) == ["report.done", "report.done", "report.worse"]
    told = queued(service)[2][1]
    assert (told["type"], told["project"], told["cause"]) == ("report.worse", "example.com", f"report:{number}:run:2")
    data = told["data"]
    assert isinstance(data, dict)
    assert (data["object"], data["id"], data["run"], data["score"], data["previous"]["score"]) == ("report", number, 2, 70, 93)


def test_a_lower_score_of_another_ruleset_is_not_worse(service: Service, caller: Caller) -> None:
    subscribe(service, caller.account_id)
    number = made(service, caller, outcome=seen(93, ruleset="2020-01"))
    reports.update(service, caller, number, ReportChanges(results=True))
    work(service, seen(70))
    assert types(service) == ["report.done", "report.done"]


def test_a_failed_run_is_told_whether_it_had_a_result_before_or_not(service: Service, caller: Caller) -> None:
    subscribe(service, caller.account_id, "report.failed")
    number = made(service, caller)
    for _ in range(2):
        reports.update(service, caller, number, ReportChanges(results=True))
        job = report_jobs.claim(service, "tests")
        assert job is not None
        report_jobs.store_outcomes(service, [(job, PageUnavailable(PageErrorCode.TARGET_TIMEOUT))])
    assert [told["data"]["error"] for _, told in queued(service)] == ["target_timeout"] * 2  # type: ignore[index]  # JSON is an object to the type checker


def test_one_cause_is_told_once(service: Service, caller: Caller) -> None:
    subscribe(service, caller.account_id)
    for expected in (True, False):
        with service.store.write() as session:
            assert write_event(session, alert(caller.account_id)) is expected
    with service.store.write() as session:
        assert write_event(session, alert(caller.account_id, "alert:2"))
    assert types(service) == ["alert.opened"] * 2


def test_an_event_of_a_transaction_that_is_rolled_back_is_never_sent(service: Service, caller: Caller) -> None:
    subscribe(service, caller.account_id)
    with suppress(RuntimeError), service.store.write() as session:
        assert write_event(session, alert(caller.account_id))
        raise RuntimeError
    assert queued(service) == []
