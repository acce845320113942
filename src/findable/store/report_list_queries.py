"""SQL statements for lists of reports, built once for each shape of a selection.

Every sort order ends with the id, and order keys are never null, so that a position in a list is (key, id). The order by rating has keys of
rating and score. First an index finds the ids of
a page, then the rows of that page are read.

PostgreSQL decides itself whether to walk the index of the order and filter, or to collect the matches and sort them. SQLite cannot estimate
this, so `Plan` decides by the number of matches. An expression around a column prevents the use of an index.
"""

from enum import Enum
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace
from sqlalchemy import ColumnElement, Select, Text, and_, bindparam, exists, func, not_, select, tuple_, union_all

from findable.store.dialect import contains, like_pattern
from findable.store.project_roles import granted_to
from findable.store.report_columns import AGAINST, COLUMNS, JOINED, VERDICT_PLACE
from findable.store.rows import RESULTS, Selection
from findable.store.schema.project_tables import project
from findable.store.schema.report_tables import UNFINISHED, check_set_member, finding, report
from findable.vocabulary import Status, Verdict

_KEYS = {
    ("id", True): report.c.id,
    ("id", False): report.c.id,
    ("generated_at", True): report.c.generated_down,
    ("generated_at", False): report.c.generated_up,
    ("url", True): report.c.url,
    ("url", False): report.c.url,
    ("result", True): report.c.result_down,
    ("result", False): report.c.worst_down,
}
"""Columns to sort by, keyed by (sort, descending)."""
_PER_RATING = 1000
"""Distance between the keys of two ratings; a score needs 0 to 100 of it."""


_CHECK_ID: ColumnElement[int] = bindparam("check_id")
"""Id of the check as a value: of a subquery, PostgreSQL would not know how frequent its findings are, and read all of them."""


GATHERED = 10_000
"""Maximum number of matches to collect and sort; if there are more, walking the index soon finds some."""
GATHERED_OF_TWO = 1_000
"""Maximum number of matches with more than one filter, because every match of the first filter is read."""


class Plan(Enum):
    """Strategy by which SQLite finds a page of a list of reports."""

    CHOSEN_BY_SQLITE = 0
    """Plan chosen by SQLite: an index covers the order and the filter."""
    GATHER = 1
    """Plan for few matches: read and sort all matches."""
    WALK = 2
    """Plan for many matches: walk the index of the order until the page is full."""
    GIVEN = 3
    """Plan for known ids, as a JSON list."""
    FINDINGS = 4
    """Plan for a verdict that is as selective as the other filters: read ids from the index of verdicts and check each report."""
    PARTS = 5
    """Plan for candidate ids from the search index, as a JSON list, which are checked one by one."""


class _Shape(Struct, frozen=True):
    """Properties that determine the text of a statement."""

    dialect: str
    plan: Plan = Plan.CHOSEN_BY_SQLITE
    sort: str = "id"
    descending: bool = True
    position: str = "none"
    """Position filter: ``none``, ``after`` or ``before``."""
    project: bool = False
    search: bool = False
    result: bool = False
    status: str = "none"
    """Status filter: ``none``, ``done`` or ``other``."""
    verdict: str = "none"
    """Verdict filter: ``none``, ``passed``, ``with result`` or ``other``."""
    since: bool = False
    deleted: bool = False
    """Whether rows of deleted projects still exist."""
    pages: bool = False
    """Whether to omit reports that do not represent their page."""
    of_person: bool = False
    """Whether to list only projects granted to a person."""
    span: bool = False
    """Whether the rating filter is a range of the sort key."""


def sort_key(row: Any, selection: Selection) -> Any:
    """Return the sort key of a report in this selection."""
    return getattr(row, _KEYS[selection.sort, selection.descending].name)


def rating_keys(result: str | None, score: int | None) -> dict[str, int]:
    """Return the columns by which reports are filtered and sorted by rating. In both directions a report without a result comes last."""
    if result is None:
        return {"result_up": len(RESULTS) + 1, "result_down": 0, "worst_down": 0}
    place, points = RESULTS.index(result) + 1, score or 0
    return {
        "result_up": place,
        "result_down": place * _PER_RATING + points,
        "worst_down": (len(RESULTS) + 1 - place) * _PER_RATING + 100 - points,
    }


def list_statement(dialect: str, selection: Selection, *, is_deleted: bool, plan: Plan = Plan.CHOSEN_BY_SQLITE) -> Select[Any]:
    """Select one page of a list of reports. ``is_deleted``: whether rows of deleted projects still exist."""
    return _list(replace(_shape(dialect, selection, is_deleted=is_deleted), plan=plan))


def count_statement(dialect: str, selection: Selection, *, is_deleted: bool) -> Select[Any]:
    """Count the reports of a selection, up to ``cap``. ``is_deleted``: see `list_statement`."""
    return _count(_unsorted_shape(dialect, selection, is_deleted=is_deleted))


def ids_statement(dialect: str, selection: Selection, *, is_deleted: bool, plan: Plan = Plan.CHOSEN_BY_SQLITE) -> Select[Any]:
    """Select number and ids (JSON list) of the reports of a selection, up to ``cap``: for a search, or with FINDINGS for a verdict."""
    return _ids(replace(_unsorted_shape(dialect, selection, is_deleted=is_deleted), plan=plan))


def has_both(selection: Selection) -> bool:
    """Return whether one index covers both result and verdict of a selection. Within a project, the index by project is smaller."""
    return selection.project_id is None and selection.result is not None and bool(selection.check) and selection.verdict in AGAINST


def has_two_ways(dialect: str, selection: Selection) -> bool:
    """Return whether SQLite may start from the reports, or else from the findings with the selected verdict.

    The counters show how many reports match the other filters; without a counter there may be few.
    """
    if dialect != "sqlite" or not selection.check or selection.verdict is Verdict.PASSED:
        return False
    others = selection.project_id is not None or (selection.result and not has_both(selection)) or selection.status == Status.DONE
    return bool(others) and selection.status in (None, Status.DONE) and not selection.search and selection.since is None


def needs_plan(dialect: str, selection: Selection) -> bool:
    """Return whether the number of matches affects how to find a page of the list."""
    if dialect != "sqlite":
        return False
    if selection.search or selection.since is not None or has_two_ways(dialect, selection):
        return True
    others = selection.status or selection.check or (selection.result and not _is_span(selection))
    indexed = selection.project_id is not None and not others
    unfinished = selection.status not in (None, Status.DONE) and selection.project_id is None and not (selection.result or selection.check)
    return not indexed and not unfinished and _sort(selection) != "id" and bool(others)


def plan_of(selection: Selection, count: int, *, has_ids: bool = False) -> Plan:
    """Return the query plan for ``count`` matches; the count may stop above GATHERED. ``has_ids``: whether their ids are known."""
    if has_ids and count <= GATHERED:
        return Plan.GIVEN
    if has_two_ways("sqlite", selection) and _sort(selection) == "id":
        return Plan.FINDINGS if has_ids else Plan.CHOSEN_BY_SQLITE
    filters = sum(1 for given in (selection.result, selection.status, selection.check, selection.since is not None) if given)
    alone = filters < 2 or selection.project_id is not None or bool(selection.search)  # noqa: PLR2004 - at least two filters
    return Plan.GATHER if count <= (GATHERED if alone else GATHERED_OF_TWO) else Plan.WALK


def _sort(selection: Selection) -> str:
    """Return the effective sort key. If all matches have the same sort key, the id decides."""
    unrated = selection.status not in (None, Status.DONE)
    return "id" if unrated and selection.sort in ("generated_at", "result") else selection.sort


def _is_span(selection: Selection) -> bool:
    return selection.result is not None and _sort(selection) == "result"


def _unsorted_shape(dialect: str, selection: Selection, *, is_deleted: bool) -> _Shape:
    return _shape(dialect, replace(selection, sort="id", descending=True, position=None), is_deleted=is_deleted)


def list_values(selection: Selection, check_id: int | None = None) -> dict[str, Any]:
    """Return the parameters of the statements for a selection; ``check_id``: id of its check, None without one that is known."""
    values: dict[str, Any] = {
        **asdict(selection),
        "check_id": check_id,
        "pattern": like_pattern(selection.search),
        "place": RESULTS.index(selection.result) + 1 if selection.result else None,
        "verdict": VERDICT_PLACE[selection.verdict] if selection.verdict else None,
    }
    if selection.result:
        name = _KEYS["result", selection.descending].name
        keys = [rating_keys(selection.result, score)[name] for score in (0, 100)]
        values |= {"lowest": min(keys), "highest": max(keys)}
    if selection.position is not None:
        values |= {"key": selection.position.key, "after": selection.position.id}
    return values


def _shape(dialect: str, selection: Selection, *, is_deleted: bool) -> _Shape:
    position = selection.position
    # In other orders, PostgreSQL would read all matches, because it underestimates their number.
    both = has_both(selection) and (dialect == "sqlite" or _sort(selection) == "id")
    verdict = selection.verdict if selection.check else None
    return _Shape(
        dialect,
        Plan.CHOSEN_BY_SQLITE,
        _sort(selection),
        selection.descending,
        "none" if position is None else "before" if position.backwards else "after",
        selection.project_id is not None,
        bool(selection.search),
        selection.result is not None and not both,
        "none" if selection.status is None else "done" if selection.status == Status.DONE else "other",
        "none" if verdict is None else "passed" if verdict is Verdict.PASSED else "with result" if both else "other",
        selection.since is not None,
        is_deleted and selection.project_id is None,
        selection.pages_only,
        selection.person_id is not None,
        _is_span(selection),
    )


def _is_of_findings(shape: _Shape) -> bool:
    """Return whether the index of verdicts alone selects and sorts the reports."""
    plain = _Shape(shape.dialect, descending=shape.descending, position=shape.position, verdict=shape.verdict)
    return shape == plain and shape.verdict in ("other", "with result")


@lru_cache(maxsize=1024)
def _list(shape: _Shape) -> Select[Any]:
    key = _KEYS[shape.sort, shape.descending]
    # By rating, the newest of equal reports comes first in both directions, so both columns are read from the highest key on.
    forwards = (shape.descending or shape.sort == "result") != (shape.position == "before")
    order = (key.desc(), report.c.id.desc()) if forwards else (key, report.c.id)
    if (
        shape.position != "none"
        and shape.dialect == "sqlite"
        and shape.sort == "result"
        and shape.plan in (Plan.CHOSEN_BY_SQLITE, Plan.WALK)
    ):
        ids = _through_ties(shape, key, forwards=forwards)
    else:
        of_findings = _is_of_findings(shape) or shape.plan is Plan.FINDINGS
        ids = _ids_of_findings(shape, forwards=forwards) if of_findings else _ordered_ids(shape, key, forwards=forwards)
        ids = ids.limit(bindparam("limit")).offset(bindparam("offset"))
    return select(*COLUMNS).select_from(JOINED).where(report.c.id.in_(ids.correlate(None))).order_by(*order)


def _ordered_ids(shape: _Shape, key: ColumnElement[Any], *, forwards: bool) -> Select[Any]:
    """Select the ids in list order from the position on."""
    where = _filters(shape)
    if shape.position != "none":
        if shape.sort == "id":
            after: ColumnElement[int] = bindparam("after")
            where.append(report.c.id < after if forwards else report.c.id > after)
        else:
            here, there = tuple_(key, report.c.id), tuple_(bindparam("key"), bindparam("after"))
            where.append(here < there if forwards else here > there)
    sorted_by = _without_index(key) if shape.plan in (Plan.GATHER, Plan.GIVEN) else key
    order = (sorted_by.desc(), report.c.id.desc()) if forwards else (sorted_by, report.c.id)
    ids = select(report.c.id).where(*where).order_by(*order)
    is_sorted = key is report.c.generated_up or shape.plan is Plan.GATHER
    return _row_by_row(ids, shape) if is_sorted else ids


def _row_by_row(ids: Select[Any], shape: _Shape) -> Select[Any]:
    """Read all reports of a project in table order, through the index that has this order (SQLite only)."""
    if not shape.project or shape.result or shape.search or shape.plan in (Plan.GIVEN, Plan.FINDINGS):
        return ids
    return ids.with_hint(report, "INDEXED BY ix_report_project", "sqlite")


def _through_ties(shape: _Shape, key: ColumnElement[Any], *, forwards: bool) -> Select[Any]:
    """Select ids in an order in which many reports share a key. SQLite would walk all of them, so a separate query finds the key."""
    filters = _filters(shape)
    found: ColumnElement[int] = bindparam("key")
    after: ColumnElement[int] = bindparam("after")
    tied = (key == found, report.c.id < after if forwards else report.c.id > after)
    beyond = (key < found if forwards else key > found,)
    order = (key.desc(), report.c.id.desc()) if forwards else (key, report.c.id)
    parts = []
    for where in (tied, beyond):
        part = select(key.label("key"), report.c.id).where(*filters, *where).order_by(*order).limit(bindparam("limit")).subquery()
        parts.append(select(part.c.key, part.c.id))
    both = union_all(*parts).subquery()
    ordered = (both.c.key.desc(), both.c.id.desc()) if forwards else (both.c.key, both.c.id)
    return select(both.c.id).order_by(*ordered).limit(bindparam("limit"))


def _ids_of_findings(shape: _Shape, *, forwards: bool) -> Select[Any]:
    """Select reports in the order of their ids, from the index of verdicts."""
    key, found = finding.c.report_id, _found_by_findings(shape)
    if shape.position != "none":
        found = found.where(key < bindparam("after") if forwards else key > bindparam("after"))
    return found.order_by(key.desc() if forwards else key)


def _found_by_findings(shape: _Shape) -> Select[Any]:
    """Select reports with a verdict, in no order; with FINDINGS, the other filters are tested for each report."""
    found = select(finding.c.report_id).where(*_finding_conditions(shape))
    if shape.plan is Plan.FINDINGS:
        # The "+ 0" keeps the planner from starting with the reports.
        found = found.join(report, report.c.id == finding.c.report_id + 0).where(*_filters(replace(shape, verdict="none")))
        if index := _index_with_id(shape):
            found = found.with_hint(report, f"INDEXED BY {index}", "sqlite")
    return found


def _index_with_id(shape: _Shape) -> str:
    """Return the index that covers the id and all other filters; empty if the row must be read."""
    if shape.status != "none" or shape.deleted or shape.pages or shape.of_person:
        return ""
    if shape.project:
        return "ix_report_project_result_up" if shape.result else "ix_report_project"
    return "ix_report_result_up"


@lru_cache(maxsize=256)
def _count(shape: _Shape) -> Select[Any]:
    if _is_of_findings(shape):
        whole = select(finding.c.report_id).where(*_finding_conditions(shape))
    else:
        whole = _row_by_row(select(report.c.id).where(*_filters(shape)), shape)
    return select(func.count()).select_from(whole.limit(bindparam("cap")).subquery())


@lru_cache(maxsize=256)
def _ids(shape: _Shape) -> Select[Any]:
    if shape.plan is Plan.FINDINGS:
        found = _found_by_findings(shape)
    elif shape.plan is Plan.PARTS:
        found = select(report.c.id).where(_has_matching_id(), *_filters(shape))
    else:
        # Search the smallest index that contains the URL, because rows are many times larger.
        index = "ix_report_project_url" if shape.project else "ix_report_url"
        found = select(report.c.id).where(*_filters(shape)).with_hint(report, f"INDEXED BY {index}", "sqlite")
    ids = found.limit(bindparam("cap")).subquery()
    return select(func.count(), func.json_group_array(ids.c[0]))


def _finding_conditions(shape: _Shape) -> list[ColumnElement[bool]]:
    """Select the account's findings with the verdict on that check, filtered by result if the shape requires it."""
    having: list[ColumnElement[bool]] = [
        finding.c.account_id == bindparam("account_id"),
        finding.c.check_id == _CHECK_ID,
        finding.c.verdict == bindparam("verdict"),
    ]
    return [*having, finding.c.result == bindparam("place")] if shape.verdict == "with result" else having


def _without_index(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """Return an expression with the same value that cannot use an index."""
    return column.concat("") if isinstance(column.type, Text) else column + 0


def _has_matching_id() -> ColumnElement[bool]:
    return report.c.id.in_(select(func.json_each(bindparam("ids")).table_valued("value").c.value))


def _filters(shape: _Shape) -> list[ColumnElement[bool]]:
    if shape.plan is Plan.GIVEN:
        return [_has_matching_id(), _without_index(report.c.account_id) == bindparam("account_id")]
    read = shape.plan is Plan.PARTS or (shape.plan is Plan.FINDINGS and not _index_with_id(shape))
    walked = read or shape.plan is Plan.WALK or (shape.dialect == "sqlite" and shape.search)
    where: list[ColumnElement[bool]] = []
    if shape.project:
        where.append((_without_index(report.c.project_id) if read else report.c.project_id) == bindparam("project_id"))
        # Check the account of the project once, instead of that of each report.
        where.append(
            exists(select(project.c.id).where(project.c.id == bindparam("project_id"), project.c.account_id == bindparam("account_id")))
        )
    else:
        where.append((_without_index(report.c.account_id) if read else report.c.account_id) == bindparam("account_id"))
    if shape.deleted:
        gone = select(project.c.id).where(project.c.account_id == bindparam("account_id"), project.c.deleted_at.is_not(None))
        where.append(report.c.project_id.not_in(gone))
    if shape.of_person:
        where.append(_without_index(report.c.project_id).in_(granted_to(bindparam("person_id"))))
    if shape.pages:
        where.append(_without_index(report.c.is_page) == 1)
    if shape.search:
        where.append(contains(shape.dialect, report.c.url, bindparam("pattern")))
    if shape.result or shape.span:
        where += _rating(shape, uses_walk=walked)
    if shape.status != "none":
        where.append((_without_index(report.c.status) if walked else report.c.status) == bindparam("status"))
    if shape.status == "other" and not walked:
        where.append(UNFINISHED)
    if shape.since:
        where.append((_without_index(report.c.updated_at) if walked else report.c.updated_at) >= bindparam("since"))
    if shape.verdict != "none":
        others = shape.project or shape.result or shape.status == "other" or shape.since
        is_probed = walked or (shape.dialect == "sqlite" and others)
        where.append(_verdict(shape, is_probed=is_probed))
    return where


def _rating(shape: _Shape, *, uses_walk: bool) -> list[ColumnElement[bool]]:
    """Return the condition for the selected rating: in the order by rating, a range of its index."""
    if shape.span and shape.plan in (Plan.CHOSEN_BY_SQLITE, Plan.WALK):
        return [_KEYS["result", shape.descending].between(bindparam("lowest"), bindparam("highest"))]
    return [(_without_index(report.c.result_up) if uses_walk else report.c.result_up) == bindparam("place")] if shape.result else []


def _verdict(shape: _Shape, *, is_probed: bool) -> ColumnElement[bool]:
    """Return the condition for the selected verdict. "Passed" means checked and without a finding.

    ``is_probed``: whether to test each report after the other filters.
    """
    of_report = (finding.c.report_id == report.c.id, finding.c.check_id == _CHECK_ID)
    if shape.verdict == "passed":
        asked = select(check_set_member.c.set_id).where(check_set_member.c.check_id == _CHECK_ID)
        return and_(report.c.check_set.in_(asked), not_(exists(select(finding.c.report_id).where(*of_report))))
    if is_probed:
        # In this index the findings of one check are adjacent; in the table they are scattered.
        index = "ix_finding_result" if shape.verdict == "with result" else "ix_finding_verdict"
        probe = select(finding.c.report_id).where(*_finding_conditions(shape), finding.c.report_id == report.c.id)
        return exists(probe.with_hint(finding, f"INDEXED BY {index}", "sqlite"))
    return report.c.id.in_(select(finding.c.report_id).where(*_finding_conditions(shape)))
