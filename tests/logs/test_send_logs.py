"""`findable logs --to`: logs are sent in parts, once, and nothing of a visitor arrives."""

import gzip
import io
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from findable import log_import
from findable.cli.log_sending import receiver_of
from findable.formats.access_logs.log_blocks import LogBlocks
from findable.service.projects.log_parts import PartedLog, source_of
from findable.settings import Settings
from tests.cli.conftest import Run, findable
from tests.logs import generated_log
from tests.logs.generated_log import FAKE_PREFIX, HOST, VISITOR_MARK, Truth, requests, written
from tests.web.fixtures import live
from tests.web.live import Client, Live

__all__ = ["findable", "live"]
Send = Callable[..., Any]


@pytest.fixture
def project(live: Live) -> Client:
    """A client of a new account with the project of the log."""
    client = live.client()
    assert client.post("/projects", {"project": "example.com"}).status in (200, 201)
    return client


@pytest.fixture
def send(findable: Run, project: Client, live: Live, tmp_path: Path) -> Send:
    (tmp_path / "key").write_text(f"{project.key}\n")
    (tmp_path / "ranges.json").write_bytes(msgspec.json.encode(generated_log.ranges()))
    to = (
        "--to",
        f"http://127.0.0.1:{live.port}",
        "--project",
        "example.com",
        "--key-file",
        "key",
        "--ranges",
        "ranges.json",
        "--host",
        HOST,
    )
    return lambda *arguments: findable("logs", *arguments, *to)


def stored(client: Client) -> Counter[tuple[str, str, str]]:
    """Requests by day, bot and verification."""
    rows = client.get("/projects/example.com/bot-hits", since="2026-11-01", until="2026-11-30").json["data"]
    return Counter({(row["day"], row["bot"], row["verification"]): row["hits"] for row in rows})


def planted(truth: Truth) -> Counter[tuple[str, str, str]]:
    found: Counter[tuple[str, str, str]] = Counter()
    for (day, bot, verification, _, _), number in truth.hits.items():
        found[day, bot, verification] += number
    return found


def test_a_log_is_stored_once_though_it_grows_is_renamed_and_compressed(send: Send, project: Client, tmp_path: Path) -> None:
    made, truth = requests(3000, fakes=100)
    log = written("combined", made)
    cut = log.index(b"\n", len(log) // 2) + 30  # within a line
    (tmp_path / "access.log").write_bytes(log[:cut])
    first = send("access.log")
    assert first.returncode == 0, first.stderr
    assert "stored as access.log" in first.stderr
    assert "/projects/example.com/bots" in first.stderr
    (tmp_path / "access.log").write_bytes(log)
    grown = send("access.log")
    assert "continued where an earlier import ended" in grown.stderr
    assert stored(project) == planted(truth)

    (tmp_path / "access.log.1").write_bytes(log)
    (tmp_path / "other-name.2.gz").write_bytes(gzip.compress(log))
    for name in ("access.log", "access.log.1", "other-name.2.gz"):
        again = send(name)
        assert again.returncode == 0, again.stderr
        assert "0 requests of bots are new" in again.stderr
    assert stored(project) == planted(truth)
    (known,) = project.get("/projects/example.com/log-imports").json["data"]
    assert (known["lines"], known["unreadable"], known["without_request"]) == (truth.lines, truth.unreadable, truth.without_request)
    assert len(known["days"]) == generated_log.DAYS

    urls = project.get("/projects/example.com/bot-hits/urls", since="2026-11-01", bot="Googlebot").json["data"]
    assert sum(row["hits"] for row in urls) <= sum(number for key, number in planted(truth).items() if key[1:] == ("Googlebot", "verified"))
    assert all(row["bots"].keys() == {"Googlebot"} for row in urls)


class _Killed(Exception):
    """The process ends between two parts."""


def test_an_import_that_was_killed_is_continued(
    send: Send, project: Client, live: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, truth = requests(6000, fakes=100)
    log = written("w3c of IIS", made)
    (tmp_path / "access.log").write_bytes(log)
    monkeypatch.setattr(log_import, "FLUSH_ENTRIES", 100)
    settings = Settings(data_dir=tmp_path)
    with receiver_of(f"http://127.0.0.1:{live.port}", "example.com", tmp_path / "key", settings) as receiver:
        sent = PartedLog(receiver.send, "access.log", receiver.known())
        parts: list[int] = []

        def put(hits: log_import.Hits, totals: log_import.LogTotals) -> None:
            if len(parts) == 2:
                raise _Killed
            parts.append(len(hits))
            sent.put(hits, totals)

        sent.blocks = LogBlocks(io.BytesIO(log).read, find_earlier=sent.find_earlier)
        with pytest.raises(_Killed):
            log_import.read_log(sent.blocks, log_import.LogOptions(hosts=(HOST,)), generated_log.ranges(), put)
    assert 0 < stored(project).total() < planted(truth).total()
    done = send("access.log")

    assert "continued" in done.stderr, done.stderr
    assert stored(project) == planted(truth)


def test_another_log_of_the_same_time_is_refused_and_another_source_is_not(send: Send, project: Client, tmp_path: Path) -> None:
    made, truth = requests(1000, fakes=20)
    (tmp_path / "access.log").write_bytes(written("combined", made))
    (tmp_path / "access.log.1").write_bytes(written("combined", made[300:]))
    assert send("access.log").returncode == 0
    refused = send("access.log.1")
    assert refused.returncode == 2
    assert "Lines of access.log from 2026-11-01 to 2026-11-21 were imported before" in refused.stderr
    assert send("access.log.1", "--source", "web2").returncode == 0
    assert stored(project).total() > planted(truth).total()


def test_wrong_keys_projects_and_servers_are_said(send: Send, findable: Run, project: Client, live: Live, tmp_path: Path) -> None:
    (tmp_path / "access.log").write_bytes(written("combined", requests(300)[0]))
    to = ("logs", "access.log", "--to", f"http://127.0.0.1:{live.port}")
    (tmp_path / "wrong").write_text("fnd_wrong")
    for arguments, words in (
        (("--project", "example.com"), "needs --project and --key-file"),
        (("--project", "example.com", "--key-file", "missing"), "cannot be read"),
        (("--project", "example.com", "--key-file", "wrong"), "--to: "),
        (("--project", "no.example", "--key-file", "key"), "--project: no.example is no project of http"),
    ):
        done = findable(*to, *arguments)
        assert done.returncode == 2
        assert words in done.stderr
    assert findable("logs", "access.log", "--project", "x").returncode == 2
    broken = send("access.log", "--format", "w3c")
    assert broken.returncode == 2
    assert "nothing more is sent without --force" in broken.stderr


@pytest.mark.full
def test_nothing_of_a_visitor_is_in_any_file_of_the_service(send: Send, project: Client, live: Live, tmp_path: Path) -> None:
    made, _ = requests(2000, fakes=200)
    mail = "anna.visitor@example.org"
    for one in made[::50]:
        one.path += f"?email={mail}&token=s3cr3t-t0ken"
    (tmp_path / "access.log").write_bytes(written("nginx-main", made))
    assert send("access.log").returncode == 0

    addresses = re.compile(rb"66\.249\.66\.\d|157\.55\.39\.\d|" + FAKE_PREFIX.replace(".", r"\.").encode())
    searched = 0
    for file in Path(live.service.settings.data_dir).rglob("*"):
        if file.is_file():
            data = file.read_bytes()
            searched += b"page-1" in data
            assert VISITOR_MARK.encode() not in data, file
            assert mail.encode() not in data, file
            assert b"s3cr3t" not in data, file
            assert not addresses.search(data), file
            visitors = [one.ip.encode() for one in made if VISITOR_MARK in one.agent]
            assert not any(ip in data for ip in visitors), file
    assert searched


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("/var/log/nginx/access.log", "access.log"),
        ("access.log.2.gz", "access.log"),
        ("access.log-20261101.gz", "access.log"),
        ("shop_access.log.2026-11-01.zst", "shop_access.log"),
        ("access.log.2026-11-01-1793491200.gz", "access.log"),
        ("access.log-2026-11-01_03.old", "access.log"),
        ("1.gz", "1"),
    ],
)
def test_the_source_is_the_name_without_its_rotation(name: str, source: str) -> None:
    assert source_of(name) == source
