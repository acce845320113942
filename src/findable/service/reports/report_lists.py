"""Lists of reports: conversion of queries to store selections, and of rows to pages."""

from urllib.parse import quote

from findable.errors import ValidationFailed
from findable.service.accounts.owned_projects import find_project
from findable.service.values.caller import Caller
from findable.service.values.paging import EXACT_UP_TO, ListOrder, Page, cut, position_of, require_bounds
from findable.service.values.report_values import ReportQuery
from findable.store.report_list_queries import sort_key
from findable.store.rows import ReportRow, Selection
from findable.store.store_protocol import Session
from findable.values import shape_of

_ASCII = "".join(map(chr, range(128)))


def selection_of(session: Session, caller: Caller, query: ReportQuery) -> Selection | None:
    """Return the selection, None if it must be empty (an unknown project). Raises ValidationFailed."""
    require_bounds(query.per_page, query.page, query.search)
    if bool(query.check) != (query.verdict is not None):
        missing, given = ("verdict", "check") if query.check else ("check", "verdict")
        raise ValidationFailed({missing: [f"The {missing} field is required when {given} is present."]})
    project = find_project(session, caller, query.project) if query.project else None
    if query.project and project is None:
        return None
    sort = query.sort_by.value
    return shape_of(
        Selection,
        query,
        account_id=caller.account_id,
        sort=sort,
        limit=query.per_page + 1,
        position=position_of(query.cursor, sort, descending=query.descending),
        project_id=project.id if project else None,
        person_id=caller.only_projects_of,
        search=quote(query.search, safe=_ASCII),
        result=query.result.value if query.result else None,
        status=query.status.value if query.status else None,
        since=None if query.since is None else int(query.since.timestamp()),
    )


def page_of(session: Session, selection: Selection, query: ReportQuery) -> Page[ReportRow]:
    """Return the rows with their total and cursors."""
    rows = session.reports.select(selection)
    total = session.reports.count(selection, EXACT_UP_TO + 1)
    order = ListOrder(selection.sort, selection.descending)
    is_counted = selection.uses_counters
    return cut(rows, total, query, selection.position, order, lambda row: (sort_key(row, selection), row.id), is_counted=is_counted)
