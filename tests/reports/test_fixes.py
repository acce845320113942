from msgspec import structs

from findable.checks.engine import all_checks
from findable.reports.cheapest_fixes import NextRating
from findable.reports.fixes import first_fixes, fixes_in_order
from findable.reports.report import Explanation, Report
from findable.reports.reported_finding import AcceptanceTerms, ReportedFinding
from findable.vocabulary import Effort, Rating, Verdict
from tests.service import samples


def finding(name: str, lost: float = 1.0, verdict: str = "failed", accepted: str = "") -> ReportedFinding:
    terms = AcceptanceTerms(accepted, "") if accepted else None
    return ReportedFinding(id=name, verdict=Verdict(verdict), message="x", lost=lost, accepted=terms)


def report(*findings: ReportedFinding, way: tuple[str, ...] = ()) -> Report:
    path = NextRating(Rating.GOOD, way, 1, 90, 90) if way else None
    return structs.replace(samples.report(), findings=findings, explained=Explanation(1.0, 1, 1.0, next_rating=path))


def names(*findings: ReportedFinding, way: tuple[str, ...] = ()) -> list[str]:
    return [found.id for found in fixes_in_order(report(*findings, way=way))]


HEAD, SERVER, CONTENT = (next(one.id for one in all_checks().values() if one.effort is effort) for effort in Effort)


def test_points_for_effort_decide() -> None:
    assert names(finding(CONTENT, 4), finding(HEAD, 1), finding(SERVER, 6)) == [SERVER, HEAD, CONTENT]


def test_the_way_to_the_next_rating_comes_first_in_its_order() -> None:
    assert names(finding("a", 9), finding("b", 1), finding("c", 2), way=("b", "c")) == ["b", "c", "a"]


def test_ties_are_broken_by_name() -> None:
    assert names(finding("z"), finding("a"), finding("m")) == ["a", "m", "z"]


def test_only_what_is_held_against_the_page() -> None:
    others = [finding(verdict, verdict=verdict) for verdict in ("passed", "unknown", "info", "inapplicable")]
    assert names(*others, finding("kept", accepted="meant"), finding("warned", verdict="warned")) == ["warned"]


def test_a_check_that_is_gone_counts_as_much_effort() -> None:
    assert names(finding("gone", 8), finding(HEAD, 2)) == [HEAD, "gone"]


def test_a_summary_names_the_whole_way() -> None:
    found = [finding(f"f{number}") for number in range(9)]
    way = tuple(one.id for one in found[:7])
    assert len(first_fixes(report(*found, way=way))) == 7
    assert len(first_fixes(report(*found))) == 5
    assert first_fixes(report()) == []
