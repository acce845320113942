"""From any older database to the present one. alembic is loaded only where there is something to do."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from findable.store.database_errors import StoreDamaged
from findable.store.schema import metadata

REVISIONS = ("0010",)
"""Every released version of the tables, oldest first. Lower numbers were used before the first release."""
HEAD = REVISIONS[-1]
MIGRATIONS = Path(__file__).parent / "migrations"
UNFINISHED_COPY = "unfinished_copy"
"""A table that stands in a database as long as `findable db copy` is not done with it."""
UNFINISHED_RESTORE = "unfinished_restore"
"""The same for `findable restore`."""


def is_up_to_date(connection: Connection, name: str) -> bool:
    """Return False where tables are to be made or changed.

    Raises StoreDamaged where the database is not ours, too old, newer or half a copy.
    """
    version = _version(connection)
    if version is not None:
        require_released(version, name, "start that one, or restore an older backup")
    return version == HEAD


def require_released(version: str, name: str, advice: str = "restore it with that one") -> None:
    """Raise StoreDamaged where the tables of a database or backup are of no version that can be upgraded from."""
    shown = repr(version[:20])
    if version.isdecimal() and int(version) < int(REVISIONS[0]):
        raise StoreDamaged(
            f"{name} was made before the first release of Findable (schema {shown}) and cannot be upgraded; "
            "docs/how-to/backup.md says how to take its URLs along"
        )
    if version not in REVISIONS:
        raise StoreDamaged(f"{name} was made by a newer version of Findable (schema {shown}); {advice}")


def is_empty(connection: Connection) -> bool:
    """Whether no table has been made yet."""
    return _version(connection) is None


def bring_up_to_date(connection: Connection, name: str) -> None:
    """Makes the tables in an empty database, or migrates an older one; the caller sees to it that nobody else does so meanwhile."""
    if is_up_to_date(connection, name):
        return
    if is_empty(connection):
        create_tables(connection)
    else:
        migrate(connection)


def _version(connection: Connection) -> str | None:
    names = set(inspect(connection).get_table_names())
    if not names:
        return None
    if "alembic_version" not in names:
        raise StoreDamaged("the database holds tables that are not ours")
    if UNFINISHED_COPY in names:
        raise StoreDamaged("a copy into this database has not been finished: start `findable db copy` again, it goes on where it stopped")
    if UNFINISHED_RESTORE in names:
        raise StoreDamaged("a backup was not restored to its end: make a new database and start `findable restore` again")
    return version_of(connection)


def version_of(connection: Connection) -> str:
    """Of a database that has our tables."""
    return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one())


def create_tables(connection: Connection) -> None:
    """All tables as they are now, in an empty database."""
    metadata.create_all(connection, checkfirst=False)
    key = "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)"  # as alembic itself makes it
    connection.execute(text(f"CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, {key})"))
    connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": HEAD})


def migrate(connection: Connection, to: str = "head") -> None:
    """Runs the migrations in the transaction that stands."""
    from alembic import command  # noqa: PLC0415 - half a second that only a migration needs
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, to)
