"""Every route of the interface with every kind of caller; addresses behind proxies; cookies over https."""

from collections.abc import Mapping
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest

from findable.clock import now
from findable.service.values import Caller, Session
from findable.web.app import HANDLERS
from findable.web.auth import cookies, session_cookie, session_cookie_name
from findable.web.edge import loggable
from findable.web.pages.viewer import address_of
from tests.web.live import Client, Live

OPEN = {"/api/v1/openapi.json", "/api/v1/docs"}
WRITES = {"POST", "PUT", "PATCH", "DELETE"}
ROUTES = sorted(
    (path, str(method)) for handler in HANDLERS for path in handler.paths for method in handler.http_methods if path.startswith("/api/")
)


def concrete(path: str) -> str:
    return path.replace("{report_id:str}", "1").replace("{project:str}", "1").replace("{run:str}", "1").replace("{check:str}", "noindex")


@pytest.mark.parametrize(("path", "method"), ROUTES)
def test_s49_every_route_with_every_caller(live: Live, path: str, method: str) -> None:
    def status(client: Client) -> int:
        client.prefix = ""
        return client.request(method, concrete(path), {} if method in WRITES - {"DELETE"} else None).status

    anonymous, browser = status(Client(live.port)), status(live.signed_in(live.email()))
    reader, writer = (status(live.client(scopes=frozenset({scope}))) for scope in ("read", "write"))
    if path in OPEN:
        assert (anonymous, browser, reader, writer) == (200, 200, 200, 200)
    else:
        assert (anonymous, browser) == (401, 401)
        assert (reader == 403) is (method in WRITES)
        assert (writer == 403) is (method not in WRITES)


def asked(peer: str, forwarded: str = "") -> Any:
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    return SimpleNamespace(scope={"client": (peer, 1), "headers": headers})


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
        ("10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "1.1.1.1, 198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "198.51.100.1, 10.0.0.2", "198.51.100.1"),
        ("10.0.0.1", "nonsense", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
    ],
)
def test_s77_forwarded_addresses_count_only_from_trusted_proxies(peer: str, forwarded: str, address: str) -> None:
    service = cast("Any", SimpleNamespace(settings=SimpleNamespace(trusted_proxies=("10.0.0.0/8",))))
    assert address_of(asked(peer, forwarded), service) == address


def test_s56_cookies_over_https_are_bound_to_host_and_https() -> None:
    session = Session("token", now() + timedelta(hours=1), Caller(1, 1, None, frozenset()))
    assert session_cookie_name("https://seo.example.com") == "__Host-findable"
    cookie = session_cookie("https://seo.example.com", session)
    assert cookie.startswith("__Host-findable=token; Path=/; ")
    assert cookie.endswith("; HttpOnly; SameSite=Lax; Secure")
    assert "Secure" not in session_cookie("http://127.0.0.1:8000", session)
    assert "Max-Age=0" in session_cookie("https://seo.example.com", None)


@pytest.mark.parametrize(("header", "found"), [("a=1; b=2", {"a": "1", "b": "2"}), ("", {}), ("\x00=;;", {})])
def test_cookies_of_any_kind_are_read(header: str, found: Mapping[str, str]) -> None:
    assert cookies({"cookie": header}) == found


def test_s80_a_path_is_one_line_of_the_log() -> None:
    assert loggable("/a\r\nb\x1b[31m\u202e") == r"/a\r\nb\x1b[31m\u202e"
    assert loggable("/sign-in/secret") == "/sign-in/…"
