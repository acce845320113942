"""What changed between runs."""

from typing import Any

from findable.reports.comparison import compare
from findable.reports.reported_finding import AcceptanceTerms, ComparableFinding
from findable.vocabulary import Verdict


def finding(name: str, verdict: str, reason: str = "") -> ComparableFinding:
    return ComparableFinding(id=name, verdict=Verdict(verdict), accepted=AcceptanceTerms(reason, "") if reason else None)


def ids(findings: Any) -> list[str]:
    return [item.finding.id for item in findings]


def test_new_fixed_and_still() -> None:
    before = [finding("a", "passed"), finding("b", "failed"), finding("c", "warned")]
    after = [finding("a", "failed"), finding("b", "passed"), finding("c", "warned")]

    changes = compare(before, after)

    assert (ids(changes.new), ids(changes.fixed), ids(changes.still)) == (["a"], ["b"], ["c"])


def test_a_warning_that_became_a_problem_got_worse() -> None:
    changes = compare(
        [finding("a", "warned"), finding("b", "failed")], [finding("a", "failed"), finding("b", "warned"), finding("c", "failed")]
    )

    assert (ids(changes.new), ids(changes.still)) == (["c"], ["a", "b"])
    assert [item.id for item in changes.worse_findings] == ["c", "a"]


def test_what_could_not_be_measured_is_not_fixed() -> None:
    changes = compare([finding("a", "failed")], [finding("a", "unknown")])

    assert (ids(changes.fixed), ids(changes.still)) == ([], ["a"])


def test_a_check_that_is_gone_holds_nothing_against_the_page() -> None:
    changes = compare([finding("a", "failed"), finding("b", "passed")], [])

    assert (ids(changes.fixed), changes.fixed[0].after) == (["a"], None)


def test_what_is_accepted_is_nowhere_and_returns_when_that_ends() -> None:
    changes = compare([finding("a", "failed")], [finding("a", "failed", "known")])

    assert (ids(changes.new), ids(changes.still), ids(changes.fixed)) == ([], [], [])
    changes = compare([finding("a", "failed", "known")], [finding("a", "failed")])
    assert (ids(changes.new), ids(changes.returned)) == ([], ["a"])


def test_what_was_there_once_returns() -> None:
    changes = compare([finding("a", "passed")], [finding("a", "failed")], [[finding("a", "failed")]])

    assert (ids(changes.new), ids(changes.returned)) == ([], ["a"])
