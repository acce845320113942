"""The log of the service: one record, one line, whatever strangers put into it, and never a secret.

Lines are made where something is said and written in a thread of their own: a disk that is full, a terminal that is gone or a pipe that
nobody reads must not hold up a request. What cannot be written in time is dropped, and how much that was is told when it can be again.
"""

import json
import logging
import os
import queue
import re
import sys
import threading
import time
from contextlib import suppress
from typing import Any

from findable.log_context import job_id, request_id

WAITING_LINES = 10_000
"""More is not kept for a reader that does not read."""
LAST_WORDS_S = 1.0
FIELDS = "findable_fields"
"""The attribute of a record that holds what stands beside its text in JSON."""
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_SECRETS = re.compile(r"(fnd_[0-9a-f]{8}_)[\w-]+|(?i:(bearer +))[!-~]+|(\w://[^\s/?#@:]*:)[^\s/?#@]+(?=@)")
_STANDARD_STREAMS = (0, 1, 2)


def one_line(text: str) -> str:
    """Control and direction characters as escapes: nothing starts a new line, colours a terminal or runs backwards."""
    return _CONTROLS.sub(lambda found: found.group().encode("unicode_escape").decode("ascii"), text)


def without_secrets(text: str) -> str:
    """API keys without their secret half, and no password of an address, wherever they got into a text."""
    return _SECRETS.sub(lambda found: f"{found[1] or found[2] or found[3]}…", text)


def _clean(text: str) -> str:
    return one_line(without_secrets(text))


class LineFormatter(logging.Formatter):
    """``2026-11-21T10:00:04Z INFO findable.access GET / 200 …``; the lines of a traceback are indented."""

    converter = staticmethod(time.gmtime)

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s", "%Y-%m-%dT%H:%M:%SZ")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - of logging
        """The line without its traceback, with the ids of what is worked on."""
        job = f" job={job_id.get()}" if job_id.get() else ""
        request = f" request={request_id.get()}" if request_id.get() else ""
        return _clean(super().formatMessage(record)) + job + request

    def formatException(self, ei: Any) -> str:  # noqa: N802 - of logging
        """The traceback, each line behind a bar."""
        return "\n".join(f"  | {_clean(line)}" for line in super().formatException(ei).splitlines())


class JsonFormatter(logging.Formatter):
    """One JSON object on a line: time, level, logger, message, ids of what is worked on, fields of the record, and a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        moment = f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(record.created))}.{int(record.msecs):03}Z"
        line: dict[str, object] = {"time": moment, "level": record.levelname, "logger": record.name, "message": _clean(record.getMessage())}
        if request_id.get():
            line["request_id"] = request_id.get()
        if job_id.get():
            line["job_id"] = job_id.get()
        fields: dict[str, object] = getattr(record, FIELDS, {})
        line |= {name: _clean(value) if isinstance(value, str) else value for name, value in fields.items()}
        if record.exc_info:
            line["traceback"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=True)


class PatientHandler(logging.Handler):
    """Hands lines to a thread that writes them to a descriptor; never waits for it."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._lines: queue.Queue[str] = queue.Queue(WAITING_LINES)
        self._dropped = 0
        self._thread = threading.Thread(target=self._write, name="log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Makes the line; drops it where too many wait."""
        try:
            self._lines.put_nowait(self.format(record))
        except queue.Full:
            self._dropped += 1
        except Exception:  # noqa: BLE001 - a record that cannot be said must not hurt whoever says it
            self.handleError(record)

    def flush(self) -> None:
        """Gives the last words a moment."""
        until_s = time.monotonic() + LAST_WORDS_S
        while self._lines.unfinished_tasks and time.monotonic() < until_s:
            time.sleep(0.005)

    def _write(self) -> None:
        while True:
            line = self._lines.get()
            if self._dropped:
                dropped, self._dropped = self._dropped, 0
                line = f"{line}\n{self._notice(dropped)}"
            with suppress(OSError):
                self._write_all(f"{line}\n".encode("utf-8", "replace"))
            self._lines.task_done()

    def _notice(self, dropped: int) -> str:
        text = f"{dropped} lines of the log were dropped: nobody took them in time"
        return self.format(logging.LogRecord("findable.log", logging.WARNING, __file__, 0, text, None, None))

    def _write_all(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._descriptor, data) :]


def log_to_stderr(level: int = logging.INFO, *, as_json: bool = False) -> None:
    """Everything at that level and above."""
    handler = PatientHandler(sys.__stderr__.fileno() if sys.__stderr__ is not None else _STANDARD_STREAMS[-1])
    handler.setFormatter(JsonFormatter() if as_json else LineFormatter())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    logging.raiseExceptions = False


def keep_standard_streams() -> None:
    """Opens those that whoever started us has closed: else the next file that is opened, the database, would get the number of the log."""
    for descriptor in _STANDARD_STREAMS:
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free, which is this one
