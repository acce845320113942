"""SQL statements for recent changes of pages and sites: one row for each page or site that has any."""

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import Column, ColumnElement, delete, insert, literal, select, update

from findable.store.project_roles import granted_to, subscribed_by
from findable.store.schema.project_tables import project
from findable.store.schema.report_tables import report, run
from findable.store.schema.site_tables import crawl, setback
from findable.store.statements import Statements, columns
from findable.urls import subject_key


class SetbackKey(NamedTuple):
    """Page or site whose changes are stored."""

    account_id: int
    project_id: int
    url: str
    report_id: int | None
    """Report of the page; None for a site."""
    crawl_id: int | None
    """Crawl of the site; None for a page."""

    @property
    def is_site(self) -> int:
        """1 for a site, 0 for a page."""
        return int(self.crawl_id is not None)

    @property
    def subject(self) -> str:
        """Key of the page or start page, whatever the form of its URL."""
        return subject_key(self.url)


class SetbackRow(NamedTuple):
    """Recent changes of a page or site, with its report or crawl."""

    id: int
    project: str
    url: str
    is_site: int
    changes_json: str
    report: str | None
    """Public id of the report of a page."""
    crawl: str | None
    """Public id of the crawl of a site."""
    summary_json: str | None
    scored_pages: int
    """Number of pages of the project whose report has a score."""


class ChangeScope(NamedTuple):
    """Scope of a list of changes: an account, a project or a person."""

    account_id: int
    project_id: int | None = None
    """One project; None for all."""
    person_id: int | None = None
    """Person who sees only granted projects; None for all."""
    subscriber_id: int | None = None
    """Person who gets the alerts of the projects; None for all."""

    def conditions(self, account_id: Column[int], project_id: Column[int]) -> Iterator[ColumnElement[bool]]:
        """Yield the conditions of rows in the scope, by their columns with the ids of the account and of the project."""
        yield account_id == self.account_id if self.project_id is None else project_id == self.project_id
        if self.person_id is not None:
            yield project_id.in_(granted_to(literal(self.person_id)))
        if self.subscriber_id is not None:
            yield project_id.in_(subscribed_by(self.subscriber_id))


_ROW = (
    select(
        *columns(
            SetbackRow,
            setback,
            project=project.c.name,
            changes_json=setback.c.findings,
            report=report.c.public_id,
            crawl=crawl.c.public_id,
            summary_json=report.c.summary,
            scored_pages=project.c.scored_pages,
        )
    )
    .select_from(
        setback.join(project, project.c.id == setback.c.project_id)
        .outerjoin(report, report.c.id == setback.c.report_id)
        .outerjoin(crawl, crawl.c.id == setback.c.crawl_id)
    )
    .where(project.c.deleted_at.is_(None), crawl.c.deleted_at.is_(None))
)


class Setbacks(Statements):
    """SQL statements for recent changes, in one transaction."""

    def recent_changes(self, key: SetbackKey) -> str | None:
        """Return the recent changes of the page or site (JSON); None if there are none."""
        return self._connection.execute(select(setback.c.findings).where(*self._has_key(key))).scalar_one_or_none()

    def save(self, key: SetbackKey, at: int, better_at: int, changes_json: str) -> None:
        """Replace the stored recent changes of the page or site."""
        named = {**key._asdict(), "is_site": key.is_site, "subject": key.subject}
        values = {"at": at, "better_at": better_at, "findings": changes_json, **named}
        if self._connection.execute(update(setback).where(*self._has_key(key)).values(**values)).rowcount == 0:
            self._connection.execute(insert(setback).values(**values))

    def end(self, key: SetbackKey) -> None:
        """Delete the stored changes of the page or site."""
        self._connection.execute(delete(setback).where(*self._has_key(key)))

    def regressions(self, scope: ChangeScope, since: int, limit: int) -> list[SetbackRow]:
        """Return pages and sites with regressions since a time, newest first."""
        return self._since(setback.c.at, scope, since, limit)

    def fixes(self, scope: ChangeScope, since: int, limit: int) -> list[SetbackRow]:
        """Return pages and sites with findings fixed since a time, newest first."""
        return self._since(setback.c.better_at, scope, since, limit)

    def crawl_at(self, project_id: int, moment: int) -> str | None:
        """Return the public id of the last crawl of a project that ended at a time; None if there is none."""
        ended = crawl.c.project_id == project_id, crawl.c.finished_at == moment, crawl.c.deleted_at.is_(None)
        return self._connection.execute(select(crawl.c.public_id).where(*ended).order_by(crawl.c.id.desc()).limit(1)).scalar_one_or_none()

    def run_at(self, public_id: str, moment: int) -> int | None:
        """Return the number of the last run of a report that ended at a time; None if there is none."""
        of_report = run.join(report, report.c.id == run.c.report_id)
        chosen = select(run.c.number).select_from(of_report).where(report.c.public_id == public_id, run.c.finished_at == moment)
        return self._connection.execute(chosen.order_by(run.c.number.desc()).limit(1)).scalar_one_or_none()

    def delete_before(self, moment: int) -> None:
        """Delete the rows of pages and sites that have not changed since that time."""
        self._connection.execute(delete(setback).where(setback.c.at < moment, setback.c.better_at < moment))

    def _since(self, column: Column[int], scope: ChangeScope, since: int, limit: int) -> list[SetbackRow]:
        statement = _ROW.where(*scope.conditions(setback.c.account_id, setback.c.project_id), column >= since)
        return self._all(SetbackRow, statement.order_by(column.desc(), setback.c.id.desc()).limit(limit))

    def _has_key(self, key: SetbackKey) -> tuple[ColumnElement[bool], ...]:
        return setback.c.project_id == key.project_id, setback.c.is_site == key.is_site, setback.c.subject == key.subject
