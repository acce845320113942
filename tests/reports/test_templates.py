"""Templates of messages, as they stand in the checks: `{count|link|links}` is the number and its word."""

import re
from pathlib import Path

import pytest

import findable.checks

SOURCES = sorted(Path(findable.checks.__path__[0]).rglob("*.py"))


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_no_number_is_said_twice(source: Path) -> None:
    text = source.read_text(encoding="utf-8")

    assert re.findall(r"\{(\w+)\} \{\1\|", text) == []
    assert re.findall(r"\{\w+\|(?:is|are|do|does|has|have|was|were)\|", text) == []
