"""The first tables, created by the statements in the SQL script of the database, which `make docs` writes from `findable.store.schema`."""

from pathlib import Path

from alembic import op

from findable.store.engine_schema import make_engine_tables

revision = "0100"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    connection = op.get_bind()
    script = Path(__file__).with_name(f"{revision}_first.{connection.dialect.name}.sql").read_text("utf-8")
    for statement in script.split(";\n"):
        connection.exec_driver_sql(statement)
    make_engine_tables(connection)
