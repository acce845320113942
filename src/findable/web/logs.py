"""Log of the service: one line per record, with untrusted text escaped and without secrets.

Lines are formatted in the caller and written in a separate thread: a full disk, a closed terminal or an unread pipe must not delay
requests. Lines that cannot be written in time are dropped, and their number is logged later.
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
from functools import lru_cache
from typing import Any

from findable.control_characters import INVISIBLE
from findable.log_context import job_id, request_id

WAITING_LINES = 10_000
"""Maximum number of lines waiting for the writer."""
WRITE_INTERVAL_S = 0.02
"""Minimum interval between two writes: waking the writer for every line would interrupt the requests."""
LAST_LINES_S = 5.0
"""Time for the last lines when the process ends: on a busy machine the writer may not run for a second."""
FIELDS = "findable_fields"
"""Attribute of a record with additional fields for JSON."""
_CONTROLS = re.compile(f"[\x00-\x1f{INVISIBLE}]")
_SECRETS = re.compile(r"(fnd_[0-9a-f]{8}_)[\w-]+|(?i:(bearer +))[!-~]+|(\w://[^\s/?#@:]*:)[^\s/?#@]+(?=@)")
_STANDARD_STREAMS = (0, 1, 2)
_access = logging.getLogger("findable.access")


def one_line(text: str) -> str:
    """Return text with control and direction characters escaped, so that it cannot break, colour or reverse a line of the log."""
    return _CONTROLS.sub(lambda found: found.group().encode("unicode_escape").decode("ascii"), text)


def without_secrets(text: str) -> str:
    """Return text with the secrets of API keys, bearer tokens and passwords in URLs replaced with an ellipsis."""
    return _SECRETS.sub(lambda found: f"{found[1] or found[2] or found[3]}…", text)


def _clean(text: str) -> str:
    return one_line(without_secrets(text))


@lru_cache(1)
def _second(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


class LineFormatter(logging.Formatter):
    """Formatter for lines like ``2026-11-21T10:00:04Z INFO findable.access GET / 200 …``, with indented tracebacks."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802 - overrides a method of logging
        """Return the time of a record in UTC, in whole seconds."""
        del datefmt
        return _second(int(record.created))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - overrides a method of logging
        """Return the line of a record without its traceback, with the ids of the current job and request."""
        job = f" job={job_id.get()}" if job_id.get() else ""
        request = f" request={request_id.get()}" if request_id.get() else ""
        return _clean(super().formatMessage(record)) + job + request

    def formatException(self, ei: Any) -> str:  # noqa: N802 - overrides a method of logging
        """Return a traceback with a bar before each line."""
        return "\n".join(f"  | {_clean(line)}" for line in super().formatException(ei).splitlines())


class JsonFormatter(logging.Formatter):
    """Formatter for a JSON object per line: time, level, logger, message, ids of job and request, further fields, and traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as a JSON object on one line."""
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


class QueuedHandler(logging.Handler):
    """Handler that never blocks: a thread writes the lines to a file descriptor."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._lines: queue.Queue[str] = queue.Queue(WAITING_LINES)
        self._dropped = 0
        self._thread = threading.Thread(target=self._write, name="log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Queue the line of a record; drop it if the queue is full."""
        try:
            self._lines.put_nowait(self.format(record))
        except queue.Full:
            self._dropped += 1
        except Exception:  # noqa: BLE001 - a record that cannot be formatted must not raise in the caller
            self.handleError(record)

    def flush(self) -> None:
        """Wait until all queued lines are written, at most LAST_LINES_S seconds."""
        until_s = time.monotonic() + LAST_LINES_S
        while self._lines.unfinished_tasks and time.monotonic() < until_s:
            time.sleep(0.005)

    def _write(self) -> None:
        while True:
            lines = [self._lines.get(), *(self._lines.get_nowait() for _ in range(self._lines.qsize()))]
            written_count = len(lines)
            if self._dropped:
                dropped, self._dropped = self._dropped, 0
                lines.append(self._log_dropped(dropped))
            with suppress(OSError):
                self._write_all("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
            for _ in range(written_count):
                self._lines.task_done()
            time.sleep(WRITE_INTERVAL_S)

    def _log_dropped(self, dropped: int) -> str:
        text = f"{dropped} log lines were dropped, because they could not be written in time"
        return self.format(logging.LogRecord("findable.log", logging.WARNING, __file__, 0, text, None, None))

    def _write_all(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._descriptor, data) :]


def log_access(method: str, path: str, status: int, seconds: float) -> None:
    """Log the line of a request."""
    if _access.isEnabledFor(logging.INFO):
        fields = {"method": method, "path": (shown := loggable(path)), "status": status, "milliseconds": round(1000 * seconds, 1)}
        _access.info("%s %s %s %.0f ms", method, shown, status, 1000 * seconds, extra={FIELDS: fields})


def loggable(path: str) -> str:
    """Return a path as text for the log: truncated, with control characters escaped and without the secrets of links."""
    for secret in ("/sign-in/", "/invitation/", "/feeds/", "/unsubscribe/", "/fix/"):
        if path.startswith(secret):
            return f"{secret}…"
    return path[:300].encode("unicode_escape").decode("ascii")


def log_to_stderr(*, as_json: bool) -> None:
    """Set up logging: records of level INFO and above go to standard error."""
    handler = QueuedHandler(sys.__stderr__.fileno() if sys.__stderr__ is not None else _STANDARD_STREAMS[-1])
    handler.setFormatter(JsonFormatter() if as_json else LineFormatter())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    logging.raiseExceptions = False
    # Log lines contain no source location, thread or process, so these are not collected: see “Optimization” in Python's logging HOWTO.
    logging._srcfile = None  # noqa: SLF001 - the documented name
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False


def write_last_lines() -> None:
    """Wait until the log is written, at the end of the process: the web server's own setup makes the interpreter forget to do so."""
    for handler in logging.getLogger().handlers:
        handler.flush()


def keep_standard_streams() -> None:
    """Open the standard streams that the parent process closed, so that no other file gets the descriptor to which the log is written."""
    for descriptor in _STANDARD_STREAMS:
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free descriptor is opened, which is this one
