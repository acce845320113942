"""Where SQLite and PostgreSQL differ in what we say to them."""

from sqlalchemy import ColumnElement, FromClause, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.sqlite.base import SQLiteCompiler


class SqliteWords(SQLiteCompiler):
    """Writes down what `Select.with_hint` says (INDEXED BY), which SQLAlchemy leaves out for SQLite."""

    def get_from_hint_text(self, table: FromClause, text: str | None) -> str | None:
        """Behind the name of the table."""
        return text


def like_pattern(text: str) -> str:
    r"""``%text%`` in which ``%``, ``_`` and ``\`` mean themselves."""
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


def contains(dialect: str, column: ColumnElement[str], pattern: ColumnElement[str]) -> ColumnElement[bool]:
    """Substring in any letter case. LIKE of SQLite ignores the case of ASCII by itself, and addresses are ASCII."""
    return column.like(pattern, escape="\\") if dialect == "sqlite" else column.ilike(pattern, escape="\\")


def insert(dialect: str, table: Table) -> sqlite.Insert | postgresql.Insert:
    """An INSERT that knows ON CONFLICT."""
    return sqlite.insert(table) if dialect == "sqlite" else postgresql.insert(table)
