"""SQL statements for metrics by URL that were uploaded for projects: one row per source."""

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

import msgspec
from sqlalchemy import delete, insert, select

from findable.formats.number_tables import NumberTable
from findable.store.packed_values import pack_page, unpack
from findable.store.schema.project_tables import url_data
from findable.store.statements import Statements, columns


class UrlDataRow(NamedTuple):
    """Upload of metrics from one source, without the metrics."""

    source: str
    day: str
    columns_json: str
    rows: int
    skipped: int
    uploaded_at: int
    data_hash: bytes | None


class UrlDataRows(Statements):
    """SQL statements for uploaded metrics, in one transaction."""

    def of_project(self, project_id: int) -> list[UrlDataRow]:
        """Return the uploads of a project, newest first."""
        found = select(*columns(UrlDataRow, url_data)).where(url_data.c.project_id == project_id)
        return self._all(UrlDataRow, found.order_by(url_data.c.uploaded_at.desc(), url_data.c.source))

    def tables(self, project_id: int, sources: Sequence[str]) -> list[NumberTable]:
        """Return the metrics of these sources."""
        of_project = select(url_data.c.data).where(url_data.c.project_id == project_id)
        found = (self._connection.execute(of_project.where(url_data.c.source == source)).scalar() for source in sources)
        return [msgspec.msgpack.decode(unpack(data), type=NumberTable) for data in found if data is not None]

    def save(self, project_id: int, source: str, day: str, table: NumberTable, data: bytes, now: int) -> None:
        """Store the metrics of a source, replacing earlier ones; ``data`` is the result of `packed_table`."""
        self.remove(project_id, source)
        values = {
            "project_id": project_id,
            "source": source,
            "day": day,
            "columns": msgspec.json.encode(table.columns).decode(),
            "rows": len(table.rows),
            "skipped": table.skipped_count,
            "uploaded_at": now,
            "data": data,
            "data_hash": sha256(data).digest(),
        }
        self._connection.execute(insert(url_data).values(**values))

    def remove(self, project_id: int, source: str) -> bool:
        """Delete the metrics of a source; return whether there were any."""
        here = (url_data.c.project_id == project_id, url_data.c.source == source)
        return self._connection.execute(delete(url_data).where(*here)).rowcount > 0


def packed_table(table: NumberTable) -> bytes:
    """Return a table of metrics as compressed bytes."""
    return pack_page(msgspec.msgpack.encode(table))
