"""Tables of the queue engine, made by its own script in the transaction of a migration."""

from importlib.resources import files

from sqlalchemy import Connection


def make_engine_tables(connection: Connection) -> None:
    """Create the tables and functions of the engine on PostgreSQL; does nothing on SQLite."""
    driver = connection.connection.driver_connection
    if connection.dialect.name == "postgresql" and driver is not None:
        driver.execute((files("procrastinate.sql") / "schema.sql").read_text())  # several statements, with % that are no parameters
