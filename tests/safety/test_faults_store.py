"""What happens when the database, the disk or the clock fails: F1, F2, F9, F11, F12, F16, F22, F23, F42."""

import errno
import gc
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from findable.clock import now
from findable.errors import DatabaseUnusable, NotFound, PageErrorCode, PageUnavailable, SettingError, Unavailable
from findable.service.reports import report_jobs, reports
from findable.service.reports.report_access import REPORTS
from findable.service.reports.report_jobs import AnalysedPage, ReportJob
from findable.service.results import share_links, unlocking
from findable.service.runtime.service import Service
from findable.service.values.report_values import NewReport, ReportChanges, ReportQuery
from findable.store import store_protocol
from findable.store.database_errors import StoreFault, unusable_file
from findable.store.sqlite import SqliteStore
from findable.vocabulary import Privacy, Rating, Status
from tests.cli.conftest import Run
from tests.service import samples
from tests.stored_damage import damage_of
from tests.tiers import sampled
from tests.worker.processes import ENVIRONMENT, ROOT, until


@pytest.mark.full
def test_f1_f2_killed_at_any_point_a_retry_with_the_same_key_makes_one_report(tmp_path: Path) -> None:
    service = Service.open(samples.settings(tmp_path))
    caller = samples.owner(service)
    service.close()
    script = str(ROOT / "tests/safety/kill_points.py")
    done = subprocess.run(
        [sys.executable, script, str(tmp_path), str(caller.account_id)], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    rounds = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rounds) > 15
    assert [killed for _, killed, _, _ in rounds] == [True] * (len(rounds) - 1) + [False]
    assert {after_kill for _, _, after_kill, _ in rounds} == {0, 1}  # killed before and after the commit
    assert sorted(after_kill for _, _, after_kill, _ in rounds) == [after_kill for _, _, after_kill, _ in rounds]
    assert {after_retry for *_, after_retry in rounds} == {1}


def limit_pages(service: Service, pages: int) -> None:
    """The disk is full from there on; 0 ends that."""
    store = service.store
    assert isinstance(store, SqliteStore)
    with store._writer.connect() as connection:
        present = int(connection.exec_driver_sql("PRAGMA page_count").scalar_one())
        connection.exec_driver_sql(f"PRAGMA max_page_count={present + pages if pages >= 0 else 2**30}")


def is_kept(service: Service, job: ReportJob, seen: AnalysedPage) -> bool:
    try:
        return report_jobs.complete(service, job, seen)
    except Unavailable as error:
        return not error.retry_after_s


def test_f9_a_full_disk_refuses_what_is_new_and_keeps_what_is_there(tmp_path: Path) -> None:
    service = Service.open(samples.settings(tmp_path))
    caller = samples.owner(service)
    kept = samples.made(service, caller)
    big = samples.seen(page=os.urandom(200_000))
    refused = 0
    for pages in range(0, 400, 4):
        report = reports.create(service, caller, NewReport(f"https://example.com/{pages}")).report
        job = report_jobs.claim(service, "w")
        assert job is not None
        limit_pages(service, pages)
        if is_kept(service, job, big):
            break
        refused += 1
        assert reports.get(service, caller, kept).score == 93
        torn = reports.get(service, caller, report.id)
        assert (torn.status, torn.run, torn.score) == (Status.RUNNING, None, None)
        limit_pages(service, -1)
        assert is_kept(service, job, big)  # it heals by itself
        reports.delete(service, caller, report.id)
        service.store.free_disk_space()
    assert refused > 3
    assert damage_of(service.store) == []
    service.close()


def test_f9_on_a_full_disk_deleting_works_and_uses_the_reserve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service = Service.open(samples.settings(tmp_path), exclusive=True)
    caller = samples.owner(service)
    report_id = samples.made(service, caller)
    reserve = tmp_path / "findable.db.reserve"
    assert reserve.stat().st_blocks * 512 >= 16 * 1024 * 1024
    limit_pages(service, 0)
    with suppress(Unavailable):
        for n in range(1000):
            reports.create(service, caller, NewReport(f"https://example.com/{n}"))
    assert reports.find(service, caller, ReportQuery()).total < 1000
    store = service.store
    used = store.use_reserve

    def use_reserve() -> bool:
        limit_pages(service, 20)
        return used()

    monkeypatch.setattr(store, "use_reserve", use_reserve)
    reports.delete(service, caller, report_id)
    with pytest.raises(NotFound):
        reports.get(service, caller, report_id)
    limit_pages(service, -1)
    store.free_disk_space()
    assert reserve.exists()
    service.close()


def test_f9_the_reserve_returns_by_itself_once_there_is_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("findable.store.sqlite.MARK_INTERVAL_S", 0.05)
    service = Service.open(samples.settings(tmp_path), exclusive=True)
    reserve = tmp_path / "findable.db.reserve"
    assert service.store.use_reserve()
    until(reserve.exists)
    service.close()


def test_f13_a_database_with_a_second_name_is_refused(tmp_path: Path) -> None:
    Service.open(samples.settings(tmp_path), exclusive=True).close()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "findable.db").hardlink_to(tmp_path / "findable.db")
    for folder in (tmp_path, tmp_path / "other"):
        with pytest.raises(SettingError, match="has a second name"):
            Service.open(samples.settings(folder), exclusive=True)
    (tmp_path / "other" / "findable.db").unlink()
    Service.open(samples.settings(tmp_path), exclusive=True).close()


def test_f11_behind_somebody_elses_lock_writers_wait_and_are_told_to_come_back(tmp_path: Path) -> None:
    service = Service.open(samples.settings(tmp_path))
    caller = samples.owner(service)
    report_id = samples.made(service, caller)
    assert isinstance(service.store, SqliteStore)
    with service.store._writer.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one() == 5000
        connection.exec_driver_sql("PRAGMA busy_timeout=200")
    other = sqlite3.connect(tmp_path / "findable.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unavailable) as caught:
        reports.create(service, caller, NewReport("https://a.example/"))
    assert caught.value.retry_after_s == 5
    assert reports.get(service, caller, report_id).score == 93
    other.execute("ROLLBACK")
    other.close()
    assert reports.create(service, caller, NewReport("https://a.example/")).report.id > report_id
    service.close()


@pytest.mark.parametrize("lock", sampled(["BEGIN IMMEDIATE", "PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE other (id)"]))
def test_f11_f41_a_locked_database_is_called_locked_not_damaged(
    tmp_path: Path, findable: Run, monkeypatch: pytest.MonkeyPatch, lock: str
) -> None:
    assert findable("accounts", "create", "a@example.com").returncode == 0
    path = tmp_path / "data" / "findable.db"
    other = sqlite3.connect(path, isolation_level=None)
    for statement in lock.split("; "):
        other.execute(statement)
    can_be_read = "EXCLUSIVE" not in lock
    started, examined, listed = (findable(*command, FINDABLE_PORT="18768") for command in (("serve",), ("doctor",), ("accounts", "list")))
    assert (started.returncode, examined.returncode, listed.returncode) == (75, 1, 0 if can_be_read else 75)
    assert "findable.db is in use by another program that keeps it locked (database is locked): try again later" in started.stderr
    assert "is in use by another program that keeps it locked" in examined.stdout
    assert ("a@example.com" in listed.stdout) is can_be_read
    for said in (started.stderr, examined.stdout, listed.stderr):
        assert "is damaged" not in said
        assert ".recover" not in said
    other.execute("ROLLBACK")
    other.close()
    service = Service.open(samples.settings(tmp_path / "data"), exclusive=True)
    assert damage_of(service.store) == []
    service.close()


FAULTS = {
    "SQLITE_BUSY_SNAPSHOT": StoreFault.LOCKED,
    "SQLITE_LOCKED_SHAREDCACHE": StoreFault.LOCKED,
    "SQLITE_FULL": StoreFault.FULL,
    "SQLITE_IOERR_READ": StoreFault.FAILED,
    "SQLITE_IOERR_SHMSIZE": StoreFault.FAILED,
    "SQLITE_READONLY_DIRECTORY": StoreFault.READ_ONLY,
    "SQLITE_CANTOPEN": StoreFault.READ_ONLY,
    "SQLITE_CORRUPT_VTAB": StoreFault.DAMAGED,
    "SQLITE_NOTADB": StoreFault.DAMAGED,
    errno.ENOSPC: StoreFault.FULL,
    errno.EDQUOT: StoreFault.FULL,
    errno.EIO: StoreFault.FAILED,
    errno.EACCES: StoreFault.READ_ONLY,
    errno.EROFS: StoreFault.READ_ONLY,
}


@pytest.mark.parametrize("code", FAULTS)
def test_f12_f41_only_a_damaged_database_is_called_damaged(tmp_path: Path, code: str | int) -> None:
    error: Exception = OSError(code, "words") if isinstance(code, int) else sqlite3.OperationalError("words")
    if isinstance(code, str):
        error.sqlite_errorname = code  # type: ignore[attr-defined]  # as the driver sets it
    told = unusable_file(tmp_path / "findable.db", error)
    is_damaged = FAULTS[code] is StoreFault.DAMAGED
    assert told.fault is FAULTS[code]
    assert ("is damaged" in str(told), ".recover" in str(told)) == (is_damaged, is_damaged)
    assert str(told).endswith("; the database is not damaged") is not is_damaged
    refused = told.as_setting_error("FINDABLE_DATA_DIR")
    assert isinstance(refused, DatabaseUnusable) is not is_damaged


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def overwrite(path: Path) -> None:
    path.write_bytes(b"this is not a database" * 1000)


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for offset in range(4096, len(data), 4096):
        data[offset : offset + 64] = b"\xff" * 64
    path.write_bytes(bytes(data))


@pytest.mark.parametrize("damage", [cut, overwrite, flip])
def test_f12_a_damaged_database_is_refused_with_one_line_and_a_way_out(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    service = Service.open(samples.settings(tmp_path))
    caller = samples.owner(service)
    for n in range(5):
        samples.made(service, caller, f"https://example.com/{n}")
    service.close()
    for leftover in tmp_path.glob("findable.db-*"):
        leftover.unlink()
    damage(tmp_path / "findable.db")
    with pytest.raises(SettingError) as caught:
        Service.open(samples.settings(tmp_path), exclusive=True)
    sentence = str(caught.value)
    assert sentence.startswith("FINDABLE_DATA_DIR: ")
    assert "findable.db is damaged" in sentence
    assert ".recover" in sentence
    assert "\n" not in sentence


def test_f12_after_a_clean_end_nothing_stands_in_the_log(tmp_path: Path) -> None:
    service = Service.open(samples.settings(tmp_path))
    caller = samples.owner(service)
    samples.made(service, caller)
    service.close()
    for leftover in tmp_path.glob("findable.db-*"):
        leftover.unlink()
    service = Service.open(samples.settings(tmp_path), exclusive=True)
    assert reports.find(service, caller, ReportQuery()).total == 1
    service.close()


@pytest.mark.parametrize("exclusive", [False, True])
def test_f12_a_database_removed_while_in_use_is_noticed_before_anything_is_accepted(
    tmp_path: Path, exclusive: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[int] = []
    monkeypatch.setattr("findable.service.runtime.service._end_at_once", lambda: ended.append(1))
    service = Service.open(samples.settings(tmp_path), exclusive=exclusive)
    caller = samples.owner(service)
    number = samples.made(service, caller)
    (tmp_path / "findable.db").rename(tmp_path / "moved.db")
    for ask in (lambda: reports.create(service, caller, NewReport("https://a.example/")), lambda: reports.get(service, caller, number)):
        with pytest.raises(Unavailable, match="file was removed"):
            ask()
    assert bool(ended) is exclusive  # a service starts anew, and says then what is there
    assert not (tmp_path / "findable.db").exists()
    assert not service.is_ready()
    service.close()


class TestF16Clock:
    """A wall clock that jumps."""

    @pytest.fixture
    def jump(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
        def set_clock(days: float) -> None:
            def jumped() -> datetime:
                return now() + timedelta(days=days)

            for module in (store_protocol, share_links, unlocking):
                monkeypatch.setattr(module, "now", jumped)

        return set_clock

    @pytest.mark.parametrize("days", [400, -1])
    def test_f16_work_that_goes_on_is_not_taken_away(self, tmp_path: Path, jump: Callable[[float], None], days: float) -> None:
        service = Service.open(samples.settings(tmp_path))
        caller = samples.owner(service)
        report_id = reports.create(service, caller, NewReport("https://a.example/")).report.id
        job = report_jobs.claim(service, "w")
        assert job is not None
        jump(days)
        assert report_jobs.sweep(service, at_work=[job.id]) == 0
        assert report_jobs.beat(service, job)
        assert report_jobs.complete(service, job, samples.seen())
        report = reports.get(service, caller, report_id)
        assert report.generated_at is not None
        assert report.generated_at >= report.created_at
        (run,) = reports.runs(service, caller, report_id)
        assert run.finished_at is not None
        assert run.started_at <= run.finished_at
        service.close()

    @pytest.mark.parametrize("minutes", [1, 50, 70])
    def test_f16_a_clock_that_is_set_back_delays_no_report(self, tmp_path: Path, jump: Callable[[float], None], minutes: int) -> None:
        service = Service.open(samples.settings(tmp_path, host_concurrency=9))
        caller = samples.owner(service)
        for n in range(2):
            reports.create(service, caller, NewReport(f"https://a.example/{n}"))
        lost = report_jobs.claim(service, "lost")
        jump(-minutes / 1440)
        assert report_jobs.claim(service, "w") is not None
        assert lost is not None
        assert report_jobs.sweep(service) == 2
        service.close()

    def test_f16_a_queue_made_in_the_future_is_done_when_the_clock_is_right_again(
        self, tmp_path: Path, jump: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(report_jobs, "RETRY_AFTER_S", (0, 0, 0))
        service = Service.open(samples.settings(tmp_path))
        caller = samples.owner(service)
        jump(400)
        report_id = reports.create(service, caller, NewReport("https://a.example/")).report.id
        lost = report_jobs.claim(service, "w")
        assert lost is not None
        jump(0)
        assert report_jobs.sweep(service) == 1
        samples.work(service)
        assert reports.get(service, caller, report_id).status is Status.DONE
        service.close()


def test_f22_two_posts_of_one_address_at_once_are_two_reports(tmp_path: Path) -> None:
    service = Service.open(samples.settings(tmp_path))
    caller = samples.owner(service)
    barrier = threading.Barrier(8)
    made: list[int] = []

    def post() -> None:
        barrier.wait()
        made.append(reports.create(service, caller, NewReport("https://example.com/")).report.id)

    threads = [threading.Thread(target=post) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(made)) == 8
    assert reports.find(service, caller, ReportQuery()).total == 8
    service.close()


def test_f42_report_passwords_outlive_the_secret(tmp_path: Path) -> None:
    service = Service.open(samples.settings(tmp_path))
    report = reports.create(service, samples.owner(service), NewReport("https://a.example/", Privacy.PASSWORD, "right")).report
    service.close()
    service = Service.open(samples.settings(tmp_path, secret_key="n" * 40))
    assert unlocking.unlock(service, REPORTS, report.public_id, "right", "192.0.2.1")
    service.close()


@pytest.fixture
def no_abandoned_connections() -> None:
    """Finalise what earlier tests gave up.

    Hypothesis parses this file. If a finaliser logs a traceback meanwhile, which is parsed too, CPython 3.11 ends with a SystemError ("AST
    constructor recursion depth mismatch").
    """
    gc.collect()


class Life(RuleBasedStateMachine):
    """F23: whatever is asked of reports while they are made, and whatever happens to those who make them."""

    reports = Bundle("reports")
    jobs = Bundle("jobs")

    def __init__(self) -> None:
        super().__init__()
        self.service = Service.open(samples.settings(Path(tempfile.mkdtemp(prefix="findable-life-"))))
        self.caller = samples.owner(self.service)
        self.rated: dict[int, int] = {}
        self.privacy: dict[int, Privacy] = {}

    def teardown(self) -> None:
        assert damage_of(self.service.store) == []
        self.service.close()
        shutil.rmtree(self.service.settings.data_dir)

    @rule(target=reports, path=st.sampled_from("ab"))
    def create(self, path: str) -> int:
        report = reports.create(self.service, self.caller, NewReport(f"https://example.com/{path}")).report
        self.privacy[report.id] = Privacy.PRIVATE
        return report.id

    @rule(report_id=reports)
    def generate_again(self, report_id: int) -> None:
        with suppress(NotFound):
            view = reports.update(self.service, self.caller, report_id, ReportChanges(results=True))
            assert not view.is_finished
            assert view.status is Status.DONE or report_id not in self.rated

    @rule(report_id=reports, privacy=st.sampled_from([Privacy.PUBLIC, Privacy.PRIVATE]))
    def change_privacy(self, report_id: int, privacy: Privacy) -> None:
        with suppress(NotFound):
            assert reports.update(self.service, self.caller, report_id, ReportChanges(privacy=privacy)).privacy is privacy
            self.privacy[report_id] = privacy

    @rule(report_id=consumes(reports))
    def delete(self, report_id: int) -> None:
        reports.delete(self.service, self.caller, report_id)
        with pytest.raises(NotFound):
            reports.get(self.service, self.caller, report_id)
        self.privacy.pop(report_id)
        self.rated.pop(report_id, None)

    @rule(target=jobs)
    def claim(self) -> Any:
        job = report_jobs.claim(self.service, "w")
        return multiple() if job is None else job

    @rule(job=consumes(jobs), score=st.sampled_from([None, 10, 70, 95]))
    def complete(self, job: ReportJob, score: int | None) -> None:
        kept = report_jobs.complete(self.service, job, samples.seen(score))
        assert kept or job.report_id not in self.privacy or not self.is_held(job)
        if kept and score is not None:
            self.rated[job.report_id] = score

    @rule(job=consumes(jobs))
    def fail(self, job: ReportJob) -> None:
        report_jobs.store_outcomes(self.service, [(job, PageUnavailable(PageErrorCode.TARGET_TIMEOUT))])

    @rule(job=consumes(jobs))
    def crash(self, job: ReportJob) -> None:
        report_jobs.record_crash(self.service, job)

    @rule(job=jobs)
    def expire(self, job: ReportJob) -> None:
        report_jobs.sweep(self.service)
        assert not report_jobs.beat(self.service, job)
        assert not report_jobs.complete(self.service, job, samples.seen(1))

    @rule(job=consumes(jobs))
    def hand_back(self, job: ReportJob) -> None:
        report_jobs.hand_back(self.service, job)

    def is_held(self, job: ReportJob) -> bool:
        return report_jobs.beat(self.service, job)

    @invariant()
    def nothing_is_lost_or_shown_by_halves(self) -> None:
        page = reports.find(self.service, self.caller, ReportQuery(per_page=100))
        assert {view.id: view.privacy for view in page.items} == self.privacy
        assert page.total == len(self.privacy)
        for view in page.items:
            assert (view.status in (Status.QUEUED, Status.RUNNING)) <= (view.progress is not None)
            assert (view.status is Status.FAILED) <= (view.error is not None and view.result is None)
            if view.id in self.rated:
                assert view.status is Status.DONE
                assert view.score == self.rated[view.id]
            else:
                assert view.result is None
        for rating in Rating:
            counted = reports.find(self.service, self.caller, ReportQuery(result=rating, per_page=100))
            assert counted.total == len(counted.items) == sum(view.result is rating for view in page.items)


Life.TestCase.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
TestF23Life = pytest.mark.full(pytest.mark.usefixtures("no_abandoned_connections")(Life.TestCase))
