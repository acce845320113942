"""One way out: what connects to audited sites stands in findable.fetch; nothing else opens a connection: S17, API7 of OWASP."""

import ast
import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from findable.capture.saved import dump
from tests.checks.harness import capture, page
from tests.sites.server import Site
from tests.web.live import free_port

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src/findable"

OPENERS = frozenset(
    [
        "_socket",
        "aiodns",
        "aiohttp",
        "anyio",
        "curl_cffi",
        "dns",
        "fabric",
        "ftplib",
        "grpc",
        "h2",
        "hpack",
        "http.client",
        "http.server",
        "httpcore",
        "httpx",
        "imaplib",
        "multiprocessing",
        "nntplib",
        "paramiko",
        "playwright",
        "poplib",
        "psycopg",
        "pycares",
        "pycurl",
        "requests",
        "selectors",
        "smtplib",
        "socket",
        "socketserver",
        "ssl",
        "subprocess",
        "telnetlib",
        "tornado",
        "trio",
        "twisted",
        "urllib.request",
        "urllib3",
        "uvicorn",
        "uvloop",
        "websocket",
        "websockets",
        "xmlrpc",
    ]
)
"""Modules with which a connection can be opened, or a program started that opens one."""
ASYNCIO = frozenset(
    {
        "create_connection",
        "create_datagram_endpoint",
        "create_server",
        "create_subprocess_exec",
        "create_subprocess_shell",
        "create_unix_connection",
        "getaddrinfo",
        "open_connection",
        "open_unix_connection",
        "sock_connect",
        "start_server",
        "start_unix_server",
        "system",
        "popen",
        "posix_spawn",
    }
)
"""Names with which the event loop or the system does so."""

ALLOWED: Mapping[str, Mapping[str, str]] = {
    "notify/smtp_client.py": {"smtplib": "the operator's own mail server, which no stranger names", "ssl": "TLS to that server"},
    "sandbox.py": {"subprocess": "our own interpreter, without an environment"},
    "cli/changed_pages.py": {"subprocess": "git of the own repository, for the files that changed"},
    "cli/doctor.py": {"socket": "binds to the service's own port to see whether it is free"},
    "demo/demo_site.py": {"http.server": "serves the demonstration on loopback"},
    "jobs/engine_carrier.py": {"psycopg": "the operator's database, for the messages of the queue engine"},
    "store/postgres_timeouts.py": {"psycopg": "how long the operator's database is waited for"},
    "store/postgres_messages.py": {"psycopg": "the operator's database, for its notifications"},
    "store/postgres.py": {"psycopg": "the operator's database"},
    "web/listening.py": {"socket": "binds to the service's own port to see whether it is free"},
    "web/server.py": {"open_connection": "knocks at its own port to know when it listens"},
    "service/projects/log_uploads.py": {"create_subprocess_exec": "our own interpreter, which reads logs"},
    "worker/analysis_pool.py": {
        "subprocess": "our own interpreter, which judges pages",
        "socket": "a pair of sockets without an address, to talk with that process",
        "open_connection": "reads and writes at that pair",
    },
    "worker/pool_child.py": {"socket": "the other end of that pair"},
}
"""Outside findable.fetch: file to what it uses and what for."""


def used(source: str) -> Iterator[str]:
    """What of `OPENERS` and `ASYNCIO` a module names, however it imports it."""
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
            yield from (alias.name for alias in node.names if node.module in {"asyncio", "os"} and alias.name in ASYNCIO)
        elif isinstance(node, ast.Attribute) and node.attr in ASYNCIO:
            yield node.attr
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            display_name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            if display_name in {"import_module", "__import__"}:
                names = [str(argument.value) for argument in node.args if isinstance(argument, ast.Constant)]
        for name in names:
            parts = name.split(".")
            yield from {".".join(parts[: end + 1]) for end in range(len(parts))} & OPENERS


def test_s17_no_module_outside_the_fetcher_opens_a_connection() -> None:
    found: dict[str, set[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if not name.startswith("fetch/") and (names := set(used(path.read_text(encoding="utf-8")))):
            found[name] = names
    assert found == {name: set(uses) for name, uses in ALLOWED.items()}


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import socket", "socket"),
        ("from socket import create_connection", "socket"),
        ("import urllib.request as u", "urllib.request"),
        ("from urllib import request", "urllib.request"),
        ("import http.client", "http.client"),
        ("async def f():\n from asyncio import open_connection as o", "open_connection"),
        ("import asyncio\nx = asyncio.get_running_loop().create_connection", "create_connection"),
        ("import importlib\nimportlib.import_module('httpx')", "httpx"),
        ("__import__('pycurl')", "pycurl"),
        ("import os\nos.system('curl x')", "system"),
    ],
)
def test_s17_every_way_to_open_a_connection_would_be_seen(source: str, name: str) -> None:
    assert name in set(used(source))


def test_s17_one_module_of_the_fetcher_opens_sockets_and_one_resolves_names() -> None:
    users: dict[str, set[str]] = {}
    for path in sorted((SOURCE / "fetch").rglob("*.py")):
        for name in used(path.read_text(encoding="utf-8")):
            users.setdefault(name, set()).add(path.name)
    assert users.pop("pycurl") <= {"wire.py", "tls_versions.py", "certificates.py", "trust.py"}
    assert users.pop("aiodns") == users.pop("pycares") == users.pop("getaddrinfo") == {"resolver.py"}
    # The browser: its proxy is the one that connects, after the guard; its keeper and its process talk to each other on socket pairs.
    assert users.pop("open_connection") == {"egress_proxy.py"}
    assert users.pop("start_server") == {"egress_proxy.py"}
    assert users.pop("create_server") == {"browser_keeper.py"}  # sockets that listen on the loopback of the browser
    assert users.pop("subprocess") == {"chromium.py"}
    # Families and constants; the sockets of the transfer are made, and checked, in wire.py.
    assert users.pop("socket") <= {
        *("egress_guard.py", "resolver.py", "wire.py", "handshakes.py"),
        *("browser_keeper.py", "chromium.py", "devtools_pipe.py", "egress_proxy.py"),
    }
    assert set(users) <= {"ssl"}


# --- watched while it runs ---------------------------------------------------------------------------------------------

WATCH = """
import os, sys
_places = os.open(PLACE, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
def _watch(event, arguments):
    if event in {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "socket.sendmsg", "urllib.Request",
                 "http.client.connect", "smtplib.connect", "ftplib.connect"}:
        os.write(_places, (event + " " + repr(arguments[1:3]) + chr(10)).encode())
    elif event == "socket.__new__":
        os.write(_places, (event + " " + repr(int(arguments[1])) + chr(10)).encode())
sys.addaudithook(_watch)
"""
"""Loaded by every interpreter that starts in that environment, and by children of the service, which inherit no variable but the path."""


class Watched:
    """An environment in which every interpreter writes down what it connects to."""

    def __init__(self, folder: Path) -> None:
        self._log = folder / "watched"
        (folder / "sitecustomize.py").write_text(WATCH.replace("PLACE", repr(str(self._log))))
        self.environment = {
            **os.environ,
            "PYTHONPATH": f"{folder}:{ROOT / 'src'}",
            "FINDABLE_DATA_DIR": str(folder / "data"),
        }

    def lines(self, *events: str) -> list[str]:
        return [line for line in self._log.read_text().splitlines() if line.split()[0] in events]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *command], capture_output=True, text=True, timeout=120, check=False, env=self.environment, cwd=ROOT
        )


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    return Watched(tmp_path)


def test_s17_the_watch_sees_a_connection(watched: Watched, site: Site) -> None:
    done = watched.run("-c", f"import urllib.request; urllib.request.urlopen({site.url('/')!r})")
    assert "404" in done.stderr
    assert watched.lines("socket.connect") == [f"socket.connect (('127.0.0.1', {site.port}),)"]


@pytest.mark.full
@pytest.mark.parametrize("format_", ["text", "json", "markdown", "csv"])
def test_s17_a_saved_page_is_judged_without_a_socket(watched: Watched, site: Site, tmp_path: Path, format_: str) -> None:
    html = page(
        head=f'<link rel="canonical" href="{site.url("/c")}"><link rel="icon" href="{site.url("/i.png")}">',
        body=f'<a href="{site.url("/a")}">a</a><img src="{site.url("/p.png")}" alt="p">',
    )
    saved = tmp_path / "page.json"
    saved.write_bytes(dump(capture(html, url=site.url("/"))))
    done = watched.run("-m", "findable", "check", "--format", format_, str(saved))
    assert done.returncode in {0, 1}, done.stderr
    assert watched.lines("socket.connect", "socket.__new__", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto") == []
    assert site.connections_count == 0


def test_s17_an_audit_opens_connections_through_libcurl_alone(watched: Watched, site: Site) -> None:
    """No socket of Python's own goes anywhere: what the site saw came by the one wire, behind the guard."""
    site.page("/", page(body=f'<a href="{site.url("/a")}">a</a><img src="{site.url("/p.png")}" alt="p">'))
    done = watched.run("-m", "findable", "audit", "--format", "json", site.url("/"))
    assert json.loads(done.stdout)["status"] == "done", done.stderr
    assert site.connections_count > 0
    assert watched.lines("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "http.client.connect") == []


def _api_key(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if "API key:" in line:
            return line.split()[-1]
    raise AssertionError("the service ended without a key")


def _reported(port: int, key: str, url: str) -> Any:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    with closing(connection):
        ends_s = time.monotonic() + 60
        connection.request("POST", "/api/v1/reports?wait=30", json.dumps({"url": url}), _headers(key))
        made = json.loads(connection.getresponse().read())["data"]
        while made["status"] not in {"done", "failed"} and time.monotonic() < ends_s:
            connection.request("GET", f"/api/v1/reports/{made['id']}?wait=30", headers=_headers(key))
            made = json.loads(connection.getresponse().read())["data"]
        return made


def _headers(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}


@pytest.mark.full
def test_s17_the_service_and_its_processes_connect_to_nothing_but_their_own_port(watched: Watched, site: Site) -> None:
    site.page("/", page(body=f'<a href="{site.url("/a")}">a</a><img src="{site.url("/p.png")}" alt="p">'))
    port = free_port()
    environment = watched.environment | {"FINDABLE_PORT": str(port), "FINDABLE_ALLOW_TARGETS": "127.0.0.1"}
    with subprocess.Popen(
        [sys.executable, "-m", "findable", "serve"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment, cwd=ROOT
    ) as process:
        try:
            report = _reported(port, _api_key(process), site.url("/"))
        finally:
            process.terminate()
            process.wait(30)
    assert report["status"] == "done", report
    assert site.connections_count > 0
    assert set(watched.lines("socket.connect")) <= {f"socket.connect (('127.0.0.1', {port}),)"}
    assert watched.lines("http.client.connect", "urllib.Request", "socket.gethostbyname", "socket.sendto") == []
