"""Stores of crawls compared with the rows of the database, for `findable doctor`."""

from msgspec import Struct

from findable.service.runtime.service import Service


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
    """Finished crawls with pages but without a store, which a restored backup did not include."""


def stored_crawls(service: Service) -> StoredCrawls:
    """Return the state of all crawl stores."""
    home = service.crawl_home
    found = home.crawl_ids()
    with service.store.read() as session:
        known, with_pages = session.crawls.all_ids(), session.crawls.with_pages()
    size_bytes = sum(home.size_bytes(crawl_id) for crawl_id in found)
    orphans = tuple(crawl_id for crawl_id in found if crawl_id not in known)
    damaged = tuple(crawl_id for crawl_id in found if home.damage(crawl_id))
    return StoredCrawls(len(found), size_bytes, home.place, home.problem(), orphans, damaged, tuple(sorted(with_pages - set(found))))
