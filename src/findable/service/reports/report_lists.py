"""Lists of reports: conversion of queries to store selections, and of rows to pages with cursors."""

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from urllib.parse import quote

from msgspec import Struct

from findable.errors import ValidationFailed, require_found, require_valid
from findable.service.accounts.callers import may, require_access, require_role
from findable.service.values.caller import VIEWER, Caller
from findable.service.values.paging import PER_PAGE, Page, PagedQuery
from findable.service.values.report_values import MAX_SEARCH_CHARS, ReportQuery
from findable.store.report_list_queries import sort_key
from findable.store.rows import Position, ProjectRow, ReportRow, Selection
from findable.store.store_protocol import Session
from findable.urls import parse, project_name
from findable.values import shape_of
from findable.wording import later

EXACT_UP_TO = 10_000
MAX_OFFSET = 2**62
MAX_DIGITS = 19
"""Maximum number of digits of a number; Python cannot parse numbers with thousands of digits."""
Row = TypeVar("Row")
_encode = json.JSONEncoder(separators=(",", ":")).encode
_ASCII = "".join(map(chr, range(128)))


def find_project(session: Session, caller: Caller, name_or_id: str) -> ProjectRow | None:
    """Return a project that the caller may see by its name (case-insensitive, IDN or Punycode) or its id."""
    found = _project(session, caller, name_or_id)
    return found if found is not None and may(caller, VIEWER, found.id) else None


def _project(session: Session, caller: Caller, name_or_id: str) -> ProjectRow | None:
    text = name_or_id.strip()
    if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS:
        found = session.projects.by_id(caller.account_id, int(text)) if int(text) < MAX_OFFSET else None
        if found:
            return found
    url = parse(f"https://{text}/") if text else None
    if url is None or url.path != "/" or url.query or url.username:
        return None
    for scheme in ("https", "http"):
        found = session.projects.by_name(caller.account_id, project_name(f"{scheme}://{text}/"))
        if found:
            return found
    return None


def owned_project(session: Session, caller: Caller, name_or_id: str, role: str = VIEWER) -> ProjectRow:
    """Return a project in which the caller has a role; to change it, use a writing transaction.

    Raises NotFound, and Forbidden if they may only read or have a lower role.
    """
    row = require_found(find_project(session, caller, name_or_id))
    require_access(caller, row.id, for_update=session.is_writing)
    require_role(caller, role, row.id)
    return row


def named_project(session: Session, caller: Caller, name_or_id: str) -> ProjectRow | None:
    """Return the project that a field of a request names; None for an empty one. Raises ValidationFailed for an unknown project."""
    if not name_or_id.strip():
        return None
    row = find_project(session, caller, name_or_id)
    if row is None:
        raise ValidationFailed({"project": [later("There is no such project.")]})
    return row


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


class ListOrder(Struct, frozen=True):
    """Order of a list, which its cursors contain."""

    sort: str
    descending: bool = False


def cut(
    rows: Sequence[Row],
    total: int,
    query: PagedQuery,
    position: Position | None,
    order: ListOrder,
    key: Callable[[Row], tuple[Any, int]],
    *,
    is_counted: bool = True,
) -> Page[Row]:
    """Return a page from rows that include one extra row, which shows whether there are more.

    Args:
        rows: rows of the page, and the extra one.
        total: number of rows of the whole list.
        query: requested page.
        position: decoded cursor of the query.
        order: order of the list.
        key: returns sort key and id of a row, which cursors contain.
        is_counted: whether ``total`` is exact; otherwise it is limited to EXACT_UP_TO.
    """

    def cursor(row: Row, *, backwards: bool) -> str:
        return cursor_of(order.sort, *key(row), descending=order.descending, backwards=backwards)

    backwards = position is not None and position.backwards
    more = len(rows) > query.per_page
    items = tuple(rows[-query.per_page :] if backwards else rows[: query.per_page])
    has_next = more or backwards
    has_prev = (more if backwards else position is not None or query.page > 1) and bool(items)
    return Page(
        items,
        total if is_counted else min(total, EXACT_UP_TO),
        total_is_estimate=not is_counted and total > EXACT_UP_TO,
        per_page=query.per_page,
        page=None if position is not None else query.page,
        next_cursor=cursor(items[-1], backwards=False) if items and has_next else None,
        prev_cursor=cursor(items[0], backwards=True) if has_prev else None,
    )


def require_bounds(per_page: int, page: int, search: str) -> None:
    """Raise ValidationFailed for values out of range."""
    errors: dict[str, list[str]] = {}
    if per_page not in PER_PAGE:
        errors["per_page"] = [f"The per_page must be one of: {', '.join(map(str, PER_PAGE))}."]
    if not 1 <= page <= MAX_OFFSET // max(PER_PAGE):
        errors["page"] = ["The page must be at least 1."]
    if len(search) > MAX_SEARCH_CHARS:
        errors["search"] = [f"The search must not be longer than {MAX_SEARCH_CHARS} characters."]
    require_valid(errors)


def cursor_of(sort: str, key: Any, row_id: int, *, descending: bool, backwards: bool) -> str:
    """Encode a position in a list as an opaque cursor."""
    text = _encode([sort, int(descending), key, row_id, int(backwards)])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def position_of(cursor: str, sort: str, *, descending: bool) -> Position | None:
    """Decode a cursor for a list with the same order; None without a cursor. Raises ValidationFailed."""
    if not cursor:
        return None
    try:
        made_for, downwards, key, row_id, backwards = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, TypeError, binascii.Error, RecursionError):
        raise _wrong_cursor() from None
    textual = sort in {"url", "project"}
    fits = made_for == sort and downwards == int(descending) and isinstance(key, str if textual else int) and isinstance(row_id, int)
    # Databases reject lone surrogates and NUL.
    if not fits or abs(row_id) > MAX_OFFSET or (not key.isprintable() if textual else abs(key) > MAX_OFFSET):
        raise _wrong_cursor()
    return Position(key, row_id, bool(backwards))


def _wrong_cursor() -> ValidationFailed:
    return ValidationFailed({"cursor": ["The cursor does not belong to this list."]})
