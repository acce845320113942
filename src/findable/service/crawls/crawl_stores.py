"""Stores of crawls compared with the rows of the database, for `findable doctor`."""

from contextlib import closing

from msgspec import Struct

from findable.service.runtime.service import Service
from findable.store.crawl_homes import CrawlHome
from findable.store.crawl_store import CrawlStoreDamaged, CrawlStoreError


class StoredCrawls(Struct, frozen=True):
    """Health of the stores of all crawls."""

    count: int
    size_bytes: int
    place: str
    """Folder of the stores, as text; empty if they are in the database."""
    problem: str
    """Reason why no crawl can be stored; empty if storing is possible."""
    orphans: tuple[int, ...]
    """Stores without a crawl in the database, left by a restored backup."""
    damaged: tuple[int, ...]
    """Stores that cannot be read."""
    missing: tuple[int, ...]
    """Finished crawls with pages whose store is absent or empty: a restored backup did not include it, or its file was lost."""


def stored_crawls(service: Service) -> StoredCrawls:
    """Return the state of all crawl stores."""
    home = service.crawl_home
    found = home.crawl_ids()
    with service.store.read() as session:
        known, with_pages = session.crawls.all_ids(), session.crawls.with_pages()
    size_bytes = sum(home.size_bytes(crawl_id) for crawl_id in found)
    orphans = tuple(crawl_id for crawl_id in found if crawl_id not in known)
    damaged = tuple(crawl_id for crawl_id in found if home.damage(crawl_id))
    empty = {crawl_id for crawl_id in with_pages & set(found) if _is_empty(home, crawl_id)}
    missing = tuple(sorted(with_pages - (set(found) - empty)))
    return StoredCrawls(len(found), size_bytes, home.place, home.problem(), orphans, damaged, missing)


def _is_empty(home: CrawlHome, crawl_id: int) -> bool:
    """Return whether a store has no tables or no state; False if it is damaged, or of another version."""
    try:
        with closing(home.open(crawl_id)) as store:
            return store.state() is None
    except CrawlStoreDamaged:
        return False
    except CrawlStoreError as error:
        return error.__cause__ is not None
