"""Open the store of a database URL."""

from collections.abc import Callable
from pathlib import Path

from findable.store.store_protocol import Store


def is_postgresql(url: str) -> bool:
    """Return whether the URL is that of a PostgreSQL database."""
    return url.startswith(("postgresql://", "postgres://"))


def open_store(
    url: str, *, exclusive: bool = False, on_storage_broken: Callable[[], None] = lambda: None, accept_loss: bool = False
) -> Store:
    """Open the database, migrated to the newest schema.

    Args:
        url: ``sqlite:///path`` or ``postgresql://user@host/database``.
        exclusive: see `SqliteStore`; several services may share a PostgreSQL database.
        on_storage_broken: see `SqliteStore`; PostgreSQL handles its disk itself.
        accept_loss: see `SqliteStore`.

    Raises StoreDamaged with advice if the database cannot be used.
    """
    if is_postgresql(url):
        from findable.store.postgres import PostgresStore

        return PostgresStore(url)
    from findable.store.sqlite import SqliteStore

    return SqliteStore(
        Path(url.removeprefix("sqlite:///")), exclusive=exclusive, on_storage_broken=on_storage_broken, accept_loss=accept_loss
    )
