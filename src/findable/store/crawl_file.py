"""Store of a crawl in one SQLite file."""

import sqlite3
from pathlib import Path

from sqlalchemy import Connection, Engine, event, inspect, select
from sqlalchemy.exc import DBAPIError

from findable.store import dialect
from findable.store.crawl_schema import FORMAT, METADATA, STATE
from findable.store.crawl_store import CrawlStore, CrawlStoreDamaged, CrawlStoreError
from findable.store.database_errors import is_damage
from findable.store.sqlite_engine import sqlite_engine

_PRAGMAS = ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=NORMAL", "PRAGMA cache_size=-32000", "PRAGMA busy_timeout=5000")
BESIDE = ("", "-wal", "-shm")
"""Suffixes of the files that belong to a database file."""


class CrawlFile(CrawlStore):
    """Store of one crawl in a file.

    Args:
        path: path of the file; created if missing. Raises CrawlStoreError if it is not a crawl file.
        holder: see `CrawlStore`.
        read_only: refuse a missing file, and every change.
    """

    def __init__(self, path: Path, *, holder: int | None = None, read_only: bool = False) -> None:
        self.path = path
        if read_only and not path.exists():
            raise CrawlStoreError(f"{path} is missing")
        super().__init__(_engine(path, read_only=read_only), str(path), holder)
        try:
            if read_only:
                with self.engine.connect() as connection:
                    require_format(connection, self.name)
            else:
                make_tables(self.engine, self.name)
        except (DBAPIError, sqlite3.DatabaseError) as error:
            self.close()
            kind = CrawlStoreDamaged if is_damage(error) else CrawlStoreError
            raise kind(f"{path} is not a crawl file: {getattr(error, 'orig', error)}") from error

    @property
    def stem(self) -> str:
        """Name of the crawl in its tables: that of the file without the ending."""
        return self.path.name.removesuffix(".sqlite").removesuffix(".crawl")

    def damage(self) -> str:
        """See `CrawlStore.damage`. All pages of the file are checked."""
        with self.reading() as connection:
            found = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one())
        return "" if found == "ok" else found

    def close(self) -> None:
        """See `CrawlStore.close`."""
        self.engine.dispose()


def make_tables(engine: Engine, name: str, schema: str | None = None) -> None:
    """Create missing tables of a crawl; ``schema``: their schema on PostgreSQL. Raises CrawlStoreError if another version created them."""
    with engine.begin() as connection:
        present = inspect(connection).get_table_names(schema)
        if not present:
            if schema is not None:
                connection.exec_driver_sql(f"SET LOCAL search_path TO {schema}")
            dialect.create_tables(connection, METADATA)
        elif not METADATA.tables.keys() <= set(present):
            METADATA.create_all(connection)
        require_format(connection, name)


def require_format(connection: Connection, name: str) -> None:
    """Raise CrawlStoreError if an incompatible version of Findable created the tables of a crawl."""
    if connection.execute(select(STATE.c.format)).scalar() not in (None, FORMAT):
        raise CrawlStoreError(f"{name} was written by another version of Findable")


def _engine(path: Path, *, read_only: bool) -> Engine:
    engine = sqlite_engine(f"sqlite:///{path}", connect_args={"check_same_thread": False})

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        for pragma in (*_PRAGMAS, *(("PRAGMA query_only=ON",) if read_only else ())):
            connection.execute(pragma)

    return engine
