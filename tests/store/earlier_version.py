"""A version of the tables before the present one, for tests of upgrades: the first migration without what a second one, of the tests, adds."""

import shutil
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Connection

from findable.store import schema_versions

_REAL, _REVISIONS = schema_versions.MIGRATIONS, schema_versions.REVISIONS
EARLIER = LAST = _REVISIONS[-1]
PRESENT = f"{int(LAST) + 1:04}"
_WITHOUT = """

_everything = upgrade


def upgrade() -> None:
    _everything()
    op.drop_index("ix_report_updated", "report")
    op.drop_column("run", "rescored_from")
    op.drop_column("job", "reason")
    op.drop_table("pause")
    op.drop_table("site_answer")
"""
_AGAIN = f"""
import sqlalchemy as sa
from alembic import op

from findable.store.schema.all_tables import metadata

revision, down_revision = "{PRESENT}", "{LAST}"


def upgrade() -> None:
    op.add_column("run", sa.Column("rescored_from", sa.Integer()))
    op.add_column("job", sa.Column("reason", sa.Text()))
    for name in ("pause", "site_answer"):
        metadata.tables[name].create(op.get_bind())
    for index in metadata.tables["report"].indexes:
        if index.name == "ix_report_updated":
            index.create(op.get_bind())
    op.execute("UPDATE account SET name = name")
"""


def pretend(folder: Path, change: Callable[[object, str, object], None] = setattr) -> None:
    """Let this process believe that there are two versions; `folder` holds their migrations, `change` is how a test undoes it."""
    if not folder.exists():
        shutil.copytree(_REAL, folder, ignore=shutil.ignore_patterns("__pycache__"))
        (first,) = (folder / "versions").glob(f"{EARLIER}_*.py")
        first.write_text(first.read_text("utf-8") + _WITHOUT, "utf-8")
        (folder / "versions" / f"{PRESENT}_test.py").write_text(_AGAIN, "utf-8")
    change(schema_versions, "MIGRATIONS", folder)
    change(schema_versions, "REVISIONS", (*_REVISIONS, PRESENT))
    change(schema_versions, "HEAD", PRESENT)


def make_tables(connection: Connection) -> None:
    """The tables of the earlier version."""
    schema_versions.migrate(connection, EARLIER)
