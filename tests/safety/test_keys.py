"""What a key may, and what the time it takes to refuse one says."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from findable.errors import Unauthenticated
from findable.service.accounts import account_admin, api_keys
from findable.service.accounts.callers import MAX_TOKEN_CHARS, authenticate_key
from findable.service.runtime.service import Service
from findable.settings import Settings
from tests.safety.executed_statements import statements


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    one = Service.open(Settings(data_dir=tmp_path), exclusive=True)
    account_admin.create_account(one, "owner@example.com")
    yield one
    one.close()


def wrong_keys(token: str) -> list[str]:
    """From nothing right to all but the last character."""
    prefix = token.rpartition("_")[0]
    return [
        "x",
        "fnd_00000000_" + secrets.token_urlsafe(32),
        f"{prefix}_{secrets.token_urlsafe(32)}",
        token[: len(token) // 2],
        token[:-1],
        token[:-1] + ("a" if token[-1] != "a" else "b"),
        token + "a",
        token.swapcase(),
        "é" * MAX_TOKEN_CHARS,
        "a" * 100_000,
    ]


def test_s64_a_key_that_is_nearly_right_is_looked_up_like_any_other(service: Service) -> None:
    token = api_keys.create_key(service, "owner@example.com").token
    authenticate_key(service, token)
    with statements(service) as of_the_right_one:
        authenticate_key(service, token)
    looks = []
    for wrong in wrong_keys(token):
        with statements(service) as asked, pytest.raises(Unauthenticated):
            authenticate_key(service, wrong)
        looks.append([statement for statement, _ in asked])
        hashes = [value for _, parameters in asked for value in parameters if isinstance(value, bytes | memoryview)]
        assert [len(value) for value in hashes] == [32]
        assert not [parameters for _, parameters in asked if any(isinstance(value, str) and value in token for value in parameters)]
    assert all(look == looks[0] for look in looks)
    assert looks[0] == [statement for statement, _ in of_the_right_one]


def test_s64_keys_are_found_by_an_index_over_the_whole_hash(service: Service) -> None:
    api_keys.create_key(service, "owner@example.com")
    with statements(service) as asked, pytest.raises(Unauthenticated):
        authenticate_key(service, "x")
    (statement, parameters) = next(found for found in asked if "api_key" in found[0])
    with service.store._reader.connect() as connection:  # type: ignore[attr-defined]  # of the two stores, the one on SQLite
        plan = " ".join(str(row) for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).fetchall())
    assert "token_hash=?" in plan
    assert "SCAN" not in plan
