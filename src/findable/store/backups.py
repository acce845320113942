"""Back up the whole database to one file, and restore it.

A backup is a SQLite file, of either database, and can be restored to either. It has one consistent state, stored while services keep
running; it is verified by reading it again, written completely or not at all, never over a file, and restored only to an empty database.
The secret key is never included: it is not in a table.
"""

from pathlib import Path

from findable.store.backup_file import VerifiedBackup
from findable.store.open_store import is_postgresql

SQLITE = "sqlite:///"


def back_up(url: str, path: Path) -> VerifiedBackup:
    """Write a backup of the database at that URL. Raises StoreDamaged with the reason if it fails."""
    if is_postgresql(url):
        from findable.store.backup_postgres import back_up as back_up_postgresql

        return back_up_postgresql(url, path)
    from findable.store.backup_sqlite import back_up as back_up_file

    return back_up_file(Path(url.removeprefix(SQLITE)), path)


def restore(path: Path, url: str) -> VerifiedBackup:
    """Restore a backup to an empty database, migrated to the newest schema.

    Raises StoreDamaged if the file is not a backup, is damaged or was made by a newer version, or if the target is not empty.
    """
    if is_postgresql(url):
        from findable.store.backup_postgres import restore as restore_postgresql

        return restore_postgresql(path, url)
    from findable.store.backup_sqlite import restore as restore_file

    return restore_file(path, Path(url.removeprefix(SQLITE)))
