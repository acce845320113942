"""Setbacks: one row per page or site, from its first loss until that is made good."""

from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, bindparam, delete, insert, literal, select, update

from findable.store.project_roles import granted_to
from findable.store.rows import NEVER
from findable.store.schema import crawl, project, report, setback

_KNOWN = select(setback.c.at, setback.c.score_before, setback.c.findings).where(
    setback.c.project_id == bindparam("project"), setback.c.is_site == bindparam("site"), setback.c.url == bindparam("url")
)
_LISTED = (
    select(
        project.c.name,
        setback.c.url,
        setback.c.is_site,
        setback.c.at,
        setback.c.score_before,
        setback.c.score,
        setback.c.findings,
        report.c.public_id,
        crawl.c.public_id,
        report.c.summary,
    )
    .select_from(
        setback.join(project, project.c.id == setback.c.project_id)
        .outerjoin(report, report.c.id == setback.c.report_id)
        .outerjoin(crawl, crawl.c.id == setback.c.crawl_id)
    )
    .where(
        setback.c.account_id == bindparam("account"),
        setback.c.at >= bindparam("since"),
        setback.c.at <= bindparam("until"),
        project.c.deleted_at.is_(None),
        crawl.c.deleted_at.is_(None),
    )
    .order_by((setback.c.score - setback.c.score_before), setback.c.at.desc(), setback.c.id.desc())
    .limit(bindparam("limit"))
)


class SetbackKey(NamedTuple):
    """Page or site of an account."""

    account_id: int
    project_id: int
    url: str
    report_id: int | None
    """Report of the page; None for a site."""
    crawl_id: int | None
    """Crawl of the site; None for a page."""

    @property
    def is_site(self) -> int:
        """Whether it is a site, as it is stored."""
        return int(self.crawl_id is not None)


class KnownSetback(NamedTuple):
    """Loss of a page or site so far."""

    at: int
    score_before: int
    findings_json: str


class SetbackRow(NamedTuple):
    """Setback with the link of its report."""

    project: str
    url: str
    is_site: int
    at: int
    score_before: int
    score: int
    findings_json: str
    report: str | None
    """Public id of the report of a page."""
    crawl: str | None
    """Public id of the crawl of a site."""
    summary_json: str | None


class Setbacks:
    """Statements about what got worse, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def known(self, key: SetbackKey) -> KnownSetback | None:
        """Return what the page or site has lost; None if nothing."""
        row = self._connection.execute(_KNOWN, self._place(key)).first()
        return KnownSetback._make(row) if row else None

    def keep(self, key: SetbackKey, at: int, score_before: int, score: int, findings_json: str) -> None:
        """Store what the page or site has lost, in place of what was known."""
        values = {"at": at, "score_before": score_before, "score": score, "findings": findings_json}
        own = {**key._asdict(), "is_site": key.is_site}
        if self._connection.execute(update(setback).where(*self._here(key)).values(**values, **own)).rowcount == 0:
            self._connection.execute(insert(setback).values(**values, **own))

    def end(self, key: SetbackKey) -> None:
        """Delete what is made good."""
        self._connection.execute(delete(setback).where(*self._here(key)))

    def since(self, account_id: int, moment: int, limit: int, person_id: int | None = None, *, until: int = NEVER) -> list[SetbackRow]:
        """Return what got worse since then, what fell most first; with a person only in projects that are granted to them."""
        listed = _LISTED if person_id is None else _LISTED.where(setback.c.project_id.in_(granted_to(literal(person_id))))
        rows = self._connection.execute(listed, {"account": account_id, "since": moment, "until": until, "limit": limit})
        return [SetbackRow._make(row) for row in rows]

    def forget_before(self, moment: int) -> None:
        """Delete what got worse before that moment."""
        self._connection.execute(delete(setback).where(setback.c.at < moment))

    def _place(self, key: SetbackKey) -> dict[str, object]:
        return {"project": key.project_id, "site": key.is_site, "url": key.url}

    def _here(self, key: SetbackKey) -> tuple[ColumnElement[bool], ...]:
        return setback.c.project_id == key.project_id, setback.c.is_site == key.is_site, setback.c.url == key.url
