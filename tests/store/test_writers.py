"""Many write at once: whatever one writer at a time kept right stays right. Over both databases; on SQLite the writers take turns."""

import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from findable.errors import Conflict, NotFound, QuotaExceeded, RateLimited, Unavailable, ValidationFailed
from findable.service import housekeeping
from findable.service.accounts import account_admin, invitations, people, sign_in_links
from findable.service.projects import projects, retention
from findable.service.reports import acceptances, report_jobs, reports
from findable.service.reports.report_access import REPORTS
from findable.service.results import unlocking
from findable.service.runtime import attempt_limits
from findable.service.runtime.idempotency import IdempotencyKey
from findable.service.runtime.service import Service
from findable.service.values.caller import SCOPES, Caller
from findable.service.values.report_values import NewAcceptance, NewReport, ReportChanges, ReportQuery
from findable.store.schema.account_tables import account
from findable.store.schema.job_tables import job, turn
from findable.store.schema.project_tables import project
from findable.store.schema.report_tables import blob, finding, report, run
from findable.vocabulary import Privacy, Verdict
from tests.service import samples

AT_ONCE = 6
REFUSALS = (Conflict, NotFound, QuotaExceeded, RateLimited, ValidationFailed)
"""What one of many who ask at once may be told."""


def at_once(*functions: Callable[[], Any]) -> list[Any]:
    """Runs them in threads that begin together; what each returned, or raised on purpose."""
    barrier = threading.Barrier(len(functions))
    results: list[Any] = [None] * len(functions)

    def run_one(place: int) -> None:
        barrier.wait()
        try:
            results[place] = functions[place]()
        except Exception as error:  # noqa: BLE001 - told by whoever asked
            results[place] = error

    threads = [threading.Thread(target=run_one, args=(place,), daemon=True) for place in range(len(functions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()
    for result in results:
        if isinstance(result, Exception) and not isinstance(result, REFUSALS):
            raise result
    return results


@pytest.fixture
def service(tmp_path: Path, database_url: str) -> Iterator[Service]:
    opened = Service.open(samples.settings(tmp_path, database_url=database_url, rate_limit=0, host_concurrency=3))
    yield opened
    opened.close()


def require_right(service: Service) -> None:
    """Every counter says what a count says, and nothing hangs in the air."""
    store: Any = service.store
    with store._reader.connect() as connection:

        def all_of(*columns: Any) -> set[tuple[Any, ...]]:
            return {tuple(row) for row in connection.execute(select(*columns)).all()}

        for table, owner in ((account, report.c.account_id), (project, report.c.project_id)):
            alive = select(report).join(project, project.c.id == report.c.project_id).where(project.c.deleted_at.is_(None)).subquery()
            for name in ("reports", "good", "decent", "bad"):
                counted = select(alive.c[owner.name], func.count()).group_by(alive.c[owner.name])
                if name != "reports":
                    counted = counted.where(alive.c.result == name)
                found = dict(connection.execute(counted).all())
                kept = dict(connection.execute(select(table.c.id, table.c[name])).all())
                gone = {row[0] for row in all_of(project.c.id) if table is project} - {
                    row[0] for row in connection.execute(select(project.c.id).where(project.c.deleted_at.is_(None)))
                }
                assert {key: value for key, value in kept.items() if value and key not in gone} == found, (table.name, name)
        active = dict(connection.execute(select(job.c.account_id, func.count()).group_by(job.c.account_id)).all())
        assert dict(connection.execute(select(turn.c.account_id, turn.c.active)).all()) == active
        assert {row[0] for row in all_of(run.c.saved_hash)} - {None} == {row[0] for row in all_of(blob.c.hash)}
        assert {row[0] for row in all_of(finding.c.report_id)} <= {row[0] for row in all_of(report.c.id)}


def claims(service: Service, name: str) -> list[report_jobs.ReportJob]:
    """Takes jobs until there is none."""
    taken = []
    while (job := report_jobs.claim(service, name)) is not None:
        taken.append(job)
    return taken


def test_f14_many_workers_take_each_job_once(service: Service) -> None:
    callers = [samples.owner(service, f"{name}@example.com") for name in "abc"]
    made = [reports.create(service, caller, NewReport(f"https://h{n}.example/")).report.id for caller in callers for n in range(20)]
    taken = at_once(*[partial(claims, service, str(n)) for n in range(AT_ONCE)])
    assert sorted(job.report_id for one in taken for job in one) == sorted(made)
    assert all(job.attempt == 1 for one in taken for job in one)


def test_f15_accounts_take_turns_whoever_claims(service: Service) -> None:
    greedy, modest = samples.owner(service), samples.owner(service, "b@example.com")
    for n in range(60):
        reports.create(service, greedy, NewReport(f"https://g{n}.example/"))
    for n in range(12):
        reports.create(service, modest, NewReport(f"https://m{n}.example/"))
    order: list[int] = []
    lock = threading.Lock()

    def work() -> None:
        for _ in range(6):
            job = report_jobs.claim(service, "w")
            assert job is not None
            with lock:
                order.append(job.account_id)

    at_once(*[work] * AT_ONCE)
    assert 10 <= Counter(order)[modest.account_id] <= 14, Counter(order)


def test_a_host_is_never_asked_by_more_than_its_limit(service: Service) -> None:
    callers = [samples.owner(service, f"{n}@example.com") for n in range(AT_ONCE)]
    for caller in callers:
        for n in range(3):
            reports.create(service, caller, NewReport(f"https://one.example/{n}"))
    for _ in range(4):
        taken = [job for job in at_once(*[lambda: report_jobs.claim(service, "w")] * AT_ONCE) if job is not None]
        assert len(taken) == 3
        at_once(*[partial(report_jobs.complete, service, one, samples.seen()) for one in taken])
    require_right(service)


def test_f22_one_key_makes_one_report_however_many_send_it(service: Service) -> None:
    caller = samples.owner(service)
    for n in range(5):
        key = IdempotencyKey(f"key{n}", "hash")
        results = at_once(*[partial(reports.create, service, caller, NewReport("https://example.com/"), key)] * AT_ONCE)
        made = [result for result in results if not isinstance(result, Exception)]
        assert len(made) == 1
        assert all(isinstance(result, Conflict) for result in results if result not in made)
    assert account_admin.info(service, caller).reports_count == 5
    require_right(service)


def test_the_queue_limit_holds_for_many_at_once(tmp_path: Path, database_url: str) -> None:
    service = Service.open(samples.settings(tmp_path, database_url=database_url, queue_limit=4))
    caller = samples.owner(service)
    results = at_once(*[lambda: reports.create(service, caller, NewReport("https://example.com/"))] * 8)
    assert sum(isinstance(result, QuotaExceeded) for result in results) == 4
    require_right(service)
    service.close()


def test_wrong_passwords_are_counted_one_by_one(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("findable.service.runtime.passwords.AT_ONCE", 100)
    caller = samples.owner(service)
    created = reports.create(service, caller, NewReport("https://example.com/", Privacy.PASSWORD, "right"))
    service.passwords._line = threading.BoundedSemaphore(100)

    def guess(n: int) -> int:
        outcomes = 0
        for _ in range(5):
            try:
                assert unlocking.unlock(service, REPORTS, created.report.public_id, "wrong", f"192.0.2.{n}") is None
                outcomes += 1
            except RateLimited:
                pass
        return outcomes

    assert sum(at_once(*[partial(guess, n) for n in range(AT_ONCE)])) == attempt_limits.FREE_TRIES


def test_one_account_of_an_address(service: Service) -> None:
    results = at_once(*[lambda: account_admin.create_account(service, "a@example.com")] * AT_ONCE)
    assert sum(isinstance(result, ValidationFailed) for result in results) == AT_ONCE - 1


def test_a_link_signs_in_once(service: Service) -> None:
    samples.owner(service)
    token = sign_in_links.create(service, "owner@example.com").url.rpartition("/")[2]
    results = at_once(*[lambda: sign_in_links.redeem(service, token)] * AT_ONCE)
    assert sum(result is not None for result in results) == 1


def test_somebody_who_is_removed_lets_nobody_in_and_one_owner_stays(service: Service) -> None:
    for n in range(4):
        first = samples.owner(service, f"first{n}@example.com")
        assert first.user_id is not None
        with service.store.write() as session:
            row = {"account_id": first.account_id, "email": f"second{n}@example.com", "name": "", "role": "owner", "created_at": 1}
            second_id = session.people.add(row)
        first, second = Caller(first.account_id, first.user_id, None, SCOPES), Caller(first.account_id, second_id, None, SCOPES)
        at_once(
            partial(people.remove, service, first, second_id),
            partial(people.remove, service, second, first.user_id),
            partial(invitations.invite, service, second, role="member", email=""),
            partial(invitations.invite, service, first, role="member", email=""),
        )
        with service.store.read() as session:
            left = session.people.of_account(first.account_id)
            assert [one.role for one in left] == ["owner"]
            assert {one.invited_by for one in session.invitations.of_account(first.account_id, 1)} <= {left[0].id}


def test_one_generation_of_a_report_at_a_time(service: Service) -> None:
    caller = samples.owner(service)
    report_id = samples.made(service, caller)
    at_once(*[lambda: reports.update(service, caller, report_id, ReportChanges(results=True))] * AT_ONCE)
    assert len(claims(service, "w")) == 1
    require_right(service)


def test_the_same_page_seen_for_many_accounts_is_kept_once_and_as_long_as_one_has_it(service: Service) -> None:
    callers = [samples.owner(service, f"{n}@example.com") for n in range(AT_ONCE)]

    def live(caller: Caller, number: int) -> None:
        for turn_ in range(4):
            url = f"https://h{number}-{turn_}.example/"
            made = reports.create(service, caller, NewReport(url)).report.id
            for one in claims(service, "w"):
                report_jobs.complete(service, one, samples.seen(page=b"the same page"))
            if turn_ % 2 == 0:
                reports.delete(service, caller, made)

    at_once(*[partial(live, caller, n) for n, caller in enumerate(callers)])
    for one in claims(service, "w"):
        report_jobs.complete(service, one, samples.seen(page=b"the same page"))
    require_right(service)


def test_new_questions_are_numbered_once(service: Service) -> None:
    callers = [samples.owner(service, f"{n}@example.com") for n in range(AT_ONCE)]
    for number in range(4):
        verdicts = {f"check-{number}-{n}": "passed" if n % 2 else "warned" for n in range(20)}
        jobs = []
        for caller in callers:
            reports.create(service, caller, NewReport(f"https://h{number}.{caller.account_id}.example/"))
            jobs += claims(service, "w")
        at_once(*[partial(report_jobs.complete, service, one, samples.seen(70, verdicts)) for one in jobs])
        for caller in callers:
            found = reports.find(service, caller, ReportQuery(check=f"check-{number}-0", verdict=Verdict.WARNED))
            assert found.total == 1
    require_right(service)


def test_a_project_that_is_deleted_takes_what_is_being_written_along(service: Service) -> None:
    caller = samples.owner(service)

    def make() -> None:
        for n in range(8):
            reports.create(service, caller, NewReport(f"https://a.example/{n}"))

    def work() -> None:
        for _ in range(12):
            job = report_jobs.claim(service, "w")
            if job is not None:
                report_jobs.complete(service, job, samples.seen())

    def delete() -> None:
        for _ in range(4):
            with suppress(NotFound):
                projects.delete(service, caller, "a.example")

    def purge() -> None:
        for _ in range(12):
            housekeeping.purge_deleted(service)

    at_once(make, make, work, work, delete, delete, purge, purge)
    while housekeeping.purge_deleted(service):
        pass
    require_right(service)


def test_everything_at_once_stays_right(service: Service) -> None:
    """The operations of a busy day, at random, by people, workers and housekeepers of several accounts."""
    callers = [samples.owner(service, f"{n}@example.com") for n in range(3)]
    sites = [f"https://s{n}.example/{page}" for n in range(2) for page in range(3)]
    busy = Counter[str]()

    def person(seed: int) -> None:
        chance = random.Random(seed)
        caller = callers[seed % len(callers)]
        for _ in range(25):
            known = [view.id for view in reports.find(service, caller, ReportQuery(per_page=25)).items]
            try:
                match chance.randrange(7 if known else 1):
                    case 0 | 1:
                        reports.create(service, caller, NewReport(chance.choice(sites)))
                    case 2:
                        reports.delete(service, caller, chance.choice(known))
                    case 3:
                        reports.update(service, caller, chance.choice(known), ReportChanges(results=True))
                    case 4:
                        projects.delete(service, caller, f"s{chance.randrange(2)}.example")
                    case 5:
                        acceptances.accept(service, caller, chance.choice(known), "image-alt", NewAcceptance("because"))
                    case _:
                        reports.get(service, caller, chance.choice(known))
            except (NotFound, ValidationFailed):
                pass
            except Unavailable:
                busy["person"] += 1

    def worker(seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(30):
            try:
                job = report_jobs.claim(service, str(seed))
                if job is None:
                    continue
                if not chance.randrange(8):
                    report_jobs.record_crash(service, job)
                elif chance.randrange(8):
                    report_jobs.beat(service, job)
                    page = chance.choice((b"one page", b"another", b"a third"))
                    report_jobs.complete(service, job, samples.seen(chance.choice((30, 70, 95)), page=page))
                else:
                    report_jobs.hand_back(service, job)
            except Unavailable:
                busy["worker"] += 1

    def housekeeper() -> None:
        for _ in range(10):
            try:
                housekeeping.purge_deleted(service)
                retention.delete_old_pages(service)
                housekeeping.end_acceptances(service)
                housekeeping.delete_expired(service)
                report_jobs.sweep(service)
            except Unavailable:
                busy["housekeeper"] += 1

    people, workers = [partial(person, n) for n in range(4)], [partial(worker, n) for n in range(3)]
    at_once(*people, *workers, housekeeper, housekeeper)
    report_jobs.sweep(service)
    while housekeeping.purge_deleted(service):
        pass
    require_right(service)
    assert busy.total() <= 2, busy
