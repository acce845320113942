"""The small commands, and what all have in common."""

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from findable import __version__
from findable.checks.engine import all_checks
from findable.cli import worker
from findable.clock import monotonic_s
from findable.errors import DatabaseUnusable
from findable.settings import Settings
from tests.cli.conftest import Run
from tests.sites.server import Site


def test_version(findable: Run) -> None:
    assert findable("--version").stdout.strip() == __version__


def test_checks_lists_them_all(findable: Run) -> None:
    done = findable("checks")

    assert done.returncode == 0
    assert all(check_id in done.stdout for check_id in all_checks())


def test_checks_begins_with_its_first_line(findable: Run) -> None:
    assert findable("checks").stdout.splitlines()[0] == "indexability"


def test_checks_explains_one(findable: Run) -> None:
    done = findable("checks", "title-present")

    assert "Why it matters" in done.stdout
    assert "How to fix" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_checks_explains_one_to_programs(findable: Run) -> None:
    told = json.loads(findable("checks", "title-present", "--format", "json").stdout)

    assert told["id"] == "title-present"
    assert {"question", "importance", "why", "how_to_fix", "sources"} <= told.keys()


def test_an_unknown_check_is_wrong_usage(findable: Run) -> None:
    done = findable("checks", "title-presnt")

    assert done.returncode == 2
    assert "did you mean title-present?" in done.stderr


@pytest.mark.parametrize(
    ("page", "allowed", "line", "code"),
    [
        ("https://example.com/", True, None, 0),
        ("https://example.com/private/x", False, 2, 1),
        ("/private/x", False, 2, 1),
        ("/", True, None, 0),
    ],
)
def test_robots(findable: Run, tmp_path: Path, page: str, allowed: bool, line: int | None, code: int) -> None:
    file = tmp_path / "robots.txt"
    file.write_text("User-agent: *\nDisallow: /private/\n")
    done = findable("robots", str(file), page, "--agent", "Googlebot", "--format", "json")

    assert json.loads(done.stdout)["allowed"] is allowed
    assert json.loads(done.stdout)["line"] == line
    assert done.returncode == code


def test_robots_of_a_site_by_its_first_page(findable: Run, site: Site) -> None:
    site.page("/", "<!doctype html><title>Home</title>")
    site.page("/robots.txt", "User-agent: *\nDisallow: /private/\n", content_type="text/plain")
    done = findable("robots", site.url("/"), "/private/x")

    assert (done.returncode, done.stdout) == (1, "disallowed: line 2: Disallow: /private/\n")


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [
        (404, 0, "allowed: robots.txt returned status 404, which crawlers treat as no rules"),
        (429, 3, "/robots.txt could not be read. The server returned status 429"),
        (503, 3, "/robots.txt could not be read. The server returned status 503"),
    ],
)
def test_robots_that_cannot_be_read(findable: Run, site: Site, status: int, code: int, words: str) -> None:
    site.page("/robots.txt", "no", status=status)
    done = findable("robots", site.url("/"), "/x")

    assert done.returncode == code
    assert words in done.stdout + done.stderr


def test_robots_behind_a_login(findable: Run, site: Site) -> None:
    site.page("/robots.txt", "User-agent: *\nDisallow: /\n", content_type="text/plain")
    done = findable("robots", site.url("/"), "/x", "--user", "anna:s3cret")

    assert (done.returncode, done.stdout) == (1, "disallowed: line 2: Disallow: /\n")
    assert site.asked("/robots.txt")[0].headers["authorization"].startswith("Basic ")


@pytest.mark.parametrize(
    ("arguments", "environment", "sentence"),
    [
        (("--host", "192.0.2.1"), {}, "--host: 192.0.2.1 is not an IP address of this machine"),
        (("--host", "no.invalid"), {}, "--host: 'no.invalid' is not an IP address, such as 127.0.0.1 or 0.0.0.0"),
        (("--host", "localhost"), {}, "--host: 'localhost' is not an IP address, such as 127.0.0.1 or 0.0.0.0"),
        ((), {"FINDABLE_ALLOW_TARGETS": "10.0.0.0/99"}, "FINDABLE_ALLOW_TARGETS: '10.0.0.0/99' is not a network"),
    ],
)
def test_f41_serve_names_a_wrong_setting_before_it_loads_anything(
    findable: Run, arguments: tuple[str, ...], environment: dict[str, str], sentence: str
) -> None:
    done = findable("serve", "--port", "8465", *arguments, PYTHONPROFILEIMPORTTIME="1", **environment)
    said = [line for line in done.stderr.splitlines() if not line.startswith("import time:")]

    assert done.returncode == 2
    assert len(said) == 1
    assert said[0].startswith(f"findable: {sentence}")
    assert not re.search("starlette|granian", done.stderr)
    assert "sqlalchemy" not in done.stderr


def loaded(imports: str, kinds: str) -> str:
    """The loaded modules of some kinds after imports; ``kinds``: condition on their name ``n``."""
    code = f"import sys, {imports};print(sorted(n for n in sys.modules if {kinds}))"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_audit_loads_neither_service_nor_database_nor_web_framework() -> None:
    frameworks = {"starlette", "sqlalchemy", "alembic", "granian", "argon2", "PIL", "jinja2", "nacl", "typst"}
    rooms = ("findable.web", "findable.store", "findable.service")
    commands = "findable.cli.main, findable.cli.audit, findable.cli.check, findable.checks.engine as e; e.all_checks()"
    assert loaded(commands, f"n.split('.')[0] in {frameworks} or n.startswith({rooms})") == "[]"


def test_audit_loads_no_modules_for_wrong_names_other_files_or_statistics() -> None:
    assert loaded("findable.cli.main, findable.cli.audit", "n in {'difflib', 'statistics', 'tomllib'}") == "[]"


def test_crawl_loads_neither_accounts_nor_tables_of_the_service() -> None:
    tables = "findable.store.schema.", "findable.store.store_protocol"
    rooms = ("findable.web", "findable.service.accounts", "findable.service.runtime", *tables, "sqlalchemy.dialects.postgresql")
    assert loaded("findable.cli.main, findable.cli.crawl", f"n.startswith({rooms})") == "['findable.store.schema.table_parts']"


def test_the_process_that_reads_a_log_loads_no_checks_database_or_service() -> None:
    rooms = (
        "findable.checks",
        "findable.export",
        "findable.reports",
        "findable.service.runtime",
        "findable.store",
        "sqlalchemy",
        "turbohtml",
    )
    assert loaded("findable.worker.log_child", f"n.startswith({rooms})") == "[]"


def test_a_system_without_modules_of_unix_is_named_not_an_extra() -> None:
    code = """import sys
for name in ("fcntl", "pwd", "resource"):
    sys.modules[name] = None
sys.argv = ["findable", *sys.argv[1:]]
from findable.cli.main import main
main()"""
    for command, complaint in (("crawl", "`findable crawl` does not run on this system: its Python has no module pwd"), ("audit", "URL")):
        done = subprocess.run([sys.executable, "-c", code, command], capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, complaint in done.stderr) == (2, True), done.stderr


def test_doctor_finds_nothing_wrong_with_a_fresh_installation(findable: Run) -> None:
    done = findable("doctor", FINDABLE_PORT="18765")

    assert done.returncode == 0, done.stdout
    assert "database: SQLite" in done.stdout
    assert "loopback" in done.stdout
    assert re.search(r"PDF: (no font for .*fonts-noto-cjk|fonts for every script)", done.stdout)


def test_doctor_makes_nothing(findable: Run, tmp_path: Path) -> None:
    done = findable("doctor", FINDABLE_PORT="18765")

    assert "created at the first start" in done.stdout
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    "arguments", [("doctor",), ("serve", "--host", "192.0.2.1"), ("robots", "http://127.0.0.1:9/", "/"), ("accounts", "list")]
)
def test_a_misspelt_setting_is_named(findable: Run, arguments: tuple[str, ...]) -> None:
    done = findable(*arguments, FINDABLE_PORT="18765", FINDABLE_BASEURL="https://seo.example.com")

    assert "FINDABLE_BASEURL is not a setting; FINDABLE_BASE_URL is" in done.stdout + done.stderr
    assert "FINDABLE_DATA_DIR is" not in done.stdout + done.stderr


def test_what_is_like_no_setting_is_not_guessed(findable: Run) -> None:
    assert "FINDABLE_XYZZY is not a setting and changes nothing" in findable("doctor", FINDABLE_XYZZY="1", FINDABLE_PORT="18765").stdout


@pytest.mark.parametrize(
    ("arguments", "environment", "said"),
    [
        (("restore", "b.zst", "--to", "mysql://x"), {}, "--to: the value is not a URL like sqlite:////"),
        (("audit", "https://example.com/", "--concurrency", "0"), {}, "--concurrency: must be a number from 1 to 16"),
        (("worker", "--concurrency", "0"), {}, "--concurrency: 0 is less than 1"),
        (("keys", "list", "nobody@example.com"), {}, "keys: There is no account of nobody@example.com."),
    ],
)
def test_what_is_wrong_is_named_as_it_was_typed(findable: Run, arguments: tuple[str, ...], environment: dict[str, str], said: str) -> None:
    done = findable(*arguments, **environment)

    assert done.returncode == 2
    assert done.stderr.startswith(f"findable: {said}")


@pytest.mark.parametrize("arguments", [("--help",), ("audit", "--help"), ("checks",), ("checks", "title-present")])
def test_a_reader_who_goes_away_is_no_error(arguments: tuple[str, ...]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "findable", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | {"COLUMNS": "80"}
    )
    assert process.stdout is not None
    process.stdout.close()
    _, said = process.communicate(timeout=60)

    assert (process.returncode, said) == (0, b"")


@pytest.mark.parametrize("command", ["check", "diff"])
@pytest.mark.parametrize(
    ("content", "words"),
    [("<title>a page</title>", "a saved page"), ('{"format": "findable.page/2", "page": {}}', "the saved page is damaged")],
)
def test_a_file_that_is_no_saved_page_is_named(findable: Run, tmp_path: Path, command: str, content: str, words: str) -> None:
    (tmp_path / "page.html").write_text(content)
    done = findable(command, *["page.html"] * (1 if command == "check" else 2))

    assert done.returncode == 2
    assert done.stderr.startswith("findable: page.html: ")
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(("base_url", "warns"), [("http://seo.example.com", True), ("https://seo.example.com", False)])
def test_s56_doctor_says_when_cookies_travel_in_clear_text(findable: Run, base_url: str, warns: bool) -> None:
    done = findable("doctor", FINDABLE_PORT="18765", FINDABLE_BASE_URL=base_url)

    assert ("cookies and passwords are sent unencrypted" in done.stdout) is warns


def test_doctor_names_a_wrong_setting(findable: Run) -> None:
    done = findable("doctor", FINDABLE_PORT="x")

    assert done.returncode == 1
    assert "FINDABLE_PORT" in done.stdout


def test_keys_and_accounts(findable: Run) -> None:
    assert findable("accounts", "create", "anna@example.com").stdout.startswith("http://127.0.0.1:8000/sign-in/")
    assert findable("accounts", "list").stdout.split() == ["anna@example.com", "owner", "anna", "no", "password"]
    made = findable("keys", "create", "anna@example.com", "--name", "ci", "--scopes", "read", "--expires", "2099-01-31")
    token = made.stdout.strip()

    assert made.returncode == 0
    assert len(made.stdout.splitlines()) == 1
    assert made.stderr == ""
    prefix = "_".join(token.split("_")[:2])
    listed = findable("keys", "list", "anna@example.com").stdout
    assert prefix in listed
    assert token not in listed
    assert "ci" in listed
    assert findable("keys", "revoke", "anna@example.com", prefix).returncode == 0
    assert "revoked" in findable("keys", "list", "anna@example.com").stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("accounts", "create", "nonsense"),
        ("accounts", "link", "nobody@example.com"),
        ("keys", "create", "nobody@example.com"),
        ("keys", "create", "nobody@example.com", "--scopes", "admin"),
        ("keys", "create", "nobody@example.com", "--expires", "soon"),
        ("keys", "revoke", "nobody@example.com", "fnd_00000000"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(findable: Run, arguments: tuple[str, ...]) -> None:
    done = findable(*arguments)

    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1


def test_a_worker_waits_for_its_database_and_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(worker, "START_PATIENCE_S", 0.0)
    monkeypatch.setattr(worker, "START_RETRY_S", 0.01)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens there
        url = f"postgresql://findable@127.0.0.1:{taken.getsockname()[1]}/findable"
        settings = Settings(data_dir=tmp_path, secret_key="k" * 40, database_url=url)
        for patience in (0, 2):  # in attempts
            begun_s = monotonic_s()
            with pytest.raises(DatabaseUnusable) as unusable:
                worker.open_patiently(settings)
            assert unusable.value.is_temporary
            assert ("waiting for the database" in caplog.text) is bool(patience)
            monkeypatch.setattr(worker, "START_PATIENCE_S", 2 * (monotonic_s() - begun_s))
