"""What an owner does with projects. `name_or_id` is a host in any case, IDN or punycode, or the numeric id."""

import json
from collections.abc import Iterable

from findable.clock import now
from findable.errors import NotFound, ValidationFailed
from findable.reports.patterns import MAX_PATTERN_CHARS, MAX_PATTERNS, problem_of
from findable.service.app import Service
from findable.service.callers import require
from findable.service.lists import EXACT_UP_TO, cursor_of, cut, find_project, position_of, require_bounds
from findable.service.values import (
    READ,
    UNSET,
    WRITE,
    Caller,
    DeletedProject,
    Page,
    ProjectChanges,
    ProjectQuery,
    ProjectSort,
    ProjectView,
)
from findable.service.views import moment, patterns_of
from findable.store.rows import ProjectRow
from findable.vocabulary import Rating


def find(service: Service, caller: Caller, query: ProjectQuery) -> Page[ProjectView]:
    """A list of projects."""
    require(caller, READ)
    require_bounds(query.per_page, query.page, query.search)
    sort = query.sort_by.value
    position = position_of(query.cursor, sort, descending=query.descending)
    search = query.search.lower()
    with service.store.read() as session:
        rows = session.projects.select(
            caller.account_id,
            sort=sort,
            descending=query.descending,
            limit=query.per_page + 1,
            offset=0 if position else (query.page - 1) * query.per_page,
            position=position,
            search=search,
        )
        total = session.projects.count(caller.account_id, search, EXACT_UP_TO + 1)

    def cursor(row: ProjectRow, *, backwards: bool) -> str:
        key = row.name if query.sort_by is ProjectSort.PROJECT else row.created_at
        return cursor_of(sort, key, row.id, descending=query.descending, backwards=backwards)

    page = cut(rows, total, counted=not search, query_page=query.page, per_page=query.per_page, position=position, cursor=cursor)
    return Page(
        tuple(map(_view, page.items)),
        page.total,
        page.total_is_estimate,
        page.per_page,
        page.page,
        page.next_cursor,
        page.prev_cursor,
    )


def get(service: Service, caller: Caller, name_or_id: str) -> ProjectView:
    """One project. Raises NotFound."""
    require(caller, READ)
    with service.store.read() as session:
        row = find_project(session, caller, name_or_id)
    if row is None:
        raise NotFound
    return _view(row)


def update(service: Service, caller: Caller, name_or_id: str, changes: ProjectChanges) -> ProjectView:
    """Changes what was sent; reports made from now on follow it. Raises NotFound, ValidationFailed."""
    require(caller, WRITE)
    patterns = UNSET if changes.not_for_search is UNSET else _patterns(changes.not_for_search)
    with service.store.write() as session:
        row = find_project(session, caller, name_or_id)
        if row is None:
            raise NotFound
        if patterns is not UNSET:
            kept = json.dumps(patterns, ensure_ascii=False) if patterns else None
            session.projects.set_not_for_search(row.id, kept)
            row = row._replace(not_for_search_json=kept)
    return _view(row)


def _patterns(sent: Iterable[str]) -> list[str]:
    """Sound patterns, each once. Raises ValidationFailed."""
    patterns = list(dict.fromkeys(text.strip() for text in sent if text.strip()))
    wrong = [f"{pattern[:MAX_PATTERN_CHARS]}: {problem}" for pattern in patterns if (problem := problem_of(pattern))]
    if len(patterns) > MAX_PATTERNS:
        wrong = [f"There may be at most {MAX_PATTERNS} patterns."]
    if wrong:
        raise ValidationFailed({"not_for_search": wrong})
    return patterns


def delete(service: Service, caller: Caller, name_or_id: str) -> DeletedProject:
    """Deletes the project and its reports at once for every reader; the rows go in the background. Raises NotFound."""
    require(caller, WRITE)
    with service.store.write() as session:
        row = find_project(session, caller, name_or_id)
        if row is None:
            raise NotFound
        session.projects.mark_deleted(caller.account_id, row.id, int(now().timestamp()))
    service.news.queued()  # there is something to tidy
    return DeletedProject(row.id, row.name, row.reports)


def _view(row: ProjectRow) -> ProjectView:
    return ProjectView(
        id=row.id,
        name=row.name,
        created_at=moment(row.created_at),
        reports_count=row.reports,
        result=Rating(row.result) if row.result else None,
        score=row.score,
        last_generated_at=None if row.generated_at is None else moment(row.generated_at),
        not_for_search=patterns_of(row.not_for_search_json),
    )
