"""What a terminal can show: width, colour, its encoding, and text from strangers without control characters."""

import codecs
import io
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

import msgspec
from msgspec import Struct

from findable.reports.report import canonical
from findable.wording import ENGLISH, Wording, wording

MAX_COLUMNS = 80
MIN_COLUMNS = 40
UNKNOWN_COLUMNS = 300
"""Where lines are cut in a pipe or a file, which have no width: evidence is not lost there, and no line is endless."""
CODES = {"good": "32", "decent": "33", "bad": "31", "failed": "31", "warned": "33", "bold": "1", "dim": "2"}

# C0, C1, DEL, and the characters that turn the direction of text around.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def clean(text: str) -> str:
    """Text from a page, harmless in a terminal: no escape sequences, no line breaks, no direction marks."""
    return _CONTROL.sub("�", " ".join(text.split()))


_PLAIN = {"✗": "x", "✓": "+", "–": "-", "…": "...", "“": '"', "”": '"', "„": '"', "’": "'", "→": "->", "·": "-", "ä": "ae", "ö": "oe"}
_PLAIN |= {"ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"}
"""What stands for our own signs and letters where a terminal's encoding has none; “?” for everything else."""


def speak_plainly() -> None:
    """From now on no text ends the command because the terminal's encoding (ASCII, a Windows code page) has no such character."""

    def in_ascii(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        return "".join(_PLAIN.get(character, "?") for character in error.object[error.start : error.end]), error.end

    codecs.register_error("findable.plain", in_ascii)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # None where whoever started us closed it
            stream.reconfigure(errors="findable.plain")


def print_bytes(document: bytes) -> None:
    """Prints a document as it is: its encoding is its own, whatever the terminal's is."""
    if sys.stdout is not None:
        sys.stdout.flush()
        sys.stdout.buffer.write(document)
        sys.stdout.buffer.flush()


def json_bytes(document: Any) -> bytes:
    """JSON to read, in UTF-8."""
    return msgspec.json.format(canonical(document), indent=2) + b"\n"


def print_json(document: Any) -> None:
    """Prints it."""
    print_bytes(json_bytes(document))


@contextmanager
def unheard() -> Iterator[None]:
    """A reader who goes away (`findable audit … | head -1`) ends the printing, and not what the command has to say by its exit code."""
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        hush()


def hush() -> None:
    """Nobody reads what is still printed."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Terminal(Struct, frozen=True):
    """Where a command prints."""

    columns: int = MAX_COLUMNS
    """Where text is wrapped."""
    widest: int = 0
    """Where a line that is not wrapped is cut; 0: there too."""
    colour: bool = False
    lively: bool = False
    """Whether progress may be drawn over (a terminal on standard error)."""
    say: Wording = ENGLISH
    """The language of reports; what a command says of itself is English."""

    @staticmethod
    def detect(stream: TextIO = sys.stdout, language: str = "en") -> "Terminal":
        """Text is wrapped at 80 columns, or at the width of a narrower terminal; colour only on a terminal without NO_COLOR."""
        columns = shutil.get_terminal_size((UNKNOWN_COLUMNS, 24)).columns
        dumb = os.environ.get("TERM") == "dumb"
        colour = stream.isatty() and not os.environ.get("NO_COLOR") and not dumb
        lively = sys.stderr is not None and sys.stderr.isatty() and not dumb
        return Terminal(max(MIN_COLUMNS, min(MAX_COLUMNS, columns)), max(MIN_COLUMNS, columns), colour, lively, wording(language))

    def paint(self, text: str, kind: str) -> str:
        """The text in the colour of its kind, where there is colour; never the only carrier of meaning."""
        return f"\x1b[{CODES[kind]}m{text}\x1b[0m" if self.colour else text

    def wrap(self, text: str, indent: str = "", first: str | None = None) -> list[str]:
        """Lines of at most `columns` characters; long words such as addresses are broken."""
        return textwrap.wrap(
            text, self.columns, initial_indent=indent if first is None else first, subsequent_indent=indent, break_on_hyphens=False
        ) or [indent.rstrip()]

    def cut(self, text: str, indent: str = "") -> str:
        """One line, cut with an ellipsis."""
        return _cut(indent + text, self.widest or self.columns)


def _cut(line: str, columns: int) -> str:
    return line if len(line) <= columns else line[: columns - 1] + "…"


class Progress:
    """One line on standard error that is drawn over while the work goes on; nothing where that is no terminal."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._shown = False

    def show(self, text: str) -> None:
        """Replaces the line."""
        if self._terminal.lively:
            columns = os.get_terminal_size(sys.stderr.fileno()).columns or MIN_COLUMNS
            sys.stderr.write("\r\x1b[K" + _cut(clean(text), columns))
            sys.stderr.flush()
            self._shown = True

    def clear(self) -> None:
        """Takes the line away."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False
