"""Batches: accepted whole, fed into the queue a few at a time, behind whatever somebody waits for."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from findable.errors import NotFound, Unavailable
from findable.service.reports import batches, report_jobs, reports
from findable.service.reports.batches import NewBatch
from findable.service.reports.report_jobs import ReportJob
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.report_values import NewReport, ReportQuery
from findable.store.store_protocol import Session
from findable.vocabulary import Privacy
from tests.service import samples
from tests.worker.processes import stub_service, until


def urls(count: int, name: str = "a") -> list[str]:
    return [f"https://{name}{number}.example/" for number in range(count)]


def feed_all(service: Service) -> None:
    while batches.feed(service):
        pass


def claimed(service: Service) -> ReportJob:
    job = report_jobs.claim(service, "tests")
    assert job is not None
    return job


def test_reports_are_made_in_the_order_sent_a_few_ahead(service: Service, caller: Caller) -> None:
    batch = batches.create(service, caller, NewBatch(urls(100), Privacy.PASSWORD, "correct horse")).batch
    assert batch.counts["waiting"] == 100
    feed_all(service)
    assert batches.get(service, caller, batch.id).counts["queued"] == batches.AHEAD
    seen = []
    while (job := report_jobs.claim(service, "tests")) is not None:
        assert report_jobs.complete(service, job, samples.seen())
        seen.append(job.url)
        feed_all(service)
    assert seen == urls(100)
    ended = batches.get(service, caller, batch.id)
    assert (ended.is_finished, ended.finished, ended.counts["done"], ended.results["good"]) == (True, 100, 100, 100)
    assert not batches.feed(service)


def test_somebody_who_waits_goes_before_the_batch_of_the_same_account(service: Service, caller: Caller) -> None:
    batches.create(service, caller, NewBatch(urls(60)))
    feed_all(service)
    mine = [reports.create(service, caller, NewReport(f"https://mine{number}.example/")).report.id for number in range(6)]
    assert [claimed(service).report_id for _ in mine] == mine
    assert claimed(service).url == urls(1)[0]


def test_single_reports_without_end_keep_no_batch_of_the_same_account_waiting(service: Service, caller: Caller) -> None:
    batches.create(service, caller, NewBatch(urls(60)))
    feed_all(service)
    begun = []
    for number in range(60):
        reports.create(service, caller, NewReport(f"https://mine{number}.example/"))
        if number > 10:
            begun.append(claimed(service).url in urls(60))
    turns = [place for place, is_of_batch in enumerate(begun) if is_of_batch]
    assert max(after - before for before, after in pairwise([0, *turns, len(begun)])) <= 10


def test_batches_of_two_accounts_take_turns(service: Service, caller: Caller) -> None:
    other = samples.owner(service, "other@example.com")
    batches.create(service, caller, NewBatch(urls(60)))
    batches.create(service, other, NewBatch(urls(60, "b")))
    feed_all(service)
    owners = [claimed(service).account_id for _ in range(20)]
    assert owners.count(caller.account_id) == 10


def test_a_batch_waits_for_the_one_before_it(service: Service, caller: Caller) -> None:
    first, second = (batches.create(service, caller, NewBatch(urls(30, name))).batch.id for name in "ab")
    feed_all(service)
    assert batches.get(service, caller, first).counts["queued"] == 30
    assert batches.get(service, caller, second).counts["queued"] == batches.AHEAD - 30


def test_an_address_that_may_not_be_analysed_any_more_is_refused_then(service: Service, caller: Caller, tmp_path: Path) -> None:
    allowing = Service.open(
        samples.settings(tmp_path, database_url=service.settings.database_url, allow_targets=("10.0.0.0/8",)), exclusive=False
    )
    batch = batches.create(allowing, caller, NewBatch(["http://10.0.0.1/", "https://a.example/"])).batch
    allowing.close()
    feed_all(service)
    found = batches.get(service, caller, batch.id)
    assert (found.counts["refused"], found.counts["queued"]) == (1, 1)
    assert found.failures[0].refused


def test_s92_what_is_refused_is_kept_in_brief(service: Service, caller: Caller) -> None:
    typed = [f"ftp://a.example/{n}{'x' * 2000}" for n in range(3)]
    batch = batches.create(service, caller, NewBatch(["https://a.example/", *typed])).batch
    assert (batch.addresses, batch.duplicates) == (4, 0)
    feed_all(service)
    assert [member.url for member in batches.get(service, caller, batch.id).failures] == [
        text[: batches.REJECTED_URL_CHARS] for text in typed
    ]


def test_s92_batches_that_are_done_do_not_pile_up(service: Service, caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "MAX_FINISHED_BATCHES", 3)
    other = samples.owner(service, "other@example.com")
    kept = batches.create(service, other, NewBatch(["https://a.example/"])).batch.id
    waiting = batches.create(service, caller, NewBatch(urls(60))).batch.id
    feed_all(service)
    made = []
    for n in range(6):
        made.append(batches.create(service, caller, NewBatch([f"https://b.example/{n}"])).batch.id)
        with service.store.write() as session:
            session.batches.record_done_until(made[-1], 1)
    assert [batch.id for batch in batches.find(service, caller, limit=20)] == [*made[:1:-1], waiting]
    assert batches.get(service, other, kept).addresses == 1


def test_what_is_old_and_done_is_forgotten_but_its_reports_stay(service: Service, caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = batches.create(service, caller, NewBatch(["https://a.example/"])).batch
    monkeypatch.setattr(batches, "FINISHED_BATCH_DAYS", -1)
    assert not batches.delete_old(service)  # it waits still
    feed_all(service)
    job = samples.work(service)
    assert batches.delete_old(service)
    assert not batches.delete_old(service)
    with pytest.raises(NotFound):
        batches.get(service, caller, batch.id)
    assert reports.get(service, caller, job.report_id).score == 93


def test_nothing_is_accepted_or_fed_while_the_service_ends(service: Service, caller: Caller) -> None:
    batch = batches.create(service, caller, NewBatch(urls(3))).batch
    service.drain()
    assert not batches.feed(service)
    with pytest.raises(Unavailable):
        batches.create(service, caller, NewBatch(urls(3)))
    assert batches.get(service, caller, batch.id).counts["waiting"] == 3


def test_no_transaction_of_a_thousand_addresses_holds_other_writers_up(
    service: Service, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, rows = service.store.write, [0]  # statements of each transaction, those for many rows as often

    @contextmanager
    def counted() -> Iterator[Session]:
        rows.append(0)
        with write() as session:
            yield session

    def count(_connection: Any, _cursor: Any, _statement: str, parameters: Any, _context: Any, is_many: bool) -> None:
        rows[-1] += len(parameters) if is_many else 1

    monkeypatch.setattr(service.store, "write", counted)
    event.listen(Engine, "before_cursor_execute", count)
    try:
        reports.create(service, caller, NewReport("https://b.example/"))
        of_one = max(rows)
        rows[:] = [0]
        batches.create(service, caller, NewBatch([f"https://a.example/{number}" for number in range(1000)]))
        feed_all(service)
    finally:
        event.remove(Engine, "before_cursor_execute", count)
    assert len(rows) - 1 > batches.AHEAD // batches.QUEUED_PER_TRANSACTION
    assert max(rows) < 1000 * of_one / 5, "a fifth of what all of them at once would take"


@pytest.mark.full
def test_f3_kill_9_in_the_middle_of_a_batch_loses_nothing(tmp_path: Path) -> None:
    """Killed again and again while reports are made of it: in the end each address has its one report."""
    service = Service.open(samples.settings(tmp_path))
    caller = samples.owner(service)
    batch = batches.create(service, caller, NewBatch(urls(300))).batch
    for done in (30, 80, 130):
        with stub_service(tmp_path, "--seconds", "0.005") as process:
            until(partial(_is_done, service, caller, batch.id, done))
            process.kill()
    with stub_service(tmp_path, "--seconds", "0.001"):
        until(lambda: batches.get(service, caller, batch.id).is_finished, 60)
    found = batches.members(service, caller, batch.id)
    assert [member.url for member in found] == urls(300)
    assert {member.state for member in found} == {"done"}
    assert len({member.report for member in found}) == 300
    assert reports.find(service, caller, ReportQuery()).total == 300
    service.close()


def _is_done(service: Service, caller: Caller, batch_id: int, count: int) -> bool:
    return batches.get(service, caller, batch_id).counts["done"] >= count
