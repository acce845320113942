"""The requests of docs/reference/http-api.md are sent as written, and answered as written."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from email.parser import HeaderParser
from pathlib import Path
from typing import Any

import pytest

from tests.external import needs
from tests.web.live import Live, run_live

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "http-api.md"
EXAMPLE = re.compile(r"```sh\n(?P<request>.*?)\n```\n+```http\n(?P<answer>.*?)\n```", re.DOTALL)
LEFT_OUT = "…"


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with contextmanager(run_live)(tmp_path_factory.mktemp("service")) as running:
        yield running


def examples() -> list[tuple[str, str]]:
    return [(found["request"], found["answer"]) for found in EXAMPLE.finditer(PAGE.read_text("utf-8"))]


@needs("curl")
def test_every_documented_request_is_answered_as_documented(live: Live) -> None:
    environment = {**os.environ, "API": f"http://127.0.0.1:{live.port}/api/v1", "KEY": live.client().key}
    assert len(examples()) > 15
    for request, answer in examples():
        command = request.replace("curl ", "curl -s -i ", 1)
        run = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True, env=environment, timeout=60)
        compare(request, *parts(answer), *parts(run.stdout))


def parts(text: str) -> tuple[int, Any, Any]:
    """Status, headers and JSON of an answer."""
    head, _, body = text.replace("\r\n", "\n").partition("\n\n")
    first, _, headers = head.partition("\n")
    return int(first.split()[1]), HeaderParser().parsestr(headers), json.loads(body)


def compare(request: str, status: int, headers: Any, body: Any, real_status: int, real_headers: Any, real_body: Any) -> None:
    assert real_status == status, f"{request}\n{real_body}"
    for name, value in headers.items():
        assert name in real_headers, request
        if LEFT_OUT not in value:
            assert real_headers[name] == value, request
    same_shape(request, "", body, real_body)


STATED = (
    "id",
    "object",
    "code",
    "status",
    "privacy",
    "has_password",
    "deleted",
    "url",
    "project",
    "run",
    "total",
    "instance",
    "reports_deleted",
)
"""Members that must be equal, not only alike."""


def same_shape(request: str, path: str, told: Any, real: Any) -> None:
    """What is documented is there, with the same types; null may stand for any value and any value for null."""
    if told is None or real is None:
        return
    number = isinstance(told, float) or type(told) is int
    kinds: Any = (int, float) if number else type(told)
    assert isinstance(real, kinds), f"{request}\n{path}: {real!r}"
    if isinstance(told, dict):
        for name, value in told.items():
            if name == LEFT_OUT:
                continue
            assert name in real, f"{request}\n{path}.{name} is missing"
            stated = name in STATED and not isinstance(value, dict | list) and LEFT_OUT not in str(value)
            if stated and "results" not in path and "still" not in path:
                assert real[name] == value, f"{request}\n{path}.{name}: {real[name]!r}"
            same_shape(request, f"{path}.{name}", value, real[name])
    elif isinstance(told, list) and told:
        assert real, f"{request}\n{path} is empty"
        same_shape(request, f"{path}[0]", told[0], real[0])
