"""Measure the API of a settled crawl of ``--crawl-pages`` pages over HTTP: lists, searches, links, tables, changes since another crawl.

The crawl is that of ``settle``; with ``--keep FILE`` it is a settled crawl in that file, or is stored there. The later crawl is a copy in
which one page in ten has another title. Milliseconds of CPU of the service and its processes, first and again, and of the next page; with
``--database-url`` the crawls are copied to that empty PostgreSQL database, and the CPU of its server is included.
"""

import argparse
import http.client
import json
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec
import psycopg
from bench_crawl_changes import change
from bench_queue import tree_cpu_s
from bench_settle import settle, store_crawl
from service import descendants, running
from sqlalchemy import delete, insert, select

from findable.clock import now
from findable.reports.search_verdict import found_by_crawl
from findable.service.accounts import account_admin
from findable.service.crawls import crawls
from findable.service.crawls.crawl_comparing import StoredCrawl
from findable.service.crawls.crawl_run import report_of_crawl
from findable.service.crawls.crawl_views import verdict_columns
from findable.service.runtime.service import Service
from findable.service.values.crawl_values import NewCrawl
from findable.settings import Settings
from findable.store.crawl_file import CrawlFile
from findable.store.crawl_schema import HOLDER, METADATA
from findable.store.crawl_store import CrawlStore

EMAIL = "bench@example.com"
URL = "https://www.example.com/"
ORDERS = ("number", "url", "score", "depth", "inlinks", "content_inlinks", "link_score", "words", "ttfb_ms")
FILTERS = (
    *("status=404", "depth=5..", "inlinks=20..", "words=..50", "ttfb_ms=200..", "indexable=0", "in_sitemap=1", "in_sitemap=0"),
    *("canonical=self", "reason=noindex", "folder=/section-12/", "template=1", "lang=en", "found_by=link", "verdict=failed"),
    *("check=click-depth", "search=page-39", "search=zzz", "depth=5..&check=click-depth&search=9&sort_by=link_score&sort=desc"),
)
TABLES = (
    "pages",
    "links",
    "broken-links",
    "redirects",
    "canonicals",
    "hreflang",
    "resources",
    "duplicates",
    "orphans",
    "verdicts",
    "changes",
)
FIRST_BYTES = 2000
COPIED_AT_ONCE = 2000


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Return the milliseconds of each request."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        kept = options.keep or folder / "crawl.sqlite"
        if not kept.exists():
            store_crawl(kept, options.crawl_pages, options.links)
            settle(kept)
        given = {"database_url": options.database_url, "secret_key": "k" * 40} if options.database_url else {}
        crawl = _prepare(Settings(data_dir=folder, **given), kept)
        with running(folder, **given) as served:
            key = served.command("keys", "create", EMAIL).split()[-1]
            server_pid = _server_pid(options.database_url) if options.database_url else None
            return _Requests(served.process.pid, served.port, key, f"/api/v1/crawls/{crawl}", server_pid).all()


def _prepare(settings: Settings, kept: Path) -> int:
    """Make a crawl of the service from a file, and a later one with changes; return its id."""
    service = Service.open(settings)
    account_admin.create_account(service, EMAIL)
    caller = account_admin.owner_caller(service, EMAIL)
    previous = number = 0
    for is_changed in (False, True):
        number = crawls.create(service, caller, NewCrawl(url=URL)).crawl.id
        file = service.crawl_home.make(number, 1)
        if isinstance(file, CrawlFile):
            file.close()
            shutil.copy(kept, file.path)
            file = CrawlFile(file.path)
        else:
            _copy(kept, file)
        state = file.state()
        if state is None:
            raise SystemExit("the crawl has no state")
        if is_changed:
            change(StoredCrawl(file, state, number))
        report, moment = report_of_crawl(file, state), int(now().timestamp())
        file.close()
        columns = {"status": "done", "ended_by": "complete", "score": report.score, "result": report.result, "counts": "{}"}
        columns |= {"finished_at": moment, "previous_crawl": previous or None, **verdict_columns(found_by_crawl(report.summary), moment)}
        with service.store.write() as session:
            session.crawl_jobs.drop(number)
            session.crawls.save_report(number, msgspec.json.encode(report))
            session.crawls.change(number, moment, **columns)
        previous = number
    service.close()
    return number


def _copy(source: Path, target: CrawlStore) -> None:
    """Copy all rows of a crawl file to the store of a crawl on PostgreSQL."""
    file = CrawlFile(source, read_only=True)
    with file.reading() as rows, target.writing() as connection:
        for table in (table for table in METADATA.sorted_tables if table is not HOLDER):
            connection.execute(delete(table))
            for batch in rows.execute(select(table)).yield_per(COPIED_AT_ONCE).mappings().partitions():
                connection.execute(insert(table), [dict(row) for row in batch])
    file.close()
    with target.engine.connect() as connection:
        connection.exec_driver_sql("ANALYZE")
        connection.commit()


def _server_pid(database_url: str) -> int:
    """Return the first process of the PostgreSQL server."""
    with psycopg.connect(database_url) as connection:
        return int(Path(f"/proc/{connection.info.backend_pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[1])


class _Requests:
    """Requests for one crawl, with the CPU time that the service, and the server of its database, take for them."""

    def __init__(self, pid: int, port: int, key: str, path: str, server_pid: int | None) -> None:
        self._pid, self._port, self._key, self._path, self._server_pid = pid, port, key, path, server_pid

    def all(self) -> dict[str, Any]:
        """Return the milliseconds of all requests."""
        keys = [group["key"] for finding in self._json("/findings")["data"] for group in finding["groups"]]
        most = self._json("/pages?sort_by=inlinks&sort=desc")["data"][0]["n"]
        lists = ("", "/findings", f"/findings/{keys[0]}", "/pages?page=5000", f"/pages/{most}", f"/links?to={most}", f"/links?from={most}")
        orders = (f"/pages?sort_by={order}&sort=desc" for order in ORDERS)
        return {
            "lists": {path: self._times(path) for path in (*lists, *orders, *(f"/pages?{chosen}" for chosen in FILTERS))},
            "first_bytes_of_tables": {table: self._ms(f"/export?table={table}&format=csv", FIRST_BYTES)[0] for table in TABLES},
            "changes_first_and_again": self._times("/changes?per_page=10"),
            "changes_of_one_kind": self._times("/changes?kind=title&per_page=10"),
        }

    def _times(self, path: str) -> list[int]:
        first, text = self._ms(path)
        again, _ = self._ms(path)
        following = (json.loads(text).get("links") or {}).get("next_cursor")
        return [first, again, *([self._ms(following.partition(self._path)[2])[0]] if following else [])]

    def _json(self, path: str) -> Any:
        return json.loads(self._ms(path)[1])

    def _ms(self, path: str, most: int | None = None) -> tuple[int, bytes]:
        """Return the milliseconds of one request, and its response or its first bytes."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=600)
        began_ms = self._cpu_ms()
        connection.request("GET", self._path + path, headers={"Authorization": f"Bearer {self._key}"})
        found = connection.getresponse()
        text = found.read(most)
        spent_ms = self._cpu_ms() - began_ms
        connection.close()
        if found.status != http.client.OK:
            raise SystemExit(f"{path}: {found.status} {text[:500]!r}")
        if most is not None:
            time.sleep(1)  # until the service has noticed that nobody reads on
        return spent_ms, text

    def _cpu_ms(self) -> int:
        ticks = 0
        for process in (self._pid, *descendants(self._pid)):
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:13]))
        if self._server_pid is not None:
            return 1000 * ticks // os.sysconf("SC_CLK_TCK") + round(1000 * tree_cpu_s(self._server_pid))
        return 1000 * ticks // os.sysconf("SC_CLK_TCK")
