"""Faults of interpreters that are in use: the code stays clear of them."""

import re
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src/findable"
_GROUP = re.compile(r"\)(?:[*+?]|\{\d*,?\d*\})\+[^\s'\"]?")


def test_no_group_is_repeated_possessively() -> None:
    """Up to 3.11.4, which Debian 12 has, Python loses matches of such groups (gh-106052). Characters may be: ``[a-z]*+``."""
    found = [
        f"{path.relative_to(SOURCE)}:{number}: {line.strip()}"
        for path in SOURCE.rglob("*.py")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if _GROUP.search(line) and not re.search(r"['\"][^'\"]*\(\)\*\+,", line)
    ]
    assert not found, found
