"""Templates of messages, as they stand in the checks: `{count|link|links}` is the number and its word."""

import re
from pathlib import Path

import findable.checks

SOURCES = sorted(Path(findable.checks.__path__[0]).rglob("*.py"))


def test_no_number_is_said_twice() -> None:
    for source in SOURCES:
        text = source.read_text(encoding="utf-8")
        assert re.findall(r"\{(\w+)\} \{\1\|", text) == [], source
        assert re.findall(r"\{\w+\|(?:is|are|do|does|has|have|was|were)\|", text) == [], source
