"""From any older database to the present one. alembic is loaded only where there is something to do."""

from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from findable.store.errors import StoreDamaged
from findable.store.lock import FileLock
from findable.store.schema import metadata

REVISIONS = ("0001", "0002")
"""All there were, oldest first."""
HEAD = REVISIONS[-1]
MIGRATIONS = Path(__file__).parent / "migrations"


def bring_up_to_date(engine: Engine, path: Path, lock: FileLock) -> None:
    """Makes the tables in an empty database, or migrates an older one; nobody else may use it meanwhile."""
    with engine.connect() as connection, connection.begin():
        version = _version(connection)
        if version is None:
            _create(connection)
    if version in {None, HEAD}:
        return
    if version not in REVISIONS:
        raise StoreDamaged(f"{path} was made by a newer version of Findable (schema {version}); start that one, or restore an older backup")
    if lock.taken:
        migrate(engine)
        return
    lock.take()
    try:
        migrate(engine)
    finally:
        lock.give_back()


def _version(connection: Connection) -> str | None:
    names = set(inspect(connection).get_table_names())
    if not names:
        return None
    if "alembic_version" not in names:
        raise StoreDamaged("the database holds tables that are not ours")
    return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one())


def _create(connection: Connection) -> None:
    metadata.create_all(connection, checkfirst=False)
    connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, PRIMARY KEY (version_num))"))
    connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": HEAD})


def migrate(engine: Engine, to: str = "head") -> None:
    """Runs the migrations, all in one transaction."""
    from alembic import command  # noqa: PLC0415 - half a second that only a migration needs
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.connect() as connection, connection.begin():
        config.attributes["connection"] = connection
        command.upgrade(config, to)
