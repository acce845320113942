"""SQL statements for crawls: one row each, with its report. Pages and links are in the store of each crawl."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, func, insert, literal, select, update

from findable.reports.search_verdict import VerdictCode
from findable.store import write_locks
from findable.store.crawl_row import CrawlRow, CrawlSelection
from findable.store.packed_values import pack_page, unpack
from findable.store.project_roles import granted_to
from findable.store.project_scores import VERDICT_CRAWL_ID
from findable.store.rows import Position
from findable.store.schema.job_tables import job
from findable.store.schema.project_tables import project
from findable.store.schema.site_tables import SITE_SCORE, SITE_VERDICT, crawl, schedule, setback
from findable.store.statements import SharedRows, columns

_BEFORE = crawl.alias()
_COLUMNS = columns(
    CrawlRow,
    crawl,
    project=project.c.name,
    is_list=crawl.c.listed.is_not(None),
    error_code=crawl.c.error,
    not_for_search_json=project.c.not_for_search,
    previous_result=_BEFORE.c.result,
    previous_score=_BEFORE.c.score,
    job_state=job.c.state,
    job_progress_json=job.c.progress,
    job_reason=job.c.reason,
)
_JOINED = crawl.join(project, project.c.id == crawl.c.project_id).outerjoin(job, job.c.crawl_id == crawl.c.id)
_JOINED = _JOINED.outerjoin(_BEFORE, and_(_BEFORE.c.id == crawl.c.previous_crawl, _BEFORE.c.deleted_at.is_(None)))
_ALIVE = and_(crawl.c.deleted_at.is_(None), project.c.deleted_at.is_(None))
_ROW = select(*_COLUMNS).select_from(_JOINED).where(_ALIVE)
DELETED = "deleted"
"""Status of a deleted crawl whose store was deleted too."""
UNFINISHED = ("queued", "running", "settling")
SORTS: Mapping[str, ColumnElement[Any]] = {
    "id": crawl.c.id,
    "url": crawl.c.url,
    "finished_at": func.coalesce(crawl.c.finished_at, 0),
    "score": func.coalesce(crawl.c.score, -1),
}
"""Sort keys of lists; ties are broken by id."""


class Crawls(SharedRows[CrawlRow]):
    """SQL statements for crawls, in one transaction."""

    row_type, table, rows = CrawlRow, crawl, _ROW

    def add(self, values: dict[str, Any], list_data: bytes | None) -> int:
        """Insert a crawl; return its id."""
        write_locks.lock_account(self._connection, values["account_id"])
        made = insert(crawl).values(**values, listed=_packed(list_data)).returning(crawl.c.id)
        return int(self._connection.execute(made).scalar_one())

    def save_list(self, crawl_id: int, list_data: bytes | None) -> None:
        """Store the list of URLs (JSON) of a crawl."""
        self._connection.execute(update(crawl).where(crawl.c.id == crawl_id).values(listed=_packed(list_data)))

    def select(self, selection: CrawlSelection, limit: int, *, offset: int = 0, position: Position | None = None) -> list[CrawlRow]:
        """Return one page of a list of crawls."""
        rows = _ROW.where(*_conditions(selection)).limit(limit).offset(offset)
        return self._page(CrawlRow, rows, (SORTS[selection.sort], crawl.c.id), position, descending=selection.descending)

    def count(self, selection: CrawlSelection, cap: int) -> int:
        """Count the selected crawls, up to ``cap``."""
        numbers = select(crawl.c.id).select_from(_JOINED).where(_ALIVE, *_conditions(selection)).limit(cap)
        return int(self._connection.execute(select(func.count()).select_from(numbers.subquery())).scalar_one())

    def rated_before(self, row: CrawlRow, limit: int) -> list[CrawlRow]:
        """Return the last crawls of the project before this one that have a score, newest first: lists for a list."""
        same = and_(crawl.c.project_id == row.project_id, crawl.c.listed.is_not(None) if row.is_list else crawl.c.listed.is_(None))
        rated = and_(crawl.c.id < row.id, crawl.c.score.is_not(None))
        return self._all(CrawlRow, _ROW.where(same, rated).order_by(crawl.c.id.desc()).limit(limit))

    def unfinished_of(self, row: CrawlRow) -> CrawlRow | None:
        """Return the newest crawl of the same URL that is queued or running; None if there is none."""
        same = and_(crawl.c.project_id == row.project_id, crawl.c.url == row.url, crawl.c.status.in_(UNFINISHED))
        return self._first(CrawlRow, _ROW.where(same).order_by(crawl.c.id.desc()).limit(1))

    def last_of_site(self, row: CrawlRow, *, is_scored: bool) -> CrawlRow | None:
        """Return the last crawl before this one whose verdict, or with ``is_scored`` whose score, is that of the site."""
        of_site = and_(crawl.c.project_id == row.project_id, crawl.c.id < row.id, SITE_SCORE if is_scored else SITE_VERDICT)
        return self._first(CrawlRow, _ROW.where(of_site).order_by(crawl.c.id.desc()).limit(1))

    def first_with_verdict(self, project_id: int, since: int) -> CrawlRow | None:
        """Return the first crawl of the project among those that have one verdict since that time."""
        same = and_(crawl.c.project_id == project_id, crawl.c.verdict_since == since)
        return self._first(CrawlRow, _ROW.where(same).order_by(crawl.c.id).limit(1))

    def away_since(self, since: int, until: int, limit: int) -> list[CrawlRow]:
        """Return the newest crawls of some sites that cannot be reached since a time in this range, if no change was stored since."""
        stored = setback.c.project_id == crawl.c.project_id, setback.c.is_site == 1, setback.c.at >= crawl.c.verdict_since
        is_away = crawl.c.verdict == VerdictCode.UNREACHABLE.value, crawl.c.verdict_since.between(since, until)
        found = _ROW.where(*is_away, crawl.c.id == VERDICT_CRAWL_ID, ~select(setback.c.id).where(*stored).exists())
        return self._all(CrawlRow, found.order_by(crawl.c.verdict_since).limit(limit))

    def is_scheduled(self, crawl_id: int) -> bool:
        """Return whether the crawl is the last one that a schedule started."""
        return self._has(select(schedule.c.id).where(schedule.c.last_crawl == crawl_id))

    def change(self, number: int, now: int, **values: Any) -> None:
        """Set columns of the crawl and increment its version."""
        changed = {**values, "version": crawl.c.version + 1, "updated_at": now}
        self._connection.execute(update(crawl).where(crawl.c.id == number).values(changed))

    def save_report(self, crawl_id: int, report: bytes | None) -> None:
        """Store the report (JSON) of a crawl; None removes it."""
        self._connection.execute(update(crawl).where(crawl.c.id == crawl_id).values(report=_packed(report)))

    def report(self, crawl_id: int) -> bytes | None:
        """Return the report (JSON); None before the crawl has a report."""
        packed = self._connection.execute(select(crawl.c.report).where(crawl.c.id == crawl_id)).scalar()
        return None if packed is None else unpack(packed)

    def rated_of_project(self, project_id: int, limit: int) -> list[int]:
        """Return the ids of the last crawls of a project that have a report, newest first."""
        write_locks.lock_account_of(self._connection, project.c.id, project_id)
        rated = select(crawl.c.id).where(crawl.c.project_id == project_id, crawl.c.report.is_not(None), crawl.c.deleted_at.is_(None))
        return list(self._connection.execute(rated.order_by(crawl.c.id.desc()).limit(limit)).scalars())

    def url_list(self, crawl_id: int) -> bytes | None:
        """Return the list of URLs of a crawl (JSON); None if the crawl follows links."""
        packed = self._connection.execute(select(crawl.c.listed).where(crawl.c.id == crawl_id)).scalar()
        return None if packed is None else unpack(packed)

    def count_unfinished(self, account_id: int) -> int:
        """Count the crawls of an account that are queued or running."""
        statement = select(func.count()).select_from(_JOINED).where(_ALIVE, crawl.c.account_id == account_id)
        return int(self._connection.execute(statement.where(crawl.c.status.in_(UNFINISHED))).scalar_one())

    def requests_since(self, account_id: int, moment: int) -> int:
        """Return the number of requests by crawls of the account since that time, including deleted crawls."""
        statement = select(func.coalesce(func.sum(crawl.c.requests), 0))
        return int(self._connection.execute(statement.where(crawl.c.account_id == account_id, crawl.c.updated_at >= moment)).scalar_one())

    def stored_bytes(self, account_id: int) -> int:
        """Return the size of the stores of an account's crawls."""
        statement = select(func.coalesce(func.sum(crawl.c.size_bytes), 0))
        return int(self._connection.execute(statement.where(crawl.c.account_id == account_id)).scalar_one())

    def delete(self, crawl_id: int, now: int) -> None:
        """Mark the crawl as deleted and delete its job; `clear_deleted` and `remove_deleted_before` delete the rest."""
        write_locks.lock_account_of(self._connection, crawl.c.id, crawl_id)
        self._connection.execute(delete(job).where(job.c.crawl_id == crawl_id))
        self._connection.execute(update(crawl).where(crawl.c.id == crawl_id).values(deleted_at=now))

    def to_delete(self, limit: int) -> list[int]:
        """Return the ids of crawls whose store must be deleted: deleted crawls, and crawls of deleted projects."""
        marked = select(crawl.c.id).where(crawl.c.deleted_at.is_not(None), crawl.c.status != DELETED).limit(limit)
        joined = crawl.join(project, project.c.id == crawl.c.project_id)
        of_projects = select(crawl.c.id).select_from(joined).where(project.c.deleted_at.is_not(None)).limit(limit)
        return list(self._connection.execute(marked).scalars()) or list(self._connection.execute(of_projects).scalars())

    def clear_deleted(self, crawl_id: int) -> None:
        """Empty the row of a crawl whose store was deleted; its requests still count towards limits.

        If the project is deleted too, the row is deleted.
        """
        write_locks.lock_account_of(self._connection, crawl.c.id, crawl_id)
        known = {"status": DELETED, "size_bytes": 0, "report": None, "listed": None}
        self._connection.execute(update(crawl).where(crawl.c.id == crawl_id, crawl.c.deleted_at.is_not(None)).values(known))
        of_deleted = select(project.c.id).where(project.c.deleted_at.is_not(None))
        self._connection.execute(delete(crawl).where(crawl.c.id == crawl_id, crawl.c.project_id.in_(of_deleted)))

    def remove_deleted_before(self, moment: int) -> None:
        """Delete the rows of crawls that were deleted before that time and emptied by `clear_deleted`."""
        self._connection.execute(delete(crawl).where(crawl.c.deleted_at < moment, crawl.c.status == DELETED))

    def has_rows_of_project(self, project_id: int) -> bool:
        """Return whether there are rows of crawls of the project, including deleted crawls."""
        return self._has(select(crawl.c.id).where(crawl.c.project_id == project_id))

    def all_ids(self) -> set[int]:
        """Return the ids of all crawls, including deleted crawls."""
        return set(self._connection.execute(select(crawl.c.id)).scalars())

    def with_pages(self) -> set[int]:
        """Return the ids of finished crawls with at least one request."""
        ended = select(crawl.c.id).where(crawl.c.requests > 0, crawl.c.finished_at.is_not(None), crawl.c.deleted_at.is_(None))
        return set(self._connection.execute(ended).scalars())


def _packed(data: bytes | None) -> bytes | None:
    return None if data is None else pack_page(data)


def _conditions(selection: CrawlSelection) -> list[ColumnElement[bool]]:
    found = [crawl.c.account_id == selection.account_id]
    if selection.project_id is not None:
        found.append(crawl.c.project_id == selection.project_id)
    if selection.person_id is not None:
        found.append(crawl.c.project_id.in_(granted_to(literal(selection.person_id))))
    if selection.status is not None:
        found.append(crawl.c.status == selection.status)
    return found


def sort_key(row: CrawlRow, sort: str) -> Any:
    """Return the value of a crawl in a sort order."""
    return {"id": row.id, "url": row.url, "finished_at": row.finished_at or 0, "score": -1 if row.score is None else row.score}[sort]
