import pytest
from msgspec import structs

from findable.checks.engine import all_checks
from findable.reports.analysis import analyse
from findable.reports.fixes import (
    FIRST_FIXES,
    Order,
    cheaper_way,
    first_fixes,
    fixes_in_order,
    fixes_to_next_rating,
    limiting_cap,
    score_after_first,
)
from findable.reports.gain_words import gain_words
from findable.reports.project_gains import basis_of, page_gains, scored_page
from findable.reports.projection import NextRating
from findable.reports.report import Explanation, Report
from findable.reports.reported_finding import AcceptanceTerms, ReportedFinding
from findable.reports.scoring import Cap
from findable.vocabulary import Effort, Fault, Rating, Verdict
from findable.wording import ENGLISH
from tests.checks.harness import capture, page
from tests.service import samples


def finding(name: str, lost: float = 1.0, verdict: str = "failed", accepted: str = "") -> ReportedFinding:
    terms = AcceptanceTerms(accepted, "") if accepted else None
    return ReportedFinding(id=name, verdict=Verdict(verdict), message="x", lost=lost, accepted=terms)


def report(*findings: ReportedFinding, way: tuple[str, ...] = ()) -> Report:
    path = NextRating(Rating.GOOD, way, 1, 90) if way else None
    return structs.replace(samples.report(), findings=findings, explained=Explanation(1.0, 1, 1.0, next_rating=path))


def names(*findings: ReportedFinding, way: tuple[str, ...] = (), order: Order = Order.HARM) -> list[str]:
    return [found.id for found in fixes_in_order(report(*findings, way=way), order)]


HEAD, SERVER, CONTENT = (next(one.id for one in all_checks().values() if one.effort is effort) for effort in Effort)


def test_the_most_harmful_stands_first_and_effort_breaks_ties() -> None:
    assert names(finding(CONTENT, 4), finding(HEAD, 1), finding(SERVER, 6)) == [SERVER, CONTENT, HEAD]
    tied = [finding(name, 2) for name in ("placeholder-text", "not-found-status", "head-valid")]
    assert names(*tied) == ["head-valid", "not-found-status", "placeholder-text"]


def test_what_limits_the_score_stands_before_what_costs_more() -> None:
    caps = (Cap(49, ("noindex",)), Cap(79, ("viewport",)))
    found = (finding("meta-description", 9), finding("viewport", 3), finding("noindex", 0))
    limited = structs.replace(report(*found), explained=Explanation(1.0, 1, 1.0, caps=caps))

    assert [one.id for one in fixes_in_order(limited)] == ["noindex", "viewport", "meta-description"]


def test_a_warning_that_limits_the_score_is_as_red_as_the_problems_below_it() -> None:
    thin = structs.replace(finding("redirect-chain", 3, "warned"), fault=Fault.COOKIE_LOOP)
    caps = (Cap(15, ("redirect-chain",)),)
    found = structs.replace(report(finding("image-alt", 9), thin), explained=Explanation(1.0, 1, 1.0, caps=caps))

    assert [(one.id, one.mark) for one in fixes_in_order(found)] == [("redirect-chain", "limiting"), ("image-alt", "failed")]
    assert finding("redirect-chain", 3, "warned").mark == "warned"


def test_a_fix_that_gains_nothing_alone_names_the_cap() -> None:
    caps = (Cap(49, ("noindex",)), Cap(79, ("viewport",)))
    one = structs.replace(finding("viewport", 3), gain=30, gain_alone=0)
    limited = structs.replace(report(one), score=49, explained=Explanation(1.0, 1, 1.0, caps=caps))

    assert limiting_cap(limited, one) == Cap(49, ("noindex",))
    assert gain_words(limited, one, ENGLISH) == "+30 points (+0 alone: limited to 49 by noindex)"
    assert limiting_cap(limited, structs.replace(one, gain_alone=2)) is None


def test_a_fix_of_less_than_a_point_says_what_it_costs_and_one_without_cost_nothing() -> None:
    small, free = structs.replace(finding("image-alt", 0.4), gain=0, gain_alone=0), structs.replace(finding("csp", 0), gain=0, gain_alone=0)
    found = structs.replace(report(small, free), score=90)

    assert gain_words(found, small, ENGLISH) == "+0.4 points"
    assert gain_words(found, free, ENGLISH) == ""


def test_quick_wins_are_sorted_by_points_for_effort() -> None:
    assert names(finding(CONTENT, 4), finding(HEAD, 1), finding(SERVER, 6), order=Order.QUICK) == [SERVER, HEAD, CONTENT]


def test_quick_wins_begin_with_the_way_to_the_next_rating() -> None:
    assert names(finding("a", 9), finding("b", 1), finding("c", 2), way=("b", "c"), order=Order.QUICK) == ["b", "c", "a"]


def test_ties_are_broken_by_name() -> None:
    assert names(finding("z"), finding("a"), finding("m")) == ["a", "m", "z"]


def test_only_what_is_held_against_the_page() -> None:
    others = [finding(verdict, verdict=verdict) for verdict in ("passed", "unknown", "info", "inapplicable")]
    assert names(*others, finding("kept", accepted="meant"), finding("warned", verdict="warned")) == ["warned"]


def test_a_check_that_is_gone_counts_as_much_effort() -> None:
    assert names(finding("gone", 8), finding(HEAD, 2), order=Order.QUICK) == [HEAD, "gone"]


def test_a_summary_names_the_whole_way() -> None:
    found = [finding(f"f{number}") for number in range(9)]
    way = tuple(one.id for one in found[:7])
    assert len(first_fixes(report(*found, way=way))) == 7
    assert len(first_fixes(report(*found))) == 5
    assert first_fixes(report()) == []


def test_the_target_is_the_sum_of_the_gains_of_the_fixes_listed_first() -> None:
    for head in ("<title>Tea</title>", "", '<title>Tea</title><meta name="robots" content="noindex">'):
        found = analyse(capture(page(head=head, body="<p>" + "Tea and cups. " * 60)))
        listed, (after, count) = fixes_in_order(found), score_after_first(found)
        assert found.score is not None
        assert after == found.score + sum(one.gain or 0 for one in listed[:count])
        reached = fixes_to_next_rating(found)
        assert count >= FIRST_FIXES
        way = cheaper_way(found)
        assert way is None or set(way.checks) != {one.id for one in listed[:reached]}


@pytest.mark.parametrize("head", ["", "<title>Tea</title>", '<title>Tea</title><meta name="robots" content="noindex">'])
def test_gains_from_stored_results_are_those_of_the_page_report(head: str) -> None:
    found = analyse(capture(page(head=head, body="<p>" + "Tea and cups. " * 60 + '<img src="/a.png">')))
    fixes, basis = fixes_in_order(found), basis_of(found)
    assert basis is not None
    scored = scored_page(basis, [(one.id, one.verdict) for one in fixes], found.score)
    assert scored is not None
    assert {name: gain.gain for name, gain in page_gains(scored).items()} == {one.id: one.gain for one in fixes}


def test_hidden_fixes_have_no_target() -> None:
    found = analyse(capture(page(head="")))
    assert found.explained
    assert score_after_first(found)[1]
    assert score_after_first(structs.replace(found, explained=structs.replace(found.explained, fixes=()))) == (0, 0)
