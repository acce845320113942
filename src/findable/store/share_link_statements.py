"""SQL statements for the share link of a report, crawl or project, with note for the client and branding. Lists do not read them."""

from typing import Any, Literal, NamedTuple

from sqlalchemy import Select, Table, bindparam, select, update

from findable.store.inherited_look import LOOK
from findable.store.schema.account_tables import account
from findable.store.schema.project_tables import project
from findable.store.schema.report_tables import report
from findable.store.schema.site_tables import crawl
from findable.store.statements import SharedRows, Statements, columns


class LinkRow(NamedTuple):
    """Share link settings, note and branding of one report, crawl or project."""

    is_listed: int
    expires_at: int | None
    client_json: str | None
    brand_name: str | None
    brand_color: str | None
    brand_logo: bytes | None
    brand_reply_to: str | None
    rating_words: str | None
    language: str | None
    icon: bytes | None


def _one(shared: Table) -> Select[Any]:
    joined = project.join(account, account.c.id == project.c.account_id)
    if shared is not project:
        joined = joined.join(shared, shared.c.project_id == project.c.id)
    found = select(shared.c.is_listed, shared.c.link_expires_at, shared.c.client, *LOOK, project.c.icon).select_from(joined)
    return found.where(shared.c.id == bindparam("id"), project.c.deleted_at.is_(None))


_LINKS = {shared.name: _one(shared) for shared in (report, crawl, project)}


class SharedProject(NamedTuple):
    """Project with its share link."""

    id: int
    public_id: str
    account_id: int
    name: str
    privacy: int
    password_hash: str | None
    password_version: int

    @property
    def url(self) -> str:
        """Name of the project, which share links use in place of the URL of a report or crawl."""
        return self.name

    @property
    def project_id(self) -> int:
        """Id of the project, under the same name as in rows of reports and crawls."""
        return self.id


class SharedProjects(SharedRows[SharedProject]):
    """SQL statements for projects as objects with a link, in one transaction."""

    row_type, table, rows = SharedProject, project, select(*columns(SharedProject, project)).where(project.c.deleted_at.is_(None))

    def change(self, number: int, now: int, **values: Any) -> None:
        """Set columns of the project."""
        self._connection.execute(update(project).where(project.c.id == number).values(**values))


class LinkRows(Statements):
    """SQL statements for links, in one transaction."""

    def of(self, shared: Literal["report", "crawl", "project"], number: int) -> LinkRow | None:
        """Return the share link settings of a report, crawl or project; None if it or its project is deleted."""
        return self._first(LinkRow, _LINKS[shared], {"id": number})
