"""The difference of two results, and which results can be compared."""

from typing import Any

import pytest
from msgspec import structs

from findable.reports.difference import Basis, Difference, Judged, NotComparable, comparable, difference, is_worse, judged_page
from findable.reports.reported_finding import AcceptanceTerms, ComparableFinding
from findable.vocabulary import Verdict


def finding(name: str, verdict: str, **params: Any) -> ComparableFinding:
    return ComparableFinding(id=name, verdict=Verdict(verdict), params=params)


def accepted(name: str, verdict: str) -> ComparableFinding:
    return ComparableFinding(id=name, verdict=Verdict(verdict), accepted=AcceptanceTerms("known", ""))


def changed(before: list[ComparableFinding], after: list[ComparableFinding], *known: str) -> Difference:
    """Return the difference without `problems`, which repeats parts of its lists."""
    return structs.replace(difference(judged_page(before), judged_page(after), known), problems=())


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("passed", "failed", "new"),
        ("passed", "warned", "new"),
        ("info", "warned", "new"),
        ("inapplicable", "failed", "new"),
        ("warned", "failed", "worse"),
        ("failed", "warned", "better"),
        ("failed", "passed", "fixed"),
        ("warned", "info", "fixed"),
        ("failed", "inapplicable", "fixed"),
        ("failed", "failed", "still"),
        ("warned", "warned", "still"),
        ("failed", "unknown", "not_judged"),
        ("unknown", "failed", "not_judged"),
        ("passed", "inapplicable", ""),
        ("passed", "unknown", ""),
        ("unknown", "passed", ""),
    ],
)
def test_each_pair_of_verdicts_belongs_to_one_list(before: str, after: str, kind: str) -> None:
    found = changed([finding("a", before)], [finding("a", after)])

    assert {name: getattr(found, name) for name in found.__struct_fields__ if getattr(found, name)} == ({kind: ("a",)} if kind else {})


def test_a_check_that_did_not_run_in_one_result_is_not_judged() -> None:
    assert changed([], [finding("a", "failed")]) == Difference(not_judged=("a",))
    assert changed([finding("a", "failed")], []) == Difference(not_judged=("a",))


def test_findings_of_an_error_page_are_neither_fixed_nor_new_afterwards() -> None:
    page = [finding("http-status", "passed"), finding("favicon", "failed"), finding("image-alt", "inapplicable")]
    away = [finding("http-status", "failed"), finding("favicon", "inapplicable"), finding("image-alt", "inapplicable")]

    assert changed(page, away) == Difference(new=("http-status",), not_judged=("favicon",))
    assert changed(away, page) == Difference(fixed=("http-status",), not_judged=("favicon",))


def test_a_check_that_depends_on_a_failed_one_is_not_judged() -> None:
    before = [finding("viewport", "failed"), finding("viewport-zoom", "inapplicable")]
    after = [finding("viewport", "passed"), finding("viewport-zoom", "failed")]

    assert changed(before, after) == Difference(fixed=("viewport",), not_judged=("viewport-zoom",))


def test_a_check_that_another_one_covers_is_not_judged() -> None:
    before = [finding("og-basic", "warned"), finding("twitter-card", "inapplicable", check="og-basic")]
    after = [finding("og-basic", "passed"), finding("twitter-card", "warned")]

    assert changed(before, after) == Difference(fixed=("og-basic",), not_judged=("twitter-card",))


def test_checks_of_pages_meant_for_search_are_not_judged_on_others() -> None:
    before = judged_page([finding("noindex", "inapplicable"), finding("favicon", "inapplicable")], not_for_search=True)

    assert (before["noindex"].verdict, before["favicon"].verdict) == (None, Verdict.PASSED)


def test_an_accepted_finding_is_not_fixed_and_returns_when_that_ends() -> None:
    assert changed([finding("a", "failed")], [accepted("a", "failed")]) == Difference()
    assert changed([accepted("a", "failed")], [finding("a", "failed")]) == Difference(returned=("a",))
    assert changed([accepted("a", "failed")], [finding("a", "passed")]) == Difference()


def test_a_finding_that_occurred_before_returns() -> None:
    assert changed([finding("a", "passed")], [finding("a", "failed")], "a") == Difference(returned=("a",))


@pytest.mark.parametrize(("before", "after", "kind"), [(10, 13, "worse"), (13, 10, "better"), (10, 12, "still"), (100, 119, "still")])
def test_a_cause_with_many_more_pages_is_worse(before: int, after: int, kind: str) -> None:
    one, other = ({"a": Judged(Verdict.FAILED, count)} for count in (before, after))

    assert getattr(difference(one, other), kind) == ("a",)


def test_a_result_is_worse_with_a_risen_problem_or_a_lower_score() -> None:
    assert is_worse(("a",), 93, 93)
    assert is_worse((), 93, 92)
    assert not is_worse((), 93, 93)


PAGE = Basis("2026-12")
REASONS = {
    NotComparable.BEFORE_INCOMPLETE: (Basis("2026-12", is_complete=False), PAGE),
    NotComparable.AFTER_INCOMPLETE: (PAGE, Basis("2026-12", is_complete=False)),
    NotComparable.BEFORE_AWAY: (Basis("2026-12", is_away=True), PAGE),
    NotComparable.OTHER_SETTINGS: (Basis("2026-12", part=1), Basis("2026-12", part=2)),
    NotComparable.OTHER_SOURCES: (PAGE, Basis("2026-12", rendering="browser")),
    NotComparable.OTHER_RULESET: (Basis("2026-11"), PAGE),
}


def test_the_first_reason_against_a_comparison_is_named() -> None:
    assert {reason: comparable(*two) for reason, two in REASONS.items()} == {reason: reason for reason in REASONS}
    assert comparable(None, PAGE) is NotComparable.NO_EARLIER


def test_a_page_is_compared_when_it_goes_away_and_while_it_is_away() -> None:
    away = Basis("2026-12", is_away=True)

    assert (comparable(PAGE, PAGE), comparable(PAGE, away), comparable(away, away)) == (None, None, None)
