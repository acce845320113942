"""A clock that was 400 days ahead for a moment leaves nothing behind: F16."""

import asyncio
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import structs
from sqlalchemy import insert, select, update

from findable.clock import now
from findable.errors import RateLimited
from findable.monitor.alert_states import AlertState, Phase
from findable.monitor.schedule_rules import next_after, planned_again, rule_of
from findable.service import future_times
from findable.service.accounts import invitations, sessions
from findable.service.delivery import deliveries, email_preferences, monthly_reports, webhook_settings
from findable.service.delivery.deliveries import DeliveryOutcome
from findable.service.delivery.webhook_settings import WebhookCreate
from findable.service.projects import due_schedules, schedules
from findable.service.reports import reports
from findable.service.runtime import attempt_limits
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.schedule_values import ScheduleCreate
from findable.store.future_times import CHOSEN, COMPARED, DERIVED, EXPIRY_S, LONGEST_S, RECORDED, TIMES, TOLERANCE_S
from findable.store.schema.account_tables import invitation
from findable.store.schema.account_tables import session as session_table
from findable.store.schema.all_tables import metadata
from findable.store.schema.job_tables import rate_bucket
from findable.store.schema.message_tables import mail_choice, recipient
from findable.store.schema.site_tables import alert, page_watch, unchanged_run
from findable.store.schema.table_parts import Seconds
from findable.worker import worker_loop
from findable.worker.worker_loop import Worker
from tests.service import samples
from tests.simulated_clock import SimulatedClock, simulated_clock
from tests.worker.processes import eventually

DAY_S = 86_400
AHEAD_S = 400 * DAY_S


@pytest.fixture
def clock() -> Iterator[SimulatedClock]:
    with simulated_clock(int(now().timestamp())) as told:
        yield told


@pytest.fixture
def person(caller: Caller) -> Caller:
    return Caller(caller.account_id, caller.user_id, None, caller.scopes)


def rows_of(service: Service, statement: Any) -> list[Any]:
    with service.store.read() as session:
        return list(session.connection.execute(statement).all())


def test_after_a_clock_was_ahead_everything_that_is_planned_or_blocked_continues(
    service: Service, caller: Caller, person: Caller, clock: SimulatedClock
) -> None:
    today = clock.at
    samples.made(service, caller)
    planned = schedules.create(service, caller, ScheduleCreate(project="example.com", at="03:00"))
    hook = webhook_settings.create(service, person, WebhookCreate("https://hooks.example/x"))
    deliveries.send_test(service, person, hook.id)
    clock.at += AHEAD_S

    for job in due_schedules.claim_some(service, "w", 4):
        asyncio.run(due_schedules.run(service, job))
    for sent in deliveries.claim_some(service, "w", 4):
        deliveries.store_outcome(service, sent, DeliveryOutcome(status=503))
    with service.store.write() as session:
        for _ in range(10):
            attempt_limits.count_try(session, {"sign-in:a": 10})
        with pytest.raises(RateLimited):
            attempt_limits.count_try(session, {"sign-in:a": 10})
        attempt_limits.remember(session, "sign-in", "a", "192.0.2.1")
    email_preferences.choose_digest(service, person, "daily")
    invitations.invite(service, person, role="member", email="")
    number = samples.made(service, caller, "https://example.com/late")
    assert schedules.get(service, caller, planned.id).next_at.timestamp() > today + 390 * DAY_S

    clock.at = today
    future_times.correct_future_times(service, is_certain=True)
    view = schedules.get(service, caller, planned.id)
    assert today < view.next_at.timestamp() <= today + DAY_S + 900
    waiting = [one.next_try_at for one in deliveries.find(service, person, hook.id) if one.next_try_at is not None]
    assert waiting
    assert all(moment.timestamp() <= today + 60 for moment in waiting)
    with service.store.write() as session:
        attempt_limits.count_try(session, {"sign-in:a": 10})
        assert session.times.counts(today) == {}
    assert rows_of(service, select(mail_choice.c.digest_at)) <= [(today + 60,)]
    (invited,) = invitations.invitations(service, person)
    assert invited.expires_at.timestamp() <= today + 7 * DAY_S + 60
    report = reports.get(service, caller, number)
    assert report.generated_at is not None
    assert report.generated_at.timestamp() <= today + 60


def test_states_of_alerts_have_no_times_in_the_future(service: Service, caller: Caller, clock: SimulatedClock) -> None:
    samples.made(service, caller)
    later = clock.at + AHEAD_S
    state = AlertState(Phase.OPEN, opened_at=later, notified_at=later, is_notified=True, changes=(later, later, later, later))
    assert state.is_unstable(clock.at)
    values = {"account_id": caller.account_id, "project_id": 1, "rule": "not-indexable", "cause": "", "phase": "open", "details": "{}"}
    with service.store.write() as session:
        encoded = msgspec.json.encode(state).decode()
        number = session.alerts.add({**values, "state": encoded, "created_at": later, "examples": "[]"})
        session.alerts.change(number, opened_at=later, next_at=later + DAY_S)
    future_times.correct_future_times(service, is_certain=True)
    ((stored, next_at, opened_at),) = rows_of(service, select(alert.c.state, alert.c.next_at, alert.c.opened_at))
    corrected = msgspec.json.decode(stored, type=AlertState)
    assert max(corrected.opened_at or 0, corrected.notified_at or 0, *corrected.changes, next_at, opened_at) <= clock.at + 60
    paused = structs.replace(state, paused_until=clock.at + 300 * DAY_S)
    assert paused.not_after(clock.at).paused_until == clock.at + 300 * DAY_S


def test_every_time_of_the_schema_is_of_one_kind_and_none_stays_in_the_future(
    service: Service, caller: Caller, person: Caller, clock: SimulatedClock
) -> None:
    kinds = [RECORDED, COMPARED, CHOSEN, DERIVED, set(LONGEST_S), set(EXPIRY_S)]
    assert sum(map(len, kinds)) == len(TIMES) == len(set().union(*kinds))
    others = {column.name for table in metadata.sorted_tables for column in table.columns if type(column.type) is Seconds} - {
        column.name for column in TIMES
    }
    ids = {name for name in others if name == "id" or name.endswith("_id") or name.startswith(("last_", "previous_"))}
    numbers = {"generated_up", "generated_down", "reports_bytes", "size_bytes", "served", "invited_by"}
    assert others - ids == numbers | {"url_key", "pattern", "offset", "lines", "unreadable", "without_request", "size"}

    number = samples.made(service, caller)
    schedules.create(service, caller, ScheduleCreate(project="example.com"))
    invitations.invite(service, person, role="member", email="")
    watched = {"report_id": number, "account_id": caller.account_id, "project_id": 1, "seen_at": 1, "is_reached": 1, "again_at": 1}
    with service.store.write() as session:
        session.connection.execute(insert(page_watch).values(watched))
        session.connection.execute(insert(unchanged_run).values(report_id=number, at=1))
        for column in TIMES:
            if column not in CHOSEN | DERIVED:
                session.connection.execute(update(column.table).values({column.name: clock.at + AHEAD_S}))
        assert len(session.times.counts(clock.at)) > 10
    future_times.correct_future_times(service, is_certain=True)
    with service.store.read() as session:
        assert session.times.counts(clock.at) == {}


def test_a_clock_that_is_behind_rewrites_nothing_that_was_recorded(service: Service, caller: Caller, clock: SimulatedClock) -> None:
    number = samples.made(service, caller)
    schedules.create(service, caller, ScheduleCreate(project="example.com"))
    tables = [table for table in metadata.sorted_tables if any(column in RECORDED for column in table.columns)]
    before = {table.name: rows_of(service, select(table)) for table in tables}
    for days in (1, 400):
        clock.at -= days * DAY_S
        assert future_times.correct_future_times(service)
        recorded = {table.name: rows_of(service, select(*(column for column in table.columns if column in RECORDED))) for table in tables}
        with service.store.read() as session:
            assert session.times.is_clock_behind(clock.at)
        for table in tables:
            kept = [column.name for column in table.columns if column in RECORDED]
            assert recorded[table.name] == [tuple(getattr(row, name) for name in kept) for row in before[table.name]]
    assert reports.get(service, caller, number).generated_at


def test_months_of_reports_sent_in_the_future_are_sent_again(service: Service, caller: Caller, clock: SimulatedClock) -> None:
    samples.made(service, caller)
    with service.store.write() as session:
        session.recipients.add(1, "a@example.com", "en", clock.at)
        session.connection.execute(update(recipient).values(sent_month="2031-01"))
    future_times.correct_future_times(service)
    assert rows_of(service, select(recipient.c.sent_month)) == [(monthly_reports.month_before(clock.now()).code,)]


def test_a_right_plan_is_left_alone() -> None:
    rule, _ = rule_of("day", "03:00", "Europe/Berlin")
    assert rule is not None
    moment = 1_795_435_200
    following = next_after(rule, moment)
    assert planned_again(rule, following, moment, TOLERANCE_S) is None
    assert planned_again(rule, next_after(rule, following), following - 1, TOLERANCE_S) is None, "clocks of machines differ"
    assert planned_again(rule, moment + AHEAD_S, moment, TOLERANCE_S) == following


def test_a_worker_notices_that_its_clock_came_back(
    service: Service, caller: Caller, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_loop, "CLOCK_EVERY_S", 0.02)
    samples.made(service, caller)
    today = clock.at
    seen: list[bool] = []
    correct = future_times.correct_future_times

    def noted(one: Service, *, is_certain: bool = False) -> bool:
        done = correct(one, is_certain=is_certain)
        seen.append(is_certain)
        return done

    steps: list[float] = []
    offset_s = worker_loop._clock_offset_s

    def offset() -> float:
        steps.append(offset_s() - begin_s)
        return offset_s()

    begin_s = offset_s()
    monkeypatch.setattr(future_times, "correct_future_times", noted)
    monkeypatch.setattr(worker_loop, "_clock_offset_s", offset)

    async def story() -> None:
        watching = asyncio.create_task(Worker(service, None)._watch_clock())  # type: ignore[arg-type]  # it analyses nothing
        async with asyncio.timeout(180):
            await eventually(lambda: seen == [False])
            clock.at = today + AHEAD_S
            await eventually(lambda: steps[-1] > AHEAD_S - 60)
            number = await asyncio.to_thread(samples.made, service, caller, "https://example.com/late")
            clock.at = today
            await eventually(lambda: seen == [False, True])
            corrected = (await asyncio.to_thread(reports.get, service, caller, number)).generated_at
            assert corrected is not None
            assert abs(corrected.timestamp() - today) < 60
            clock.at = today - AHEAD_S
            await eventually(lambda: seen == [False, True, False])
        watching.cancel()

    asyncio.run(story())


def test_limits_are_those_of_the_service() -> None:
    assert attempt_limits.LONGEST_BLOCK_S <= TOLERANCE_S
    assert EXPIRY_S[rate_bucket.c.expires_at] >= attempt_limits.KNOWN_S
    assert sessions.SESSION_LIFE.total_seconds() <= EXPIRY_S[session_table.c.expires_at]
    assert invitations.INVITATION_LIFE.total_seconds() <= EXPIRY_S[invitation.c.expires_at]
