"""Both homes of crawls: a file and a schema hold the same crawl."""

import asyncio
import hashlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from findable.compute import compute_here
from findable.crawl.settings import CrawlSettings
from findable.crawl.state import CrawlState, Phase
from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.fetch.fetcher import Fetcher
from findable.service.crawls.crawl_run import CrawlRun, report_of_crawl, settle_crawl
from findable.store.crawl_homes import CrawlHome, crawl_home
from findable.store.crawl_schema import ANSWER, BLOCK_PAGES, FINDING, FINDING_PAGE, HOLDER, INLINKS, METADATA, REPORT, SETTLED
from findable.store.crawl_store import CrawlStore, CrawlStoreError, CrawlTakenOver
from tests.crawl.page_rows import page_rows
from tests.crawl_sites import html, make_shop
from tests.sites.plugin import make_site, site
from tests.sites.server import Site

__all__ = ["make_site", "site"]

SETTLED_TABLES = {table.name for table in (SETTLED, BLOCK_PAGES, INLINKS, ANSWER, REPORT, FINDING, FINDING_PAGE)}
"""Tables that settling fills."""


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


def test_postgresql_settles_a_crawl_to_the_same_tables_as_a_file(tmp_path: Path, postgresql: Any, site: Site) -> None:
    make_shop(site)
    site.page("/step/1", html("Step 1", "<p><a href='/step/2'>A second step</a></p>"))
    site.page("/step/2", html("Step 1", "<p><a href='/step/1'>Back to the first step</a></p>"))
    site.page("/about", html("About us", "<p><a href='/step/1'>A first step</a></p>"))
    url = postgresql.database()
    with closing(crawl_home(f"sqlite:///{tmp_path / 'findable.db'}")) as files, closing(crawl_home(url)) as schemas:
        file, schema = files.make(1, 1), schemas.make(1, 1)
        state = asyncio.run(_crawl(file, site))
        crawled = {name: rows for name, rows in _tables(file).items() if name not in SETTLED_TABLES}
        with schema.writing() as connection:
            for name, rows in crawled.items():
                if rows:
                    connection.execute(METADATA.tables[name].insert(), rows)
        schema.save_state(msgspec.structs.replace(state, phase=Phase.SETTLE))
        settle_crawl(schema)
        found, expected = _tables(schema), _tables(file)
        assert [name for name, rows in expected.items() if rows != found[name]] == []
        assert expected["crawl_finding"]
        assert expected["crawl_answer"]
        assert report_of_crawl(schema, state) == report_of_crawl(file, state)
        for store in (file, schema):
            store.close()
    postgresql.drop(url)


def _tables(store: CrawlStore) -> dict[str, list[dict[str, Any]]]:
    """Rows of all tables of a crawl, except who holds it."""
    with store.reading() as connection:
        return {
            table.name: [dict(row) for row in connection.execute(table.select().order_by(*table.primary_key)).mappings()]
            for table in METADATA.sorted_tables
            if table is not HOLDER
        }


def test_a_rolling_crawl_copies_the_earlier_store(home: CrawlHome, site: Site) -> None:
    make_shop(site, products=4)
    first = home.make(1, 1)
    asyncio.run(_crawl(first, site))
    second = home.make(2, 1)
    asyncio.run(_crawl(second, site, earlier=first, rolling=3))
    first.close()
    home.delete(1)
    counts = second.counts()
    assert (counts.done, counts.waiting, counts.carried) == (3, 0, counts.read - 3)
    site.page("/about", html("About us", '<ul><li><a href="/new">A list of links that is new</a></li></ul>'))
    third, full = home.make(3, 1), home.make(4, 1)
    again, of_full = asyncio.run(_crawl(third, site, earlier=second, rolling=100)), asyncio.run(_crawl(full, site))
    assert (third.counts().carried, third.counts().read) == (0, counts.read + 1)
    assert _rows(third, again, site) == _rows(full, of_full, site)
    for store in (second, third, full):
        store.close()


async def _crawl(store: CrawlStore, site: Site, earlier: CrawlStore | None = None, **settings: Any) -> CrawlState:
    async with Fetcher(Guard(allow_targets=[AllowedTarget.parse("127.0.0.1")])) as fetcher:
        wanted = CrawlSettings(site.url("/"), rate=1000.0, connections=1, confirm_after_s=0.05, **settings)
        return await CrawlRun(store, fetcher, compute_here, earlier=earlier).run(wanted)


def _rows(store: CrawlStore, state: CrawlState, site: Site) -> bytes:
    """Rows of the settled crawl in URL order, without times."""
    with store.engine.connect() as connection:
        rows = [msgspec.structs.replace(row, first_byte_ms=0.0, requested_at=None) for row in page_rows(connection, state)]
    return msgspec.json.encode(rows).replace(site.base.encode(), b"")


def _digest(home: CrawlHome, site: Site) -> str:
    """The settled crawl in URL order with its report, without times."""
    store = home.make(1, 1)
    state = asyncio.run(_crawl(store, site))
    rows = _rows(store, state, site)
    report = report_of_crawl(store, state)
    told = [(finding.key, finding.pages_count, finding.summary()) for finding in report.findings]
    store.close()
    home.close()
    return hashlib.sha256(msgspec.json.encode([rows.decode(), told, report.score])).hexdigest()
