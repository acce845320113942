"""Copy a SQLite database into an empty PostgreSQL one: table by table in the order of keys, one transaction per batch of rows.

If killed, it continues after the last complete batch, as the rows of the target show. Until everything is copied and compared, a table in
the target (`schema_versions.UNFINISHED_COPY`) prevents services from starting.
"""

import contextlib
import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, Table, func, inspect, select, text
from sqlalchemy.exc import DBAPIError

from findable.errors import SettingError
from findable.store.database_errors import StoreDamaged
from findable.store.postgres import STATEMENT_S, open_connection, require_supported_server
from findable.store.schema.all_tables import metadata
from findable.store.schema_versions import HEAD, UNFINISHED_COPY, create_tables, version_of
from findable.store.search_index import make_search_index
from findable.store.sqlite import SqliteStore
from findable.store.write_locks import MIGRATIONS

BATCH_ROWS = 2000
BATCH_BYTES = 8 * 1024 * 1024
_COPYING = MIGRATIONS + 1
_DIGEST_BYTES = 16
OnProgress = Callable[[str, int, int], None]
"""Called with (table, rows copied, total rows)."""


class CopiedTable(Struct, frozen=True):
    """Table that is identical in source and target."""

    table: str
    rows: int
    checksum: str
    """Hexadecimal sum of the digests of all rows, independent of their order."""


def copy(source: Path, url: str, on_progress: OnProgress = lambda _table, _done, _all: None) -> list[CopiedTable]:
    """Copy everything, compare it, and make the target ready. The source is migrated to the newest schema and otherwise unchanged.

    Raises SettingError or DatabaseUnusable with the path of the source if that is missing or in use; StoreDamaged if the target is not
    empty, is in use or differs after the copy.
    """
    if not source.is_file():
        raise SettingError(str(source), "there is no such database")
    try:
        store = SqliteStore(source, exclusive=True)
    except StoreDamaged as error:
        raise error.as_setting_error(str(source)) from error
    try:
        with open_connection(url) as target, store.snapshot() as rows, _exclusively(target):
            _prepare(target)
            for table in metadata.sorted_tables:
                _copy_table(rows, target, table, on_progress)
            copied = [_compare_table(rows, target, table) for table in metadata.sorted_tables]
            _finish(rows, target)
    finally:
        store.close()
    return copied


@contextlib.contextmanager
def _exclusively(target: Connection) -> Iterator[None]:
    """Lock the target against other copies, and lift its limit on the duration of statements."""
    with target.begin():
        require_supported_server(target)
        target.exec_driver_sql("SET statement_timeout = 0")
        if not target.exec_driver_sql(f"SELECT pg_try_advisory_lock({_COPYING})").scalar_one():
            raise StoreDamaged("another `findable db copy` or `findable restore` is writing to this database")
    try:
        yield
    finally:
        with contextlib.suppress(DBAPIError), target.begin():  # a lost connection releases the lock
            target.exec_driver_sql(f"SELECT pg_advisory_unlock({_COPYING})")
            target.exec_driver_sql(f"SET statement_timeout = '{STATEMENT_S}s'")


def _prepare(target: Connection) -> None:
    """Create tables and mark them as incomplete. Raises StoreDamaged if the target is neither empty nor an unfinished copy."""
    with target.begin():
        names = set(inspect(target).get_table_names())
        if not names:
            create_tables(target)
        elif "alembic_version" not in names:
            raise StoreDamaged("the database has tables that do not belong to Findable")
        elif version_of(target) != HEAD:
            raise StoreDamaged("the copy was started by another version of Findable: empty the database and start again")
        elif UNFINISHED_COPY not in names and any(_count(target, table) for table in metadata.sorted_tables):
            raise StoreDamaged("the database already contains data: use an empty one")
        if UNFINISHED_COPY not in names:
            target.exec_driver_sql(f"CREATE TABLE {UNFINISHED_COPY} (since timestamptz NOT NULL DEFAULT now())")


def _copy_table(source: Connection, target: Connection, table: Table, on_progress: OnProgress) -> None:
    with target.begin():
        done = _count(target, table)
    rows_count = _count(source, table)
    on_progress(table.name, done, rows_count)
    for batch in each_batch(source, select(table).order_by(*table.primary_key).offset(done)):
        with target.begin():
            _write(target, table, batch)
        done += len(batch)
        on_progress(table.name, done, rows_count)


def _write(target: Connection, table: Table, rows: Sequence[Sequence[Any]]) -> None:
    from psycopg import Connection as Driver
    from psycopg import IntegrityError

    driver = target.connection.driver_connection
    if not isinstance(driver, Driver):
        raise TypeError
    columns = ", ".join(f'"{column.name}"' for column in table.columns)
    try:
        with driver.cursor() as cursor, cursor.copy(f'COPY "{table.name}" ({columns}) FROM STDIN'.encode()) as stream:
            for row in rows:
                stream.write_row(row)
    except IntegrityError as error:
        raise StoreDamaged(_difference_message(table)) from error


def each_batch(connection: Connection, statement: Any) -> Iterator[list[tuple[Any, ...]]]:
    """Yield batches of rows in insertion order, limited in number and size to fit into memory."""
    batch: list[tuple[Any, ...]] = []
    size_bytes = 0
    with connection.execute(statement, execution_options={"yield_per": BATCH_ROWS}) as result:
        for row in result:
            batch.append(tuple(value.replace("\0", "\ufffd") if isinstance(value, str) else value for value in row))
            size_bytes += sum(len(value) for value in row if isinstance(value, bytes | str))
            if len(batch) == BATCH_ROWS or size_bytes > BATCH_BYTES:
                yield batch
                batch, size_bytes = [], 0
    if batch:
        yield batch


def _compare_table(source: Connection, target: Connection, table: Table) -> CopiedTable:
    """Return a table that is identical in source and target. Raises StoreDamaged if it differs."""
    wanted = _copied_table(source, table)
    with target.begin():
        found = _copied_table(target, table)
    if wanted != found:
        raise StoreDamaged(_difference_message(table))
    return found


def _copied_table(connection: Connection, table: Table) -> CopiedTable:
    rows = total = 0
    for batch in each_batch(connection, select(table)):
        rows += len(batch)
        for row in batch:
            total += int.from_bytes(hashlib.blake2b(repr(row).encode(), digest_size=_DIGEST_BYTES).digest(), "big")
    return CopiedTable(table.name, rows, f"{total % (1 << 8 * _DIGEST_BYTES):032x}")


def _difference_message(table: Table) -> str:
    return f"table {table.name} differs from the source, which has changed since the copy was started. Empty the database and start again"


def _count(connection: Connection, table: Table) -> int:
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def _finish(source: Connection, target: Connection) -> None:
    """Set the sequences to the last id that the source has used, even by deleted rows, and remove the mark of an unfinished copy."""
    last_ids: dict[str, int] = dict(source.exec_driver_sql("SELECT name, seq FROM sqlite_sequence").all())
    with target.begin():
        for table in metadata.sorted_tables:
            sequence = id_sequence(target, table)
            if sequence is not None:
                highest = target.execute(select(func.max(table.c.id))).scalar_one()
                last = max(int(last_ids.get(table.name, 0)), int(highest or 0))
                if last:
                    target.execute(text("SELECT setval(CAST(:sequence AS regclass), :last)"), {"sequence": sequence, "last": last})
        make_search_index(target)
        target.exec_driver_sql(f"DROP TABLE {UNFINISHED_COPY}")
        target.exec_driver_sql("ANALYZE")


def id_sequence(connection: Connection, table: Table) -> str | None:
    """Return the sequence of PostgreSQL that counts the ids of a table; None if nothing counts them."""
    names = {"table": table.name, "column": next(iter(table.columns)).name}
    found: str | None = connection.execute(text("SELECT pg_get_serial_sequence(:table, :column)"), names).scalar_one()
    return found
