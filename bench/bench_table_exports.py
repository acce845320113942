"""Measure exports of all tables of a settled crawl of ``--crawl-pages`` pages with ``--links`` links each, by format.

The crawl is the one of bench_crawl_lists, with a menu that all pages share and a list of own links on each page. Each table is written by
a process of its own, so that its memory is known; the memory of a process that has only opened the crawl and loaded the library is
subtracted.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from bench_crawl_lists import fill
from sqlalchemy import insert, update

from findable.checks.causes import Cause, CauseKind
from findable.checks.engine import Evidence
from findable.crawl.page_selection import PageSelection
from findable.crawl.tables import CrawlTable
from findable.crawl.varints import pack
from findable.export.table_files import TableFormat, all_in_one, table_file
from findable.reports.site_report import SiteFinding
from findable.store.crawl_file import CrawlFile
from findable.store.crawl_schema import ANCHOR, BLOCK, FINDING, FINDING_PAGE, PAGE, RECORD
from findable.store.packed_pages import packed_record
from findable.store.table_exports import TableExports
from findable.vocabulary import Verdict

MENU_SHARE = 0.6
"""Share of the links of a page that are in its menu."""
ANCHORS = 20_000
FINDINGS = 200
WRITTEN_AT_ONCE = 5000
TABLES = (CrawlTable.PAGES, CrawlTable.FINDINGS, CrawlTable.FINDING_PAGES, CrawlTable.VERDICTS, CrawlTable.FIX_LIST, CrawlTable.LINKS)


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Return seconds, rows a second, megabytes of file and memory by format and table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "crawl.sqlite"
        file = CrawlFile(path)
        fill(file, options.crawl_pages)
        _link(file, options.links)
        file.close()
        found: dict[str, Any] = {"pages": options.crawl_pages, "links_of_a_page": options.links}
        for format_ in (TableFormat.PARQUET, TableFormat.CSV, TableFormat.XLSX):
            idle = _run(path, format_, "nothing")["memory_mb"]
            names = [*(table.value for table in TABLES), "all"] if format_ is TableFormat.PARQUET else ["pages", "links"]
            for name in names:
                taken = _run(path, format_, name)
                found[f"{format_.value} {name}"] = taken | {"memory_mb": round(taken["memory_mb"] - idle, 1)}
    return found


def _run(path: Path, format_: TableFormat, name: str) -> dict[str, Any]:
    program = [sys.executable, __file__, str(path), format_.value, name]
    found: dict[str, Any] = json.loads(subprocess.run(program, check=True, capture_output=True, text=True).stdout)
    return found


def _link(file: CrawlFile, links: int) -> None:
    """Store the links and findings of the crawl."""
    random = Random(2)
    with file.engine.begin() as connection:
        numbers = list(connection.execute(PAGE.select().with_only_columns(PAGE.c.id).order_by(PAGE.c.id)).scalars())
        anchors = [{"id": at, "key": at, "text": f"Anchor text number {at} of this shop"} for at in range(1, ANCHORS + 1)]
        connection.execute(insert(ANCHOR), anchors)
        menus = [_block(at, numbers, int(links * MENU_SHARE), random) for at in range(1, 51)]
        connection.execute(insert(BLOCK), menus)
        for start in range(0, len(numbers), WRITTEN_AT_ONCE):
            part = numbers[start : start + WRITTEN_AT_ONCE]
            own = [_block(100 + number, numbers, links - int(links * MENU_SHARE), random) for number in part]
            connection.execute(insert(BLOCK), own)
            for number in part:
                blocks = pack([number % 50 + 1, 100 + number])
                connection.execute(update(RECORD).where(RECORD.c.id == number).values(blocks=blocks))
        for at in range(1, FINDINGS + 1):
            finding = _finding(at)
            values = {
                "id": at,
                "key": finding.key,
                "check_id": finding.id,
                "finding": packed_record(finding),
                "pages_count": finding.pages_count,
            }
            connection.execute(insert(FINDING).values(**values, is_note=False))
            with_it = random.sample(numbers, len(numbers) // 20)
            connection.execute(insert(FINDING_PAGE), [{"finding": at, "page": number} for number in sorted(with_it)])


def _finding(at: int) -> SiteFinding:
    cause = Cause(CauseKind.TEMPLATE, str(at), "pages like {pattern}", {"pattern": f"/blog/{at}/*"})
    evidence = (Evidence("url", url=f"https://shop.example/{at}"),)
    return SiteFinding(
        id="title-unique",
        key=f"title-unique:{at}",
        verdict=Verdict.WARNED,
        message="{count} pages",
        params={"count": 5000},
        cause=cause,
        pages_count=5000,
        share=0.05,
        evidence=evidence,
    )


def _block(number: int, targets: list[int], links: int, random: Random) -> dict[str, Any]:
    chosen = random.sample(targets, links)
    packed = pack(value for target in chosen for value in (target, random.randrange(1, ANCHORS + 1), 0))
    return {"id": number, "key": number, "links": packed, "landmark": "main", "selector": f"main > ul:nth-of-type({number})", "depth": 2}


def write(path: Path, format_: TableFormat, name: str) -> dict[str, Any]:
    """Write a table to nowhere, and return the time, its size and the memory of this process."""
    began_s, began_cpu_s, written = time.perf_counter(), time.process_time(), 0
    file = CrawlFile(path, read_only=True)
    state = file.state()
    assert state is not None
    with file.reading() as connection:
        exports = TableExports(connection, state, "bench")
        if name == "nothing":
            exported = exports.table(CrawlTable.EXTRACTED, PageSelection())
            pieces = table_file(exported, format_)
        elif name == "all":
            pieces = all_in_one(exports.each(), format_)
        else:
            pieces = table_file(exports.table(CrawlTable(name), PageSelection()), format_)
        for piece in pieces:
            written += len(piece)
    taken_s, taken_cpu_s = time.perf_counter() - began_s, time.process_time() - began_cpu_s
    memory = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return {
        "seconds": round(taken_s, 2),
        "cpu_seconds": round(taken_cpu_s, 2),
        "megabytes": round(written / 1e6, 1),
        "memory_mb": int(memory.split()[1]) / 1024,
    }


if __name__ == "__main__":
    print(json.dumps(write(Path(sys.argv[1]), TableFormat(sys.argv[2]), sys.argv[3])))  # type: ignore[call-arg]  # a value
