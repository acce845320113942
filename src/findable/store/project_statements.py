"""SQL statements for projects. A deleted project is marked immediately; its rows are deleted later, a few at a time."""

import secrets
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    ScalarSelect,
    Select,
    and_,
    bindparam,
    cast,
    delete,
    exists,
    func,
    insert,
    literal,
    literal_column,
    or_,
    select,
    update,
)

from findable.store import write_locks
from findable.store.dialect import contains, like_pattern
from findable.store.project_roles import granted_to
from findable.store.project_scores import NO_SCORE_ASCENDING, NO_SCORE_DESCENDING, SCORE, newest, site, with_crawls
from findable.store.rows import RESULTS, Position, ProjectRow, WorkerSettings
from findable.store.schema.account_tables import account, person
from findable.store.schema.project_tables import project
from findable.store.schema.report_tables import report
from findable.store.schema.site_tables import crawl, schedule
from findable.store.statements import Statements, columns

PUBLIC_ID_BYTES = 16
_newest = report.alias("newest")
_other = report.alias("other")
_NEWEST_ID = (
    select(_newest.c.id)
    .where(_newest.c.project_id == project.c.id, _newest.c.generated_down > 0, _newest.c.result.is_not(None))
    .order_by(_newest.c.generated_down.desc(), _newest.c.id.desc())
    .limit(1)
    .correlate(project)
    .scalar_subquery()
)


def _duplicates(result: str = "") -> ScalarSelect[int]:
    """Count the reports of a project that do not represent their page."""
    where = [_other.c.account_id == project.c.account_id, _other.c.project_id == project.c.id, _other.c.is_page == literal_column("0")]
    if result:
        where.append(_other.c.result_up == RESULTS.index(result) + 1)
    return select(func.count()).select_from(_other).where(*where).correlate(project).scalar_subquery()


_stored = crawl.alias("stored")
_CRAWLS_BYTES = (
    select(cast(func.coalesce(func.sum(_stored.c.size_bytes), 0), BigInteger))  # PostgreSQL returns the sum as a decimal
    .where(_stored.c.project_id == project.c.id)
    .correlate(project)
    .scalar_subquery()
)
_SCHEDULES = select(func.count()).where(schedule.c.project_id == project.c.id).correlate(project).scalar_subquery()
_OWNER = select(person.c.email).where(person.c.id == project.c.owner_id).correlate(project).scalar_subquery()
_ROW = select(
    *columns(
        ProjectRow,
        project,
        score=SCORE.label("score"),
        owner=_OWNER,
        site_crawl=site.c.id.label("site_crawl"),
        site_at=site.c.finished_at,
        site_counts_json=site.c.counts,
        site_findings_json=site.c.findings,
        schedules_count=_SCHEDULES,
        verdict=newest.c.verdict,
        verdict_since=newest.c.verdict_since,
        verdict_at=newest.c.finished_at,
        verdict_values_json=newest.c.verdict_values,
        verdict_crawl=newest.c.public_id,
        generated_at=report.c.generated_at,
        crawls_bytes=_CRAWLS_BYTES,
        duplicates=_duplicates(),
        **{f"duplicates_{result}": _duplicates(result) for result in RESULTS},
    )
).select_from(with_crawls(project.outerjoin(report, report.c.id == _NEWEST_ID)))
_ALIVE = and_(project.c.account_id == bindparam("account"), project.c.deleted_at.is_(None))
_BY_ID = _ROW.where(_ALIVE, project.c.id == bindparam("id"))
_BY_NAME = _ROW.where(_ALIVE, project.c.name == bindparam("name"))
_ID_BY_NAME = select(project.c.id).where(_ALIVE, project.c.name == bindparam("name"))
_FOR_WORKER = (
    select(project.c.not_for_search, project.c.identity, func.coalesce(project.c.browser, account.c.browser), project.c.browser_options)
    .join(account, account.c.id == project.c.account_id)
    .where(project.c.id == bindparam("id"))
)

_SORT_KEYS: Mapping[tuple[str, bool], ColumnElement[Any]] = {
    ("project", False): project.c.name,
    ("project", True): project.c.name,
    ("created_at", False): project.c.created_at,
    ("created_at", True): project.c.created_at,
    ("score", False): func.coalesce(SCORE, NO_SCORE_ASCENDING),
    ("score", True): func.coalesce(SCORE, NO_SCORE_DESCENDING),
}
"""Sort keys by name and direction of the list; a project without a score comes last in both directions."""


class ProjectFilter(NamedTuple):
    """Condition of a list of projects; empty members accept all."""

    name: str = ""
    """Part of the name in the form of stored hosts, or of display name or client as in ``text``."""
    text: str = ""
    tag: str = ""
    client: str = ""
    owner: str = ""
    """Email address."""
    scores: tuple[int, int] | None = None
    """Lowest and highest score."""
    is_watched: bool | None = None

    def conditions(self, dialect: str) -> Iterator[ColumnElement[bool]]:
        """Yield the conditions that are set."""
        if self.name or self.text:
            titles = (contains(dialect, column, literal(like_pattern(self.text))) for column in (project.c.title, project.c.client_name))
            yield or_(contains(dialect, project.c.name, literal(like_pattern(self.name))), *titles)
        if self.tag:
            yield project.c.tags.contains(f'"{self.tag}"', autoescape=True)
        if self.client:
            yield project.c.client_name == self.client
        if self.owner:
            yield _OWNER.in_([self.owner])
        if self.scores:
            yield SCORE.between(*self.scores)
        if self.is_watched is not None:
            watched = exists().where(schedule.c.project_id == project.c.id).correlate(project)
            yield watched if self.is_watched else ~watched


class Projects(Statements):
    """SQL statements for projects, in one transaction."""

    def ensure(self, account_id: int, name: str, now: int) -> int:
        """Return the id of the project with the name, creating the project if it is missing."""
        write_locks.lock_account(self._connection, account_id)
        found = self._connection.execute(_ID_BY_NAME, {"account": account_id, "name": name}).scalar_one_or_none()
        if found is not None:
            return int(found)
        row = {"account_id": account_id, "name": name, "created_at": now, "public_id": secrets.token_urlsafe(PUBLIC_ID_BYTES)}
        self._connection.execute(update(account).where(account.c.id == account_id).values(projects=account.c.projects + 1))
        return int(self._connection.execute(insert(project).returning(project.c.id), row).scalar_one())

    def titles(self, account_id: int, names: Collection[str]) -> dict[str, str]:
        """Return the display names of these projects, by host; a project without one is missing."""
        found = select(project.c.name, project.c.title).where(
            project.c.account_id == account_id, project.c.name.in_(names), project.c.title.is_not(None), project.c.deleted_at.is_(None)
        )
        return {name: title for name, title in self._connection.execute(found)}  # noqa: C416 - rows are no pairs for dict()

    def with_brand(self, account_id: int) -> list[ProjectRow]:
        """Return the projects that have a brand name, oldest first."""
        statement = _ROW.where(_ALIVE, project.c.brand_name.is_not(None)).order_by(project.c.id)
        return self._all(ProjectRow, statement, {"account": account_id})

    def by_id(self, account_id: int, project_id: int) -> ProjectRow | None:
        """Return the project; None if it belongs to another account or is deleted."""
        write_locks.lock_account(self._connection, account_id)
        return self._first(ProjectRow, _BY_ID, {"account": account_id, "id": project_id})

    def by_name(self, account_id: int, name: str) -> ProjectRow | None:
        """Return the project; None if it does not exist or is deleted."""
        write_locks.lock_account(self._connection, account_id)
        return self._first(ProjectRow, _BY_NAME, {"account": account_id, "name": name})

    def select(
        self,
        account_id: int,
        *,
        sort: str,
        descending: bool,
        limit: int,
        offset: int = 0,
        position: Position | None = None,
        chosen: ProjectFilter | None = None,
        person_id: int | None = None,
    ) -> list[ProjectRow]:
        """Return one page of a list of projects.

        ``sort`` is ``created_at``, ``project`` or ``score``.
        """
        rows = self._chosen(_ROW, chosen, person_id).limit(limit).offset(offset)
        keys = (_SORT_KEYS[sort, descending], project.c.id)
        return self._page(ProjectRow, rows, keys, position, descending=descending, account=account_id)

    def _chosen(self, statement: Select[Any], chosen: ProjectFilter | None, person_id: int | None) -> Select[Any]:
        """Return the statement for the account's projects that meet the condition; with a person, only those granted to the person."""
        conditions = chosen.conditions(self._connection.dialect.name) if chosen else ()
        found = statement.where(_ALIVE, *conditions)
        return found if person_id is None else found.where(project.c.id.in_(granted_to(literal(person_id))))

    def count(self, account_id: int, chosen: ProjectFilter | None, cap: int, person_id: int | None = None) -> int:
        """Count the listed projects, up to ``cap``; with a person, only projects granted to the person."""
        if chosen is None and person_id is None:
            return int(self._connection.execute(select(account.c.projects).where(account.c.id == account_id)).scalar_one())
        tables = with_crawls(project) if chosen and chosen.scores else project
        statement = self._chosen(select(project.c.id).select_from(tables), chosen, person_id).limit(cap).subquery()
        return int(self._connection.execute(select(func.count()).select_from(statement), {"account": account_id}).scalar_one())

    def labels(self, account_id: int, person_id: int | None) -> list[tuple[str | None, str | None, str | None]]:
        """Return client, tags (JSON) and owner of the listed projects, each combination once."""
        statement = self._chosen(select(project.c.client_name, project.c.tags, _OWNER).distinct(), None, person_id)
        return [(client, tags, owner) for client, tags, owner in self._connection.execute(statement, {"account": account_id})]

    def change(self, project_id: int, changes: Mapping[str, Any]) -> None:
        """Set columns of the project."""
        self._connection.execute(update(project).where(project.c.id == project_id).values(**changes))

    def for_worker(self, project_id: int) -> WorkerSettings:
        """Return the settings of a project that workers need."""
        row = self._connection.execute(_FOR_WORKER, {"id": project_id}).first()
        return WorkerSettings(*row) if row else WorkerSettings(None, None, None, None)

    def tracker_json(self, project_id: int) -> str | None:
        """Return the issue tracker of a project; None if it has none."""
        found: str | None = self._connection.execute(select(project.c.tracker).where(project.c.id == project_id)).scalar_one_or_none()
        return found

    def default_privacies(self, account_id: int, names: Collection[str]) -> list[int | None]:
        """Return the default access of new reports for each name, from the project or the account; None if neither sets it."""
        write_locks.lock_account(self._connection, account_id)
        of_account = self._connection.execute(select(account.c.default_privacy).where(account.c.id == account_id)).scalar_one_or_none()
        own = select(project.c.name, project.c.default_privacy).where(
            _ALIVE, project.c.name.in_(names), project.c.default_privacy.is_not(None)
        )
        found = {row.name: row.default_privacy for row in self._connection.execute(own, {"account": account_id})}
        return [found.get(name, of_account) for name in names]

    def has_default_privacy(self, account_id: int) -> bool:
        """Return whether one of the account's projects has a default access of new reports."""
        own = select(project.c.id).where(_ALIVE, project.c.default_privacy.is_not(None))
        return bool(self._connection.execute(select(own.exists()), {"account": account_id}).scalar_one())

    def mark_deleted(self, account_id: int, project_id: int, now: int) -> None:
        """Hide the project and its reports, and subtract them from the account's counters."""
        write_locks.lock_account(self._connection, account_id)
        counts = select(*(project.c[name] for name in ("reports", *RESULTS))).where(project.c.id == project_id)
        counted = self._connection.execute(counts).one()._asdict()
        self.change(project_id, {"deleted_at": now})
        left = {name: account.c[name] - count for name, count in {"projects": 1, **counted}.items()}
        self._connection.execute(update(account).where(account.c.id == account_id).values(left))

    def all_of(self, account_id: int) -> list[int]:
        """Return the ids of the account's projects."""
        write_locks.lock_account(self._connection, account_id)
        return list(self._connection.execute(select(project.c.id).where(_ALIVE), {"account": account_id}).scalars())

    def deleted_projects(self) -> list[int]:
        """Return the ids of deleted projects whose rows still exist."""
        return list(self._connection.execute(select(project.c.id).where(project.c.deleted_at.is_not(None)).limit(100)).scalars())

    def remove(self, project_id: int) -> None:
        """Delete the row of a deleted project, after the rows of its reports and crawls."""
        self._connection.execute(delete(project).where(project.c.id == project_id))
