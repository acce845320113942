"""Backups of a PostgreSQL database: the output of `pg_dump --format=custom` for Findable's tables; `pg_restore` can read it too.

Such a file contains statements that a restore executes. So only data is restored, into tables created here. Every statement is read first,
and the file is rejected unless each statement is `COPY … FROM stdin` of a known table or sets its next id.
"""

import contextlib
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from msgspec import structs
from sqlalchemy import URL, Connection, delete, table

from findable.store.backup_file import VerifiedBackup, write_atomically
from findable.store.database_errors import StoreDamaged
from findable.store.postgres import open_connection, require_supported_server, sqlalchemy_url
from findable.store.schema.all_tables import metadata
from findable.store.schema_versions import UNFINISHED_RESTORE, bring_up_to_date, is_empty, migrate, require_known, version_of
from findable.store.search_index import make_search_index
from findable.store.table_sizes import count_rows_of
from findable.store.write_locks import MIGRATIONS

MAGIC = b"PGDMP"
VERSION_TABLE = "alembic_version"
_NAMES = (*(one.name for one in metadata.sorted_tables), VERSION_TABLE)
_COPY = re.compile(rb'COPY ("?[a-z_0-9]+"?)\."?([a-z_]+)"? \([a-z_0-9", ]+\) FROM stdin;\n')
_SETVAL = re.compile(rb"SELECT pg_catalog\.setval\('\"?[a-z_0-9]+\"?\.\"?[a-z_0-9]+\"?', \d+, (?:true|false)\);\n")
_PREAMBLE = re.compile(
    rb"(?:--.*|\\(?:un)?restrict [A-Za-z0-9]+|SET [a-z_]+ = [a-z0-9']+;|SET [a-z_]+ = 'UTF8';"
    rb"|SELECT pg_catalog\.set_config\('search_path', '', false\);)?\n"
)
_ENTRY = re.compile(r"\d+; \d+ \d+ (TABLE DATA|SEQUENCE SET) (\S+) (\S+) ")


def back_up(url: str, path: Path) -> VerifiedBackup:
    """Write a backup; see `backups.back_up`. Rows are counted in the exported snapshot and again in the file."""
    for name in ("pg_dump", "pg_restore"):
        program(name)
    with write_atomically(path) as beside, open_connection(url) as connection, _exported_snapshot(connection) as snapshot:
        present = set(connection.exec_driver_sql("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()").scalars())
        if VERSION_TABLE not in present:
            raise StoreDamaged("the database has no tables of Findable")
        rows = count_rows_of(connection, [name for name in _NAMES if name in present])
        where = str(connection.exec_driver_sql("SELECT quote_ident(current_schema())").scalar_one())
        tables = [f"--table={where}.{name}" for name in rows]
        _run("pg_dump", url, ["--format=custom", f"--snapshot={snapshot}", "--no-owner", "--no-privileges", *tables, f"--file={beside}"])
        held = inspect_backup(beside)
        if held.rows != rows:
            raise StoreDamaged(f"{path} does not contain every row of the database")
        return structs.replace(held, path=path)


def restore(path: Path, url: str) -> VerifiedBackup:
    """Restore a backup; see `backups.restore`. If killed, it leaves a database that services refuse: empty it and start again."""
    program("pg_restore")
    held = inspect_backup(path)
    with open_connection(url) as target:
        with target.begin():
            require_supported_server(target)
            target.exec_driver_sql("SET statement_timeout = 0")
            target.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATIONS})")
            if not is_empty(target):
                raise StoreDamaged("the database is not empty; create a new one: createdb --encoding=UTF8 --template=template0 NAME")
            migrate(target, held.schema)
            target.execute(delete(table(VERSION_TABLE)))  # the backup contains these rows
            target.exec_driver_sql(f"CREATE TABLE {UNFINISHED_RESTORE} ()")
        with _restore_list(path) as entries:
            options = ["--data-only", "--single-transaction", "--exit-on-error", f"--use-list={entries}"]
            _run("pg_restore", url, [*options, str(path)])
        with target.begin():
            if count_rows_of(target, list(held.rows)) != held.rows or version_of(target) != held.schema:
                raise StoreDamaged("the restored rows differ from those in the backup")
            target.exec_driver_sql(f"DROP TABLE {UNFINISHED_RESTORE}")
            bring_up_to_date(target, "the database")
            make_search_index(target)
    return held


def inspect_backup(path: Path) -> VerifiedBackup:
    """Read every row and every statement of a file. Raises StoreDamaged if one is unexpected, or the file is damaged."""
    try:
        with path.open("rb") as file:
            magic = file.read(len(MAGIC))
    except OSError as error:
        raise StoreDamaged(f"{path} cannot be read: {error.strerror}") from error
    if magic != MAGIC:
        raise StoreDamaged(f"{path} is not a backup of a PostgreSQL database")
    with _restore_list(path) as entries, tempfile.TemporaryFile() as complaints:
        command = [program("pg_restore"), "--data-only", "--file=-", f"--use-list={entries}", str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaints, stdin=subprocess.DEVNULL) as process:  # noqa: S603 - no shell
            assert process.stdout is not None  # noqa: S101 - the output is a pipe
            try:
                held = _read(path, process.stdout)
            finally:
                process.stdout.close()
        if process.returncode:
            complaints.seek(0)
            raise StoreDamaged(f"{path} is damaged ({_last_line(complaints.read())})")
    return held


def _read(path: Path, lines: IO[bytes]) -> VerifiedBackup:
    rows: dict[str, int] = {}
    schema = ""
    while line := lines.readline():
        copied = _COPY.fullmatch(line)
        if copied is None:
            if not (_PREAMBLE.fullmatch(line) or _SETVAL.fullmatch(line)):
                raise StoreDamaged(
                    f"{path} is not a backup made by Findable: it would execute {line[:60].decode('ascii', 'replace').strip()!r}"
                )
            continue
        name, count = copied[2].decode(), 0
        if name not in _NAMES or name in rows:
            raise StoreDamaged(f"{path} is not a backup made by Findable: it has a table {name}")
        while (row := lines.readline()) != b"\\.\n":
            if not row:
                raise StoreDamaged(f"{path} is truncated")
            count += 1
            if name == VERSION_TABLE:
                schema = row.decode("ascii", "replace").strip()
        rows[name] = count
    if not schema:
        raise StoreDamaged(f"{path} is truncated")
    require_known(schema, str(path))
    return VerifiedBackup(path, schema, {name: rows[name] for name in _NAMES if name in rows}, path.stat().st_size)


@contextlib.contextmanager
def _restore_list(path: Path) -> Iterator[Path]:
    """Yield the entries for `pg_restore --use-list`: data of known tables, parents first, then the sequences."""
    done = subprocess.run([program("pg_restore"), "--list", str(path)], capture_output=True, check=False, stdin=subprocess.DEVNULL)  # noqa: S603 - no shell
    if done.returncode:
        raise StoreDamaged(f"{path} is damaged ({_last_line(done.stderr)})")
    order = {name: number for number, name in enumerate(_NAMES)}
    found: list[tuple[int, str]] = []
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        entry = _ENTRY.match(line)
        if entry is not None:
            found.append((order.get(entry[3], len(order)), line))
    with tempfile.TemporaryDirectory(prefix="findable-") as folder:
        entries = Path(folder) / "entries"
        entries.write_text("".join(f"{line}\n" for _, line in sorted(found, key=lambda pair: pair[0])), "utf-8")
        yield entries


@contextlib.contextmanager
def _exported_snapshot(connection: Connection) -> Iterator[str]:
    """Open a snapshot and yield the name by which other programs can use it."""
    with connection.begin():
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
        connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
        yield str(connection.exec_driver_sql("SELECT pg_export_snapshot()").scalar_one())


def program(name: str) -> str:
    """Return the path of a PostgreSQL program. Raises StoreDamaged if it is not installed."""
    found = shutil.which(name)
    if found is None:
        raise StoreDamaged(f"{name} is missing: install the client programs of PostgreSQL (apt-get install postgresql-client)")
    return found


def _run(name: str, url: str, options: Sequence[str]) -> None:
    """Run a program on a database. The password is passed in a temporary file, because command lines are public."""
    parsed = sqlalchemy_url(url)
    with tempfile.TemporaryDirectory(prefix="findable-") as folder:
        query = {name: value for name, value in parsed.query.items() if name != "password"}
        where = URL.create("postgresql", parsed.username, None, parsed.host, parsed.port, parsed.database, query)
        secret = parsed.password or _query_value(parsed, "password")
        if secret:
            password_file = Path(folder) / "password"
            password_file.touch(0o600)
            password_file.write_text("*:*:*:*:" + secret.replace("\\", "\\\\").replace(":", "\\:") + "\n", "utf-8")
            where = where.update_query_dict({"passfile": str(password_file)})
        command = [program(name), "--no-password", f"--dbname={where.render_as_string(hide_password=False)}", *options]
        done = subprocess.run(command, capture_output=True, check=False, stdin=subprocess.DEVNULL)  # noqa: S603 - no shell
    if done.returncode:
        raise StoreDamaged(f"{name} failed ({_last_line(done.stderr)})")


def _query_value(url: URL, name: str) -> str:
    value = url.query.get(name, "")
    return value if isinstance(value, str) else value[-1]


def _last_line(complaints: bytes) -> str:
    lines = complaints.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "no output"
