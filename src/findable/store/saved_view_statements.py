"""SQL statements for saved views: named queries of lists."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import delete, insert, select

from findable.store import write_locks
from findable.store.schema.account_tables import saved_view
from findable.store.schema.project_tables import project
from findable.store.statements import Statements, columns


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


class SavedViews(Statements):
    """SQL statements for saved views, in one transaction."""

    def of_account(self, account_id: int, *, for_update: bool = False) -> list[SavedViewRow]:
        """Return the saved views of an account, sorted by list and name; ``for_update`` locks the list against concurrent additions."""
        if for_update:
            write_locks.lock_account(self._connection, account_id)
        return self._all(SavedViewRow, _VIEWS.where(saved_view.c.account_id == account_id, project.c.deleted_at.is_(None)))

    def watched(self, project_id: int) -> list[SavedViewRow]:
        """Return the views whose questions are asked after each crawl of a project."""
        return self._all(SavedViewRow, _VIEWS.where(saved_view.c.project_id == project_id, saved_view.c.most.is_not(None)))

    def add(self, account_id: int, values: Mapping[str, Any]) -> int:
        """Insert a saved view and return its id."""
        values = {"account_id": account_id, **values}
        return int(self._connection.execute(insert(saved_view).returning(saved_view.c.id), values).scalar_one())

    def remove(self, account_id: int, view_id: int) -> None:
        """Delete a saved view of the account."""
        self._connection.execute(delete(saved_view).where(saved_view.c.account_id == account_id, saved_view.c.id == view_id))
