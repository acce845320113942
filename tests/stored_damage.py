"""Damage of a database that only a thorough check finds."""

import contextlib
import sqlite3

from findable.store.sqlite import SqliteStore
from findable.store.store_protocol import Store


def damage_of(store: Store) -> list[str]:
    """What SQLite finds in the whole file of a store; nothing on PostgreSQL, which has tools of its own."""
    if not isinstance(store, SqliteStore):
        return []
    with contextlib.closing(sqlite3.connect(store.path, timeout=5)) as connection:
        orphans = [f"row without parent: {row}" for row in connection.execute("PRAGMA foreign_key_check")]
        return [row[0] for row in connection.execute("PRAGMA integrity_check(20)") if row[0] != "ok"] + orphans
