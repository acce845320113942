"""Tables of the queue engine (Procrastinate), created by its SQL script in the transaction of a migration."""

from importlib.resources import files

from sqlalchemy import Connection

from findable.store.database_errors import StoreDamaged


def make_engine_tables(connection: Connection) -> None:
    """Create the tables and functions of the engine on PostgreSQL; does nothing on SQLite. Raises StoreDamaged if it is not installed."""
    driver = connection.connection.driver_connection
    if connection.dialect.name == "postgresql" and driver is not None:
        try:
            script = files("procrastinate.sql") / "schema.sql"
        except ModuleNotFoundError as error:
            raise StoreDamaged("the queue engine is not installed: pip install '.[postgresql]' in a clone of Findable") from error
        driver.execute(script.read_text())  # the script has several statements, and % signs that are no parameters
