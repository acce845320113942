"""What is different between two times, from the changes that are stored."""

from hypothesis import given
from hypothesis import strategies as st

from findable.reports.recent_changes import (
    MAX_TURNS,
    RETENTION_S,
    Outcome,
    RecentChanges,
    after_other_rules,
    after_result,
    is_fixed,
    is_new,
)
from findable.vocabulary import Verdict

CHECKS = ("noindex", "title-present", "h1-present")
ALL = frozenset(CHECKS)


def result(score: int, *failed: str, passed: frozenset[str] = ALL) -> Outcome:
    return Outcome(score, frozenset(failed), passed - set(failed))


def followed(*results: Outcome) -> RecentChanges:
    changes = RecentChanges()
    for at, (before, after) in enumerate(zip((None, *results), results, strict=False)):
        changes = after_result(changes, before, after, 10 * at)
    return changes


@given(
    st.lists(
        st.builds(lambda score, failed: result(score, *failed), st.integers(0, 100), st.sets(st.sampled_from(CHECKS))),
        min_size=2,
        max_size=MAX_TURNS + 1,
    )
)
def test_any_two_times_are_compared_as_their_results_are(results: list[Outcome]) -> None:
    changes = followed(*results)
    last = results[-1]
    for place, earlier in enumerate(results):
        found = changes.between(10 * place, 10 * len(results))
        assert set(found.new) == last.failed - earlier.failed
        assert set(found.fixed) == earlier.failed - last.failed
        assert (found.score_before, found.score) == (earlier.score, last.score) or len(changes.scores) == 0
        if not changes.is_empty:
            assert found.still_failed == len(last.failed & earlier.failed)


def test_a_problem_that_came_and_went_is_neither_new_nor_fixed() -> None:
    changes = followed(result(90), result(80, "noindex"), result(90))
    assert not changes.between(0, 30).is_worse
    assert not changes.between(0, 30).is_better
    assert changes.between(10, 30).fixed == ("noindex",)


def test_a_check_that_could_not_be_judged_is_not_fixed() -> None:
    changes = followed(result(80, "noindex"), result(80, passed=ALL - {"noindex"}))
    assert changes.between(0, 20).fixed == ()


def test_a_result_of_other_rules_begins_anew() -> None:
    changes = followed(result(90), result(50, "noindex"))
    assert after_result(changes, None, result(40, "noindex"), 30).is_empty


def test_an_accepted_finding_is_not_fixed() -> None:
    changes = after_other_rules(followed(result(90), result(50, "noindex")), result(90), 30)
    assert changes.between(0, 40).fixed == ()
    assert not changes.between(0, 40).is_worse


def test_old_changes_are_forgotten_with_the_next_result() -> None:
    changes = followed(result(90), result(50, "noindex"))
    old = after_result(changes, result(50, "noindex"), result(50, "noindex"), 20 + RETENTION_S)
    assert old.is_empty


def test_a_finding_with_another_key_goes_on() -> None:
    first, second = Outcome(80, frozenset({"a:1"})), Outcome(70, frozenset({"a:2", "b:1"}), frozenset("ab"), earlier_keys={"a:2": "a:1"})
    third = Outcome(90, frozenset(), frozenset("ab"), frozenset({"b:1"}))
    worse = followed(first, second).between(5, 15)
    assert (worse.new, worse.fixed, worse.still_failed) == (("b:1",), (), 1)
    better = followed(first, second, third).between(15, 25)
    assert better.fixed == ("a:2",), "a problem that became a warning is not fixed"


def test_new_and_fixed_are_said_of_verdicts() -> None:
    passed, warned, failed, unknown = Verdict.PASSED, Verdict.WARNED, Verdict.FAILED, Verdict.UNKNOWN
    pairs = [(before, after) for before in (None, *Verdict) for after in Verdict]
    new = {pair for pair in pairs if is_new(*pair)}
    assert {(passed, failed), (passed, warned), (None, failed), (unknown, warned), (warned, failed)} <= new
    assert new.isdisjoint({(failed, failed), (failed, warned), (warned, warned), (failed, passed)})
    assert {pair for pair in pairs if is_fixed(*pair)} == {(failed, passed), (warned, passed)}
