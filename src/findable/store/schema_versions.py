"""Versions of the tables, and migrations from any older version to the current one. alembic is imported only if a migration is needed."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from findable.store import dialect
from findable.store.database_errors import StoreDamaged
from findable.store.engine_schema import make_engine_tables
from findable.store.schema.all_tables import metadata

REVISIONS = ("0100",)
"""Versions of the tables that can be upgraded, oldest first. Commits before the first migration used numbers below 0100."""
HEAD = REVISIONS[-1]
MIGRATIONS = Path(__file__).parent / "migrations"


def is_up_to_date(connection: Connection, name: str) -> bool:
    """Return whether the tables of a database are current; False if some must be created or changed.

    Raises StoreDamaged if the database belongs to another program, is too old or newer.
    """
    version = _version(connection)
    if version is not None:
        require_known(version, name, "start that one, or restore an older backup")
    return version == HEAD


def require_known(version: str, name: str, advice: str = "restore it with that one") -> None:
    """Raise StoreDamaged if the tables of a database or backup have no version of `REVISIONS`."""
    shown = repr(version[:20])
    if version.isdecimal() and int(version) < int(REVISIONS[0]):
        raise StoreDamaged(
            f"{name} was made by an earlier commit of Findable (schema {shown}) and cannot be upgraded; "
            "docs/how-to/backup.md describes how to keep its URLs"
        )
    if version not in REVISIONS:
        raise StoreDamaged(f"{name} was made by a newer version of Findable (schema {shown}); {advice}")


def is_empty(connection: Connection) -> bool:
    """Return whether a database has no tables yet."""
    return _version(connection) is None


def bring_up_to_date(connection: Connection, name: str) -> None:
    """Create the tables in an empty database, or migrate an older one. The caller prevents concurrent runs."""
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
        raise StoreDamaged("the database has tables that do not belong to Findable")
    return version_of(connection)


def version_of(connection: Connection) -> str:
    """Return the schema version of a database with Findable's tables."""
    return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one())


def create_tables(connection: Connection) -> None:
    """Create all current tables in an empty database."""
    dialect.create_tables(connection, metadata)
    make_engine_tables(connection)
    key = "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)"  # the constraint that alembic creates
    connection.execute(text(f"CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, {key})"))
    connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": HEAD})


def migrate(connection: Connection, to: str = "head") -> None:
    """Run the migrations up to a version, in the current transaction."""
    from alembic import command  # importing takes half a second, which only a migration needs
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, to)
