"""SQL statements for alerts, and for facts with which runs of watched pages and sites are compared."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import and_, delete, func, literal, or_, select, update

from findable.store import dialect, write_locks
from findable.store.project_roles import granted_to, subscribed_by
from findable.store.rows import NEVER
from findable.store.schema.project_tables import project
from findable.store.schema.report_tables import report
from findable.store.schema.site_tables import alert, alert_subject, crawl, page_watch, schedule, site_watch, unchanged_run
from findable.store.setback_statements import ChangeScope
from findable.store.statements import TableRows, columns
from findable.urls import project_words

SITE_SUBJECT = 0
"""Value of ``subject_id`` for an alert about a whole site."""


class AlertRow(NamedTuple):
    """Alert with the name of its project; ``project`` is empty for alerts about the service's network."""

    id: int
    account_id: int
    project_id: int | None
    rule: str
    cause: str
    phase: str
    state_json: str
    details_json: str
    created_at: int
    opened_at: int | None
    closed_at: int | None
    next_at: int | None
    pages_count: int
    examples_json: str
    is_over: int
    project: str
    project_title: str
    """Display name of the project; empty if none was set."""

    @property
    def project_words(self) -> str:
        """Name of the project for readers; empty for alerts about the service's network."""
        return project_words(self.project, self.project_title)


class SubjectRow(NamedTuple):
    """Page or site that an alert is about."""

    alert_id: int
    subject_id: int
    phase: str
    runs: int


_ROW = select(
    *columns(AlertRow, alert, project=func.coalesce(project.c.name, ""), project_title=func.coalesce(project.c.title, ""))
).select_from(alert.outerjoin(project, project.c.id == alert.c.project_id))
_ALIVE = or_(alert.c.project_id.is_(None), project.c.deleted_at.is_(None))
_IS_UP = alert.c.phase.in_(("open", "acknowledged", "recovering"))


class Alerts(TableRows):
    """SQL statements for alerts and watched pages, in one transaction."""

    table = alert

    def is_watched(self, project_id: int) -> bool:
        """Return whether a project has a schedule."""
        return self._has(select(schedule.c.id).where(schedule.c.project_id == project_id))

    def page_facts(self, report_id: int) -> str | None:
        """Return the facts for comparison with the next run of the page (JSON)."""
        return self._connection.execute(select(page_watch.c.facts).where(page_watch.c.report_id == report_id)).scalar_one_or_none()

    def save_page(self, report_id: int, values: Mapping[str, Any]) -> None:
        """Store the facts for comparison with later runs of the page."""
        self._upsert(page_watch, {"report_id": report_id}, values)

    def save_page_run(self, report_id: int, fingerprint: bytes | None, at: int) -> None:
        """Record a full run of the page."""
        self._change_page(report_id, fingerprint=fingerprint, full_at=at)

    def _change_page(self, report_id: int, **values: Any) -> None:
        self._connection.execute(update(page_watch).where(page_watch.c.report_id == report_id).values(**values))

    def fingerprint(self, report_id: int, since: int) -> bytes | None:
        """Return the fingerprint of the last full run of the page.

        Returns None if that run was before ``since``, or an alert about the page is open.
        """
        is_quiet = ~select(alert_subject.c.alert_id).where(alert_subject.c.subject_id == report_id).exists()
        statement = select(page_watch.c.fingerprint).where(page_watch.c.report_id == report_id, page_watch.c.full_at >= since, is_quiet)
        return self._connection.execute(statement).scalar_one_or_none()

    def top_urls(self, project_id: int) -> str | None:
        """Return the URLs of a project that always get a full run (JSON)."""
        return self._connection.execute(select(project.c.top_urls).where(project.c.id == project_id)).scalar_one_or_none()

    def add_unchanged(self, report_id: int, at: int) -> None:
        """Record a run of a page that has not changed."""
        dialect.insert_missing(self._connection, unchanged_run, {"report_id": report_id, "at": at})
        self._change_page(report_id, seen_at=at, is_reached=1, again_at=None)

    def unchanged_run_times(self, report_id: int, limit: int) -> list[int]:
        """Return the times of the newest runs that found the page unchanged."""
        statement = select(unchanged_run.c.at).where(unchanged_run.c.report_id == report_id).order_by(unchanged_run.c.at.desc())
        return list(self._connection.execute(statement.limit(limit)).scalars())

    def scheduled_url(self, project_id: int) -> str | None:
        """Return the start URL of the project's first crawl schedule; None if it has none."""
        statement = select(crawl.c.url).join(schedule, schedule.c.last_crawl == crawl.c.id).where(schedule.c.project_id == project_id)
        return self._connection.execute(statement.order_by(schedule.c.id).limit(1)).scalar_one_or_none()

    def site(self, project_id: int) -> tuple[str | None, int | None, str | None]:
        """Return the facts for comparison with the next run of the site: files (JSON), crawl, and facts of the crawl (JSON)."""
        row = self._connection.execute(
            select(site_watch.c.facts, site_watch.c.crawl_id, site_watch.c.crawl).where(site_watch.c.project_id == project_id)
        ).first()
        return (row[0], row[1], row[2]) if row else (None, None, None)

    def save_site(self, project_id: int, values: Mapping[str, Any]) -> None:
        """Store the facts for comparison with later runs of the site."""
        self._upsert(site_watch, {"project_id": project_id}, values)

    def forget_base(self, project_id: int) -> None:
        """Delete what later runs and crawls of a project are compared with."""
        self._connection.execute(delete(page_watch).where(page_watch.c.project_id == project_id))
        self._connection.execute(delete(site_watch).where(site_watch.c.project_id == project_id))

    def subject(self, project_id: int, rule: str, subject_id: int, cause: str | None = None) -> list[SubjectRow]:
        """Return the rows of a subject in the alerts of a rule, of all causes without one."""
        joined = select(*columns(SubjectRow, alert_subject)).join(alert, alert.c.id == alert_subject.c.alert_id)
        found = joined.where(alert_subject.c.subject_id == subject_id, alert.c.project_id == project_id, alert.c.rule == rule)
        return self._all(SubjectRow, found if cause is None else found.where(alert.c.cause == cause))

    def rules_of_subject(self, project_id: int, subject_id: int) -> list[tuple[str, str]]:
        """Return (rule, phase) of the subject in each alert of the project."""
        statement = (
            select(alert.c.rule, alert_subject.c.phase)
            .join(alert, alert.c.id == alert_subject.c.alert_id)
            .where(alert_subject.c.subject_id == subject_id, alert.c.project_id == project_id)
        )
        return [(str(rule), str(phase)) for rule, phase in self._connection.execute(statement)]

    def save_subject(self, row: SubjectRow | None, alert_id: int, subject_id: int) -> None:
        """Store a subject; None removes it."""
        own = and_(alert_subject.c.alert_id == alert_id, alert_subject.c.subject_id == subject_id)
        if row is None:
            self._connection.execute(delete(alert_subject).where(own))
            return
        key = {"alert_id": row.alert_id, "subject_id": row.subject_id}
        self._upsert(alert_subject, key, {"phase": row.phase, "runs": row.runs})

    def phases(self, alert_id: int) -> dict[str, int]:
        """Count the subjects of an alert by phase."""
        statement = select(alert_subject.c.phase, func.count()).where(alert_subject.c.alert_id == alert_id).group_by(alert_subject.c.phase)
        return {str(phase): int(count) for phase, count in self._connection.execute(statement)}

    def remove_subjects(self, alert_id: int) -> None:
        """Remove all subjects of an alert."""
        self._connection.execute(delete(alert_subject).where(alert_subject.c.alert_id == alert_id))

    def remove_page(self, project_id: int, report_id: int) -> list[int]:
        """Remove a page from the alerts of its project; return the alerts that contained it."""
        of_project = select(alert.c.id).where(alert.c.project_id == project_id)
        own = and_(alert_subject.c.subject_id == report_id, alert_subject.c.alert_id.in_(of_project))
        return list(self._connection.execute(delete(alert_subject).where(own).returning(alert_subject.c.alert_id)).scalars())

    def only_page(self, alert_id: int) -> int | None:
        """Return the report of the page that an alert is about; None if it is about several pages or a site."""
        found = select(alert_subject.c.subject_id).where(alert_subject.c.alert_id == alert_id, alert_subject.c.subject_id > 0).limit(2)
        reports = list(self._connection.execute(found).scalars())
        return reports[0] if len(reports) == 1 else None

    def open_urls(self, alert_id: int, limit: int) -> list[str]:
        """Return the URLs of some open pages of an alert."""
        statement = (
            select(report.c.url)
            .join(alert_subject, alert_subject.c.subject_id == report.c.id)
            .where(alert_subject.c.alert_id == alert_id, alert_subject.c.phase == "open")
            .order_by(report.c.id)
        )
        return list(self._connection.execute(statement.limit(limit)).scalars())

    def first_url(self, project_id: int) -> str | None:
        """Return the URL of the oldest report of a project."""
        statement = select(report.c.url).where(report.c.project_id == project_id).order_by(report.c.id).limit(1)
        return self._connection.execute(statement).scalar_one_or_none()

    def newest(self, account_id: int, project_id: int | None, rule: str, cause: str) -> AlertRow | None:
        """Return the newest alert of a rule and cause, open or closed; None if there is none."""
        write_locks.lock_account(self._connection, account_id)
        of_key = alert.c.account_id == account_id, alert.c.rule == rule, alert.c.cause == cause
        of_project = func.coalesce(alert.c.project_id, 0) == (project_id or 0)
        return self._first(AlertRow, _ROW.where(*of_key, of_project).order_by(alert.c.id.desc()).limit(1))

    def by_id(self, alert_id: int) -> AlertRow | None:
        """Return the alert of any account, and lock its account; None if it or its project is deleted."""
        row = self._connection.execute(_ROW.where(alert.c.id == alert_id, _ALIVE)).first()
        if row is None:
            return None
        write_locks.lock_account(self._connection, row.account_id)
        return self._first(AlertRow, _ROW.where(alert.c.id == alert_id, _ALIVE))

    def due(self, now: int, limit: int) -> list[int]:
        """Return the ids of alerts that may need a notification."""
        found = select(alert.c.id).where(alert.c.next_at <= now).order_by(alert.c.next_at, alert.c.id)
        return list(self._connection.execute(found.limit(limit)).scalars())

    def due_pages(self, now: int, limit: int) -> list[int]:
        """Return the ids of reports whose page is due for another run."""
        found = select(page_watch.c.report_id).where(page_watch.c.again_at <= now).order_by(page_watch.c.again_at, page_watch.c.report_id)
        return list(self._connection.execute(found.limit(limit)).scalars())

    def record_repeat(self, report_id: int) -> None:
        """Record that the repeated run of the page was started."""
        self._change_page(report_id, again_at=None)

    def schedule_page_run(self, report_id: int, at: int) -> None:
        """Schedule another run of a page."""
        self._change_page(report_id, again_at=at)

    def schedule_open_pages(self, alert_id: int, at: int) -> None:
        """Schedule another run of the open pages of an alert."""
        of_alert = select(alert_subject.c.subject_id).where(alert_subject.c.alert_id == alert_id, alert_subject.c.phase == "open")
        self._connection.execute(update(page_watch).where(page_watch.c.report_id.in_(of_alert)).values(again_at=at))

    def is_certificate_rejected(self, project_id: int) -> bool:
        """Return whether the last run of a page of the project found a certificate that browsers reject."""
        rejected = page_watch.c.facts.contains('"certificate_error":')
        return self._has(select(page_watch.c.report_id).where(page_watch.c.project_id == project_id, rejected))

    def watched_pages(self, account_id: int, project_id: int) -> int:
        """Count the watched pages of a project."""
        mine = page_watch.c.account_id == account_id, page_watch.c.project_id == project_id
        return int(self._connection.execute(select(func.count()).where(*mine)).scalar_one())

    def project_counts(self, account_id: int, since: int) -> tuple[int, int]:
        """Return the number of projects with runs since that time, and the number of these without a reachable page."""
        checked = select(func.max(page_watch.c.is_reached)).where(page_watch.c.account_id == account_id, page_watch.c.seen_at >= since)
        found = list(self._connection.execute(checked.group_by(page_watch.c.project_id)).scalars())
        return len(found), found.count(0)

    def select(self, scope: ChangeScope, limit: int, *, is_open: bool | None = None, before: int = NEVER) -> list[AlertRow]:
        """Return opened alerts with smaller ids than ``before``, newest first. A subscriber also gets those of the whole account."""
        statement = _ROW.where(alert.c.account_id == scope.account_id, alert.c.id < before, alert.c.opened_at.is_not(None), _ALIVE)
        if scope.person_id is not None:
            statement = statement.where(alert.c.project_id.in_(granted_to(literal(scope.person_id))))
        if scope.subscriber_id is not None:
            statement = statement.where(or_(alert.c.project_id.is_(None), alert.c.project_id.in_(subscribed_by(scope.subscriber_id))))
        if scope.project_id is not None:
            statement = statement.where(alert.c.project_id == scope.project_id)
        if is_open is not None:
            statement = statement.where(_IS_UP if is_open else ~_IS_UP)
        return self._all(AlertRow, statement.order_by(alert.c.id.desc()).limit(limit))

    def all_open(self, limit: int) -> list[AlertRow]:
        """Return open alerts of all accounts, newest first."""
        statement = _ROW.where(_IS_UP, alert.c.opened_at.is_not(None), _ALIVE)
        return self._all(AlertRow, statement.order_by(alert.c.id.desc()).limit(limit))

    def live(self, after: int, limit: int) -> list[AlertRow]:
        """Return alerts of all accounts that are not over, with larger ids than ``after``, in order."""
        return self._all(AlertRow, _ROW.where(alert.c.is_over == 0, alert.c.id > after).order_by(alert.c.id).limit(limit))

    def open_of_project(self, project_id: int) -> Sequence[AlertRow]:
        """Return the alerts of a project that are open."""
        return self._all(AlertRow, _ROW.where(alert.c.project_id == project_id, alert.c.is_over == 0))

    def open_of_account(self, account_id: int, rule: str) -> Sequence[AlertRow]:
        """Return the open alerts of a rule in all projects of an account."""
        return self._all(AlertRow, _ROW.where(alert.c.account_id == account_id, alert.c.rule == rule, alert.c.is_over == 0))
