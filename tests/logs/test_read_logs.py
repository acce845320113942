"""Counting the requests of bots in access logs against the planted truth."""

import gzip
import io
import random
import subprocess
import sys
from collections import Counter
from datetime import date, timedelta
from ipaddress import ip_network

import msgspec
import pytest

from findable.artifacts.tables.bot_ranges import BotRanges, ranges_from
from findable.capture.hit_statuses import HitStatus
from findable.crawl.hit_urls import hit_url
from findable.formats.access_logs.detection import UnknownLogFormat, detect
from findable.formats.access_logs.log_blocks import LogBlocks
from findable.log_import import Hits, LogOptions, LogTotals, read_log
from tests.logs import generated_log
from tests.logs.generated_log import COMPRESSIONS, FORMATS, HOST, RANGES_READ, Request, Truth, requests, written
from tests.tiers import sampled

LINES = 3000
Counts = Counter[tuple[str, str, str, str, str]]


def count(log: bytes, options: LogOptions | None = None, lists: BotRanges | None = None) -> tuple[LogTotals, Counts]:
    """Read a log and return its totals and hits by day, token, verification, URL and status."""
    hits: Counts = Counter()

    def put(part: Hits, _totals: LogTotals) -> None:
        for (day, token, verification), counts in part.items():
            for (url, status), number in counts.items():
                hits[day.isoformat(), token, verification.value, url, HitStatus(status).name] += number

    totals = read_log(LogBlocks(io.BytesIO(log).read), options or LogOptions(hosts=(HOST,)), lists or generated_log.ranges(), put)
    return totals, hits


def expected(truth: Truth) -> Counts:
    found: Counts = Counter()
    for (day, token, verification, path, status), number in truth.hits.items():
        found[day, token, verification, hit_url(f"https://{HOST}", path.encode()), status] += number
    return found


@pytest.fixture(scope="module")
def planted() -> tuple[list[Request], Truth]:
    return requests(LINES, fakes=200)


@pytest.mark.parametrize("compression", sampled(COMPRESSIONS))
@pytest.mark.parametrize("name", FORMATS)
def test_each_format_and_compression_gives_the_planted_hits(name: str, compression: str, planted: tuple[list[Request], Truth]) -> None:
    made, truth = planted
    totals, hits = count(COMPRESSIONS[compression](written(name, made)))

    assert (totals.format, totals.compression, totals.problem) == (name.partition(" ")[0], compression, "")
    assert (totals.lines, totals.unreadable, totals.without_request) == (truth.lines, truth.unreadable, truth.without_request)
    assert hits == expected(truth)
    assert len(totals.days) == generated_log.DAYS


@pytest.mark.full
@pytest.mark.parametrize("name", FORMATS)
def test_a_million_lines_give_the_planted_hits(name: str) -> None:
    made, truth = requests(1_000_000 if name == "combined" else 200_000)
    totals, hits = count(generated_log.two_members(written(name, made)))

    assert (totals.lines, totals.unreadable, totals.without_request) == (truth.lines, truth.unreadable, truth.without_request)
    assert hits == expected(truth)


def test_fakes_are_told_apart_though_they_forge_the_forwarded_header() -> None:
    made, truth = requests(4000, fakes=1000, faults=False)
    options = LogOptions(hosts=(HOST,), trusted_proxies=(ip_network("10.0.0.0/8"),))
    log = written("combined", made).decode().splitlines()
    forged = "".join(f'10.0.0.7{line[line.index(" - -") :]} "66.249.66.1, {one.ip}"\n' for line, one in zip(log, made, strict=True))
    totals, hits = count(forged.encode(), options)

    assert sum(number for key, number in hits.items() if key[2] == "fake") == 1000
    assert hits == expected(truth)
    assert {token for token, _ in totals.fake_networks} == {"Googlebot"}


def test_without_a_trusted_proxy_the_forwarded_header_is_not_read() -> None:
    line = b'45.155.205.3 - - [05/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "Googlebot/2.1" "66.249.66.1"\n'

    assert [key[2] for key in count(line * 3)[1]] == ["fake"]


@pytest.mark.parametrize(
    ("forwarded", "verdict"),
    [
        (' "66.249.66.1"', "verified"),
        (' "66.249.66.1, 45.155.205.3"', "fake"),
        (' "66.249.66.1, 172.64.0.9"', "verified"),
        ("", "unverified"),
        (' "-"', "unverified"),
    ],
)
def test_behind_a_cdn_the_client_that_it_names_counts_and_no_bot_is_called_fake(forwarded: str, verdict: str) -> None:
    line = f'162.158.1.2 - - [{RANGES_READ:%d/%b/%Y}:10:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "Googlebot/2.1"{forwarded}\n'.encode()
    totals, hits = count(line, lists=ranges_from(msgspec.json.encode(generated_log.ranges())))

    assert ([key[2] for key in hits], totals.proxied) == ([verdict], int(verdict == "unverified"))


@pytest.mark.parametrize(("distance", "verdict"), [(30, "fake"), (31, "unverified"), (-30, "fake"), (-60, "unverified")])
def test_only_a_list_of_that_time_proves_a_fake(distance: int, verdict: str) -> None:
    day = RANGES_READ + timedelta(days=distance)
    line = f'45.155.205.3 - - [{day:%d/%b/%Y}:10:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "Googlebot/2.1"\n'

    assert [key[2] for key in count(line.encode())[1]] == [verdict]


@pytest.mark.parametrize(
    ("agent", "ip", "outcome"),
    [
        ("Claude-User/1.0", "45.155.205.3", "unverified"),  # a fetch of a person may come from the person's device
        ("SemrushBot/7", "45.155.205.3", "unverified"),
        ("Googlebot/2.1", "10.0.0.3", "unverified"),
        ("Googlebot/2.1", "::ffff:66.249.66.9", "verified"),
        ("Googlebot-Image/1.0", "66.249.66.9", "verified"),
    ],
)
def test_verification_of_one_request(agent: str, ip: str, outcome: str) -> None:
    line = f'{ip} - - [05/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "{agent}"\n'

    assert [key[1:3] for key in count(line.encode())[1]] == [(agent.partition("/")[0], outcome)]


def test_dns_decides_where_lists_do_not_and_is_bounded() -> None:
    asked = []

    def confirm(bot: object, address: str) -> bool | None:
        asked.append(address)
        return address.endswith(".1")

    line = '45.155.{}.{} - - [05/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "YandexBot/3.0"\n'
    log = "".join(line.format(a, b) for a in range(200) for b in (1, 2, 3))
    _, hits = count(log.encode(), LogOptions(hosts=(HOST,), confirm=confirm))

    assert len(asked) == len(set(asked)) == 500
    assert Counter({key[2]: number for key, number in hits.items()}) == {"verified": 167, "fake": 333, "unverified": 100}


def test_lines_in_any_order_and_any_split_give_the_same_hits(planted: tuple[list[Request], Truth]) -> None:
    made, truth = planted
    log = written("combined", made).splitlines(keepends=True)
    random.Random(3).shuffle(log)
    sums: Counts = Counter()
    for start in range(0, len(log), 1700):
        sums += count(b"".join(log[start : start + 1700]))[1]

    assert sums == expected(truth)


def test_a_truncated_archive_keeps_what_was_read(planted: tuple[list[Request], Truth]) -> None:
    log = written("combined", planted[0])
    archive = gzip.compress(log)
    for damaged, problem in (
        (archive[: len(archive) // 2], "truncated"),
        (generated_log.zstandard(log)[:-9], "truncated"),
        (archive + b"tail", "damaged"),
    ):
        totals, hits = count(damaged)

        assert totals.problem == problem
        assert 0 < totals.lines <= LINES
        assert hits <= expected(planted[1])


def test_an_archive_that_expands_too_much_is_not_read_to_its_end() -> None:
    line = b'66.249.66.1 - - [05/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "Googlebot/2.1"\n'
    totals, _ = count(gzip.compress(line * 200 + b"a" * 70_000_000 + b"\n" + line, 9))

    assert totals.problem == "ratio"


def test_hostile_lines_are_counted_and_never_fatal() -> None:
    good = b'66.249.66.1 - - [05/Nov/2026:10:00:00 +0000] "GET /p HTTP/1.1" 200 1 "-" "Googlebot/2.1"\n'
    hostile = [
        b"a" * 3_000_000,
        b"\0" * 5000,
        b"\xff\xfe\xfd",
        b'66.249.66.1 - - [05/Nov/2026:10:00:00 +0000] "GET /' + b"x" * 20_000 + b' HTTP/1.1" 200 1 "-" "Googlebot/2.1"',
        b'66.249.66.1 - - [99/Nov/2026:10:00:00 +0000] "GET /p HTTP/1.1" 200 1 "-" "Googlebot/2.1"',
        b'66.249.66.1 - - [05/Nov/2026:10:00:00 +0000] "GET /p HTTP/1.1" 2x0 1 "-" "Googlebot/2.1"',
        b'"' * 3000,
    ]
    totals, hits = count(good * 300 + b"\n".join(hostile) + b"\n" + good)

    assert sum(hits.values()) == 301
    assert totals.unreadable == 6  # the NUL bytes are an empty line
    assert totals.long_lines == 2
    assert all("66.249" not in example for example in totals.examples)


@pytest.mark.parametrize("mark", ["utf-8-sig", "utf-16", "utf-16-be"])
def test_a_copy_in_another_encoding_is_read(mark: str) -> None:
    text = '66.249.66.1 - - [05/Nov/2026:10:00:00 +0000] "GET /p HTTP/1.1" 200 1 "-" "Googlebot/2.1"\r\n' * 9
    log = text.encode(mark)
    _, hits = count(b"\xfe\xff" + log if mark == "utf-16-be" else log)

    assert sum(hits.values()) == 9


@pytest.mark.parametrize(
    ("sent", "url"),
    [
        (r"GET /a\x22b HTTP/1.1", "/a%22b"),
        (r"GET /\xC3\xA4 HTTP/1.1", "/%C3%A4"),
        (r"GET /a\"b HTTP/1.1", "/a%22b"),
        ("GET /two words HTTP/1.1", "/two%20words"),
        ("GET /old", "/old"),
        ("GET http://www.example.com/abs?x=1 HTTP/1.1", "/abs?x=1"),
        ("GET /B/a/?b=2&a=1 HTTP/1.1", "/B/a/?b=2&a=1"),
        ("GET /reset?token=abc123&x=1 HTTP/1.1", "/reset?token=***&x=1"),
        ("GET /u/anna@example.org/x HTTP/1.1", "/u/***/x"),
        ("GET /p?mail=anna%40example.org HTTP/1.1", "/p?mail=***"),
    ],
)
def test_urls_are_as_linked_and_without_secrets(sent: str, url: str) -> None:
    log = f'66.249.66.1 - - [05/Nov/2026:10:00:00 +0000] "{sent}" 200 1 "-" "Googlebot/2.1"\n'
    _, hits = count(log.encode())

    origin = "http" if "http:" in sent else "https"
    assert [key[3] for key in hits] == [f"{origin}://{HOST}{url}"]


@pytest.mark.parametrize(
    ("format_string", "line"),
    [
        (
            r'%v %h %t "%r" %>s %D "%{X-Forwarded-For}i" "%{User-agent}i"',
            'www.example.com 66.249.66.1 [05/Nov/2026:11:00:00 +0100] "GET /p HTTP/1.1" 200 5123 "-" "Googlebot/2.1"',
        ),
        (
            "log_format main '$remote_addr [$time_local] \"$request\" '\n '$status \"$http_user_agent\" $request_time';",
            '66.249.66.1 [05/Nov/2026:10:00:00 +0000] "GET /p HTTP/1.1" 200 "Googlebot/2.1" 0.003',
        ),
        (
            r'LogFormat "%a %t %m %U%q %>s \"%{User-Agent}i\"" mine',
            '66.249.66.1 [05/Nov/2026:10:00:00 +0000] GET /p 200 "Googlebot/2.1"',
        ),
        (
            "$time_iso8601|$remote_addr|$request_method|$request_uri|$status|$http_user_agent",
            "2026-11-05T10:00:00+00:00|66.249.66.1|GET|/p|200|Googlebot/2.1",
        ),
    ],
)
def test_a_format_string_of_the_server_is_understood(format_string: str, line: str) -> None:
    _, hits = count(f"{line}\n".encode(), LogOptions(format_string=format_string, hosts=(HOST,)))

    assert hits == {("2026-11-05", "Googlebot", "verified", f"https://{HOST}/p", "OK"): 1}


def test_an_unknown_format_says_what_to_do() -> None:
    with pytest.raises(UnknownLogFormat, match="--log-format"):
        detect([b"hello world", b"x"])
    with pytest.raises(UnknownLogFormat, match="needs a request"):
        detect([], format_string="%h %t")


def test_lines_are_filtered_by_host_method_and_day() -> None:
    line = '{host}:80 66.249.66.1 - - [0{day}/Nov/2026:10:00:00 +0000] "{method} /p HTTP/1.1" 200 1 "-" "Googlebot/2.1"\n'
    cases = [(HOST, 5, "GET"), ("other.example", 5, "GET"), (HOST, 5, "POST"), (HOST, 6, "GET")]
    log = "".join(line.format(host=host, day=day, method=method) for host, day, method in cases)
    totals, hits = count(log.encode(), LogOptions(hosts=(HOST,), until=date(2026, 11, 5)))

    assert list(hits) == [("2026-11-05", "Googlebot", "verified", f"http://{HOST}/p", "OK")]
    assert (totals.hits, totals.other_hosts, totals.other_methods, totals.outside_period, totals.visitors) == (1, 1, 1, 1, 0)


def test_a_log_behind_a_proxy_is_noted() -> None:
    line = b'10.0.0.7 - - [05/Nov/2026:10:00:00 +0000] "GET /p HTTP/1.1" 200 1 "-" "Googlebot/2.1"\n'
    totals, hits = count(line * 4)

    assert (totals.proxied, totals.hits) == (4, 4)
    assert {key[2] for key in hits} == {"unverified"}


_MEASURED = """
import re, sys
from pathlib import Path
from findable.formats.access_logs.log_blocks import LogBlocks
from findable.log_import import LogOptions, read_log
from tests.logs import generated_log

def lines():
    for n in range(int(sys.argv[1]) // 1000):
        rows = (
            f'66.249.{m % 99}.{n % 256} - - [{1 + n % 28:02}/Nov/2026:10:00:{m % 60:02} +0000] "GET /{n}/{m}?q={n % 777} HTTP/1.1" 200 1 "-" "{agent}"'
            for m in range(1000)
            for agent in ("Googlebot/2.1" if m % 2 else f"Mozilla/5.0 ({n}.{m})",)
        )
        yield "\\n".join(rows).encode() + b"\\n"

left = lines()
totals = read_log(LogBlocks(lambda count: next(left, b"")), LogOptions(), generated_log.ranges(), lambda hits, totals: None)
peak = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())  # getrusage would contain the peak of pytest
print(totals.lines, totals.hits, int(peak[1]) // 1024)
"""


@pytest.mark.full
def test_memory_does_not_grow_with_the_log() -> None:
    peaks = []
    for count in (1_000_000, 4_000_000):
        done = subprocess.run([sys.executable, "-c", _MEASURED, str(count)], capture_output=True, text=True, check=True, timeout=600)
        lines, hits, peak_mb = map(int, done.stdout.split())
        assert (lines, hits) == (count, count // 2)
        peaks.append(peak_mb)

    assert peaks[1] < 1.1 * peaks[0]
    assert peaks[1] < 200
