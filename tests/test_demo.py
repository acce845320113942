"""The demonstration: its site, and the service that starts with it."""

import gzip
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from findable.demo.__main__ import main
from findable.demo.demo_site import PAGES, serve_site, site_files


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    with serve_site(0) as address:
        yield address


def fetch(origin: str, path: str, method: str = "GET", **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection(urlsplit(origin).netloc, timeout=60)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


@pytest.mark.parametrize("path", sorted(path for path in site_files() if path != "/404"))
def test_every_file_is_served_with_its_type(origin: str, path: str) -> None:
    answer, body = fetch(origin, path)

    assert answer.status == 200
    assert answer.headers["Content-Type"]
    assert b"{{origin}}" not in body


def test_pages_name_the_origin_they_are_served_from(origin: str) -> None:
    _, body = fetch(origin, "/breads/rye-sourdough")

    assert f'<link rel="canonical" href="{origin}/breads/rye-sourdough">' in body.decode()


def test_text_is_compressed_for_those_who_ask(origin: str) -> None:
    answer, body = fetch(origin, "/", **{"Accept-Encoding": "gzip, br"})

    assert answer.headers["Content-Encoding"] == "gzip"
    assert b"Mill Street" in gzip.decompress(body)


def test_head_has_the_headers_and_no_body(origin: str) -> None:
    answer, body = fetch(origin, "/about", "HEAD")

    assert (answer.status, body) == (200, b"")
    assert int(answer.headers["Content-Length"]) > 0


def test_what_is_not_there_is_404_with_a_way_home(origin: str) -> None:
    for path in ("/nothing", "/404", "/../site.py", "/downloads/order-form.pdf"):
        answer, body = fetch(origin, path)

        assert answer.status == 404
        assert b'href="/"' in body


def test_a_moved_page_says_where(origin: str) -> None:
    answer, _ = fetch(origin, "/bread")

    assert (answer.status, answer.headers["Location"]) == (301, "/breads/")


def test_what_is_no_request_is_refused_without_a_word(origin: str, capfd: pytest.CaptureFixture[str]) -> None:
    site = urlsplit(origin)
    with socket.create_connection((str(site.hostname), site.port or 0), timeout=60) as client:
        client.sendall(b"\x16\x03\x01 a b c d\r\n\r\n")
        assert b"400" in client.recv(4096)
    assert capfd.readouterr().err == ""


def test_the_next_port_is_taken_when_one_is_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with serve_site(port) as address:
            assert urlsplit(address).port != port


def test_links_of_the_good_page_lead_somewhere(origin: str) -> None:
    path = next(iter(PAGES))
    _, body = fetch(origin, path)

    for target in set(re.findall(r'(?:href|src)="(/[^"]*)"', body.decode())):
        assert fetch(origin, target)[0].status == 200, target


def test_help_lists_the_options_and_starts_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FINDABLE_DATA_DIR", str(tmp_path / "data"))
    for options, code, words in ((["--help"], 0, "--site-port"), (["--nope"], 2, "Unknown option")):
        monkeypatch.setattr(sys, "argv", ["findable.demo", *options])
        try:
            ended = main()
        except SystemExit as end:
            ended = int(end.code or 0)
        assert ended == code
        shown = capsys.readouterr()
        assert words in shown.out + shown.err
    assert not (tmp_path / "data").exists()


# --- the service that starts with it


@dataclass
class Told:
    """One start of it, from outside."""

    lines: list[str]
    """Standard output until it is ready."""
    errors: str
    code: int
    """Of the exit, on SIGINT."""
    addresses: list[str]
    """Of the share pages; each answered 200."""
    results: list[str]
    """The ratings of all reports, oldest first; asked for with the key of a first start, else empty."""


def start(data_dir: Path, port: int) -> Told:
    """Starts it, reads what it says, looks at the reports and interrupts it."""
    environment = os.environ | {"FINDABLE_DATA_DIR": str(data_dir), "FINDABLE_PORT": str(port), "FINDABLE_BROWSER": "none"}
    environment["PYTHONUNBUFFERED"] = "1"
    process = subprocess.Popen(
        [sys.executable, "-m", "findable.demo"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    alarm = threading.Timer(90, process.kill)
    alarm.start()
    origin, lines, results = f"http://127.0.0.1:{port}", [], []
    try:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line.rstrip("\n"))
            if "Ctrl-C stops" in line:
                break
        addresses = re.findall(r"http\S+/r/\S+", "\n".join(lines))
        for address in addresses:
            assert fetch(origin, urlsplit(address).path)[0].status == 200
        if key := re.search(r"API key:\s+(\S+)", "\n".join(lines)):
            _, body = fetch(origin, "/api/v1/reports?sort=asc", Authorization=f"Bearer {key[1]}")
            results = [report["result"] for report in json.loads(body)["data"]]
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
        alarm.cancel()
    return Told(lines, errors, process.returncode, addresses, results)


def test_the_demonstration_starts_reports_once_and_ends(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]

    first = start(tmp_path, port)
    again = start(tmp_path, port)

    assert (first.code, "Traceback" in first.errors) == (0, False), first.errors
    assert first.results == ["good", "decent", "bad"]
    assert not any("API key" in line for line in again.lines)
    site = [line for line in first.lines if "bakery" in line]
    if site == [line for line in again.lines if "bakery" in line]:  # it found the same port free
        assert first.addresses == again.addresses
