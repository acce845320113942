"""SQL queries for lists of changes: counts of recent crawls, and certificates of watched sites."""

from typing import NamedTuple

from sqlalchemy import ColumnElement, or_, select

from findable.store.project_scores import IS_NOT_FOR_SEARCH
from findable.store.schema.project_tables import project
from findable.store.schema.site_tables import crawl, page_watch, schedule
from findable.store.setback_statements import ChangeScope
from findable.store.statements import Statements

NEWEST_CRAWLS = 200
"""Number of newest crawls that are read."""


class CrawlCountsRow(NamedTuple):
    """Finished crawl with its counts (JSON)."""

    project: str
    public_id: str
    finished_at: int
    counts_json: str


class CertificateRow(NamedTuple):
    """Facts (JSON) of the last checked page of a watched site."""

    project: str
    facts_json: str


class ChangeQueries(Statements):
    """SQL queries for lists of changes, in one transaction."""

    def crawls(self, scope: ChangeScope, since: int) -> list[CrawlCountsRow]:
        """Return the latest crawls that ended since a time, newest first, but those of sites that are not meant for search."""
        own = scope._replace(person_id=None).conditions(crawl.c.account_id, crawl.c.project_id)
        newest = select(crawl.c.id).where(*own, crawl.c.deleted_at.is_(None)).order_by(crawl.c.id.desc()).limit(NEWEST_CRAWLS).subquery()
        is_for_search = or_(project.c.not_for_search.is_(None), ~IS_NOT_FOR_SEARCH)
        statement = (
            select(project.c.name, crawl.c.public_id, crawl.c.finished_at, crawl.c.counts)
            .join(newest, newest.c.id == crawl.c.id)
            .join(project, project.c.id == crawl.c.project_id)
            .where(crawl.c.finished_at >= since, crawl.c.counts.is_not(None), is_for_search, *_alive(scope))
            .order_by(crawl.c.id.desc())
        )
        return self._all(CrawlCountsRow, statement)

    def certificates(self, scope: ChangeScope, limit: int) -> list[CertificateRow]:
        """Return the facts of one page of each watched site in the scope."""
        newest = (
            select(page_watch.c.facts)
            .where(page_watch.c.account_id == scope.account_id, page_watch.c.project_id == project.c.id, page_watch.c.facts.is_not(None))
            .order_by(page_watch.c.seen_at.desc())
            .limit(1)
            .correlate(project)
            .scalar_subquery()
        )
        watched = select(schedule.c.id).where(schedule.c.project_id == project.c.id).exists()
        statement = select(project.c.name, newest).where(watched, *_alive(scope)).order_by(project.c.id).limit(limit)
        return [CertificateRow(name, facts) for name, facts in self._connection.execute(statement) if facts]


def _alive(scope: ChangeScope) -> tuple[ColumnElement[bool], ...]:
    return project.c.deleted_at.is_(None), *scope.conditions(project.c.account_id, project.c.id)
