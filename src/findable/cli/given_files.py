"""Files and values that are named on a command line, read with errors that name their option."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from findable.errors import SettingError

T = TypeVar("T")


@contextmanager
def readable(path: Path | str, option: str = "") -> Iterator[None]:
    """Raise SettingError if the file that is read within cannot be read."""
    try:
        yield
    except OSError as error:
        raise SettingError(option or str(path), f"{f'{path} ' if option else ''}cannot be read: {error.strerror}") from error


def parsed(read: Callable[[str], T], text: str, option: str, like: str) -> T:
    """Return the value of an option. Raises SettingError with what it should be like."""
    try:
        return read(text)
    except (OSError, ValueError, KeyError) as error:
        raise SettingError(option, f"{text!r} is not {like}") from error


def read_bytes(path: Path, option: str = "") -> bytes:
    """Return the bytes of a file ('-': standard input). Raises SettingError if it cannot be read."""
    with readable(path, option):
        return sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()


def read_text(path: Path, option: str) -> str:
    """Return the text of a UTF-8 file ('-': standard input) without its byte order mark. Raises SettingError if it cannot be read."""
    try:
        return read_bytes(path, option).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SettingError(option, f"{path} cannot be read: it is not UTF-8 text") from error


def read_list(path: Path) -> list[str]:
    """Return the lines of a `--list` file, without empty lines and comments. Raises SettingError if none is left."""
    lines = [line.strip() for line in read_text(path, "--list").splitlines()]
    found = [line for line in lines if line and not line.startswith("#")]
    if not found:
        raise SettingError("--list", f"{'standard input' if str(path) == '-' else path} contains no URL")
    return found
