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
