"""Comparison of two records, and rules for expected changes."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from research.compare import reports
from research.compare.differences import Expected, changes

PAGE = '<!doctype html><html lang="en"><head><title>Blue widgets</title></head><body><h1>Blue widgets</h1><img src="/a.png"></body></html>'


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("pages")
    (folder / "one.html").write_text(PAGE)
    return {"pages": reports.recorded([folder]), "routes": {"GET /": {"status": 200, "headers": {}, "json": {"data.id": ["number"]}}}}


def differences(record: dict[str, Any], **changed: Any) -> list[str]:
    new = copy.deepcopy(record)
    page = next(iter(new["pages"].values()))
    page["findings"]["image-alt"] |= changed.pop("finding", {})
    page["facts"] |= changed.pop("facts", {})
    new["routes"]["GET /"] |= changed
    return [group for group, _, _ in changes(record, new)]


def test_a_page_is_recorded_without_texts(record: dict[str, Any]) -> None:
    page = next(iter(record["pages"].values()))
    assert page["exit"] in (0, 1)
    assert page["findings"]["image-alt"]["evidence"][0][:2] == [1, PAGE.index("<img") + 1]
    assert "message" not in json.dumps(page["findings"])


def test_the_same_record_has_no_differences(record: dict[str, Any]) -> None:
    assert differences(record) == []


def test_each_kind_of_difference_is_a_group(record: dict[str, Any]) -> None:
    assert differences(record, finding={"key": "image-alt:other"}) == ["finding image-alt key"]
    assert differences(record, facts={"new": 1}) == ["facts.new added"]
    assert differences(record, status=500) == ["route status 200 → 500"]
    assert differences(record, json={"data.id": ["string"]}) == ["route json data.id changed"]


def test_expected_changes_name_a_group_and_may_name_a_place() -> None:
    expected = Expected("facts.images[].* added  # why\nroute status * @ GET /a*\nfinding x key\n# nothing")

    assert expected.covers("facts.images[].state added", "one")
    assert expected.covers("route status 200 → 201", "GET /a/b")
    assert not expected.covers("route status 200 → 201", "GET /b")
    assert expected.unused == ["finding x key"]


def test_html_and_saved_pages_are_read_packed_or_not(tmp_path: Path) -> None:
    (tmp_path / "one.html").write_text(PAGE)
    (tmp_path / "other.json").write_text("[]")

    ((name, saved),) = reports.saved_pages([tmp_path])
    (tmp_path / "two.json").write_bytes(saved)

    assert name.endswith("/one.html")
    assert len(list(reports.saved_pages([tmp_path]))) == 2
