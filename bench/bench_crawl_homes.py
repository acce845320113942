"""Compare storage for crawls: on PostgreSQL a schema per crawl and partitions of shared tables, and a SQLite file.

Measured are the times to create and delete the tables of a crawl, and to write and read pages with 100 links. Findable
uses the schema (`store/crawl_homes.py`); the partitions are the same tables with an additional crawl column, partitioned by list.
Run ``python -m bench.bench_crawl_homes`` by hand; it needs the programs of PostgreSQL, as the tests do.
"""

import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import BigInteger, Column, Connection, Engine, MetaData, Table, UniqueConstraint, text
from sqlalchemy.schema import CreateIndex, CreateTable

from findable.crawl.blocks import Block, BlockLink
from findable.crawl.found_by import FoundBy
from findable.crawl.record import PageRecord, ReadPage
from findable.crawl.settings import CrawlSettings
from findable.crawl.state import CrawlState
from findable.crawl.visits import Visit
from findable.store.crawl_homes import CrawlFolder, CrawlHome, CrawlSchemas
from findable.store.crawl_schema import METADATA
from findable.store.postgres import crawl_engine
from tests.postgresql import Server, programs

CRAWLS = 30
PAGES = 1500
ORIGIN = "https://example.com"


def main() -> None:
    """Print the times in milliseconds as JSON."""
    place = programs()
    if place is None:
        raise SystemExit("PostgreSQL is not installed")
    server = Server(place)
    try:
        url = server.database()
        with tempfile.TemporaryDirectory() as folder:
            found = {
                "sqlite file": _home(CrawlFolder(Path(folder))),
                "postgresql schema": _home(CrawlSchemas(lambda: crawl_engine(url))),
                "postgresql partitions": _partitions(crawl_engine(url)),
            }
        print(json.dumps(found, indent=1))
    finally:
        server.remove()


def _home(home: CrawlHome) -> dict[str, Any]:
    made = [_ms(lambda number=number: home.make(number, 1).close()) for number in range(1, CRAWLS + 1)]
    store = home.make(1, 1)
    store.save_state(CrawlState(f"{ORIGIN}/", CrawlSettings(f"{ORIGIN}/", pages=10 * PAGES)))
    store.add([f"{ORIGIN}/"], FoundBy.START, 0)
    begun_s, cpu_s = time.perf_counter(), time.process_time()
    pages = 0
    while pages < PAGES:
        taken = store.take(8)
        store.put([Visit(item, _page(item.url, item.number)) for item in taken])
        pages += len(taken)
    put_ms, put_cpu_ms = 1000 * (time.perf_counter() - begun_s) / pages, 1000 * (time.process_time() - cpu_s) / pages
    size_bytes = home.size_bytes(1)
    read_ms = statistics.median(_ms(store.counts) for _ in range(20))
    store.close()
    deleted = [_ms(lambda number=number: home.delete(number)) for number in range(1, CRAWLS + 1)]
    home.close()
    return {
        "make_ms": round(statistics.median(made), 1),
        "delete_ms": round(statistics.median(deleted), 1),
        "put_ms_a_page": round(put_ms, 2),
        "put_cpu_ms_a_page": round(put_cpu_ms, 2),
        "counts_ms": round(read_ms, 2),
        "bytes_a_page": size_bytes // pages,
    }


def _page(url: str, number: int) -> ReadPage:
    own = tuple(BlockLink(f"{ORIGIN}/page-{10 * number + place}", f"Page {place} of {number}", nofollow=False) for place in range(10))
    menu = tuple(BlockLink(f"{ORIGIN}/menu-{place}", f"Menu {place}", nofollow=False) for place in range(90))
    blocks = (Block(1, 1, menu, "nav", "nav ul"), Block(100 + number, 2, own, "main", "main ul"))
    return ReadPage(PageRecord(url, 200, media_type="text/html", title=f"Page {number}", verdicts=bytes(120)), blocks, "text " * 200)


def _partitions(engine: Engine) -> dict[str, Any]:
    """Return the times to create and delete the partitions of a crawl, without statements that use them."""
    tables = MetaData()
    for table in METADATA.sorted_tables:
        columns = [Column(column.name, column.type, primary_key=column.primary_key, autoincrement=False) for column in table.columns]
        keys = [
            UniqueConstraint("crawl_id", *(column.name for column in item.columns))
            for item in table.constraints
            if isinstance(item, UniqueConstraint)
        ]
        of = Column("crawl_id", BigInteger, primary_key=True, autoincrement=False)
        Table(f"all_{table.name}", tables, of, *columns, *keys, postgresql_partition_by="LIST (crawl_id)")
    with engine.begin() as connection:
        for table in tables.sorted_tables:
            connection.execute(CreateTable(table))
            for index in table.indexes:
                connection.execute(CreateIndex(index))
    made = [_ms(lambda number=number: _in(engine, lambda of: _make(of, tables, number))) for number in range(1, CRAWLS + 1)]
    deleted = [_ms(lambda number=number: _in(engine, lambda of: _drop(of, tables, number))) for number in range(1, CRAWLS + 1)]
    engine.dispose()
    return {"make_ms": round(statistics.median(made), 1), "delete_ms": round(statistics.median(deleted), 1)}


def _make(connection: Connection, tables: MetaData, number: int) -> None:
    for table in tables.sorted_tables:
        connection.execute(text(f"CREATE TABLE {table.name}_{number} PARTITION OF {table.name} FOR VALUES IN ({number})"))


def _drop(connection: Connection, tables: MetaData, number: int) -> None:
    for table in tables.sorted_tables:
        connection.execute(text(f"DROP TABLE {table.name}_{number}"))


def _in(engine: Engine, work: Callable[[Connection], None]) -> None:
    with engine.begin() as connection:
        work(connection)


def _ms(work: Callable[[], object]) -> float:
    begun_s = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - begun_s)


if __name__ == "__main__":
    main()
