"""Copy the stores of crawls to a folder beside a backup. A crawl can be repeated, so a backup omits them by default."""

import contextlib
import sqlite3
from pathlib import Path

from findable.store.crawl_homes import CrawlFolder, crawl_home
from findable.store.database_errors import StoreDamaged, StoreFault, unusable_file


def back_up_crawls(database_url: str, folder: Path) -> int:
    """Copy each crawl to a file in the folder, replacing an older copy; return their number.

    Crawls may continue meanwhile. Raises StoreDamaged with the reason if it fails.
    """
    home = crawl_home(database_url)
    if not isinstance(home, CrawlFolder):
        raise StoreDamaged("on PostgreSQL crawls are schemas of the database: pg_dump --schema='crawl_*' copies them")
    found = home.crawl_ids()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for crawl_id in found:
            _copy(home.path(crawl_id), folder / home.path(crawl_id).name)
    except (OSError, sqlite3.Error) as error:
        refused = unusable_file(folder, error)
        words = str(error) if refused.fault is StoreFault.DAMAGED else str(refused)
        raise StoreDamaged(f"the crawls cannot be copied to {folder}: {words}", refused.fault) from error
    return len(found)


def _copy(source: Path, target: Path) -> None:
    beside = target.with_name(f"{target.name}.part")
    beside.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(source)) as read, contextlib.closing(sqlite3.connect(beside)) as written:
        read.backup(written)
    beside.chmod(0o600)
    beside.replace(target)
