"""Addresses behind proxies; cookies over https."""

from collections.abc import Mapping
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest

from findable.clock import now
from findable.service.values.account_values import Session
from findable.service.values.caller import Caller
from findable.web.auth import cookies, session_cookie, session_cookie_name
from findable.web.logs import loggable
from findable.web.pages.shared.viewer import client_ip_address


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
        ("10.0.0.1", "198.51.100.1:4711", "198.51.100.1"),
        ("10.0.0.1", "1.1.1.1, [2001:db8::7]:4711, 10.0.0.2:80", "2001:db8::7"),
        ("10.0.0.1", "[2001:db8::7]", "2001:db8::7"),
        ("10.0.0.1", "[[::1]]:1, 1:1:1", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
    ],
)
def test_s77_forwarded_addresses_count_only_from_trusted_proxies(peer: str, forwarded: str, address: str) -> None:
    service = cast("Any", SimpleNamespace(settings=SimpleNamespace(trusted_proxies=("10.0.0.0/8",))))
    assert client_ip_address(asked(peer, forwarded), service) == address


def test_s56_cookies_over_https_are_bound_to_host_and_https() -> None:
    session = Session("token", now() + timedelta(hours=1), Caller(1, 1, None, frozenset()))
    assert session_cookie_name("https://seo.example.com") == "__Host-findable"
    cookie = session_cookie("https://seo.example.com", session)
    assert cookie.startswith("__Host-findable=token; Path=/; ")
    assert cookie.endswith("; HttpOnly; SameSite=Lax; Secure")
    assert "Secure" not in session_cookie("http://127.0.0.1:8000", session)
    assert "Max-Age=0" in session_cookie("https://seo.example.com", None)


@pytest.mark.parametrize(("header", "found"), [("a=1; b=2", {"a": "1", "b": "2"}), ("", {}), ("\x00=;;", {"\x00": ""})])
def test_cookies_of_any_kind_are_read(header: str, found: Mapping[str, str]) -> None:
    assert cookies({"cookie": header}) == found


def test_s80_a_path_is_one_line_of_the_log() -> None:
    assert loggable("/a\r\nb\x1b[31m\u202e") == r"/a\r\nb\x1b[31m\u202e"
    assert loggable("/sign-in/secret") == "/sign-in/…"
