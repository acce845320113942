"""Locations of the stores of crawls: files in a folder beside a SQLite database, or schemas of a PostgreSQL database."""

import contextlib
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Protocol

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.schema import CreateSchema, DropSchema

from findable.store.crawl_file import BESIDE, CrawlFile, make_tables, require_format
from findable.store.crawl_schema import RESPONSE
from findable.store.crawl_store import CrawlStore, CrawlStoreDamaged, CrawlStoreError
from findable.store.database_errors import is_damage, translated_errors
from findable.store.open_store import is_postgresql

FOLDER = "crawls"
PREFIX = "crawl_"
LOCK_MS = 100
"""Time to wait for readers of a table that will be truncated; new readers are blocked meanwhile."""


class CrawlHome(Protocol):
    """Place of the stores of all crawls of a service.

    Every method blocks, is thread-safe, and raises Unavailable while the database is unreachable.
    """

    def make(self, crawl_id: int, holder: int) -> CrawlStore:
        """Open the store of a crawl for its worker, and create it if it is missing. Raises CrawlStoreError."""

    def open(self, crawl_id: int, *, writable: bool = False) -> CrawlStore:
        """Open the store of a crawl for reading, or for writing derived data. Raises CrawlStoreError if it is missing."""

    def damage(self, crawl_id: int) -> str:
        """Check a whole store; return the reason why it cannot be read, empty if it can be."""
        try:
            with closing(self.open(crawl_id)) as store:
                return store.damage()
        except CrawlStoreDamaged as error:
            return str(error)
        except CrawlStoreError:  # deleted meanwhile, or of another version
            return ""

    def delete(self, crawl_id: int) -> None:
        """Delete the store of a crawl, if there is one. Raises CrawlStoreError."""

    def delete_responses(self, crawl_id: int) -> bool:
        """Delete the stored responses of a crawl and free their disk space; return whether there were any. Raises CrawlStoreError."""

    def crawl_ids(self) -> list[int]:
        """Return the ids of crawls that have a store, in order."""

    def size_bytes(self, crawl_id: int) -> int:
        """Return the size of a store; 0 if there is none."""

    def free_bytes(self) -> int | None:
        """Return the free disk space for stores; None if it is unknown, because a server does not report it."""
        return None

    def problem(self) -> str:
        """Return the reason why no crawl can be stored; empty if storing is possible."""

    @property
    def place(self) -> str:
        """Folder of the stores, as text; empty if they are in the database."""
        return ""

    def close(self) -> None:
        """Close all connections."""
        return


class CrawlFolder(CrawlHome):
    """Folder with a file for each crawl.

    Args:
        folder: path of the folder; created with the first crawl.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, crawl_id: int) -> Path:
        """Return the path of a crawl's file."""
        return self.folder / f"{crawl_id}.sqlite"

    def make(self, crawl_id: int, holder: int) -> CrawlStore:
        """See `CrawlHome.make`."""
        path = self.path(crawl_id)
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError as error:
            raise CrawlStoreError(f"{path} cannot be opened for writing: {error.strerror}") from error
        store = CrawlFile(path, holder=holder)
        store.take_over()
        return store

    def open(self, crawl_id: int, *, writable: bool = False) -> CrawlStore:
        """See `CrawlHome.open`."""
        path = self.path(crawl_id)
        if writable and not path.exists():  # SQLite would create the missing file
            raise CrawlStoreError(f"{path} is missing")
        return CrawlFile(path, read_only=not writable)

    def delete(self, crawl_id: int) -> None:
        """See `CrawlHome.delete`."""
        path = self.path(crawl_id)
        try:
            for ending in BESIDE:
                path.with_name(path.name + ending).unlink(missing_ok=True)
        except OSError as error:
            raise CrawlStoreError(f"{path} cannot be deleted: {error.strerror}") from error

    def delete_responses(self, crawl_id: int) -> bool:
        """See `CrawlHome.delete_responses`."""
        with closing(self.open(crawl_id)) as store:
            if not store.count_responses():
                return False
        with closing(self.open(crawl_id, writable=True)) as store:
            while store.delete_some_responses():
                pass
            try:
                with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                    connection.exec_driver_sql("VACUUM")
            except DBAPIError as error:
                raise CrawlStoreError(f"{store.name} cannot be shrunk: {error.orig}") from error
        return True

    def crawl_ids(self) -> list[int]:
        """See `CrawlHome.crawl_ids`."""
        names = (path.stem for path in self.folder.glob("*.sqlite"))
        return sorted(int(name) for name in names if re.fullmatch(r"[1-9]\d{0,17}", name, re.ASCII))

    def size_bytes(self, crawl_id: int) -> int:
        """See `CrawlHome.size_bytes`."""
        path = self.path(crawl_id)
        total = 0
        for ending in BESIDE[:2]:
            with contextlib.suppress(FileNotFoundError):
                total += path.with_name(path.name + ending).stat().st_size
        return total

    def free_bytes(self) -> int | None:
        """See `CrawlHome.free_bytes`."""
        try:
            return shutil.disk_usage(self.folder if self.folder.exists() else self.folder.parent).free
        except OSError:
            return None

    def problem(self) -> str:
        """See `CrawlHome.problem`."""
        existing = next(path for path in (self.folder, *self.folder.parents) if path.exists())
        return "" if os.access(existing, os.W_OK) else f"{existing} cannot be written"

    @property
    def place(self) -> str:
        """See `CrawlHome.place`."""
        return f" in {self.folder}"


class CrawlSchemas(CrawlHome):
    """Schemas, one for each crawl, in one PostgreSQL database: the same tables and statements, without a column for the crawl.

    Args:
        connect: function that creates the engine on first use.
    """

    def __init__(self, connect: Callable[[], Engine]) -> None:
        self._connect = connect
        self._known: Engine | None = None

    @property
    def _engine(self) -> Engine:
        if self._known is None:
            self._known = self._connect()
        return self._known

    def _of(self, crawl_id: int) -> Engine:
        return self._engine.execution_options(schema_translate_map={None: f"{PREFIX}{crawl_id}"})

    def make(self, crawl_id: int, holder: int) -> CrawlStore:
        """See `CrawlHome.make`."""
        name = f"{PREFIX}{crawl_id}"
        store = CrawlStore(self._of(crawl_id), name, holder)
        with _store_errors(f"schema {name} cannot be created"):
            with self._engine.begin() as connection:
                connection.execute(CreateSchema(name, if_not_exists=True))
            make_tables(store.engine, name, schema=name)
        store.take_over()
        return store

    def open(self, crawl_id: int, *, writable: bool = False) -> CrawlStore:
        """See `CrawlHome.open`."""
        name = f"{PREFIX}{crawl_id}"
        store = CrawlStore(self._of(crawl_id).execution_options(postgresql_readonly=not writable), name)
        with _store_errors(f"schema {name} cannot be read"), store.reading() as connection:
            require_format(connection, name)
        return store

    def delete(self, crawl_id: int) -> None:
        """See `CrawlHome.delete`."""
        name = f"{PREFIX}{crawl_id}"
        with _store_errors(f"schema {name} cannot be deleted"), self._engine.begin() as connection:
            connection.execute(DropSchema(name, cascade=True, if_exists=True))

    def delete_responses(self, crawl_id: int) -> bool:
        """See `CrawlHome.delete_responses`. Takes effect immediately, unless the table is being read."""
        with closing(self.open(crawl_id)) as store:
            if not store.count_responses():
                return False
        with _store_errors(f"responses of {PREFIX}{crawl_id} cannot be deleted"), self._engine.begin() as connection:
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{LOCK_MS}ms'")
            connection.exec_driver_sql(f"TRUNCATE {PREFIX}{int(crawl_id)}.{RESPONSE.name}")
        return True

    def crawl_ids(self) -> list[int]:
        """See `CrawlHome.crawl_ids`."""
        statement = "SELECT nspname FROM pg_namespace WHERE nspname ~ '^crawl_[1-9][0-9]*$'"
        with translated_errors(), self._engine.connect() as connection:
            return sorted(int(name.removeprefix(PREFIX)) for name in connection.exec_driver_sql(statement).scalars())

    def size_bytes(self, crawl_id: int) -> int:
        """See `CrawlHome.size_bytes`."""
        statement = (
            "SELECT coalesce(sum(pg_total_relation_size(pg_class.oid)), 0) FROM pg_class "
            "JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE relkind = 'r' AND nspname = %s"
        )
        with translated_errors(), self._engine.connect() as connection:
            return int(connection.exec_driver_sql(statement, (f"{PREFIX}{crawl_id}",)).scalar_one())

    def problem(self) -> str:
        """See `CrawlHome.problem`."""
        with translated_errors(), self._engine.connect() as connection:
            statement = "SELECT has_database_privilege(current_database(), 'CREATE'), current_database()"
            may_create, database = connection.exec_driver_sql(statement).one()
        return "" if may_create else f"the database role cannot create schemas: run GRANT CREATE ON DATABASE {database} TO the role"

    def close(self) -> None:
        """See `CrawlHome.close`."""
        if self._known is not None:
            self._known.dispose()


@contextmanager
def _store_errors(problem: str) -> Iterator[None]:
    """Raise errors of the database in the block as CrawlStoreError with this problem, or as `translated_errors` does."""
    try:
        with translated_errors():
            yield
    except SQLAlchemyError as error:
        reason = " ".join(str(error.orig if isinstance(error, DBAPIError) else error).split())
        kind = CrawlStoreDamaged if is_damage(error) else CrawlStoreError
        raise kind(f"{problem}: {reason}") from error


def crawl_home(database_url: str) -> CrawlHome:
    """Return the stores of crawls for the database."""
    if is_postgresql(database_url):
        from findable.store.postgres import crawl_engine

        return CrawlSchemas(lambda: crawl_engine(database_url))
    return CrawlFolder(Path(database_url.removeprefix("sqlite:///")).absolute().parent / FOLDER)
