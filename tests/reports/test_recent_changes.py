"""What is different between two times, from the changes that are stored."""

from collections.abc import Mapping
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from findable.reports.difference import Judged, difference
from findable.reports.recent_changes import (
    AVAILABLE,
    MAX_STATES,
    RETENTION_S,
    UNAVAILABLE,
    Outcome,
    RecentChanges,
    after_incomparable,
    after_result,
)
from findable.vocabulary import Verdict

CHECKS = ("noindex", "title-present", "h1-present")
PASSED, WARNED, FAILED = Verdict.PASSED, Verdict.WARNED, Verdict.FAILED


def result(score: int, **verdicts: Verdict | None) -> Outcome:
    """Return a result; a check whose verdict is not given passed."""
    named: Mapping[str, Verdict | None] = dict.fromkeys(CHECKS, PASSED) | {name.replace("_", "-"): one for name, one in verdicts.items()}
    return Outcome(score, {check: Judged(verdict) for check, verdict in named.items()})


def followed(*results: Outcome) -> RecentChanges:
    changes = RecentChanges()
    for place, (before, after) in enumerate(pairwise(results), 1):
        changes = after_result(changes, before, after, difference(before.judged, after.judged), 10 * place)
    return changes


OUTCOMES = st.builds(
    lambda score, verdicts: Outcome(score, {check: Judged(verdict) for check, verdict in zip(CHECKS, verdicts, strict=True)}),
    st.integers(0, 100),
    st.tuples(*[st.sampled_from((PASSED, WARNED, FAILED))] * len(CHECKS)),
)


@given(st.lists(OUTCOMES, min_size=2, max_size=MAX_STATES))
def test_any_two_times_are_compared_as_their_results_are(results: list[Outcome]) -> None:
    changes = followed(*results)
    last = results[-1]
    for place, earlier in enumerate(results):
        found, expected = changes.between(10 * place, 10 * len(results)), difference(earlier.judged, last.judged)
        assert set(found.findings.problems) == set(expected.problems)
        once_failed = {key for key in CHECKS if FAILED in (earlier.judged[key].verdict, last.judged[key].verdict)}
        assert set(found.findings.fixed) & once_failed == set(expected.fixed) & once_failed
        assert (found.score_before, found.score) == (earlier.score, last.score) or len(changes.scores) == 0
        if not changes.is_empty:
            assert found.still_failed == sum(earlier.judged[key].verdict is FAILED and last.judged[key].verdict is FAILED for key in CHECKS)


def test_a_problem_that_came_and_went_is_neither_new_nor_fixed() -> None:
    changes = followed(result(90), result(80, noindex=FAILED), result(90))
    assert not changes.between(0, 30).is_worse
    assert not changes.between(0, 30).is_better
    assert changes.between(10, 30).findings.fixed == ("noindex",)


def test_a_check_that_could_not_be_judged_is_neither_fixed_nor_new() -> None:
    changes = followed(result(80, noindex=FAILED), result(80, noindex=None))
    assert changes.between(0, 20).findings.fixed == ()
    changes = followed(result(90), result(90, noindex=None), result(80, noindex=FAILED))
    assert changes.between(0, 30).findings.problems == ()


def test_a_new_problem_that_was_not_judged_meanwhile_is_still_new() -> None:
    changes = followed(result(90), result(80, noindex=FAILED), result(80, noindex=None), result(80, noindex=FAILED))
    assert changes.between(0, 40).findings.new == ("noindex",)


def test_a_page_that_was_away_is_as_before() -> None:
    away = Outcome(0, {"http-status": Judged(FAILED), **{check: Judged(None) for check in CHECKS}})
    here = Outcome(93, {"http-status": Judged(PASSED), "noindex": Judged(PASSED), "title-present": Judged(FAILED)})
    changes = followed(here, away, away)
    changes = after_result(changes, here, here, difference(here.judged, here.judged), 30)
    found = changes.between(5, 40)

    assert (found.is_worse, found.is_better, found.score_before, found.score) == (False, False, 93, 93)
    assert found.away == (10, 30)
    assert changes.between(5, 20).findings.new == ("http-status",)


def test_a_result_of_other_rules_begins_anew() -> None:
    changes = after_incomparable(followed(result(90), result(80)), result(40, noindex=FAILED), 30)
    assert changes.is_empty
    assert not changes.between(0, 40).is_worse


def test_a_page_that_returns_under_other_rules_was_away() -> None:
    known, gone = Outcome(90, AVAILABLE), Outcome(0, UNAVAILABLE)
    changes = after_incomparable(followed(known, gone), Outcome(40, AVAILABLE), 30)
    assert changes.between(5, 40).away == (10, 30)
    assert not changes.between(5, 40).is_worse


def test_an_accepted_finding_is_not_fixed() -> None:
    changes = after_incomparable(followed(result(90), result(50, noindex=FAILED)), result(90), 30)
    assert changes.between(0, 40).findings.fixed == ()
    assert not changes.between(0, 40).is_worse


def test_old_changes_are_forgotten_with_the_next_result() -> None:
    bad = result(50, noindex=FAILED)
    changes = followed(result(90), bad)
    assert after_result(changes, bad, bad, difference(bad.judged, bad.judged), 20 + RETENTION_S).is_empty


def test_a_finding_with_another_key_goes_on() -> None:
    first = Outcome(80, {"a:1": Judged(FAILED), "b:1": Judged(PASSED)})
    second = Outcome(70, {"a:2": Judged(FAILED), "b:1": Judged(FAILED)}, earlier_keys={"a:2": "a:1"})
    start = followed(Outcome(90, {"a:1": Judged(PASSED)}), first)
    changes = after_result(start, first, second, difference({"b:1": Judged(PASSED)}, {"b:1": Judged(FAILED)}), 20)
    assert changes.between(15, 25).findings.new == ("b:1",)
    assert changes.between(15, 25).still_failed == 1
    assert set(changes.between(0, 25).findings.new) == {"a:2", "b:1"}


def test_an_outage_is_told_in_the_period_in_which_it_ends_even_if_it_began_before() -> None:
    up, down = (Outcome(score, {**result(score).judged, **state}) for score, state in ((80, AVAILABLE), (0, UNAVAILABLE)))
    changes = followed(up, down, up)  # at 0, 10 and 20
    during, later, both = changes.between(0, 15), changes.between(15, 30), changes.between(0, 30)
    assert (during.away, during.away_since, during.is_worse) == (None, 10, True)
    assert (later.away, later.away_since, later.is_worse) == ((10, 20), None, False)
    assert (both.away, both.is_worse, both.is_better) == ((10, 20), False, False)
    assert not any((*during.findings.new, *later.findings.fixed)), "an outage is no finding"


def test_a_result_without_a_rating_ends_what_it_does_not_confirm() -> None:
    changes = followed(result(80), result(40, noindex=FAILED, h1_present=FAILED))
    found = after_incomparable(changes, result(0, h1_present=FAILED), 20, is_rated=False).between(0, 30)
    assert (found.findings.problems, found.score_before, found.score) == (("h1-present",), 0, 0)
