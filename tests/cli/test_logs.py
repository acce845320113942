"""`findable logs` and `findable bots`."""

import gzip
import json
import subprocess
import sys
from datetime import date
from pathlib import Path

import msgspec
import pytest

from findable.artifacts.tables.bot_names import KNOWN_NAMES
from findable.artifacts.tables.bot_ranges import (
    CDNS,
    BotRanges,
    RangesRefused,
    Verification,
    packaged_ranges,
    public_address,
    ranges_from,
    read_published,
)
from findable.artifacts.tables.bots import ALL_BOTS
from findable.cli import logs
from findable.clock import now
from findable.log_import import LogTotals
from findable.service.accounts import account_admin
from findable.service.projects import projects
from findable.service.runtime.service import Service
from findable.settings import Settings
from tests.cli.conftest import Run
from tests.logs import generated_log
from tests.sites.server import Site


@pytest.fixture(scope="module")
def log() -> tuple[bytes, generated_log.Truth]:
    made, truth = generated_log.requests(2000, fakes=50)
    return generated_log.written("combined", made), truth


@pytest.fixture
def ranges(tmp_path: Path) -> Path:
    file = tmp_path / "ranges.json"
    file.write_bytes(msgspec.json.encode(generated_log.ranges()))
    return file


def test_requests_are_counted_by_bot_and_verification(
    findable: Run, tmp_path: Path, ranges: Path, log: tuple[bytes, generated_log.Truth]
) -> None:
    lines, truth = log
    (tmp_path / "access.log.2.gz").write_bytes(gzip.compress(lines[: len(lines) // 2]))
    (tmp_path / "access.log").write_bytes(lines[len(lines) // 2 :])
    done = findable("logs", "access.log.2.gz", "access.log", "--ranges", str(ranges), "--json", "--force")
    told = json.loads(done.stdout)

    assert done.returncode == 0, done.stderr
    counted = {(bot["bot"], bot["verification"]): bot["hits"] for bot in told["bots"]}
    planted: dict[tuple[str, str], int] = {}
    for (_, token, verification, _, _), number in truth.hits.items():
        planted[token, verification] = planted.get((token, verification), 0) + number
    assert sum(abs(counted.get(key, 0) - number) for key, number in planted.items()) <= 1  # the line that the files share
    assert [file["format"] for file in told["files"]] == ["combined", "combined"]


def test_the_text_names_bots_statuses_and_networks_of_fakes(findable: Run, ranges: Path, log: tuple[bytes, generated_log.Truth]) -> None:
    done = findable("logs", "-", "--ranges", str(ranges), "--dry-run", stdin=log[0].decode())

    assert done.returncode == 0, done.stderr
    assert "Googlebot                fake" in done.stdout
    assert "45.155.205.0/24" in done.stdout
    unreadable = [line for line in done.stdout.splitlines() if "unreadable: " in line]
    assert unreadable
    assert all("[IP address]" in line for line in unreadable)
    assert generated_log.VISITOR_MARK not in done.stdout


@pytest.mark.parametrize(("most", "counted", "are_all"), [(4, 4, True), (3, 3, False)])
def test_different_urls_are_counted_once_and_those_of_fakes_not(
    monkeypatch: pytest.MonkeyPatch, most: int, counted: int, are_all: bool
) -> None:
    monkeypatch.setattr(logs, "MAX_COUNTED_URLS", most)
    counts = logs.LogCounts()
    days = {date(2026, 11, 1): "abc", date(2026, 11, 2): "abcd"}
    for day, paths in days.items():
        for verification, folder in ((Verification.VERIFIED, ""), (Verification.FAKE, "fake/")):
            hits: dict[tuple[str, int], int] = {(f"https://example.com/{folder}{path}", status): 1 for path in paths for status in (0, 2)}
            counts.add({(day, "Googlebot", verification): hits}, LogTotals())

    document = counts.document()
    assert (document["urls"], document["are_all_urls_counted"]) == ({"Googlebot": counted}, are_all)


def test_old_lists_of_addresses_are_said_only_if_they_matter(findable: Run) -> None:
    line = '{} - - [01/Nov/2036:10:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "{}"\n'
    assert "findable bots refresh" in findable("logs", "-", stdin=line.format("198.51.100.7", "Googlebot/2.1")).stderr
    assert "refresh" not in findable("logs", "-", stdin=line.format("198.51.100.7", "SemrushBot/7")).stderr


@pytest.mark.parametrize(
    ("arguments", "stdin", "code", "words"),
    [
        ((), "", 2, "name at least one access log"),
        (("missing.log",), "", 2, "missing.log: cannot be read: No such file"),
        (("-",), "hello\n", 2, "the format is not recognized"),
        (("-", "--log-format", "%h"), "hello\n", 2, "the format needs a request"),
        (("-", "--format", "nginx"), "x\n", 2, "'nginx' is not one of"),
        (("-", "--timezone", "Mars/Base"), "", 2, "is not a time zone"),
        (("-", "--since", "yesterday"), "", 2, "is not a date"),
        (("-", "--trusted-proxy", "cdn"), "", 2, "is not a network"),
        (("-", "--field", "uri"), "", 2, "is not like url=NAME"),
        (("-",), "", 0, "no requests of known bots"),
        (("-", "--format", "combined"), "hello\n", 2, "only 0 of the first 1 lines fit the format combined"),
        (("-", "--format", "w3c"), "hello\n", 3, "100% of the lines are unreadable"),
    ],
)
def test_wrong_usage_is_said_in_one_line(findable: Run, arguments: tuple[str, ...], stdin: str, code: int, words: str) -> None:
    done = findable("logs", *arguments, stdin=stdin)

    assert done.returncode == code
    assert words in done.stdout + done.stderr


def test_a_list_is_refreshed_from_a_file_and_a_url(findable: Run, tmp_path: Path, site: Site) -> None:
    before = next(one for one in packaged_ranges().lists if one.name == "bing").readings[-1].prefixes
    rows = [{"ipv4Prefix": prefix} for prefix in (*before[1:], "40.77.0.0/20")]
    (tmp_path / "bing.json").write_text(json.dumps({"creationTime": "2024-01-03", "prefixes": rows}))
    first = findable("bots", "refresh", "--list", "bing", "--from", "bing.json")
    site.page("/bing.json", json.dumps({"prefixes": rows[:-1]}), content_type="application/json")
    second = findable("bots", "refresh", "--list", "bing", "--from", site.url("/bing.json"))

    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    assert "28 networks, 1 added, 1 removed" in first.stdout
    assert "27 networks, 0 added, 1 removed" in second.stdout
    kept = ranges_from((tmp_path / "data" / "bot_ranges.json").read_bytes())
    assert [len(one.readings) for one in kept.lists if one.name == "bing"] == [3]
    assert "Bingbot                  Microsoft      search       list of" in findable("bots", "list").stdout


def test_doctor_tells_the_age_of_the_lists(findable: Run, tmp_path: Path) -> None:
    old = findable("doctor")
    assert "note   bots: 20 lists of IP addresses" in old.stdout
    assert "findable bots refresh" in old.stdout
    folder = tmp_path / "data"
    folder.mkdir(exist_ok=True)
    today = now().date()
    fresh = BotRanges(tuple(one.with_reading(today, one.readings[-1].prefixes) for one in packaged_ranges().lists))
    (folder / "bot_ranges.json").write_bytes(msgspec.json.encode(fresh))
    assert f"to {today}\n" in findable("doctor").stdout
    (folder / "bot_ranges.json").write_text("[]")
    broken = findable("doctor")
    assert "bot_ranges.json: not lists of IP addresses of bots" in broken.stdout
    assert broken.returncode == 1


def test_a_broken_list_changes_nothing(findable: Run, tmp_path: Path) -> None:
    for document in (
        "{}",
        '{"prefixes": []}',
        '{"prefixes": [{"ipv4Prefix": "10.0.0.0/8"}]}',
        '{"prefixes": [{"ipv4Prefix": "66.0.0.0/8"}]}',
    ):
        (tmp_path / "list.json").write_text(document)
        done = findable("bots", "refresh", "--list", "bing", "--from", "list.json")

        assert done.returncode == 3
        assert "bing: not changed" in done.stdout
    assert ranges_from((tmp_path / "data" / "bot_ranges.json").read_bytes()) == packaged_ranges()


def test_a_list_that_lost_more_than_half_is_refused() -> None:
    one = packaged_ranges().lists[0]
    few = one.readings[-1].prefixes[:3]

    with pytest.raises(RangesRefused, match="less than half"):
        one.with_reading(date(2026, 12, 1), few)


def test_an_unchanged_list_only_becomes_fresh() -> None:
    one = packaged_ranges().lists[0]
    made = one.with_reading(date(2026, 12, 1), one.readings[-1].prefixes)

    assert len(made.readings) == len(one.readings)
    assert made.readings[-1].last_on == date(2026, 12, 1)


def test_names_of_bots_are_read_from_a_file_and_a_url(findable: Run, tmp_path: Path, site: Site) -> None:
    named = {"as_of": "2027-01", "bots": [{"token": "NewBot", "operator": "New", "purpose": "ai_search", "host_names": ["new.example"]}]}
    site.page("/names.json", json.dumps(named), content_type="application/json")
    (tmp_path / "names.json").write_text(json.dumps(named))
    line = '9.9.9.9 - - [05/Nov/2026:10:00:00 +0000] "GET /p HTTP/1.1" 200 1 "-" "Mozilla/5.0 (compatible; NewBot/1.0)"\n'
    assert "no requests of known bots" in findable("logs", "-", stdin=line).stdout
    for source in ("names.json", site.url("/names.json")):
        assert findable("bots", "refresh", "--names", "--from", source).stdout.startswith("names: 1 bots\n")
    assert "NewBot" in findable("bots", "list").stdout
    assert "NewBot                   unverified              1" in findable("logs", "-", stdin=line).stdout
    for wrong in ("Mozilla", "x", "a" * 41):
        (tmp_path / "names.json").write_text(json.dumps({"as_of": "", "bots": [{"token": wrong, "operator": "", "purpose": "other"}]}))
        refused = findable("bots", "refresh", "--names", "--from", "names.json")
        assert (refused.returncode, "no name of a bot" in refused.stdout) == (3, True)
    assert "NewBot" in findable("bots", "list").stdout
    assert findable("bots", "refresh", "--names").returncode == 2


def test_a_list_inside_a_page_is_read() -> None:
    page = b"<html><pre><code>{&quot;creationTime&quot;: 1, &quot;prefixes&quot;: [{&quot;ip_prefix&quot;: &quot;54.1.2.3&quot;}]}</code></pre>"

    assert read_published(page) == ("54.1.2.3/32",)


@pytest.mark.parametrize(
    "document",
    [
        b'{"result": {"ipv4_cidrs": ["104.16.0.0/13"], "ipv6_cidrs": ["2400:cb00::/32"], "etag": "x"}, "success": true, "errors": []}',
        b'{"addresses": ["104.16.0.0/13"], "ipv6_addresses": ["2400:cb00::/32"]}',
    ],
)
def test_the_list_of_a_cdn_is_read(document: bytes) -> None:
    assert read_published(document) == ("104.16.0.0/13", "2400:cb00::/32")


def test_lists_of_the_package_are_public_dated_and_used() -> None:
    lists: BotRanges = packaged_ranges()
    used = {bot.ranges for bot in ALL_BOTS} - {""}

    assert used | CDNS == {one.name for one in lists.lists}
    for one in lists.lists:
        assert one.url.startswith("https://")
        assert one.readings
        assert all(public_address(prefix.partition("/")[0]) for prefix in one.readings[-1].prefixes)


@pytest.mark.parametrize(
    ("agent", "token"),
    [
        ("Mozilla/5.0 (compatible; Claude-User/1.0; +Claude-User@anthropic.com)", "Claude-User"),
        ("Amzn-SearchBot/0.1", "Amzn-SearchBot"),
        ("Googlebot-Image/1.0", "Googlebot-Image"),
        ("mozilla/5.0 (compatible; GOOGLEBOT/2.1)", "Googlebot"),
        ("AdsBot-Google-Mobile", "AdsBot-Google"),
        ("Mozilla/5.0 (compatible; Baiduspider-render/2.0)", "Baiduspider"),
        ("MyBot/1.0 (+https://example.com/googlebot.html)", None),
        ("NotGooglebot/2.1", None),
        ("Googlebot-Fake-Thing/1.0", None),
        ("Mozilla/5.0 Firefox/130", None),
        ("Google-Extended", None),
    ],
)
def test_a_bot_is_known_by_a_whole_token(agent: str, token: str | None) -> None:
    found = KNOWN_NAMES.in_agent(agent.encode())

    assert (found.token if found else None) == token


def test_audit_loads_no_reader_of_logs() -> None:
    code = "import sys, findable.cli.main, findable.cli.audit; print([n for n in sys.modules if 'access_logs' in n or 'bot_ranges' in n])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_folders_are_assigned_on_the_command_line(findable: Run, tmp_path: Path) -> None:
    named = {"FINDABLE_LOG_FOLDERS": f"web1={tmp_path}"}
    assert findable("accounts", "create", "owner@example.com").returncode == 0
    service = Service.open(Settings(data_dir=tmp_path / "data"))
    projects.make(service, account_admin.owner_caller(service, None), "example.com")
    service.close()
    assert findable("bots", "folders", "example.com", **named).stdout == "web1  not assigned\n"
    assert findable("bots", "folders", "example.com", "--assign", "web1", **named).stdout == "web1  assigned, not read yet\n"
    assert findable("bots", "folders", "example.com", "--remove", "web1").stdout == ""
    assert findable("bots", "folders", "example.com", "--assign", "web2", **named).returncode == 2


def test_requests_are_forgotten_on_the_command_line(findable: Run, tmp_path: Path, log: tuple[bytes, generated_log.Truth]) -> None:
    assert findable("accounts", "create", "owner@example.com").returncode == 0
    service = Service.open(Settings(data_dir=tmp_path / "data"))
    projects.make(service, account_admin.owner_caller(service, None), "example.com")
    service.close()
    (tmp_path / "access.log").write_bytes(log[0])
    assert "requests of bots are new" in findable("logs", "access.log", "--project", "example.com").stderr
    unclear = findable("logs", "forget", "example.com")
    assert (unclear.returncode, "--all" in unclear.stderr) == (2, True)
    assert "not a date" in findable("logs", "forget", "example.com", "--before", "soon").stderr
    assert findable("logs", "forget", "example.com", "--before", "2030-01-01").stdout == "deleted requests of 1 log\n"
    assert "0 requests of bots are new" in findable("logs", "access.log", "--project", "example.com").stderr
    assert findable("logs", "forget", "example.com", "--all").stdout == "deleted requests of 1 log\n"
    assert "example.org" in findable("logs", "forget", "example.org", "--all").stderr
