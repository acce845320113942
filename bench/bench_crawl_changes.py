"""Measure the comparison of two settled crawls of ``--crawl-pages`` pages, and the lists of its changes.

The crawls are those of ``crawl_lists``: rows without a site. In the newer one, one page in ten has another title, and as many have other
numbers of links. Times are CPU time with the files in the system's cache. The baseline reads the same rows in the same order.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from bench_crawl_lists import fill
from msgspec.structs import replace
from sqlalchemy import bindparam, select, update

from findable.capture.crawl import CrawlEnd, CrawlSummary
from findable.crawl.changes import ChangeKind
from findable.crawl.record import PageRecord
from findable.reports.site_report import SiteReport
from findable.service.crawls.crawl_comparing import StoredCrawl, compare_crawls
from findable.store.crawl_file import CrawlFile
from findable.store.crawl_findings import write_report
from findable.store.crawl_schema import PAGE, RECORD, SETTLED, URL, WITH_RECORD
from findable.store.packed_pages import packed_record, unpacked_record
from findable.store.stored_comparisons import StoredComparison, listed_changes

CHANGED_OF = 10
PER_PAGE = 11
PLACES = 9


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Return the seconds for the comparison and the milliseconds for each list."""
    with tempfile.TemporaryDirectory() as folder:
        crawls = [_fill(Path(folder) / f"{name}.sqlite", options.crawl_pages) for name in ("before", "after")]
        before, after = crawls
        change(after)
        began_s = time.process_time()
        for crawl in crawls:
            _read(crawl)
        floor_s = time.process_time() - began_s
        size = after.file.engine.url.database or ""
        before_bytes = Path(size).stat().st_size
        began_s = time.process_time()
        stored = compare_crawls(before, after, {})
        compared_s = time.process_time() - began_s
        began_s = time.process_time()
        compare_crawls(before, after, {})
        found_s = time.process_time() - began_s
        changes = sum(stored.comparison.counts.values())
        lists = {name: _times(after.file, stored, kind, options.rounds) for name, kind in (("all", None), ("title", ChangeKind.TITLE))}
        for crawl in crawls:
            crawl.file.close()
        added_bytes = Path(size).stat().st_size - before_bytes
    return {
        "pages": options.crawl_pages,
        "changes": changes,
        "compare_cpu_s": round(compared_s, 2),
        "floor_cpu_s": round(floor_s, 2),
        "found_again_cpu_ms": round(1000 * found_s, 1),
        "bytes_per_change": round(added_bytes / changes, 1),
        "list_cpu_ms": lists,
    }


def _fill(path: Path, pages: int) -> StoredCrawl:
    file = CrawlFile(path)
    state = replace(fill(file, pages), ended_by=CrawlEnd.COMPLETE)
    summary = CrawlSummary(state.settings.start_url, "", pages, pages)
    report = SiteReport(summary, (), 50, 50.0, 50.0, None, provisional=False, counts={})
    with file.writing() as connection:
        connection.execute(update(PAGE).values(stated=1))
        write_report(connection, state, report)
    return StoredCrawl(file, state)


def change(crawl: StoredCrawl) -> None:
    """Give one page in ten another title, and as many other numbers of links."""
    with crawl.file.writing() as connection:
        rows = connection.execute(select(RECORD).join(PAGE, WITH_RECORD).where(PAGE.c.is_html, PAGE.c.id % CHANGED_OF == 0)).all()
        records = [
            {"number": row.id, "packed": packed_record(replace(unpacked_record(row.record, PageRecord), title="Other"))} for row in rows
        ]
        connection.execute(update(RECORD).where(RECORD.c.id == bindparam("number")).values(record=bindparam("packed")), records)
        connection.execute(update(PAGE).where(PAGE.c.is_html, PAGE.c.id % CHANGED_OF == 0).values(stated=2))
        links = update(SETTLED).where(SETTLED.c.id % CHANGED_OF == 1).values(inlinks=SETTLED.c.inlinks + 1)
        connection.execute(links)


def _read(crawl: StoredCrawl) -> None:
    joined = URL.outerjoin(PAGE, PAGE.c.id == URL.c.id).outerjoin(SETTLED, SETTLED.c.id == URL.c.id)
    statement = select(URL.c.url, PAGE.c.status, PAGE.c.text, SETTLED.c.depth).select_from(joined).order_by(URL.c.url)
    with crawl.file.engine.connect() as connection:
        for _ in connection.execute(statement).yield_per(1000):
            pass


def _times(file: CrawlFile, stored: StoredComparison, kind: ChangeKind | None, rounds: int) -> dict[str, float]:
    """Return the median milliseconds of the first page, and of the slowest of several cursors."""
    total = stored.changes_count if kind is None else stored.comparison.counts[kind.value]
    with file.engine.connect() as connection:
        steps = [total * part // (PLACES + 1) for part in range(1, PLACES + 1)]
        found = [listed_changes(connection, stored, kind, offset=step, limit=1)[0] for step in steps]
    places: list[dict[str, Any]] = [{name: (item.rank, item.number)} for item in found for name in ("after", "before")]
    return {"first": _cpu_ms(file, stored, kind, rounds, {}), "cursor": max(_cpu_ms(file, stored, kind, rounds, place) for place in places)}


def _cpu_ms(file: CrawlFile, stored: StoredComparison, kind: ChangeKind | None, rounds: int, place: dict[str, Any]) -> float:
    taken = []
    for _ in range(rounds):
        began_s = time.process_time()
        with file.engine.connect() as connection:
            listed_changes(connection, stored, kind, limit=PER_PAGE, **place)
        taken.append(time.process_time() - began_s)
    return round(1000 * statistics.median(taken), 1)
