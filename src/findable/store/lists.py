"""The statements for lists of reports: one for each shape of a selection, made once.

Every order ends in the id, and every order key is never null, so that a place in a list is (key, id). The ids of a page are found in
an index first; whole rows are read for that page only.
"""

from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, bindparam, exists, func, not_, select, tuple_

from findable.store.dialect import contains, like_pattern
from findable.store.rows import RESULTS, Selection
from findable.store.schema import UNFINISHED, check_name, check_set_member, finding, project, report
from findable.store.shapes import COLUMNS, JOINED, VERDICT_PLACE
from findable.vocabulary import Status, Verdict

_KEYS = {
    ("id", True): report.c.id,
    ("id", False): report.c.id,
    ("generated_at", True): report.c.generated_down,
    ("generated_at", False): report.c.generated_up,
    ("url", True): report.c.url,
    ("url", False): report.c.url,
    ("result", True): report.c.result_down,
    ("result", False): report.c.result_up,
}
"""(sort, descending) to the column that is sorted by."""


class _Shape(NamedTuple):
    """What the text of a statement depends on."""

    dialect: str
    sort: str
    descending: bool
    position: str
    """``none``, ``after`` or ``before``."""
    project: bool
    search: bool
    result: bool
    status: str
    """``none``, ``done`` or ``other``."""
    verdict: str
    """``none``, ``passed`` or ``other``."""
    since: bool
    deleted: bool
    """Rows of deleted projects are still there."""


def sort_key(row: Any, selection: Selection) -> Any:
    """What the row of a list is sorted by."""
    return getattr(row, _KEYS[selection.sort, selection.descending].name)


def list_statement(dialect: str, selection: Selection, *, deleted: bool) -> Select[Any]:
    """One page. ``deleted``: whether rows of deleted projects are still there."""
    return _list(_shape(dialect, selection, deleted=deleted))


def count_statement(dialect: str, selection: Selection, *, deleted: bool) -> Select[Any]:
    """How many, up to ``cap``."""
    return _count(_shape(dialect, selection, deleted=deleted)._replace(sort="id", descending=True, position="none"))


def list_values(selection: Selection) -> dict[str, Any]:
    """The values that belong into the statement."""
    values: dict[str, Any] = {
        "account": selection.account_id,
        "limit": selection.limit,
        "offset": selection.offset,
        "project": selection.project_id,
        "pattern": like_pattern(selection.search),
        "place": RESULTS.index(selection.result) + 1 if selection.result else None,
        "status": selection.status,
        "check": selection.check,
        "verdict": VERDICT_PLACE[selection.verdict] if selection.verdict else None,
        "since": selection.since,
    }
    if selection.position is not None:
        values |= {"key": selection.position.key, "after": selection.position.id}
    return values


def _shape(dialect: str, selection: Selection, *, deleted: bool) -> _Shape:
    position = selection.position
    verdict = selection.verdict if selection.check else None
    return _Shape(
        dialect,
        selection.sort,
        selection.descending,
        "none" if position is None else "before" if position.backwards else "after",
        selection.project_id is not None,
        bool(selection.search),
        selection.result is not None,
        "none" if selection.status is None else "done" if selection.status == Status.DONE else "other",
        "none" if verdict is None else "passed" if verdict is Verdict.PASSED else "other",
        selection.since is not None,
        deleted and selection.project_id is None,
    )


@lru_cache(maxsize=512)
def _list(shape: _Shape) -> Select[Any]:
    key = _KEYS[shape.sort, shape.descending]
    forwards = shape.descending != (shape.position == "before")
    where = _filters(shape)
    if shape.position != "none":
        here, there = tuple_(key, report.c.id), tuple_(bindparam("key"), bindparam("after"))
        where.append(here < there if forwards else here > there)
    order = (key.desc(), report.c.id.desc()) if forwards else (key, report.c.id)
    ids = select(report.c.id).where(*where).order_by(*order).limit(bindparam("limit")).offset(bindparam("offset"))
    return select(*COLUMNS).select_from(JOINED).where(report.c.id.in_(ids.correlate(None))).order_by(*order)


@lru_cache(maxsize=256)
def _count(shape: _Shape) -> Select[Any]:
    chosen = select(report.c.id).where(*_filters(shape)).limit(bindparam("cap"))
    return select(func.count()).select_from(chosen.subquery())


def _filters(shape: _Shape) -> list[ColumnElement[bool]]:
    # With a project the "+ 0" keeps the planner from walking the account's index instead of the project's.
    account = (report.c.account_id + 0 if shape.project else report.c.account_id) == bindparam("account")
    where = [account]
    if shape.project:
        where.append(report.c.project_id == bindparam("project"))
    if shape.deleted:
        gone = select(project.c.id).where(project.c.account_id == bindparam("account"), project.c.deleted_at.is_not(None))
        where.append(report.c.project_id.not_in(gone))
    if shape.search:
        where.append(contains(shape.dialect, report.c.url, bindparam("pattern")))
    if shape.result:
        where.append(report.c.result_up == bindparam("place"))
    if shape.status != "none":
        where.append(report.c.status == bindparam("status"))
    if shape.status == "other":
        where.append(UNFINISHED)
    if shape.since:
        where.append(report.c.updated_at >= bindparam("since"))
    if shape.verdict != "none":
        where.append(_verdict(passed=shape.verdict == "passed"))
    return where


def _verdict(*, passed: bool) -> ColumnElement[bool]:
    """Passed is what was asked and has no row."""
    check = select(check_name.c.id).where(check_name.c.name == bindparam("check")).scalar_subquery()
    if not passed:
        return report.c.id.in_(
            select(finding.c.report_id).where(
                finding.c.account_id == bindparam("account"), finding.c.check_id == check, finding.c.verdict == bindparam("verdict")
            )
        )
    asked = select(check_set_member.c.set_id).where(check_set_member.c.check_id == check)
    told = exists(select(finding.c.report_id).where(finding.c.report_id == report.c.id, finding.c.check_id == check))
    return and_(report.c.check_set.in_(asked), not_(told))
