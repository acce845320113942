"""The log: what a line looks like, what never stands in one, and that writing it holds nobody up."""

import json
import logging
import os
import re
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findable.log_context import request_id, working_on_job
from findable.web.logs import FIELDS, JsonFormatter, LineFormatter, QueuedHandler, without_secrets

KEY = "fnd_0a1b2c3d_" + "x" * 43


def record(text: str, **more: object) -> logging.LogRecord:
    made = logging.LogRecord("findable.test", logging.INFO, __file__, 1, text, None, None)
    setattr(made, FIELDS, more)
    return made


def failed(text: str) -> logging.LogRecord:
    made = record("it failed")
    try:
        raise ValueError(text)
    except ValueError as error:
        made.exc_info = (type(error), error, error.__traceback__)
    return made


@given(st.text())
def test_s80_whatever_is_said_is_one_line(text: str) -> None:
    line = JsonFormatter().format(record(text, path=text))
    assert len(line.splitlines()) == 1
    assert line.isascii()
    assert set(json.loads(line)) == {"time", "level", "logger", "message", "path"}
    assert len(LineFormatter().format(record(text)).splitlines()) == 1


def test_a_line_of_json_tells_what_is_worked_on() -> None:
    token = request_id.set("abc")
    with working_on_job(7):
        line = json.loads(JsonFormatter().format(record("hello", status=200)))
        text = LineFormatter().format(record("hello"))
    request_id.reset(token)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line.pop("time"))
    expected = {"level": "INFO", "logger": "findable.test", "message": "hello", "request_id": "abc", "job_id": 7, "status": 200}
    assert line == expected
    assert text.endswith("INFO findable.test hello job=7 request=abc")
    assert "job_id" not in json.loads(JsonFormatter().format(record("hello")))


def test_s81_no_secret_stands_in_a_line() -> None:
    for text in (KEY, f"Authorization: Bearer {KEY}", "bearer abcdefgh", "postgresql://me:hidden@host/x", "https://user:hidden@a.example/"):
        for made in (record(text, path=text), failed(text)):
            for formatter in (LineFormatter(), JsonFormatter()):
                line = formatter.format(made)
                assert "xxxx" not in line
                assert "abcdefgh" not in line
                assert "hidden" not in line
    assert without_secrets("https://a.example:8080/@x?y=1:2@3") == "https://a.example:8080/@x?y=1:2@3"


def test_a_traceback_in_json_stays_on_its_line() -> None:
    line = JsonFormatter().format(failed("because"))
    assert "ValueError: because" in json.loads(line)["traceback"]
    assert "\n" not in line
    assert "  | ValueError: because" in LineFormatter().format(failed("because"))


@pytest.fixture
def unread() -> Iterator[tuple[int, int]]:
    """Both ends of a pipe that nobody reads."""
    reading, writing = os.pipe()
    yield reading, writing
    os.close(reading)


def test_f43_a_reader_that_does_not_read_holds_nobody_up_and_learns_what_it_missed(unread: tuple[int, int]) -> None:
    reading, writing = unread
    handler = QueuedHandler(writing)
    handler.setFormatter(LineFormatter())
    started = time.monotonic()
    for n in range(30_000):
        handler.emit(record(f"line {n}"))
    assert time.monotonic() - started < 20
    received, missed = b"", 0
    while missed < 10_000:  # it may be told in parts
        received += os.read(reading, 1 << 20)
        handler.emit(record("more"))
        missed = sum(map(int, re.findall(rb"WARNING findable\.log (\d+) log lines were dropped", received)))


def test_f43_what_cannot_be_written_is_let_go() -> None:
    for descriptor in (os.open("/dev/full", os.O_WRONLY), 9999):
        handler = QueuedHandler(descriptor)
        handler.setFormatter(JsonFormatter())
        for _ in range(100):
            handler.emit(record("hello"))
        handler.flush()
        assert handler._lines.unfinished_tasks == 0
