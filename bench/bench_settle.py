"""Measure the frontier, settling and report of a large crawl without requests: CPU time per link and page, memory, bytes.

The pages are one analysed page with different titles, texts and links: a shared menu, a list of their section, and unique links,
more often to early pages. With ``--own-lists 2`` a page has its neighbours instead of the list of its section, as in the shop of
bench_shop: two lists that no other page has. The first pages are stored as in a crawl, the others by statements for many rows;
settling runs in a separate process. With ``--keep FILE`` the crawl is stored in that file, and only settled if it exists.
"""

import argparse
import json
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import crawl_server
from bench_analysis import ORIGIN, capture_of
from msgspec.structs import replace
from sqlalchemy import select, update

from findable.capture.crawl import CrawlEnd
from findable.capture.saved import dump_site
from findable.crawl.blocks import Block, BlockLink
from findable.crawl.found_by import FoundBy
from findable.crawl.packed_verdicts import all_check_ids
from findable.crawl.record import ReadPage
from findable.crawl.settings import CrawlSettings
from findable.crawl.state import CrawlState, Phase
from findable.crawl.url_keys import text_key
from findable.crawl.visits import Visit
from findable.crawled_pages import read_pages
from findable.fetch.single_fetch import SingleFetch
from findable.service.crawls.crawl_run import report_of_crawl, settle_crawl
from findable.store.crawl_file import CrawlFile
from findable.store.crawl_frontier import DONE, WAITING
from findable.store.crawl_schema import ANCHOR, BLOCK, PAGE, RECORD, URL, VERDICT
from findable.store.page_writer import block_row, page_row, record_row
from findable.values import batches_of

SECTION_PAGES = 100
AT_ONCE = 8
"""Pages per transaction, as in a crawl."""
STORED_PAGES = 20_000
"""Pages that are stored as in a crawl."""
WRITTEN_AT_ONCE = 2000
WORDS = [f"{first} {second}" for first in crawl_server.WORDS[:40] for second in crawl_server.WORDS[40:80]]
"""Number of different anchor texts."""


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Store the crawl, then settle it in another process."""
    pages, links = options.crawl_pages, options.links
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "crawl.sqlite"
        kept = options.keep or path
        stored = {} if kept.exists() else store_crawl(kept, pages, links, options.own_lists)
        if kept != path:
            shutil.copy(kept, path)
        stored_bytes = path.stat().st_size
        settled = json.loads(subprocess.check_output([sys.executable, __file__, str(path)]))
        all_bytes = path.stat().st_size
    return {
        "pages": pages,
        "links": pages * links,
        **stored,
        "stored_bytes_per_page": round(stored_bytes / pages),
        "settled_bytes_per_page": round((all_bytes - stored_bytes) / pages),
        "file_mb": round(all_bytes / 1e6),
        **settled,
    }


def _url(number: int) -> str:
    return f"{ORIGIN}/section-{number // SECTION_PAGES}/page-{number}" if number else f"{ORIGIN}/"


def _block(targets: list[int], shape: int, landmark: str) -> Block:
    links = tuple(BlockLink(_url(target), WORDS[target % len(WORDS)], nofollow=False) for target in targets)
    return Block(text_key(" ".join(link.url for link in links)), shape, links, landmark, "body > ul:nth-of-type(1)")


def _read_pages(pages: int, links: int, own_lists: int) -> Iterator[ReadPage]:
    """Yield the pages: the record of one analysed page, with values that distinguish the pages."""
    made = capture_of(crawl_server.page(1, 340, 20_000), "page/1")
    record = read_pages(dump_site(made.site), [(f"{ORIGIN}/page/1", SingleFetch(response=made.page.response))])[0].record
    if not record.is_indexable:
        raise SystemExit("the page is not indexable: its links and findings would not be read")
    chance = random.Random(1)
    menu = _block(list(range(0, pages, max(1, pages // (links * 2 // 5)))), 1, "nav")
    for number in range(pages):
        section, turn = number - number % SECTION_PAGES, number if own_lists > 1 else 0
        near = _block([min(section + (turn + step) % SECTION_PAGES, pages - 1) for step in range(links * 3 // 10)], 2, "aside")
        own = _block([int(pages * chance.random() ** 3) for _ in range(links - len(menu.links) - len(near.links))], 3, "main")
        key = text_key(str(number))
        title = f"{WORDS[number % len(WORDS)]} number {number}"
        texts = {"title": title, "h1": title, "description": f"{title}, told in one sentence."}
        keys = {"text_key": key, "plain_text_key": key, "sketch": chance.randbytes(len(record.sketch))}
        yield ReadPage(replace(record, url=_url(number), **texts, **keys), (menu, near, own))


def store_crawl(path: Path, pages: int, links: int, own_lists: int = 1) -> dict[str, float]:
    """Store the pages in the order of the frontier; return the CPU seconds of the store."""
    file = CrawlFile(path)
    settings = CrawlSettings(_url(0), pages=pages)
    file.save_state(CrawlState(_url(0), settings, started_at="2026-11-01T12:00:00Z", checks=all_check_ids(), phase=Phase.DISCOVER))
    file.save_site(dump_site(capture_of(b"<title>x</title>", "x").site))
    urls = [_url(number) for number in range(pages)]
    new_us = _frontier_us(file, urls)
    known_us = _frontier_us(file, urls[:STORED_PAGES])
    made = _read_pages(pages, links, own_lists)
    spent_ns = 0
    for _ in range(0, min(pages, STORED_PAGES), AT_ONCE):
        spent_ns -= time.process_time_ns()
        taken = file.take(AT_ONCE)
        spent_ns += time.process_time_ns()
        visits = [Visit(item, page) for item, page in zip(taken, made, strict=False)]
        spent_ns -= time.process_time_ns()
        file.put(visits)
        spent_ns += time.process_time_ns()
    _write(file, made)
    state = file.state()
    if state is None:
        raise SystemExit("the crawl has no state")
    file.save_state(replace(state, phase=Phase.SETTLE, ended_by=CrawlEnd.COMPLETE, ended_at="2026-11-01T13:00:00Z"))
    file.close()
    stored_pages = min(pages, STORED_PAGES)
    return {
        "frontier_us_per_new_url": new_us,
        "frontier_us_per_known_url": known_us,
        "store_ms_per_page": round(spent_ns / 1e6 / stored_pages, 2),
        "store_us_per_link": round(spent_ns / 1e3 / stored_pages / links, 1),
    }


def _write(file: CrawlFile, pages: Iterator[ReadPage]) -> None:
    """Write the pages of the URLs that wait, in one transaction."""
    with file.writing() as connection:
        numbers = {row.url: row.id for row in connection.execute(select(URL.c.url, URL.c.id))}
        waiting = connection.execute(select(URL.c.id).where(URL.c.state == WAITING).order_by(URL.c.id)).scalars().all()
        known = {row.key: row.id for row in connection.execute(select(BLOCK.c.key, BLOCK.c.id))}
        anchors = {row.text: row.id for row in connection.execute(select(ANCHOR.c.text, ANCHOR.c.id))}
        for batch in batches_of(zip(waiting, pages, strict=False), WRITTEN_AT_ONCE):
            blocks = {block.key: block for _, page in batch for block in page.blocks if block.key not in known}
            rows = [block_row(block, 1, numbers, anchors, {}) for block in blocks.values()]
            first = len(known) + 1
            known |= {key: number for number, key in enumerate(blocks, first)}
            connection.execute(BLOCK.insert(), [{**row, "id": known[row["key"]]} for row in rows])
            connection.execute(PAGE.insert(), [page_row(number, page, numbers, 0) for number, page in batch])
            connection.execute(RECORD.insert(), [record_row(number, page, known) for number, page in batch])
            connection.execute(VERDICT.insert(), [{"id": number, "verdicts": page.record.verdicts} for number, page in batch])
        connection.execute(update(URL).values(state=DONE))


def _frontier_us(file: CrawlFile, urls: list[str]) -> float:
    """Add URLs; return the CPU microseconds per URL."""
    started_ns = time.process_time_ns()
    file.add(urls, FoundBy.SITEMAP, 1)
    return round((time.process_time_ns() - started_ns) / 1000 / len(urls), 1)


def settle(path: Path) -> dict[str, Any]:
    """Settle a stored crawl and create its report."""
    file = CrawlFile(path)
    started_s = time.process_time()
    state = settle_crawl(file)
    settled_s = time.process_time()
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    report = report_of_crawl(file, state)
    return {
        "settle_s": round(settled_s - started_s, 1),
        "settle_peak_mb": round(peak_mb),
        "report_s": round(time.process_time() - settled_s, 1),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000),
        "score": report.score,
    }


if __name__ == "__main__":
    json.dump(settle(Path(sys.argv[1])), sys.stdout)
