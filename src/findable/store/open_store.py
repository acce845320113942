"""Which store an address of a database stands for."""

from collections.abc import Callable
from pathlib import Path

from findable.store.store_protocol import Store


def is_postgresql(url: str) -> bool:
    """Whether it is the address of a database on a server."""
    return url.startswith(("postgresql://", "postgres://"))


def open_store(url: str, *, exclusive: bool = False, on_broken: Callable[[], None] = lambda: None) -> Store:
    """Opens the database, migrated to the newest schema.

    Args:
        url: ``sqlite:///path`` or ``postgresql://user@host/database``.
        exclusive: see `SqliteStore`; on PostgreSQL several services may work at once.
        on_broken: see `SqliteStore`; the disk of PostgreSQL is its own business.

    Raises StoreDamaged where it cannot be used, with a sentence that says what to do.
    """
    if is_postgresql(url):
        from findable.store.postgres import PostgresStore  # noqa: PLC0415 - the driver is an extra

        return PostgresStore(url)
    from findable.store.sqlite import SqliteStore  # noqa: PLC0415 - nor is this one needed beside it

    return SqliteStore(Path(url.removeprefix("sqlite:///")), exclusive=exclusive, on_broken=on_broken)
