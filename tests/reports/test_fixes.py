from typing import Any

from findable.reports.fixes import first_fixes, fixes_in_order


def finding(name: str, lost: float = 1.0, effort: int = 1, verdict: str = "failed", accepted: Any = None) -> dict[str, Any]:
    return {"id": name, "lost": lost, "effort": effort, "verdict": verdict, "accepted": accepted}


def names(*findings: dict[str, Any], way: tuple[str, ...] = ()) -> list[str]:
    explained = {"next_rating": {"checks": list(way)} if way else None}
    return [found["id"] for found in fixes_in_order({"results": findings, "explained": explained})]


def test_points_for_effort_decide() -> None:
    assert names(finding("dear", 4, 8), finding("cheap", 1, 1), finding("server", 6, 3)) == ["server", "cheap", "dear"]


def test_the_way_to_the_next_rating_comes_first_in_its_order() -> None:
    assert names(finding("a", 9), finding("b", 1), finding("c", 2), way=("b", "c")) == ["b", "c", "a"]


def test_ties_are_broken_by_name() -> None:
    assert names(finding("z"), finding("a"), finding("m", 2, 2)) == ["a", "m", "z"]


def test_only_what_is_held_against_the_page() -> None:
    others = [finding(verdict, verdict=verdict) for verdict in ("passed", "unknown", "info", "inapplicable")]
    assert names(*others, finding("kept", accepted={"reason": "meant"}), finding("warned", verdict="warned")) == ["warned"]


def test_a_check_that_is_gone_has_no_effort() -> None:
    gone = {name: value for name, value in finding("gone", 8).items() if name != "effort"}
    assert names(gone, finding("here", 2)) == ["here", "gone"]


def test_a_summary_names_the_whole_way() -> None:
    found = [finding(f"f{number}") for number in range(9)]
    way = [one["id"] for one in found[:7]]
    assert len(first_fixes({"results": found, "explained": {"next_rating": {"checks": way}}})) == 7
    assert len(first_fixes({"results": found, "explained": {"next_rating": None}})) == 5
    assert first_fixes({"results": [], "explained": None}) == []
