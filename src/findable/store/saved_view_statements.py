"""SQL statements for saved views: named queries of lists."""

from typing import NamedTuple

from sqlalchemy import select

from findable.store import write_locks
from findable.store.schema.account_tables import saved_view
from findable.store.schema.project_tables import project
from findable.store.statements import TableRows, columns


class SavedViewRow(NamedTuple):
    """Saved view of an account."""

    id: int
    list: str
    name: str
    query: str
    created_at: int
    most: int | None
    project: str | None
    """Name of the project whose crawls are asked; None for views of other lists."""


_VIEWS = (
    select(*columns(SavedViewRow, saved_view, project=project.c.name))
    .select_from(saved_view.outerjoin(project, project.c.id == saved_view.c.project_id))
    .order_by(saved_view.c.list, saved_view.c.name)
)


class SavedViews(TableRows):
    """SQL statements for saved views, in one transaction."""

    table = saved_view

    def of_account(self, account_id: int) -> list[SavedViewRow]:
        """Return the saved views of an account, sorted by list and name."""
        write_locks.lock_account(self._connection, account_id)
        return self._all(SavedViewRow, _VIEWS.where(saved_view.c.account_id == account_id, project.c.deleted_at.is_(None)))

    def watched(self, project_id: int) -> list[SavedViewRow]:
        """Return the views whose questions are asked after each crawl of a project."""
        return self._all(SavedViewRow, _VIEWS.where(saved_view.c.project_id == project_id, saved_view.c.most.is_not(None)))
