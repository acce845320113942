"""Metadata of all tables, and the columns, types and options that tables and migrations share."""

from typing import Any

from sqlalchemy import (
    Column,
    ForeignKey,
    Integer,
    MetaData,
    SmallInteger,
    Text,
    text,
)
from sqlalchemy.types import BigInteger

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

Id = BigInteger().with_variant(Integer, "sqlite")
"""Type of ids: SQLite only counts up in a column of type INTEGER."""
Seconds = BigInteger
Bytewise = Text().with_variant(Text(collation="C"), "postgresql")
"""Text compared byte by byte, so that lists have the same order on every database."""

AUTOINCREMENT: Any = {"sqlite_autoincrement": True}
"""Option that never reuses an id, not even after the newest row was deleted."""


def key() -> Column[int]:
    """Return the primary key column ``id`` of a table."""
    return Column("id", Id, primary_key=True)


def references(table: str, **options: Any) -> Column[int]:
    """Return a foreign key to the id of a table; the row is deleted with its parent. Options are those of `Column`."""
    return Column(f"{table}_id", Id, ForeignKey(f"{table}.id", ondelete="CASCADE"), **options)


def where(condition: str) -> dict[str, Any]:
    """Return the options of an index that has only the rows which meet a condition."""
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}


def shared_by_link() -> tuple[Column[Any], ...]:
    """Return the columns of an object that belongs to a project and has a share link."""
    return (
        Column("public_id", Bytewise, nullable=False, unique=True),
        references("account", nullable=False),
        references("project", nullable=False),
        Column("url", Bytewise, nullable=False),
        Column("scheme_guessed", SmallInteger, nullable=False),
        Column("privacy", SmallInteger, nullable=False),
        Column("password_hash", Text),
        Column("password_version", Integer, nullable=False, default=0, server_default="0"),
        Column("status", Text, nullable=False),
        Column("version", Integer, nullable=False, default=1, server_default="1"),
    )
