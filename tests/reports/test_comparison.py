"""What changed between runs."""

from typing import Any

from findable.reports.comparison import compare


def finding(name: str, verdict: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "verdict": verdict, **more}


def ids(findings: Any) -> list[str]:
    return [item["id"] for item in findings]


def test_new_fixed_and_still() -> None:
    before = [finding("a", "passed"), finding("b", "failed"), finding("c", "warned")]
    after = [finding("a", "failed"), finding("b", "passed"), finding("c", "warned")]

    changes = compare(before, after)

    assert (ids(changes.new), ids(changes.fixed), ids(changes.still)) == (["a"], ["b"], ["c"])


def test_worse_is_new_and_better_is_still() -> None:
    changes = compare([finding("a", "warned"), finding("b", "failed")], [finding("a", "failed"), finding("b", "warned")])

    assert (ids(changes.new), ids(changes.still)) == (["a"], ["b"])


def test_what_could_not_be_measured_is_not_fixed() -> None:
    changes = compare([finding("a", "failed")], [finding("a", "unknown")])

    assert ids(changes.fixed) == []


def test_accepted_findings_are_not_held_against_the_page() -> None:
    changes = compare([finding("a", "failed")], [finding("a", "failed", accepted={"reason": "known"})])

    assert (ids(changes.new), ids(changes.still), ids(changes.fixed)) == ([], [], ["a"])


def test_what_was_there_once_returns() -> None:
    changes = compare([finding("a", "passed")], [finding("a", "failed")], [[finding("a", "failed")]])

    assert (ids(changes.new), ids(changes.returned)) == ([], ["a"])
