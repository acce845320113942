"""`findable backup` and `findable restore`: write the whole database to one file, and restore it."""

from pathlib import Path

from findable.cli.command_settings import load_settings
from findable.settings import SECRET_NAME

_KEY_NOTE = (
    "The secret key is not included: back up {place} too. Without it people must sign in again; API keys and report passwords stay valid."
)


def backup(file: Path, /, *, crawls: Path | None = None) -> int:
    """Write a verified backup of the database to FILE, also while the service is running. An existing file is never overwritten.

    It is a SQLite database, also for one on PostgreSQL. The findings of crawls are included; their pages and links are in separate
    files, which --crawls copies too.

    Args:
        file: The file to write; an existing one is never overwritten.
        crawls: Folder for copies of the pages of crawls, on SQLite. Left out by default.
    """
    from findable.store.backup_crawls import back_up_crawls
    from findable.store.backups import back_up
    from findable.store.database_errors import StoreDamaged

    settings = load_settings()
    try:
        made = back_up(settings.database_url, file)
        copied = back_up_crawls(settings.database_url, crawls) if crawls is not None else None
    except StoreDamaged as error:
        raise error.as_setting_error("backup") from error
    print(f"{made.path}: {made.size_bytes:,} bytes, {made.rows['report']:,} reports, schema {made.schema}; verified.")
    if copied is not None:
        print(f"{crawls}: {copied:,} crawls.")
    place = settings.name_of("secret_key") if settings.secret_key else settings.data_dir / SECRET_NAME
    print(_KEY_NOTE.format(place=place))
    return 0


def restore(file: Path, /, *, to: str | None = None) -> int:
    """Restore a backup to an empty database, by default the one of the settings. Stop the service first.

    The file is verified before anything is written, and migrated to the newest schema.

    Args:
        file: What `findable backup` wrote.
        to: A database other than the one in the settings: sqlite:////path.db or postgresql://…
    """
    from findable.store.backups import restore as give_back
    from findable.store.database_errors import StoreDamaged

    settings = load_settings({"database_url": to}, flag_names={"database_url": "--to"})
    try:
        given = give_back(file, settings.database_url)
    except StoreDamaged as error:
        raise error.as_setting_error("restore") from error
    print(f"{given.rows['report']:,} reports of {given.rows['account']:,} accounts were restored from schema {given.schema}.")
    if not settings.secret_key and not (settings.data_dir / SECRET_NAME).exists():
        print(
            f"There is no file {settings.data_dir / SECRET_NAME}: copy your secret there now; otherwise a new one is created, "
            f"and everybody must sign in again."
        )
    return 0
