"""Metadata of all tables, and the columns, types and options that tables and migrations share."""

from typing import Any

from sqlalchemy import (
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    text,
)
from sqlalchemy.schema import SchemaItem
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


def table(name: str, *parts: SchemaItem, **options: Any) -> Table:
    """Return a table of the metadata; options are those of `Table`."""
    return Table(name, metadata, *parts, **options)


def numbered_table(name: str, *parts: SchemaItem) -> Table:
    """Return a table with an ``id`` that is never reused, not even after the newest row was deleted."""
    return table(name, key(), *parts, sqlite_autoincrement=True)


def key() -> Column[int]:
    """Return the primary key column ``id`` of a table."""
    return Column("id", Id, primary_key=True)


def references(table: str, **options: Any) -> Column[int]:
    """Return a foreign key to the id of a table; the row is deleted with its parent. Options are those of `Column`."""
    return Column(f"{table}_id", Id, ForeignKey(f"{table}.id", ondelete="CASCADE"), **options)


def where(condition: str) -> dict[str, Any]:
    """Return the options of an index that has only the rows which meet a condition."""
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}


def link_terms() -> tuple[Column[Any], ...]:
    """Return the columns about the share link of an object."""
    return (
        Column("link_expires_at", Seconds),  # end of guest access; null: never
        Column("is_listed", SmallInteger, nullable=False, default=0, server_default="0"),  # 1: search engines may index the public page
        Column("client", Text),  # the owner's note for the client, JSON; null for none
    )


def of_result() -> tuple[Column[Any], ...]:
    """Return the columns of a report or crawl: an object of a project with a share link and a result."""
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
        Column("created_at", Seconds, nullable=False),
        Column("updated_at", Seconds, nullable=False),
        Column("result", Text),
        Column("score", SmallInteger),
        Column("coverage", SmallInteger),  # of a crawl: requested share of the found URLs, in per cent
        Column("error", Text),
        Column("verdict_since", Seconds),  # first of its last results with the present verdict in search; null before its first result
        *link_terms(),
    )


def counts_and_defaults() -> tuple[Column[Any], ...]:
    """Return the columns that accounts and projects have: numbers of reports, and settings of reports."""
    return (
        Column("reports", Integer, nullable=False, default=0, server_default="0"),
        Column("good", Integer, nullable=False, default=0, server_default="0"),
        Column("decent", Integer, nullable=False, default=0, server_default="0"),
        Column("bad", Integer, nullable=False, default=0, server_default="0"),
        # settings of a project; null: the account's setting
        Column("brand_name", Text),
        Column("brand_color", Text),  # #rrggbb
        Column("brand_logo", LargeBinary),  # hash of an image
        Column("brand_reply_to", Text),  # email address
        Column("rating_words", Text),  # three words separated by commas, or "none"
        Column("language", Text),  # language of reports; "reader" in a project: the language of the reader
        Column("default_privacy", SmallInteger),  # of new reports and crawls; null in an account: the choice in the form or request
        Column("browser", Text),  # browser mode of reports; null in an account for no browser
    )
