"""The http(s) URLs of urltestdata.json (web-platform-tests/wpt), through parse and join."""

import json
from typing import Any

import pytest

from findable.urls import Url, join, parse
from tests.suites.places import declared, suite

NAME = "ada"


def is_http(case: dict[str, Any]) -> bool:
    if not case.get("failure"):
        return case["protocol"] in ("http:", "https:")
    return (case["base"] or "").startswith("http") or case["input"].strip().lower().startswith("http")


def parts_of(url: Url) -> dict[str, str]:
    return {
        "href": url.href,
        "origin": url.origin,
        "protocol": f"{url.scheme}:",
        "username": url.username,
        "password": url.password,
        "hostname": f"[{url.host}]" if ":" in url.host else url.host,
        "port": url.port_part[1:],
        "pathname": url.path,
        "search": f"?{url.query}" if url.query else "",
        "hash": f"#{url.fragment}" if url.fragment else "",
    }


@pytest.mark.full
def test_wpt_http_urls_are_parsed_as_expected_or_declared() -> None:
    data = json.loads((suite(NAME) / "tests/wpt/urltestdata.json").read_text(encoding="utf-8"))
    count, different = 0, set()
    for case in (case for case in data if isinstance(case, dict) and is_http(case)):
        count += 1
        url, base = parse(case["input"], case["base"]), case["base"]
        joined = join(base, case["input"]) if base else (url.href if url else None)
        expected = None if case.get("failure") else case["href"]
        parts = parts_of(url) if url else {}
        is_equal = (url.href if url else None) == joined == expected
        if not is_equal or any(case.get(key, value) != value for key, value in parts.items()):
            different.add(f"{case['input']} on {base}")
    assert count == 446
    assert different == declared(NAME)
