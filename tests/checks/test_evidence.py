"""Elements are quoted when somebody reads the evidence, and a finding survives one that cannot be quoted."""

from msgspec.structs import replace

from findable.artifacts.html.document import Document
from findable.checks.engine import Evidence, element, failed

URL = "https://example.com/"


def test_an_element_is_quoted_with_its_place_when_evidence_is_read() -> None:
    node = Document('<!doctype html>\n<p class="a">One</p>', URL).all("p")[0]
    shown = replace(element(node, "{count} of them", count=2), url=f"{URL}a")
    expected = Evidence("element", '<p class="a">One</p>', "html > body > p", 2, 1, f"{URL}a", note="{count} of them", params={"count": 2})
    found = failed("Wrong", evidence=[shown, node]).evidence
    assert [type(item) for item in found] == [Evidence, Evidence]
    assert (found[0], found[1].text) == (expected, expected.text)


def test_a_finding_survives_an_element_that_cannot_be_quoted() -> None:
    node = Document("<p>One</p>", URL).all("p")[0]
    finding = failed("Wrong", evidence=replace(node, _node=None))
    assert (finding.message, finding.evidence, finding.evidence_count) == ("Wrong", (), 1)
