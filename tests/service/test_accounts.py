"""Accounts, keys, sessions; what a thief of the database has."""

import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from findable.clock import now
from findable.errors import Forbidden, NotFound, RateLimited, SettingError, Unauthenticated, ValidationFailed
from findable.service.accounts import account_admin, api_keys, callers, sign_in_links
from findable.service.accounts.first_start import FirstStart, first_start
from findable.service.accounts.permissions import require
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.store import store_protocol
from tests.service import samples


def test_an_account_is_one_of_its_email(service: Service) -> None:
    assert not account_admin.has_accounts(service)
    made = account_admin.create_account(service, " Ann@Example.com ", "Ann")
    assert (made.email, made.name, made.reports_count, made.projects_count) == ("ann@example.com", "Ann", 0, 0)
    assert made.limits == {"requests_per_minute": 300, "reports_in_queue": 10_000}
    assert account_admin.has_accounts(service)
    assert account_admin.find_account(service, "ANN@example.com") == made
    assert account_admin.find_account(service, "bob@example.com") is None
    for wrong in ("ann@example.com", "nobody", "a b@c.de", "", "@", "x" * 300 + "@y.z"):
        with pytest.raises(ValidationFailed) as caught:
            account_admin.create_account(service, wrong)
        assert "email" in caught.value.errors


def test_usage_counts_reports_and_projects(service: Service, caller: Caller) -> None:
    for n in range(3):
        samples.made(service, caller, f"https://{'ab'[n % 2]}.example/")
    view = account_admin.info(service, caller)
    assert (view.reports_count, view.projects_count) == (3, 2)


def test_s60_only_the_whole_key_of_an_owner_opens(service: Service) -> None:
    account_admin.create_account(service, "a@b.example")
    made = api_keys.create_key(service, "a@b.example", name="ci")
    caller = callers.authenticate_key(service, made.token)
    assert (caller.key_id, caller.key_prefix, caller.scopes) == (made.info.id, made.info.prefix, frozenset({"read", "write"}))
    for wrong in (
        "",
        made.token[:-1],
        made.token.swapcase(),
        made.token + "x",
        f" {made.token}",
        made.info.prefix,
        "x" * 10_000,
        "\0",
        "\udcff",
    ):
        with pytest.raises(Unauthenticated):
            callers.authenticate_key(service, wrong)


def test_s60_revoked_expired_and_disabled_keys_are_refused(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    account_admin.create_account(service, "a@b.example")
    revoked, short, kept = (
        api_keys.create_key(service, "a@b.example"),
        api_keys.create_key(service, "a@b.example", expires_at=now() + timedelta(hours=1)),
        api_keys.create_key(service, "a@b.example"),
    )
    assert callers.authenticate_key(service, short.token).key_expires_at == short.info.expires_at
    assert api_keys.revoke_key(service, "a@b.example", revoked.info.prefix).revoked_at is not None
    with pytest.raises(Unauthenticated):
        callers.authenticate_key(service, revoked.token)
    later = now() + timedelta(hours=2)
    monkeypatch.setattr(store_protocol, "now", lambda: later)
    with pytest.raises(Unauthenticated):
        callers.authenticate_key(service, short.token)
    assert callers.authenticate_key(service, kept.token).key_id == kept.info.id
    with service.store.write() as session:
        session.people.change(callers.authenticate_key(service, kept.token).user_id, disabled_at=1)
    with pytest.raises(Unauthenticated):
        callers.authenticate_key(service, kept.token)


def test_s62_a_key_is_shown_once_and_its_use_is_noted_once_a_minute(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    account_admin.create_account(service, "a@b.example")
    made = api_keys.create_key(service, "a@b.example", scopes=frozenset({"read"}))
    assert api_keys.keys(service, "a@b.example")[0].last_used_at is None
    caller = callers.authenticate_key(service, made.token)
    (first,) = api_keys.keys(service, "a@b.example")
    assert first.last_used_at is not None
    assert made.token not in repr(first)
    start = first.last_used_at
    for after_s, noted in ((59, start), (61, start + timedelta(seconds=61))):
        monkeypatch.setattr(store_protocol, "now", lambda after_s=after_s: start + timedelta(seconds=after_s))
        callers.authenticate_key(service, made.token)
        assert api_keys.keys(service, "a@b.example")[0].last_used_at == noted
    with pytest.raises(Forbidden):
        require(caller, "write")


def test_wrong_keys_are_not_made(service: Service) -> None:
    account_admin.create_account(service, "a@b.example")
    with pytest.raises(NotFound):
        api_keys.create_key(service, "nobody@b.example")
    with pytest.raises(ValidationFailed) as caught:
        api_keys.create_key(service, "a@b.example", scopes=frozenset({"admin"}), expires_at=now())
    assert set(caught.value.errors) == {"scopes", "expires"}
    with pytest.raises(NotFound):
        api_keys.revoke_key(service, "a@b.example", "fnd_00000000")


def test_s61_a_dump_of_the_database_opens_nothing(tmp_path: Path, service: Service, caller: Caller) -> None:
    made = api_keys.create_key(service, "owner@example.com")
    link = sign_in_links.create(service, "owner@example.com").url.rpartition("/")[2]
    signed_in = sign_in_links.redeem(service, link)
    assert signed_in is not None
    service.close()
    dump = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file() and not path.name.endswith(".reserve"))
    for secret in (made.token, made.token.split("_", 2)[2], link, signed_in.token, "k" * 40):
        assert secret.encode() not in dump


def test_f42_a_new_secret_signs_everybody_out_and_nothing_else(tmp_path: Path) -> None:
    service = Service.open(samples.settings(tmp_path))
    account_admin.create_account(service, "a@b.example")
    key = api_keys.create_key(service, "a@b.example").token
    signed_in = sign_in_links.redeem(service, sign_in_links.create(service, "a@b.example").url.rpartition("/")[2])
    assert signed_in is not None
    service.close()
    service = Service.open(samples.settings(tmp_path, secret_key="n" * 40))
    assert callers.authenticate_session(service, signed_in.token) is None
    assert callers.authenticate_key(service, key).account_id == signed_in.caller.account_id
    service.close()


def test_the_secret_is_made_once_and_is_nobody_elses(tmp_path: Path) -> None:
    first = Service.open(samples.settings(tmp_path, secret_key=""))
    second = Service.open(samples.settings(tmp_path, secret_key=""))
    assert first.secret == second.secret
    assert len(first.secret) >= 32
    for name in ("secret.key", "findable.db"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
    first.close()
    second.close()


@pytest.mark.parametrize(
    ("given", "setting"),
    [({"allow_targets": ("10.0.0.0/99",)}, "allow_targets"), ({"database_url": "sqlite:////dev/null/x.db"}, "database_url")],
)
def test_f41_what_only_the_service_can_judge_is_named_too(tmp_path: Path, given: dict[str, object], setting: str) -> None:
    with pytest.raises(SettingError) as caught:
        Service.open(samples.settings(tmp_path, **given, sources={setting: f"FINDABLE_{setting.upper()}"}))
    assert str(caught.value).startswith(f"FINDABLE_{setting.upper()}: ")
    assert "\n" not in str(caught.value)


def test_f41_a_data_directory_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for key in ("", "k" * 40):
        with pytest.raises(SettingError) as caught:
            Service.open(samples.settings(tmp_path / "file", secret_key=key))
        assert str(caught.value).startswith("FINDABLE_DATA_DIR: ")


def test_requests_of_a_caller_are_counted_in_minutes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service = Service.open(samples.settings(tmp_path, rate_limit=3))
    one, other = Caller(1, 1, 1, frozenset()), Caller(1, 1, 2, frozenset())
    moment = 1000.0
    monkeypatch.setattr("findable.service.runtime.rate_limits.monotonic_s", lambda: moment)
    assert [service.rates.count(one).remaining for _ in range(3)] == [2, 1, 0]
    moment += 20.5
    with pytest.raises(RateLimited) as caught:
        service.rates.count(one)
    assert caught.value.retry_after_s == 40
    assert (service.rates.state(one).remaining, service.rates.state(one).reset_s) == (0, 40)
    assert service.rates.count(other).remaining == 2
    moment += 40
    assert service.rates.count(one).remaining == 2
    service.close()


def test_a_rate_limit_of_zero_lifts_every_limit(tmp_path: Path) -> None:
    service = Service.open(samples.settings(tmp_path, rate_limit=0))
    caller = samples.owner(service)
    assert [service.rates.count(caller).limit for _ in range(1000)][-1] == 0
    assert account_admin.info(service, caller).limits == {"requests_per_minute": 0, "reports_in_queue": 0}
    service.close()


def test_s67_one_of_several_first_services_creates_the_account_and_shows_secrets(tmp_path: Path, database_url: str) -> None:
    services = [Service.open(samples.settings(tmp_path, database_url=database_url)) for _ in range(4)]
    together = threading.Barrier(len(services))

    def start(service: Service) -> FirstStart | None:
        together.wait()
        return first_start(service)

    try:
        with ThreadPoolExecutor(len(services)) as pool:
            made = [first for first in pool.map(start, services) if first is not None]
        assert len(made) == 1
        assert [one.email for _, one in account_admin.all_people(services[0])] == [made[0].email]
        assert [len(api_keys.keys(services[0], made[0].email)), first_start(services[1])] == [1, None]
        token = made[0].sign_in_url.rpartition("/")[2]
        with ThreadPoolExecutor(len(services)) as pool:  # and of visitors who have the link one comes in
            taken = list(pool.map(lambda service: sign_in_links.redeem(service, token), services))
        assert len([session for session in taken if session is not None]) == 1
    finally:
        for service in services:
            service.close()
