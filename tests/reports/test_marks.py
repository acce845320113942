"""Places of findings in the first view, by value."""

from findable.capture.devices import PHONE
from findable.capture.rendering import AxeNode, Box, Rendering, SeenElement
from findable.checks.evidence import SELECTOR, Evidence
from findable.reports.facts.browser_facts import MarkFact
from findable.reports.marks import MAX_MARKS, marks_of
from findable.reports.reported_finding import AcceptanceTerms, ReportedFinding
from findable.vocabulary import Verdict

IMAGE, LINK = "#main > img", "html > body > a"


def rendering(*seen: SeenElement) -> Rendering:
    return Rendering("2026-11-01T00:00:00Z", "Chromium", PHONE, first_view=seen)


def finding(check: str, *selectors: str, verdict: Verdict = Verdict.FAILED, accepted: bool = False) -> ReportedFinding:
    evidence = tuple(Evidence("element", "<img>", selector) for selector in selectors)
    return ReportedFinding(
        id=check, verdict=verdict, message="", evidence=evidence, accepted=AcceptanceTerms("known", None) if accepted else None
    )


def test_a_mark_is_the_part_of_the_element_in_the_view_in_percent() -> None:
    seen = rendering(SeenElement((IMAGE, "img"), Box(206, 617.25, 412, 600)))
    (mark,) = marks_of(seen, [finding("image-alt", IMAGE)])
    assert mark == MarkFact(check="image-alt", left_percent=50, top_percent=75, width_percent=50, height_percent=25)


def test_elements_are_known_by_both_selectors_and_marked_once_for_each_finding() -> None:
    seen = rendering(SeenElement((IMAGE, "img"), Box(0, 0, 100, 100)), SeenElement((LINK,), Box(0, 200, 100, 20)))
    marks = marks_of(seen, [finding("image-alt", IMAGE, "img"), finding("link-text", LINK, "body > p"), finding("tap-targets", "img")])
    assert [mark.check for mark in marks] == ["image-alt", "link-text", "tap-targets"]


def test_passed_and_accepted_findings_and_slivers_have_no_mark() -> None:
    seen = rendering(SeenElement((IMAGE,), Box(0, 0, 100, 100)), SeenElement((LINK,), Box(0, PHONE.viewport_height_px - 1, 100, 20)))
    passed, accepted = finding("image-alt", IMAGE, verdict=Verdict.PASSED), finding("image-format", IMAGE, accepted=True)
    assert marks_of(seen, [passed, accepted, finding("link-text", LINK)]) == ()


def test_marks_are_limited() -> None:
    seen = rendering(*(SeenElement((f"#i{number}",), Box(0, number * 10, 9, 9)) for number in range(60)))
    assert len(marks_of(seen, [finding("image-alt", *(f"#i{number}" for number in range(60)))])) == MAX_MARKS


def test_elements_that_axe_names_in_its_own_way_are_marked_by_their_path() -> None:
    seen = SeenElement((IMAGE, "img"), Box(206, 617.25, 412, 600))
    nodes = (AxeNode("image-alt", "critical", "img[src$=a]", IMAGE), AxeNode("label", "critical", "#far", "#main > input"))
    visit = Rendering("2026-11-01T00:00:00Z", "Chromium", PHONE, first_view=(seen,), axe=nodes)
    evidence = tuple(Evidence(SELECTOR, node.selector) for node in nodes)
    found = ReportedFinding(id="axe-violations", verdict=Verdict.FAILED, message="", evidence=evidence)
    assert [(mark.check, mark.left_percent) for mark in marks_of(visit, [found])] == [("axe-violations", 50)]
