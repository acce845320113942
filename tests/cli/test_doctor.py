"""What `findable doctor` says of an installation that is about to go wrong."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from findable.settings import SECRET_NAME
from tests.browser import needs_chromium
from tests.cli.conftest import Run
from tests.sites.server import AUTHORITY

PORT = "18765"


def test_s92_a_proxy_without_trusted_proxies_is_noted(findable: Run) -> None:
    behind = {"FINDABLE_PORT": PORT, "FINDABLE_BASE_URL": "https://seo.example.com"}
    assert "FINDABLE_TRUSTED_PROXIES is missing" in findable("doctor", **behind).stdout
    assert "FINDABLE_TRUSTED_PROXIES is missing" not in findable("doctor", **behind, FINDABLE_TRUSTED_PROXIES="127.0.0.1").stdout
    assert "FINDABLE_TRUSTED_PROXIES" not in findable("doctor", FINDABLE_PORT=PORT).stdout


@pytest.mark.parametrize(("mode", "noted"), [(0o755, True), (0o700, False)])
def test_s81_a_data_directory_that_others_can_list_is_noted(findable: Run, tmp_path: Path, mode: int, *, noted: bool) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data").chmod(mode)
    done = findable("doctor", FINDABLE_PORT=PORT)
    assert done.returncode == 0
    assert (f"chmod 700 {tmp_path / 'data'}" in done.stdout) is noted


@pytest.mark.parametrize("made_before", [False, True])
def test_s56_f41_serve_and_doctor_refuse_a_short_secret_key(findable: Run, tmp_path: Path, *, made_before: bool) -> None:
    if made_before:
        assert findable("accounts", "create", "a@example.com").returncode == 0
    (tmp_path / "data").mkdir(exist_ok=True)
    (tmp_path / "data" / SECRET_NAME).write_bytes(b"")
    (tmp_path / "data" / SECRET_NAME).chmod(0o600)
    started, examined = findable("serve", FINDABLE_PORT="18766"), findable("doctor", FINDABLE_PORT="18766")
    assert (started.returncode, examined.returncode) == (2, 1)
    assert "secret.key has 0 bytes" in started.stderr
    assert examined.stdout.count("secret.key has 0 bytes") == 1


def test_doctor_names_the_browser_and_how_it_is_held(findable: Run) -> None:
    assert "browser: none, reports are generated without it" in findable("doctor", FINDABLE_PORT=PORT, FINDABLE_BROWSER="none").stdout
    missing = findable("doctor", FINDABLE_PORT=PORT, FINDABLE_BROWSER="no-such-browser")
    assert "FINDABLE_BROWSER: 'no-such-browser' is not a program" in missing.stdout
    assert missing.returncode == 1


@pytest.mark.full
@needs_chromium
def test_doctor_calls_a_browser_without_sandbox_wrong(findable: Run) -> None:
    done = findable("doctor", FINDABLE_PORT=PORT, FINDABLE_CA_FILE=str(AUTHORITY))
    assert f"browser: trusts the certificates in {AUTHORITY}" in done.stdout
    assert re.search(r"ok +browser: \S*Chrome/\d+.*, sandboxed, in ", done.stdout), done.stdout
    without = findable("doctor", FINDABLE_PORT=PORT, FINDABLE_BROWSER_NO_SANDBOX="1")
    assert re.search(r"wrong +browser: .*without a sandbox", without.stdout)
    assert without.returncode == 1


def test_f16_doctor_names_rows_of_the_future_and_a_clock_before_the_first_account(findable: Run, tmp_path: Path) -> None:
    assert findable("accounts", "create", "a@example.com").returncode == 0
    assert "clock" not in findable("doctor", FINDABLE_PORT=PORT).stdout
    with closing(sqlite3.connect(tmp_path / "data" / "findable.db")) as database, database:
        database.execute("UPDATE person SET created_at = created_at + 400 * 86400")
    ahead = findable("doctor", FINDABLE_PORT=PORT)
    assert re.search(r"note +clock: rows are dated in the future \(1 in person\)", ahead.stdout), ahead.stdout
    with closing(sqlite3.connect(tmp_path / "data" / "findable.db")) as database, database:
        database.execute("UPDATE account SET created_at = created_at + 400 * 86400")
    behind = findable("doctor", FINDABLE_PORT=PORT)
    assert "which is before the first account was created: set it" in behind.stdout
    assert behind.returncode == 1


def test_folders_with_access_logs_are_named(findable: Run, tmp_path: Path) -> None:
    done = findable("doctor", FINDABLE_PORT=PORT, FINDABLE_LOG_FOLDERS=f"web1={tmp_path},web2={tmp_path / 'missing'}")
    assert f"ok     log folder web1: {tmp_path}\n" in done.stdout
    assert f"wrong  log folder web2: {tmp_path / 'missing'} is not a folder that this user can read" in done.stdout
