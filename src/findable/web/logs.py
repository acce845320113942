"""The log of the service: one record, one line, whatever strangers put into it."""

import logging
import re
import sys
import time

from typing_extensions import override

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def one_line(text: str) -> str:
    """Control and direction characters as escapes: nothing starts a new line, colours a terminal or runs backwards."""
    return _CONTROLS.sub(lambda found: found.group().encode("unicode_escape").decode("ascii"), text)


class LineFormatter(logging.Formatter):
    """``2026-11-21T10:00:04Z INFO findable.access GET / 200 …``; the lines of a traceback are indented."""

    converter = staticmethod(time.gmtime)

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s", "%Y-%m-%dT%H:%M:%SZ")

    @override
    def formatMessage(self, record: logging.LogRecord) -> str:
        """The line without its traceback."""
        return one_line(super().formatMessage(record))

    @override
    def formatException(self, ei: object) -> str:
        """The traceback, each line behind a bar."""
        lines = super().formatException(ei).splitlines()  # type: ignore[arg-type]  # the stubs name a private type
        return "\n".join(f"  | {one_line(line)}" for line in lines)


def log_to_stderr(level: int = logging.INFO) -> None:
    """Everything at that level and above. A log that cannot be written does not disturb the service."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LineFormatter())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    logging.raiseExceptions = False
