"""SQL statements for markers: events shown in the charts of a project."""

from sqlalchemy import delete, insert, select

from findable.store import write_locks
from findable.store.schema.project_tables import marker, project
from findable.store.statements import Statements


class Markers(Statements):
    """SQL statements for markers, in one transaction."""

    def add(self, project_id: int, at: int, label: str) -> int:
        """Insert a marker; return its id."""
        write_locks.lock_account_of(self._connection, project.c.id, project_id)
        values = {"project_id": project_id, "at": at, "label": label}
        return int(self._connection.execute(insert(marker).returning(marker.c.id), values).scalar_one())

    def of_project(self, project_id: int, limit: int) -> list[tuple[int, int, str]]:
        """Return the newest markers as (id, time, label)."""
        statement = select(marker.c.id, marker.c.at, marker.c.label).where(marker.c.project_id == project_id)
        rows = self._connection.execute(statement.order_by(marker.c.at.desc(), marker.c.id.desc()).limit(limit))
        return [(int(number), int(at), str(label)) for number, at, label in rows]

    def delete_beyond(self, project_id: int, keep: int) -> None:
        """Delete all but the newest ``keep`` markers of a project."""
        newest = select(marker.c.id).where(marker.c.project_id == project_id).order_by(marker.c.at.desc(), marker.c.id.desc())
        self._connection.execute(delete(marker).where(marker.c.id.in_(newest.offset(keep))))
