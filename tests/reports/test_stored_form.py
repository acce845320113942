"""What is stored of an analysis gives it back whole."""

import json

import pytest

from findable.reports.model import Analysis, analyse
from tests.checks.harness import capture, page
from tests.mutations.world import NAMES, captured, site


@pytest.mark.parametrize("name", NAMES)
def test_an_analysis_comes_back_as_it_was(name: str) -> None:
    told = site(name)
    analysis = analyse(captured(told.html, told.keywords))

    assert Analysis.load(analysis.dump()).document == json.loads(json.dumps(analysis.document))
    assert Analysis.load(analysis.dump()).dump() == analysis.dump()


def test_keys_that_follow_from_the_evidence_are_not_stored_and_others_are() -> None:
    analysis = analyse(capture(page(head="<title>\x00 a  b </title>")))
    document = {**analysis.document, "findings": [*analysis.document["findings"]]}
    document["findings"][0] = {**document["findings"][0], "key": "of an older way to make keys"}
    stored = json.loads(Analysis(document).dump())

    assert [finding["key"] for finding in stored["findings"] if "key" in finding] == ["of an older way to make keys"]
    assert Analysis.load(Analysis(document).dump()).document["findings"] == json.loads(json.dumps(document["findings"]))


def test_bytes_are_the_same_in_whatever_order_members_were_added() -> None:
    one, other = (
        {"findings": [], "b": {"z": 1, "ä": "</p>\x7f\x1f"}, "a": 0.5},
        {"a": 0.5, "b": {"ä": "</p>\x7f\x1f", "z": 1}, "findings": []},
    )

    assert Analysis(one).dump() == Analysis(other).dump() == b'{"a":0.5,"b":{"z":1,"\xc3\xa4":"</p>\x7f\\u001f"},"findings":[]}'


def test_half_a_character_is_kept_as_a_question_mark() -> None:
    assert Analysis({"findings": [], "b": "\ud800", "a": 1}).dump() == b'{"a":1,"b":"?","findings":[]}'
