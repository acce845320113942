"""The 400 expectations of google/robotstxt-spec-test."""

import ast
import re
from collections.abc import Iterator

import pytest

from findable.formats.robots_txt import RobotsTxt
from tests.suites.places import declared, suite

NAME = "robotstxt-spec-test"
_TOKEN = re.compile(r'"((?:[^"\\\n]|\\.)*)"|(\w+)|([{}])|#[^\n]*|[^"\w{}#]+')


def expectations(text: str) -> Iterator[tuple[bytes, dict[str, bytes]]]:
    """Yield each robots.txt file and expectation in the text format of protocol buffers."""
    robots, name = b"", ""
    fields: dict[str, bytes] = {}
    for token in _TOKEN.finditer(text):
        string, word, brace = token.groups()
        if brace:
            if "expected_outcome" in fields:
                yield robots, fields
            robots = fields.get("robotstxt", robots)
            fields = {}
        elif word in ("ALLOWED", "DISALLOWED"):
            fields[name] = word.encode()
        elif word:
            name = word
        elif string is not None:
            fields[name] = fields.get(name, b"") + _bytes(string)


def _bytes(string: str) -> bytes:
    escaped = "".join(char if char.isascii() else "".join(f"\\x{byte:02x}" for byte in char.encode()) for char in string)
    value: bytes = ast.literal_eval(f'b"{escaped}"')
    return value


@pytest.mark.full
def test_google_robots_txt_expectations_hold_or_are_declared() -> None:
    count, different = 0, set()
    for path in sorted((suite(NAME) / "src/main/resources/CTC").rglob("*.textproto")):
        for place, (robots, expected) in enumerate(expectations(path.read_text(encoding="utf-8"))):
            count += 1
            url, agent = expected["testurl"].decode(), expected.get("useragent", b"").decode()
            decision = RobotsTxt.parse(robots).decide([agent], url)
            if decision.allowed != (expected["expected_outcome"] == b"ALLOWED"):
                different.add(f"{path.stem} {place}: {agent} {url}")
    assert count == 400
    assert different == declared(NAME)
