"""A report's link, the owner's note for the client and the project's branding: read for one report, never in lists."""

from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, select

from findable.store.schema import project, report

_ONE = (
    select(
        report.c.listed,
        report.c.link_expires_at,
        report.c.client,
        project.c.brand_name,
        project.c.brand_color,
        project.c.brand_logo,
        project.c.language,
    )
    .select_from(report.join(project, project.c.id == report.c.project_id))
    .where(report.c.id == bindparam("id"), project.c.deleted_at.is_(None))
)


class LinkRow(NamedTuple):
    """Link settings of one report."""

    listed: int
    expires_at: int | None
    client_json: str | None
    brand_name: str | None
    brand_color: str | None
    brand_logo: bytes | None
    language: str | None


class LinkRows:
    """Statements about links, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def of(self, report_id: int) -> LinkRow | None:
        """Return the link settings; None if the report or its project is deleted."""
        row: Any = self._connection.execute(_ONE, {"id": report_id}).first()
        return LinkRow._make(row) if row else None
