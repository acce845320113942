"""Every fact of a report has a name for readers, and every code of ours a word, over the pages that the checks are tested with."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from findable.reports.analysis import analyse
from findable.web.pages.report.fact_names import WORDS
from findable.web.pages.report.fact_values import _VERBATIM
from tests.checks.harness import capture
from tests.reports import report_json
from tools.catalogue import WITH_OWN_TITLES, named_facts

PAGES = sorted((Path(__file__).parents[1] / "checks").rglob("bad.html"))


@cache
def facts() -> tuple[Mapping[str, Any], ...]:
    made = []
    for path in PAGES:
        beside = path.with_suffix(".json")
        given = json.loads(beside.read_text()) if beside.exists() else {}
        made.append(report_json(analyse(capture(path.read_bytes(), **given)))["facts"])
    return tuple(made)


def members(value: Any, name: str = "") -> Iterator[tuple[str, str, Any]]:
    """Name of what holds it, name, value."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield name, key, item
            yield from members(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from members(item, name)


def test_every_fact_has_a_name() -> None:
    assert len(PAGES) > 50
    named = ({name: value for name, value in one.items() if name not in WITH_OWN_TITLES} for one in facts())
    shown = {
        key for one in named for parent, key, _ in members(one) if parent not in _VERBATIM and not (not parent and key.endswith("_count"))
    }

    assert shown - named_facts() == set()


def test_every_code_of_ours_has_a_word() -> None:
    ours = {"kind", "state", "purpose", "source", "fault", "differences", "reason"}
    codes = {
        (key, code)
        for one in facts()
        for _, key, value in members(one)
        if key in ours and not isinstance(value, Mapping)  # "kind" of the page is a fact with evidence
        for code in (value if isinstance(value, list) else [value])
        if code
    }

    assert {(key, code) for key, code in codes if code not in WORDS[key]} == set()
