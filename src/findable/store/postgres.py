"""Store in a PostgreSQL database, version 15 or newer, through psycopg 3.

Reading transactions are REPEATABLE READ, READ ONLY and use one snapshot. Writing ones are READ COMMITTED and lock the account of the rows
they depend on (`findable.store.write_locks`). Nothing is retried here: a temporary failure (a deadlock, a restart, a read-only standby)
raises Unavailable, and the caller retries. A statement is limited to half a minute, a lock wait to five seconds. The server itself handles
a failing disk.
"""

import contextlib
import math
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from findable.errors import Unavailable
from findable.store.database_errors import StoreDamaged, translated_errors, unusable_server
from findable.store.read_transactions import ReadTransactions
from findable.store.schema_versions import bring_up_to_date, is_up_to_date
from findable.store.search_index import has_search_index, make_search_index
from findable.store.store_protocol import About, Session, Store, TableSize
from findable.store.table_sizes import count_rows
from findable.store.write_locks import MIGRATIONS, OPTION

if TYPE_CHECKING:
    from findable.store.postgres_timeouts import TimedConnection

OLDEST = 15
KEPT_OPEN = 4
"""Number of connections of each kind (reading, writing) that stay open."""
AT_MOST = 8
"""Maximum number of connections of each kind: one per thread of a service."""
WAIT_S = 5
"""Time limit for a connection, a lock, or connecting to the server."""
STATEMENT_S = 30
RESPONSE_TIMEOUT_S = 40.0
"""Time limit of a response. The server ends statements earlier, so a silent server is unreachable."""
IDLE_READING_S = 60
IDLE_WRITING_S = 10
"""Time limit of an idle writing transaction: a hanging process must not keep its locks, because all claims may wait for them."""
SETTLING_S = 600.0
"""Time limit of a response while a crawl is settled."""
DEAD_AFTER_MS = 15_000
"""Time without acknowledgement after which the connection counts as lost."""

_PREPARE = (
    f"SET lock_timeout = '{WAIT_S}s'",
    f"SET statement_timeout = '{STATEMENT_S}s'",
    "SET plan_cache_mode = force_custom_plan",  # no single plan suits both rare and frequent values, or small and large accounts
)
_ALIVE = {"keepalives_idle": 30, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": DEAD_AFTER_MS}


class PostgresStore(ReadTransactions, Store):
    """A `Store` in a PostgreSQL database.

    Args:
        url: ``postgresql://user:password@host:port/database``; missing parts follow PostgreSQL's conventions (``PGPASSWORD``,
            ``~/.pgpass``, the local socket).

    Raises StoreDamaged with advice if the database cannot be used.
    """

    def __init__(self, url: str) -> None:
        parsed = sqlalchemy_url(url)
        self.name = parsed.set(drivername="postgresql").render_as_string(hide_password=True)
        super().__init__()
        self._not_asked: dict[int, tuple[str, ...]] = {}
        self._hung_up = threading.Event()
        self._writer = _engine(parsed, reading=False, is_over=self._hung_up.is_set)
        self._reader = _engine(parsed, reading=True, is_over=self._hung_up.is_set)
        try:
            with self._writer.connect() as connection:
                self._start(connection)
        except DBAPIError as error:
            self.close()
            raise unusable_server(self.name, error) from error
        except StoreDamaged:
            self.close()
            raise

    def _start(self, connection: Connection) -> None:
        """Check and migrate the database. An up-to-date database is not written to, so that a read-only standby works."""
        with connection.begin():
            require_supported_server(connection)
            if is_up_to_date(connection, self.name):
                return
        with _without_time_limit(connection), connection.begin():
            connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
            connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATIONS})")
            bring_up_to_date(connection, self.name)
            make_search_index(connection)

    @property
    def is_shared(self) -> bool:
        """See `Store.is_shared`."""
        return True

    @contextlib.contextmanager
    def _begin_reading(self) -> Iterator[Session]:
        with self._connection(self._reader) as connection, connection.begin():
            yield Session(connection, self._not_asked, is_writing=False)

    @contextlib.contextmanager
    def write(self) -> Iterator[Session]:
        """See `Store.write`."""
        with self._connection(self._writer) as connection:
            connection.execution_options(**{OPTION: set()})
            with connection.begin():
                yield Session(connection, {}, is_writing=True)

    @contextlib.contextmanager
    def _connection(self, engine: Engine) -> Iterator[Connection]:
        if self._hung_up.is_set():
            raise Unavailable("The service is shutting down.", retry_after_s=WAIT_S)
        with translated_errors(), engine.connect() as connection:
            yield connection

    def ping(self) -> bool:
        """See `Store.ping`."""
        try:
            with self._connection(self._writer) as connection:
                return str(connection.exec_driver_sql("SHOW transaction_read_only").scalar_one()) == "off"
        except Unavailable:
            return False

    def about(self) -> About:
        """See `Store.about`."""
        with self._connection(self._reader) as connection, connection.begin():
            version = str(connection.exec_driver_sql("SHOW server_version").scalar_one())
            read_only = bool(connection.exec_driver_sql("SELECT pg_is_in_recovery()").scalar_one())
            searches = has_search_index(connection)
        notes = []
        if not searches:
            notes.append("searches scan all URLs: install pg_trgm (package postgresql-contrib), then run `findable db vacuum`")
        if read_only:
            notes.append("the database is a read-only standby")
        return About(f"PostgreSQL {version.partition(' ')[0]}, {self.name}", tuple(notes))

    def sizes(self) -> list[TableSize]:
        """See `Store.sizes`."""
        with self._connection(self._reader) as connection, _without_time_limit(connection), connection.begin():
            connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
            rows = count_rows(connection)
            taken: dict[str, int] = dict(
                connection.exec_driver_sql(
                    "SELECT relname, pg_total_relation_size(oid) FROM pg_class "
                    "WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
                ).all()
            )
        return [TableSize(table, count, taken[table]) for table, count in rows.items()]

    def size_bytes(self) -> int:
        """See `Store.size_bytes`."""
        with self._connection(self._reader) as connection:
            return int(connection.exec_driver_sql("SELECT pg_database_size(current_database())").scalar_one())

    def vacuum(self) -> None:
        """See `Store.vacuum`. The service keeps running. Also creates the search index if it is missing."""
        with self._connection(self._writer) as connection, _without_time_limit(connection), connection.begin():
            connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
            make_search_index(connection)
        autocommit = self._writer.execution_options(isolation_level="AUTOCOMMIT")
        with self._connection(autocommit) as connection, _without_time_limit(connection):
            connection.exec_driver_sql("SET statement_timeout = 0")
            try:
                for table in count_rows(connection):
                    connection.exec_driver_sql(f'VACUUM (ANALYZE) "{table}"')
            finally:
                connection.exec_driver_sql(f"SET statement_timeout = '{STATEMENT_S}s'")

    def free_disk_space(self) -> None:
        """See `Store.free_disk_space`. Does nothing, because PostgreSQL does it itself (autovacuum)."""

    def hang_up(self) -> None:
        """See `Store.hang_up`."""
        self._hung_up.set()

    def close(self) -> None:
        """See `Store.close`."""
        self._reader.dispose()
        self._writer.dispose()


@contextlib.contextmanager
def _without_time_limit(connection: Connection) -> Iterator[None]:
    """Lift the response timeout of the connection."""
    driver = cast("TimedConnection", connection.connection.driver_connection)
    driver.response_timeout_s = math.inf
    try:
        yield
    finally:
        driver.response_timeout_s = RESPONSE_TIMEOUT_S


@contextlib.contextmanager
def open_connection(url: str) -> Iterator[Connection]:
    """Open a writing connection without checking or migrating the tables. Raises StoreDamaged if it fails."""
    parsed = sqlalchemy_url(url)
    engine = _engine(parsed, reading=False, response_timeout_s=math.inf)
    try:
        try:
            connection = engine.connect()
        except DBAPIError as error:
            raise unusable_server(parsed.set(drivername="postgresql").render_as_string(hide_password=True), error) from error
        with connection, translated_errors():
            yield connection
    finally:
        engine.dispose()


def crawl_engine(url: str) -> Engine:
    """Return an engine for the stores of crawls. The engine connects on first use."""
    engine = _engine(sqlalchemy_url(url), reading=False)

    @event.listens_for(engine, "connect")
    def prepare(connection: "TimedConnection", _record: object) -> None:
        connection.autocommit = True
        for name in ("statement_timeout", "idle_in_transaction_session_timeout"):  # settling takes minutes
            connection.execute(f"SET {name} = 0".encode())
        connection.autocommit = False
        connection.response_timeout_s = SETTLING_S

    return engine


def sqlalchemy_url(url: str) -> URL:
    """Return the URL in the form that SQLAlchemy needs. Raises StoreDamaged."""
    try:
        return make_url(url).set(drivername="postgresql+psycopg")
    except (ArgumentError, ValueError) as error:
        raise StoreDamaged("the database URL is not like postgresql://findable@localhost/findable") from error


def _engine(url: URL, *, reading: bool, is_over: Callable[[], bool] = lambda: False, response_timeout_s: float | None = None) -> Engine:
    alive = _ALIVE | {"connect_timeout": WAIT_S, "application_name": "findable", "client_encoding": "utf8"}
    try:
        engine = create_engine(
            url,
            pool_size=KEPT_OPEN,
            max_overflow=AT_MOST - KEPT_OPEN,
            pool_timeout=WAIT_S,
            pool_pre_ping=True,  # detect a restarted server or a dropped connection before a request fails
            connect_args={name: value for name, value in alive.items() if name not in url.query},
            use_native_hstore=False,
        )
    except ModuleNotFoundError as error:
        raise StoreDamaged("the driver for PostgreSQL is not installed: pip install '.[postgresql]' in a clone of Findable") from error

    @event.listens_for(engine, "do_connect")
    def connect(_dialect: object, _record: object, connect_args: list[Any], connect_parameters: dict[str, Any]) -> "TimedConnection":
        from findable.store.postgres_timeouts import TimedConnection

        connection = TimedConnection.connect(*connect_args, **connect_parameters)
        connection.is_over = is_over
        connection.response_timeout_s = RESPONSE_TIMEOUT_S if response_timeout_s is None else response_timeout_s
        return connection

    @event.listens_for(engine, "connect")
    def prepare(connection: "TimedConnection", _record: object) -> None:
        from psycopg import IsolationLevel
        from psycopg.types.string import StrDumperUnknown

        class NulFreeText(StrDumperUnknown):
            """Text type that removes U+0000, which PostgreSQL cannot store in text."""

            def dump(self, obj: str) -> bytes | bytearray | memoryview | None:
                return super().dump(obj.replace("\0", "\ufffd") if "\0" in obj else obj)

        connection.adapters.register_dumper(str, NulFreeText)
        connection.autocommit = True
        for statement in _PREPARE:
            connection.execute(statement.encode())
        idle_s = IDLE_READING_S if reading else IDLE_WRITING_S
        connection.execute(f"SET idle_in_transaction_session_timeout = '{idle_s}s'".encode())
        connection.autocommit = False
        if reading:
            connection.isolation_level = IsolationLevel.REPEATABLE_READ
            connection.read_only = True
        else:
            connection.isolation_level = IsolationLevel.READ_COMMITTED

    return engine


def require_supported_server(connection: Connection) -> None:
    """Raise StoreDamaged if the server is too old or the database encoding is not UTF-8."""
    number, encoding = connection.exec_driver_sql(
        "SELECT current_setting('server_version_num')::int, current_setting('server_encoding')"
    ).one()
    if number // 10_000 < OLDEST:
        raise StoreDamaged(f"PostgreSQL {number // 10_000} is too old; {OLDEST} or newer is needed")
    if encoding != "UTF8":
        raise StoreDamaged(f"the database stores text as {encoding}; create one with: createdb --encoding=UTF8 --template=template0 NAME")
