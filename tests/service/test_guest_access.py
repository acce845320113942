"""The one function that decides who may see a report, and the passwords of guests."""

import hashlib
import re
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from msgspec.structs import replace

from findable.clock import now
from findable.errors import NotFound, RateLimited, Unavailable, ValidationFailed
from findable.service.reports import report_access, reports
from findable.service.reports.report_access import REPORTS
from findable.service.results import client_texts, unlocking
from findable.service.results.guest_access import Decision, Viewer
from findable.service.runtime import attempt_limits, passwords
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.presentation import SECTIONS, ClientView
from findable.service.values.report_values import NewReport, ReportChanges
from findable.store import store_protocol
from findable.vocabulary import Privacy
from tests.service import samples

GUEST = Viewer()
HERE = "192.0.2.7"


def public_id(service: Service, caller: Caller, privacy: Privacy, password: str | None = None) -> str:
    return reports.create(service, caller, NewReport("https://example.com/", privacy, password)).report.public_id


def test_s57_who_may_see_what(service: Service, caller: Caller) -> None:
    stranger = Viewer(samples.owner(service, "stranger@example.com"))
    owner = Viewer(caller)
    ids = {privacy: public_id(service, caller, privacy, "secret") for privacy in Privacy}
    expected = {
        Privacy.PUBLIC: (Decision.ALLOWED, Decision.ALLOWED, Decision.ALLOWED),
        Privacy.PRIVATE: (Decision.ALLOWED, Decision.NOT_FOUND, Decision.NOT_FOUND),
        Privacy.PASSWORD: (Decision.ALLOWED, Decision.PASSWORD_NEEDED, Decision.PASSWORD_NEEDED),
    }
    for privacy, decisions in expected.items():
        found = [report_access.view(service, ids[privacy], viewer) for viewer in (owner, stranger, GUEST)]
        assert tuple(shared.decision for shared in found) == decisions
        assert [shared.report is not None for shared in found] == [decision is Decision.ALLOWED for decision in decisions]
        assert [shared.is_owner for shared in found] == [True, False, False]
    missing = report_access.view(service, "x" * 22, GUEST)
    assert missing == report_access.view(service, ids[Privacy.PRIVATE], GUEST)
    reader = Viewer(replace(caller, scopes=frozenset({"write"})))
    assert report_access.view(service, ids[Privacy.PRIVATE], reader).decision is Decision.NOT_FOUND


def test_s52_a_change_of_privacy_holds_for_the_next_look(service: Service, caller: Caller) -> None:
    report = reports.create(service, caller, NewReport("https://example.com/", Privacy.PUBLIC)).report
    assert report_access.view(service, report.public_id, GUEST).decision is Decision.ALLOWED
    reports.update(service, caller, report.id, ReportChanges(privacy=Privacy.PRIVATE))
    assert report_access.view(service, report.public_id, GUEST).decision is Decision.NOT_FOUND
    reports.delete(service, caller, report.id)
    assert report_access.view(service, report.public_id, Viewer(caller)).decision is Decision.NOT_FOUND


def test_s57_older_runs_are_for_the_owner(service: Service, caller: Caller) -> None:
    report_id = samples.made(service, caller, outcome=samples.seen(70, page=b'{"page": 1}'))
    reports.update(service, caller, report_id, ReportChanges(results=True))
    samples.work(service, samples.seen(95, page=b'{"page": 2}'))
    name = reports.get(service, caller, report_id).public_id
    old, new = (report_access.view(service, name, Viewer(caller), run) for run in (1, 2))
    assert old.report
    assert new.report
    assert [(shared.report.score, shared.current_run) for shared in (old, new) if shared.report] == [(70, 2), (95, 2)]
    assert report_access.view(service, name, GUEST, 2).report == report_access.view(service, name, GUEST).report == new.report
    assert report_access.view(service, name, GUEST, 1).decision is Decision.NOT_FOUND
    assert report_access.view(service, name, GUEST, 9).decision is Decision.NOT_FOUND
    with pytest.raises(NotFound):
        report_access.view(service, name, Viewer(caller), 9)
    reports.update(service, caller, report_id, ReportChanges(Privacy.PASSWORD, "secret"))
    assert {report_access.view(service, name, GUEST, run).decision for run in (None, 1, 2, 9)} == {Decision.PASSWORD_NEEDED}


def test_s57_the_saved_page_is_for_those_who_see_its_run(service: Service, caller: Caller) -> None:
    report_id = samples.made(service, caller, outcome=samples.seen(70, page=b'{"page": 1}'))
    reports.update(service, caller, report_id, ReportChanges(results=True))
    samples.work(service, samples.seen(95, page=b'{"page": 2}'))
    report = reports.get(service, caller, report_id)
    with pytest.raises(NotFound):
        report_access.saved_page(service, report.public_id, GUEST)
    client_texts.write(service, caller, REPORTS, report_id, ClientView(sections=SECTIONS))
    for viewer, run, page in ((GUEST, None, b'{"page": 2}'), (GUEST, 2, b'{"page": 2}'), (Viewer(caller), 1, b'{"page": 1}')):
        assert report_access.saved_page(service, report.public_id, viewer, run) == page
    assert report.saved_sha256 == hashlib.sha256(b'{"page": 2}').hexdigest()
    for viewer, run in ((GUEST, 1), (Viewer(caller), 3)):
        with pytest.raises(NotFound):
            report_access.saved_page(service, report.public_id, viewer, run)
    reports.update(service, caller, report_id, ReportChanges(Privacy.PRIVATE))
    with pytest.raises(NotFound):
        report_access.saved_page(service, report.public_id, GUEST)


def test_s56_the_right_password_opens_until_password_or_privacy_changes(service: Service, caller: Caller) -> None:
    first = reports.create(service, caller, NewReport("https://example.com/", Privacy.PASSWORD, "right")).report
    other = public_id(service, caller, Privacy.PASSWORD, "right")
    assert unlocking.unlock(service, REPORTS, first.public_id, "wrong", HERE) is None
    unlocked = unlocking.unlock(service, REPORTS, first.public_id, "right", HERE)
    assert unlocked is not None
    assert (unlocked.cookie_name, unlocked.secure) == (f"unlock-{first.public_id}", False)
    assert unlocked.max_age_s <= 12 * 3600
    guest = Viewer(unlock_token=unlocked.token)
    assert report_access.view(service, first.public_id, guest).decision is Decision.ALLOWED
    assert report_access.view(service, other, guest).decision is Decision.PASSWORD_NEEDED
    expiry, _, signature = unlocked.token.partition(".")
    for forged in (f"{int(expiry) + 9}.{signature}", f"{expiry}.{'0' * 64}", expiry, "", ".", "é.é", "9" * 5000 + ".a", f"{expiry}.é"):
        assert report_access.view(service, first.public_id, Viewer(unlock_token=forged)).decision is Decision.PASSWORD_NEEDED
    reports.update(service, caller, first.id, ReportChanges(password="new"))
    assert report_access.view(service, first.public_id, guest).decision is Decision.PASSWORD_NEEDED
    reports.update(service, caller, first.id, ReportChanges(privacy=Privacy.PUBLIC))
    reports.update(service, caller, first.id, ReportChanges(privacy=Privacy.PASSWORD, password="right"))
    assert report_access.view(service, first.public_id, guest).decision is Decision.PASSWORD_NEEDED


def test_s56_an_unlocked_page_locks_itself_after_twelve_hours(service: Service, caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    report = public_id(service, caller, Privacy.PASSWORD, "right")
    unlocked = unlocking.unlock(service, REPORTS, report, "right", HERE)
    assert unlocked is not None
    for hours, decision in ((11, Decision.ALLOWED), (12.1, Decision.PASSWORD_NEEDED), (-1, Decision.PASSWORD_NEEDED)):
        monkeypatch.setattr(unlocking, "now", lambda hours=hours: now() + timedelta(hours=hours))
        assert report_access.view(service, report, Viewer(unlock_token=unlocked.token)).decision is decision


def test_s56_over_https_the_cookie_is_bound_to_the_host(tmp_path: Path) -> None:
    service = Service.open(samples.settings(tmp_path, base_url="https://seo.example.com"))
    report = public_id(service, samples.owner(service), Privacy.PASSWORD, "right")
    unlocked = unlocking.unlock(service, REPORTS, report, "right", HERE)
    assert unlocked is not None
    assert (unlocked.cookie_name, unlocked.secure) == (f"__Host-unlock-{report}", True)
    assert re.fullmatch(r"[A-Za-z0-9_.-]+", unlocked.token)
    service.close()


def test_s57_there_is_nothing_to_unlock_where_no_password_is(service: Service, caller: Caller) -> None:
    for report in (public_id(service, caller, Privacy.PUBLIC), public_id(service, caller, Privacy.PRIVATE), "missing"):
        with pytest.raises(NotFound):
            unlocking.unlock(service, REPORTS, report, "x", HERE)


def test_s53_after_ten_wrong_tries_there_is_a_pause_that_doubles(service: Service, caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    report = public_id(service, caller, Privacy.PASSWORD, "right")
    moment = now()
    monkeypatch.setattr(store_protocol, "now", lambda: moment)
    for _ in range(10):
        assert unlocking.unlock(service, REPORTS, report, "wrong", HERE) is None
    pauses = []
    for _ in range(3):
        with pytest.raises(RateLimited) as caught:
            unlocking.unlock(service, REPORTS, report, "right", HERE)
        assert caught.value.retry_after_s is not None
        pauses.append(caught.value.retry_after_s)
        moment += timedelta(seconds=caught.value.retry_after_s)
        assert unlocking.unlock(service, REPORTS, report, "wrong", HERE) is None
    assert pauses == [60, 120, 240]
    assert report_access.view(service, report, Viewer(caller)).decision is Decision.ALLOWED


RANGES = pytest.mark.parametrize(
    ("first", "second", "same"),
    [("192.0.2.7", "192.0.2.200", True), ("2001:db8::1", "2001:db8:0:ff::1", True), ("192.0.2.7", "192.0.3.7", False)],
)


@RANGES
def test_s53_who_guesses_shuts_out_their_own_network_alone(service: Service, caller: Caller, first: str, second: str, same: bool) -> None:
    report = public_id(service, caller, Privacy.PASSWORD, "right")
    for _ in range(10):
        assert unlocking.unlock(service, REPORTS, report, "wrong", first) is None
    if same:
        with pytest.raises(RateLimited):
            unlocking.unlock(service, REPORTS, report, "right", second)
    else:
        assert unlocking.unlock(service, REPORTS, report, "right", second)


@RANGES
def test_s53_tries_of_a_network_are_counted_over_all_reports(
    service: Service, caller: Caller, monkeypatch: pytest.MonkeyPatch, first: str, second: str, same: bool
) -> None:
    tried = [public_id(service, caller, Privacy.PASSWORD, "right") for _ in range(6)]
    monkeypatch.setattr(service.passwords, "is_right", lambda _, password: password == "right")
    for n in range(40):
        assert unlocking.unlock(service, REPORTS, tried[n % 5], "wrong", first) is None
    if same:
        with pytest.raises(RateLimited):
            unlocking.unlock(service, REPORTS, tried[5], "right", second)
    else:
        assert unlocking.unlock(service, REPORTS, tried[5], "right", second)


def test_s53_a_report_rests_after_a_hundred_wrong_tries_whoever_asks(
    service: Service, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    report, other = (public_id(service, caller, Privacy.PASSWORD, "right") for _ in range(2))
    monkeypatch.setattr(service.passwords, "is_right", lambda _, password: password == "right")
    for n in range(99):
        assert unlocking.unlock(service, REPORTS, report, "wrong", f"10.0.{n // 9}.7") is None
    assert unlocking.unlock(service, REPORTS, report, "right", HERE) is not None
    assert unlocking.unlock(service, REPORTS, report, "wrong", "10.1.0.7") is None
    with pytest.raises(RateLimited):
        unlocking.unlock(service, REPORTS, report, "right", "198.51.100.7")
    assert unlocking.unlock(service, REPORTS, other, "right", HERE) is not None
    assert report_access.view(service, report, Viewer(caller)).decision is Decision.ALLOWED


def test_s53_many_networks_shut_out_nobody_who_has_been_in(service: Service, caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    report = public_id(service, caller, Privacy.PASSWORD, "right")
    monkeypatch.setattr(service.passwords, "is_right", lambda _, password: password == "right")
    assert unlocking.unlock(service, REPORTS, report, "right", HERE) is not None
    for n in range(100):
        assert unlocking.unlock(service, REPORTS, report, "wrong", f"10.0.{n // 9}.7") is None
    with pytest.raises(RateLimited):
        unlocking.unlock(service, REPORTS, report, "right", "198.51.100.7")
    assert unlocking.unlock(service, REPORTS, report, "right", HERE) is not None
    for _ in range(10):  # there too nobody guesses without an end
        assert unlocking.unlock(service, REPORTS, report, "wrong", HERE) is None
    with pytest.raises(RateLimited):
        unlocking.unlock(service, REPORTS, report, "right", HERE)
    monkeypatch.setattr(store_protocol, "now", lambda: now() + timedelta(seconds=attempt_limits.KNOWN_S + 1))
    for n in range(100):
        assert unlocking.unlock(service, REPORTS, report, "wrong", f"10.0.{n // 9}.7") is None
    with pytest.raises(RateLimited):  # it was too long ago
        unlocking.unlock(service, REPORTS, report, "right", HERE)


def test_s53_tries_are_counted_over_all_services_on_a_database(service: Service, caller: Caller) -> None:
    report = public_id(service, caller, Privacy.PASSWORD, "right")
    other = Service.open(service.settings)
    try:
        for n in range(10):
            assert unlocking.unlock((service, other)[n % 2], REPORTS, report, "wrong", HERE) is None
        for one in (service, other):
            with pytest.raises(RateLimited):
                unlocking.unlock(one, REPORTS, report, "right", HERE)
    finally:
        other.close()


def test_s53_who_has_a_password_of_their_own_gets_no_more_tries_for_others(service: Service, caller: Caller) -> None:
    own, others = (public_id(service, caller, Privacy.PASSWORD, password) for password in ("mine", "right"))
    for _ in range(9):
        assert unlocking.unlock(service, REPORTS, others, "wrong", HERE) is None
    assert unlocking.unlock(service, REPORTS, own, "mine", HERE) is not None
    assert unlocking.unlock(service, REPORTS, others, "wrong", HERE) is None
    with pytest.raises(RateLimited):
        unlocking.unlock(service, REPORTS, others, "right", HERE)


def test_s53_a_right_password_closes_no_door(service: Service, caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    report = public_id(service, caller, Privacy.PASSWORD, "right")
    moment = now()
    monkeypatch.setattr(store_protocol, "now", lambda: moment)
    for _ in range(10):
        unlocking.unlock(service, REPORTS, report, "wrong", HERE)
    moment += timedelta(seconds=60)
    for _ in range(3):
        assert unlocking.unlock(service, REPORTS, report, "right", HERE) is not None
    assert unlocking.unlock(service, REPORTS, report, "wrong", HERE) is None
    with pytest.raises(RateLimited, match="Too many") as caught:
        unlocking.unlock(service, REPORTS, report, "right", HERE)
    assert caught.value.retry_after_s == 120


@pytest.mark.usefixtures("served_passwords")
def test_s54_two_hundred_tries_at_once_compute_two_hashes_at_a_time(
    service: Service, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = public_id(service, caller, Privacy.PASSWORD, "right")
    at_once, most, tried, refused = 0, 0, 0, 0
    lock = threading.Lock()
    verify = type(service.passwords._hasher).verify

    def counted(self: object, *arguments: object) -> object:
        nonlocal at_once, most, tried
        with lock:
            at_once, tried = at_once + 1, tried + 1
            most = max(most, at_once)
        try:
            return verify(self, *arguments)  # type: ignore[arg-type]  # passes on what it was given
        finally:
            with lock:
                at_once -= 1

    monkeypatch.setattr(type(service.passwords._hasher), "verify", counted)

    def guess() -> None:
        nonlocal refused
        try:
            unlocking.unlock(service, REPORTS, report, "wrong", HERE)
        except (RateLimited, Unavailable):  # two hundred threads: a service has eight, and a connection for each
            with lock:
                refused += 1

    threads = [threading.Thread(target=guess) for _ in range(200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most <= passwords.AT_ONCE
    assert tried <= 10
    assert tried + refused == 200


@pytest.mark.parametrize("password", ["nul\0inside", "x" * 73, "🔑" * 20, "  spaces  ", "x" * 1024])
def test_s58_passwords_are_taken_whole(service: Service, caller: Caller, password: str) -> None:
    report = public_id(service, caller, Privacy.PASSWORD, password)
    assert unlocking.unlock(service, REPORTS, report, password[:-1], HERE) is None
    assert unlocking.unlock(service, REPORTS, report, password.strip() + "x", HERE) is None
    assert unlocking.unlock(service, REPORTS, report, password, HERE)


def test_s58_one_password_typed_on_two_keyboards_is_one(service: Service, caller: Caller) -> None:
    report = public_id(service, caller, Privacy.PASSWORD, "Zoe\u0308")
    assert unlocking.unlock(service, REPORTS, report, "Zo\u00eb", HERE)


def test_s58_a_password_that_is_too_long_is_refused_not_cut(service: Service, caller: Caller) -> None:
    with pytest.raises(ValidationFailed) as caught:
        public_id(service, caller, Privacy.PASSWORD, "x" * 1025)
    assert list(caught.value.errors) == ["password"]
    report = reports.create(service, caller, NewReport("https://example.com/", Privacy.PUBLIC)).report
    with pytest.raises(ValidationFailed):
        reports.update(service, caller, report.id, ReportChanges(privacy=Privacy.PASSWORD, password="ä" * 513))
    locked = public_id(service, caller, Privacy.PASSWORD, "x" * 1024)
    assert unlocking.unlock(service, REPORTS, locked, "x" * 10_000, HERE) is None


@pytest.mark.usefixtures("served_passwords")
def test_s55_a_password_is_nowhere_but_hashed(tmp_path: Path, service: Service, caller: Caller) -> None:
    report = reports.create(service, caller, NewReport("https://example.com/", Privacy.PASSWORD, "open-sesame")).report
    assert report.has_password
    assert "argon2" not in repr(report)
    with service.store.read() as session:
        row = session.reports.by_id(report.id)
    assert row is not None
    assert (row.password_hash or "").startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    dump = b"".join(path.read_bytes() for path in tmp_path.glob("findable.db*") if not path.name.endswith(".reserve"))
    assert b"open-sesame" not in dump


def outdated(service: Service, password: str) -> str:
    """A hash made with parameters of another day; its own stand in it."""
    made = PasswordHasher(time_cost=1, memory_cost=8 * 1024, parallelism=1).hash(password)
    assert service.passwords.is_outdated(made)
    return made


@pytest.mark.usefixtures("served_passwords")
def test_s55_a_hash_of_another_day_is_made_anew_when_its_password_is_typed(service: Service, caller: Caller) -> None:
    report = reports.create(service, caller, NewReport("https://example.com/", Privacy.PASSWORD, "open-sesame")).report
    with service.store.write() as session:
        session.reports.change(report.id, 1, password_hash=outdated(service, "open-sesame"))
    assert unlocking.unlock(service, REPORTS, report.public_id, "wrong", HERE) is None
    opened = unlocking.unlock(service, REPORTS, report.public_id, "open-sesame", HERE)
    assert opened is not None
    with service.store.read() as session:
        row = session.reports.by_id(report.id)
    assert row is not None
    assert (row.password_hash or "").startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert unlocking.unlock(service, REPORTS, report.public_id, "open-sesame", HERE)
    assert report_access.view(service, report.public_id, Viewer(unlock_token=opened.token)).decision is Decision.ALLOWED
