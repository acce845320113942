"""SQL that differs between SQLite and PostgreSQL."""

from sqlalchemy import ColumnElement, FromClause, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.sqlite.base import SQLiteCompiler


class SqliteWords(SQLiteCompiler):
    """Compiler that writes the text of `Select.with_hint` (INDEXED BY), which SQLAlchemy leaves out for SQLite."""

    def get_from_hint_text(self, table: FromClause, text: str | None) -> str | None:
        """Return the text to write after the table name."""
        return text


def like_pattern(text: str) -> str:
    r"""Return ``%text%`` with ``%``, ``_`` and ``\`` escaped."""
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


def contains(dialect: str, column: ColumnElement[str], pattern: ColumnElement[str]) -> ColumnElement[bool]:
    """Return a case-insensitive substring test. LIKE of SQLite ignores the case of ASCII, and URLs are ASCII."""
    return column.like(pattern, escape="\\") if dialect == "sqlite" else column.ilike(pattern, escape="\\")


def insert(dialect: str, table: Table) -> sqlite.Insert | postgresql.Insert:
    """Return an INSERT that supports ON CONFLICT."""
    return sqlite.insert(table) if dialect == "sqlite" else postgresql.insert(table)
