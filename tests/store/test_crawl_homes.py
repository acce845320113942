"""Both homes of crawls: a file and a schema hold the same crawl."""

import asyncio
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from findable.analyze import compute_here
from findable.crawl.scope import CrawlSettings
from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.fetch.fetcher import Fetcher
from findable.service.crawls.crawl_run import CrawlRun, report_of_crawl
from findable.store.crawl_homes import CrawlHome, crawl_home
from findable.store.crawl_store import CrawlStoreError, CrawlTakenOver
from tests.crawl.page_rows import page_rows
from tests.crawl_sites import make_shop
from tests.sites.plugin import make_site, site
from tests.sites.server import Site

__all__ = ["make_site", "site"]


@pytest.fixture
def home(database_url: str) -> Iterator[CrawlHome]:
    opened = crawl_home(database_url)
    yield opened
    opened.close()


def test_a_store_is_made_found_and_deleted(home: CrawlHome) -> None:
    assert home.crawl_ids() == []
    with pytest.raises(CrawlStoreError):
        home.open(7)
    for crawl_id in (7, 12):
        home.make(crawl_id, 1).close()
    assert (home.crawl_ids(), home.size_bytes(7) > 0, home.size_bytes(8)) == ([7, 12], True, 0)
    home.delete(7)
    home.delete(7)
    assert home.crawl_ids() == [12]


def test_only_the_last_holder_writes_and_a_reader_never(home: CrawlHome) -> None:
    first = home.make(1, 1)
    first.save_site(b"first")
    second = home.make(1, 2)
    with pytest.raises(CrawlTakenOver):
        first.save_site(b"late")
    reader = home.open(1)
    with pytest.raises(CrawlStoreError):
        reader.save_site(b"read")
    assert reader.state() is None
    for store in (first, second, reader):
        store.close()


def test_what_a_crawl_stores_is_gone_when_it_is_made_again(home: CrawlHome) -> None:
    store = home.make(1, 1)
    store.save_site(b"x")
    store.close()
    home.delete(1)
    store = home.make(1, 1)
    assert store.site() == b""
    store.close()


def test_a_file_and_a_schema_hold_the_same_crawl(tmp_path: Path, postgresql: Any, site: Site) -> None:
    make_shop(site)
    url = postgresql.database()
    found = {_digest(crawl_home(database), site) for database in (f"sqlite:///{tmp_path / 'findable.db'}", url)}
    postgresql.drop(url)
    assert len(found) == 1


def _digest(home: CrawlHome, site: Site) -> str:
    """The settled crawl in URL order with its report, without times."""

    async def crawl() -> Any:
        async with Fetcher(Guard(allow_targets=[AllowedTarget.parse("127.0.0.1")])) as fetcher:
            settings = CrawlSettings(site.url("/"), rate=1000.0, connections=1, confirm_after_s=0.05)
            return await CrawlRun(store, fetcher, compute_here).run(settings)

    store = home.make(1, 1)
    state = asyncio.run(crawl())
    with store.engine.connect() as connection:
        rows = [msgspec.structs.replace(row, first_byte_ms=0.0, requested_at=None) for row in page_rows(connection, state)]
    report = report_of_crawl(store, state)
    told = [(finding.key, finding.pages_count, finding.summary()) for finding in report.findings]
    store.close()
    home.close()
    return hashlib.sha256(msgspec.json.encode([rows, told, report.score])).hexdigest()
