"""`findable db`: show the size of the database, and free the space of deleted rows."""

from cyclopts import App

from findable.cli.accounts import open_service

app = App(name="db", help="Show the size of the database, and free space.")
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


def _size_words(size_bytes: int | None) -> str:
    if size_bytes is None:
        return "unknown"
    value = float(size_bytes)
    for unit in _UNITS:
        if value < _STEP or unit == _UNITS[-1]:
            break
        value /= _STEP
    return f"{value:.0f} {unit}" if unit == _UNITS[0] else f"{value:.1f} {unit}"
