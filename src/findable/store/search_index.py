"""Trigram index (extension pg_trgm) with which PostgreSQL finds part of a URL without scanning all URLs."""

import contextlib

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

NAME = "ix_report_url_parts"


def has_search_index(connection: Connection) -> bool:
    """Return whether the search index exists."""
    return bool(connection.exec_driver_sql(f"SELECT to_regclass('{NAME}') IS NOT NULL").scalar_one())


def make_search_index(connection: Connection) -> None:
    """Create the search index if it is missing, and the extension is installed and permitted."""
    if has_search_index(connection):
        return
    offered = connection.exec_driver_sql("SELECT count(*) FROM pg_available_extensions WHERE name = 'pg_trgm'").scalar_one()
    if offered:
        with contextlib.suppress(DBAPIError), connection.begin_nested():
            connection.exec_driver_sql("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            connection.exec_driver_sql(f"CREATE INDEX {NAME} ON report USING gin (url gin_trgm_ops)")
