"""Measure crawls on PostgreSQL with 1, 2 and 4 workers: ``--crawls`` of five pages, each of a different host, and a larger one of one host.

The hosts are loopback addresses of one server; pages have 36 kB. CPU time is that of the workers and their processes from when they are
ready; on few or busy cores the pages per second mean little.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from bench_crawl import serve_site
from bench_queue import ROOT, SAFE, WORKERS, tree_cpu_s, wait

from findable.service.accounts import account_admin, api_keys
from findable.service.accounts.callers import authenticate_key
from findable.service.crawls import crawls
from findable.service.runtime.service import Service
from findable.service.values.crawl_values import NewCrawl
from findable.settings import Settings

SMALL_PAGES, LARGE_PAGES = 5, 1000
PAGE_KB = 36
ACCOUNTS = 10
RATE = 1000.0
NETWORK = "127.0.0.0/8"


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Return the time and CPU time by number of workers for many small crawls, and for one of one site."""
    sys.path.insert(0, str(ROOT))
    from tests.postgresql import Server, programs

    place = programs()
    if place is None:
        raise SystemExit("initdb and postgres are missing: apt-get install postgresql")
    server = Server(place)
    try:
        server.stop()
        server.start(**SAFE, max_connections="200")
        return {
            "many_sites": {f"workers_{count}": crawled(server, count, options.crawls, SMALL_PAGES) for count in WORKERS},
            "one_site": {f"workers_{count}": crawled(server, count, 1, LARGE_PAGES) for count in WORKERS},
        }
    finally:
        server.remove()


def crawled(server: Any, workers: int, count: int, pages: int) -> dict[str, float]:
    """Queue the crawls, then run them with that many workers."""
    url = server.database()
    server_pid = int((server.folder / "data/postmaster.pid").read_text(encoding="ascii").split()[0])
    environment = {name: value for name, value in os.environ.items() if not name.startswith("FINDABLE_")}
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        origin = stack.enter_context(serve_site(pages, PAGE_KB))
        port = urlsplit(origin).port
        given = {"DATABASE_URL": url, "DATA_DIR": folder, "SECRET_KEY": "k" * 40, "ALLOW_TARGETS": NETWORK}
        environment |= {f"FINDABLE_{name}": value for name, value in given.items()}
        command = [sys.executable, "-m", "findable", "worker"]
        running = [
            stack.enter_context(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL))
            for _ in range(workers)
        ]
        for process in running:
            stack.callback(process.kill)
            if process.stdout is None or not process.stdout.readline():
                raise SystemExit("a worker did not start")
        connection = stack.enter_context(psycopg.connect(url, autocommit=True))
        worker_s, server_s, begun_s = sum(tree_cpu_s(one.pid) for one in running), tree_cpu_s(server_pid), time.monotonic()
        queue(url, Path(folder), [f"http://127.1.{number >> 8}.{number & 255}:{port}/" for number in range(count)], pages)
        wait(lambda: connection.execute("SELECT count(*) FROM crawl WHERE finished_at IS NOT NULL").fetchone() == (count,))
        took_s = time.monotonic() - begun_s
        worker_s, server_s = sum(tree_cpu_s(one.pid) for one in running) - worker_s, tree_cpu_s(server_pid) - server_s
        failed = connection.execute("SELECT count(*) FROM crawl WHERE status <> 'done'").fetchone()
        if failed != (0,):
            raise SystemExit(f"{failed} crawls failed")
    server.drop(url)
    made = count * pages
    return {
        "crawls": count,
        "pages_per_s": round(made / took_s, 1),
        "worker_cpu_ms_per_page": round(1000 * worker_s / made, 1),
        "server_cpu_ms_per_page": round(1000 * server_s / made, 1),
    }


def queue(url: str, folder: Path, sites: list[str], pages: int) -> None:
    """Accept a crawl of each site, alternating between the accounts."""
    service = Service.open(
        Settings(
            data_dir=folder,
            secret_key="k" * 40,
            database_url=url,
            rate_limit=0,
            allow_targets=(NETWORK,),
            crawl_rate=RATE,
            crawls_at_once=1000,
        )
    )
    callers = []
    for number in range(min(len(sites), ACCOUNTS)):
        account_admin.create_account(service, f"bench{number}@example.com")
        callers.append(authenticate_key(service, api_keys.create_key(service, f"bench{number}@example.com").token))
    for number, site in enumerate(sites):
        crawls.create(service, callers[number % len(callers)], NewCrawl(site, rate=RATE, pages=pages))
    service.close()
