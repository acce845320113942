"""How lists are found: by which index, never by reading all rows. Seconds are measured elsewhere (bench/bench_million.py)."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import Connection

from findable.store import finding_queries, schedule_statements
from findable.store.report_columns import AGAINST
from findable.store.report_list_queries import (
    GATHERED,
    Plan,
    count_statement,
    has_two_ways,
    ids_statement,
    list_statement,
    list_values,
    needs_plan,
    plan_of,
)
from findable.store.rows import Position, Selection
from findable.store.sqlite import SqliteStore
from findable.vocabulary import Verdict

BASE = Selection(1, limit=11)
SORTS = ("id", "generated_at", "url", "result")
FILTERS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "project": {"project_id": 1},
    "pages": {"pages_only": True},
    "pages of a project": {"pages_only": True, "project_id": 1},
    "result": {"result": "bad"},
    "done": {"status": "done"},
    "failed": {"status": "failed"},
    "since": {"since": 1},
    "verdict": {"check": "noindex", "verdict": Verdict.FAILED},
    "passed": {"check": "noindex", "verdict": Verdict.PASSED},
    "search": {"search": "x"},
    "search in a project": {"search": "x", "project_id": 1},
    "verdict in a project": {"project_id": 1, "check": "noindex", "verdict": Verdict.WARNED},
    "result and verdict": {"result": "bad", "check": "noindex", "verdict": Verdict.FAILED},
    "result and a verdict that takes no points": {"result": "bad", "check": "noindex", "verdict": Verdict.INFO},
    "all": {"project_id": 1, "result": "bad", "status": "done", "since": 1, "check": "noindex", "verdict": Verdict.FAILED, "search": "x"},
}


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    store = SqliteStore(Path(tmp_path_factory.mktemp("plans")) / "x.db")
    with store.snapshot() as opened:
        yield opened
    store.close()


def steps(connection: Connection, statement: Any, values: dict[str, Any]) -> list[str]:
    """What SQLite says it does."""
    compiled = statement.compile(connection, compile_kwargs={"render_postcompile": True})
    given = compiled.construct_params(values)
    names = compiled.positiontup or []
    rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {compiled}", tuple(given[name] for name in names))
    return [str(row[3]) for row in rows]


def selections() -> Iterator[tuple[str, Selection]]:
    for name, values in FILTERS.items():
        for sort in SORTS:
            for position in (None, Position("x" if sort == "url" else 5, 7), Position("x" if sort == "url" else 5, 7, backwards=True)):
                for descending in (True, False):
                    yield name, replace(BASE, sort=sort, descending=descending, position=position, **values)


def plans(selection: Selection) -> tuple[Plan, ...]:
    if not needs_plan("sqlite", selection):
        return (Plan.CHOSEN_BY_SQLITE,)
    if selection.search:
        return (Plan.GIVEN, Plan.WALK)
    if not has_two_ways("sqlite", selection):
        return (Plan.GATHER, Plan.WALK)
    counted = {plan_of(selection, count, has_ids=given) for count in (10, GATHERED + 1) for given in (True, False)}
    return tuple(sorted(counted, key=lambda plan: plan.value))


@pytest.mark.full
@pytest.mark.parametrize("deleted", [False, True])
def test_f36_no_list_reads_all_reports(connection: Connection, deleted: bool) -> None:
    for name, selection in selections():
        for plan in plans(selection):
            values = list_values(selection) | {"ids": json.dumps([1, 2])}
            told = steps(connection, list_statement("sqlite", selection, is_deleted=deleted, plan=plan), values)
            scans = [step for step in told if step.startswith("SCAN") and ("report" in step or "finding" in step)]
            assert not scans, (name, selection, plan, told)


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("filtered", ["nothing", "project"])
def test_f36_a_page_deep_in_a_list_is_found_at_its_place(connection: Connection, sort: str, filtered: str) -> None:
    for descending in (True, False):
        for backwards in (True, False):
            if (filtered, sort, descending) == ("project", "generated_at", False):
                continue  # those of a project, oldest first, are sorted: what was never rated comes last there
            place = Position("x" if sort == "url" else 5, 7, backwards=backwards)
            selection = replace(BASE, sort=sort, descending=descending, position=place, **FILTERS[filtered])
            told = steps(connection, list_statement("sqlite", selection, is_deleted=False), list_values(selection))
            found = [step for step in told if "INDEX ix_report" in step]
            assert found, told
            assert all(("<?" in step or ">?" in step or "id<" in step) or "result" in step for step in found), told
            if sort == "result":  # among those with the same rating and score by the id
                assert any("=? AND id" in step or "AND rowid" in step for step in found), told
            # What is sorted besides is the page alone, in its order.
            assert sum("USE TEMP B-TREE FOR ORDER BY" in step for step in told) <= 1 + (sort == "result"), told


def test_f36_unfinished_ones_by_address_are_found_at_their_place(connection: Connection) -> None:
    for position in (None, Position("x", 7), Position("x", 7, backwards=True)):
        selection = replace(BASE, sort="url", position=position, **FILTERS["failed"])
        assert not needs_plan("sqlite", selection)
        told = steps(connection, list_statement("sqlite", selection, is_deleted=False), list_values(selection))
        bound = " AND " if position else ")"
        assert [step for step in told if f"COVERING INDEX ix_report_unfinished_url (account_id=? AND status=?{bound}" in step], told
        assert sum("USE TEMP B-TREE FOR ORDER BY" in step for step in told) <= 1, told  # the page alone, in its order


def test_f36_walking_leaves_the_other_indexes_alone(connection: Connection) -> None:
    for name in ("result", "failed", "since", "verdict"):
        selection = replace(BASE, sort="url", **FILTERS[name])
        told = steps(connection, list_statement("sqlite", selection, is_deleted=False, plan=Plan.WALK), list_values(selection))
        assert any("ix_report_url" in step for step in told), (name, told)


def test_f36_a_search_reads_addresses_and_nothing_else(connection: Connection) -> None:
    for name, index in (("search", "ix_report_url"), ("search in a project", "ix_report_project_url")):
        selection = replace(BASE, **FILTERS[name])
        told = steps(connection, ids_statement("sqlite", selection, is_deleted=False), list_values(selection) | {"cap": 10})
        (read,) = [step for step in told if "report" in step]  # the project is looked at besides, once
        assert f"SEARCH report USING COVERING INDEX {index} (" in read, told


@pytest.mark.parametrize("name", ["verdict in a project", "result and a verdict that takes no points"])
def test_f36_a_verdict_that_hardly_any_has_is_looked_for_in_its_index(connection: Connection, name: str) -> None:
    """And the other filters in one that has the id besides: no report's row is read."""
    index = {"verdict in a project": "ix_report_project"}.get(name, "ix_report_result_up")
    selection = replace(BASE, **FILTERS[name])
    values = list_values(selection) | {"cap": 10}
    for plan, statement in (
        ("count", ids_statement("sqlite", selection, is_deleted=False, plan=Plan.FINDINGS)),
        ("page", list_statement("sqlite", selection, is_deleted=False, plan=Plan.FINDINGS)),
    ):
        told = steps(connection, statement, values)
        inner = told[1 if plan == "count" else 2 :]
        assert "COVERING INDEX ix_finding_verdict (account_id=? AND check_id=? AND verdict=?)" in inner[0], told
        assert [step for step in inner if f"SEARCH report USING COVERING INDEX {index} (" in step and "id=?" in step], told
        assert not [step for step in inner if "SEARCH report USING INTEGER PRIMARY KEY" in step], told


@pytest.mark.parametrize("verdict", AGAINST)
def test_f36_what_has_a_result_and_failed_or_warned_stands_together(connection: Connection, verdict: Verdict) -> None:
    """Counted, and in the order of the id; in another order each report on the way is looked up there."""
    together = "USING COVERING INDEX ix_finding_result (account_id=? AND check_id=? AND verdict=? AND result=?"
    selection = replace(BASE, sort="id", result="bad", check="noindex", verdict=verdict, position=Position(5, 7))
    values = list_values(selection) | {"cap": 10}
    assert not needs_plan("sqlite", selection)
    counted = steps(connection, count_statement("sqlite", selection, is_deleted=False), values)
    page = steps(connection, list_statement("sqlite", selection, is_deleted=False), values)
    assert [step for step in counted if "report" in step] == [], counted
    assert f"SEARCH finding {together})" in counted, counted
    assert f"SEARCH finding {together} AND report_id<?)" in page, page
    selection = replace(BASE, sort="result", descending=False, result="bad", check="noindex", verdict=verdict)
    walked = steps(connection, list_statement("sqlite", selection, is_deleted=False, plan=Plan.WALK), list_values(selection))
    assert f"SEARCH finding {together} AND report_id=?)" in walked, walked
    assert any("ix_report_worst_down (account_id=? AND worst_down>? AND worst_down<?)" in step for step in walked), walked
    selection = replace(BASE, sort="url", result="bad", check="noindex", verdict=verdict)
    walked = steps(connection, list_statement("sqlite", selection, is_deleted=False, plan=Plan.WALK), list_values(selection))
    assert f"SEARCH finding {together} AND report_id=?)" in walked, walked
    assert any("COVERING INDEX ix_report_url" in step for step in walked), walked


def test_f36_leftover_rows_of_deleted_projects_do_not_hide_reports_with_a_verdict(connection: Connection) -> None:
    selection = replace(BASE, **FILTERS["result and a verdict that takes no points"])
    told = steps(connection, ids_statement("sqlite", selection, is_deleted=True, plan=Plan.FINDINGS), list_values(selection) | {"cap": 10})
    assert "COVERING INDEX ix_finding_verdict (account_id=? AND check_id=? AND verdict=?)" in told[1], told
    assert [step for step in told if step.startswith("SEARCH report USING INTEGER PRIMARY KEY")], told


def test_f36_verdicts_of_a_check_are_read_from_one_range_of_an_index(connection: Connection) -> None:
    for name in ("verdict in a project", "result and a verdict that takes no points", "all"):
        selection = replace(BASE, **FILTERS[name])
        told = steps(connection, count_statement("sqlite", selection, is_deleted=False), list_values(selection) | {"cap": 10})
        assert [step for step in told if "SEARCH finding USING COVERING INDEX ix_finding_verdict" in step and "report_id=?" in step], told


def test_f36_no_report_of_a_project_is_read_to_know_its_account(connection: Connection) -> None:
    for verdict in (Verdict.FAILED, Verdict.WARNED):
        selection = replace(BASE, project_id=1, check="noindex", verdict=verdict)
        told = steps(connection, count_statement("sqlite", selection, is_deleted=False), list_values(selection) | {"cap": 10})
        assert [step for step in told if "SEARCH report USING COVERING INDEX ix_report_project (" in step], told


def test_f36_what_is_counted_is_counted_in_an_index(connection: Connection) -> None:
    for name in ("failed", "since", "verdict"):
        selection = replace(BASE, **FILTERS[name])
        told = steps(connection, count_statement("sqlite", selection, is_deleted=False), list_values(selection) | {"cap": 10})
        assert any("COVERING INDEX" in step for step in told), (name, told)


def test_where_all_are_alike_in_what_is_sorted_by_the_id_decides(connection: Connection) -> None:
    alike: tuple[dict[str, Any], ...] = (
        {"sort": "generated_at", "status": "queued"},
        {"sort": "result", "status": "failed"},
    )
    for values in alike:
        selection = replace(BASE, **values)
        assert not needs_plan("sqlite", selection)
        told = steps(connection, list_statement("sqlite", selection, is_deleted=False), list_values(selection))
        assert "ix_report_unfinished" in " ".join(told), told


def test_reports_of_one_rating_are_one_range_of_the_order_by_rating(connection: Connection) -> None:
    for more, scope in (({}, ""), ({"project_id": 1}, "project_")):
        for descending, index in ((True, "result_down"), (False, "worst_down")):
            selection = replace(BASE, sort="result", result="good", descending=descending, **more)
            assert not needs_plan("sqlite", selection)
            told = steps(connection, list_statement("sqlite", selection, is_deleted=False), list_values(selection))
            assert [step for step in told if f"INDEX ix_report_{scope}{index} (" in step and f"{index}>? AND {index}<?" in step], told


def test_few_are_gathered_and_many_walked_to() -> None:
    one = replace(BASE, sort="url", status="failed")
    two = replace(one, result="bad")
    assert [plan_of(one, count) for count in (10, 10_000, 10_001)] == [Plan.GATHER, Plan.GATHER, Plan.WALK]
    assert [plan_of(two, count) for count in (10, 1_000, 1_001)] == [Plan.GATHER, Plan.GATHER, Plan.WALK]


def test_f36_the_checks_that_fail_are_counted_each_in_the_index_of_verdicts(connection: Connection) -> None:
    told = steps(connection, finding_queries.FAILING, {"account": 1, "verdict": 2, "cap": 1001})
    assert [
        step
        for step in told
        if "SEARCH finding USING COVERING INDEX ix_finding_verdict (account_id=? AND check_id=? AND verdict=?)" in step
    ], told


def test_schedules_that_are_due_are_found_in_their_index(connection: Connection) -> None:
    found = steps(connection, schedule_statements.CLAIM, {"now": 1, "until": 2, "limit": 20})
    assert any("USING INDEX ix_schedule_due (due_at<?)" in step for step in found), found
    assert not any(step.startswith("SCAN schedule") for step in found), found


def test_f36_what_passed_a_check_is_counted_without_reading_reports(connection: Connection) -> None:
    for index, project in (("ix_report_account", None), ("ix_report_project", 1)):
        selection = replace(BASE, **FILTERS["passed"], project_id=project)
        told = steps(connection, count_statement("sqlite", selection, is_deleted=False), list_values(selection) | {"cap": 10})
        assert [step for step in told if f"SEARCH report USING COVERING INDEX {index} (" in step], told
