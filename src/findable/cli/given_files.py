"""Files that are named on a command line, read as text."""

import sys
from pathlib import Path

from findable.errors import SettingError


def read_text(path: Path, option: str) -> str:
    """Return the text of a UTF-8 file ('-': standard input) without its byte order mark. Raises SettingError if it cannot be read."""
    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
        return data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingError(option, f"{path} cannot be read: {getattr(error, 'strerror', None) or 'it is not UTF-8 text'}") from error


def read_list(path: Path) -> list[str]:
    """Return the lines of a `--list` file, without empty lines and comments. Raises SettingError if none is left."""
    lines = [line.strip() for line in read_text(path, "--list").splitlines()]
    found = [line for line in lines if line and not line.startswith("#")]
    if not found:
        raise SettingError("--list", f"{'standard input' if str(path) == '-' else path} contains no URL")
    return found
