"""Output to a terminal: width, colour, encoding, progress, and untrusted text without control characters."""

import codecs
import io
import os
import re
import shutil
import sys
import textwrap
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from msgspec import Struct

from findable.control_characters import INVISIBLE, indented_json, without_commands
from findable.wording import ENGLISH, Translator, wording

MAX_COLUMNS = 80
MIN_COLUMNS = 40
UNKNOWN_COLUMNS = 300
"""Maximum line length in a pipe or a file, which have no width."""
LOG_INTERVAL_S = 30.0
"""Time between two lines of progress in the log of a CI job."""
CODES = {"good": "32", "decent": "33", "bad": "31", "failed": "31", "warned": "33", "bold": "1", "dim": "2"}

_CONTROL = re.compile(f"[\x00-\x08\x0b-\x1f{INVISIBLE}]")


def clean(text: str) -> str:
    """Return untrusted text on one line; escape sequences and direction marks become the replacement character."""
    return without_commands(_CONTROL.sub("�", " ".join(text.split())))


def printed(lines: Iterable[str]) -> str:
    """Return wrapped and indented lines as text in which no line begins with a workflow command of a CI log."""
    return without_commands("".join(f"{line}\n" for line in lines))


_PLAIN = {"✗": "x", "✓": "+", "–": "-", "…": "...", "“": '"', "”": '"', "„": '"', "’": "'", "→": "->", "·": "-", "ä": "ae", "ö": "oe"}
_PLAIN |= {"ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"}
"""Replacements for Findable's own signs and letters that a terminal's encoding lacks; all other characters become “?”."""


def replace_unencodable() -> None:
    """Set up standard output and error to replace characters that their encoding (ASCII, a Windows code page) lacks."""

    def in_ascii(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        return "".join(_PLAIN.get(character, "?") for character in error.object[error.start : error.end]), error.end

    codecs.register_error("findable.plain", in_ascii)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # None if the parent closed it
            stream.reconfigure(errors="findable.plain")


def print_bytes(document: bytes) -> None:
    """Write bytes to standard output unchanged, regardless of its encoding."""
    if sys.stdout is not None:
        sys.stdout.flush()
        sys.stdout.buffer.write(document)
        sys.stdout.buffer.flush()


def json_bytes(document: Any) -> bytes:
    """Return a document as indented JSON in UTF-8, members in the order of their types, with control characters escaped."""
    from findable.reports.report import canonical

    return indented_json(canonical(document, "deterministic"))


def print_json(document: Any) -> None:
    """Print a document as indented JSON in UTF-8."""
    print_bytes(json_bytes(document))


@contextmanager
def ignore_closed_pipe() -> Iterator[None]:
    """Stop printing quietly if the reader closes the pipe (`findable audit … | head -1`), so that the exit code does not change."""
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        discard_output()


def discard_output() -> None:
    """Redirect standard output to the null device, so that a closed pipe causes no more errors."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Terminal(Struct, frozen=True):
    """Width, colours and language for the output of a command."""

    columns: int = MAX_COLUMNS
    """Width for wrapping."""
    widest: int = 0
    """Length at which unwrapped lines are truncated; 0: `columns`."""
    colour: bool = False
    is_interactive: bool = False
    """Whether progress can be overwritten (a terminal on standard error)."""
    say: Translator = ENGLISH
    """Language of reports; messages of commands are English."""

    @staticmethod
    def detect(stream: TextIO = sys.stdout, language: str = "en") -> "Terminal":
        """Return the capabilities of a stream: its width, and colour only on a terminal without NO_COLOR."""
        columns = shutil.get_terminal_size((UNKNOWN_COLUMNS, 24)).columns
        dumb = os.environ.get("TERM") == "dumb"
        colour = stream.isatty() and not os.environ.get("NO_COLOR") and not dumb
        is_interactive = sys.stderr is not None and sys.stderr.isatty() and not dumb
        return Terminal(max(MIN_COLUMNS, min(MAX_COLUMNS, columns)), max(MIN_COLUMNS, columns), colour, is_interactive, wording(language))

    @property
    def encoding(self) -> tuple[str, str]:
        """Encoding of standard output, and the name of the error handler for characters that it lacks."""
        return getattr(sys.stdout, "encoding", None) or "utf-8", "findable.plain"

    def paint(self, text: str, kind: str) -> str:
        """Return the text in the colour of its kind, a key of CODES; unchanged on a terminal without colours."""
        return f"\x1b[{CODES[kind]}m{text}\x1b[0m" if self.colour else text

    def wrap(self, text: str, indent: str = "", first: str | None = None) -> list[str]:
        """Return the text as lines of at most `columns` characters; long words such as URLs are broken."""
        return textwrap.wrap(
            text, self.columns, initial_indent=indent if first is None else first, subsequent_indent=indent, break_on_hyphens=False
        ) or [indent.rstrip()]

    def cut(self, text: str, indent: str = "") -> str:
        """Return the indented text as one line, truncated with an ellipsis if it is too long."""
        return _cut(indent + text, self.widest or self.columns)


def _cut(line: str, columns: int) -> str:
    return line if len(line) <= columns else line[: columns - 1] + "…"


class ProgressLine:
    """Line on standard error that is overwritten during the work; without a terminal, a line is written every ``interval_s`` seconds."""

    def __init__(self, terminal: Terminal, interval_s: float = LOG_INTERVAL_S) -> None:
        self._terminal = terminal
        self._interval_s = interval_s
        self._logged_at = time.monotonic()
        self._shown = False

    def show(self, text: str) -> None:
        """Replace the text of the progress line."""
        if not self._terminal.is_interactive and sys.stderr is not None and time.monotonic() - self._logged_at >= self._interval_s:
            self._logged_at = time.monotonic()
            sys.stderr.write(f"findable: {clean(text)}\n")
            sys.stderr.flush()
        if self._terminal.is_interactive:
            columns = os.get_terminal_size(sys.stderr.fileno()).columns or MIN_COLUMNS
            sys.stderr.write("\r\x1b[K" + _cut(clean(text), columns))
            sys.stderr.flush()
            self._shown = True

    def clear(self) -> None:
        """Erase the progress line."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False
