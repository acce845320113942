"""`findable db`: show the size of the database, free the space of deleted rows, copy it to PostgreSQL."""

from pathlib import Path

from cyclopts import App

from findable.cli.accounts import open_service
from findable.cli.command_settings import load_settings
from findable.cli.terminal import ProgressLine, Terminal
from findable.errors import SettingError

app = App(name="db", help="Show the size of the database, free space, copy it to PostgreSQL.")
SQLITE = "sqlite:///"
_UNITS = ("B", "kB", "MB", "GB", "TB")
_STEP = 1000


@app.command
def size() -> int:
    """Show the number of rows and the size of each table, the largest first."""
    with open_service("db") as service:
        tables, all_bytes, about = service.store.sizes(), service.store.size_bytes(), service.store.about()
    print(about.text)
    for table in sorted(tables, key=lambda table: (-(table.size_bytes or 0), table.table)):
        print(f"  {table.table:<18} {table.rows:>12,} rows  {_size_words(table.size_bytes):>10}")
    print(f"  {'all':<18} {'':>17}  {_size_words(all_bytes):>10}")
    return 0


@app.command
def vacuum() -> int:
    """Free the disk space of deleted rows. On SQLite this takes as much free disk space as the database, and blocks all writes."""
    with open_service("db") as service:
        before = service.store.size_bytes()
        service.store.vacuum()
        after = service.store.size_bytes()
    print(f"{_size_words(before)} before, {_size_words(after)} now")
    return 0


@app.command
def copy(*, to: str) -> int:
    """Copy the SQLite database to PostgreSQL and compare the two. Stop the service first. If killed, it continues when started again.

    Args:
        to: postgresql://user@host/database, an empty one.
    """
    from findable.store.database_errors import StoreDamaged
    from findable.store.open_store import is_postgresql

    settings = load_settings()
    if not is_postgresql(to):
        raise SettingError("--to", "is not a URL like postgresql://findable@localhost/findable")
    if not settings.database_url.startswith(SQLITE):
        raise SettingError(settings.name_of("database_url"), "must be the URL of the SQLite database to copy, or unset")
    from findable.store.copying import copy as copy_all

    progress = ProgressLine(Terminal.detect())
    try:
        copied = copy_all(
            Path(settings.database_url.removeprefix(SQLITE)), to, lambda table, done, of: progress.show(f"{table}: {done:,} of {of:,} rows")
        )
    except StoreDamaged as error:
        raise error.as_setting_error("--to") from error
    finally:
        progress.clear()
    for table in copied:
        print(f"  {table.table:<18} {table.rows:>12,} rows  {table.checksum}")
    print("All tables are identical. Set FINDABLE_DATABASE_URL to the new URL; secret.key stays in the data directory.")
    return 0


def _size_words(size_bytes: int | None) -> str:
    if size_bytes is None:
        return "unknown"
    value = float(size_bytes)
    for unit in _UNITS:
        if value < _STEP or unit == _UNITS[-1]:
            break
        value /= _STEP
    return f"{value:.0f} {unit}" if unit == _UNITS[0] else f"{value:.1f} {unit}"
