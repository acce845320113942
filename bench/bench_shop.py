"""Crawl a made shop of ``--crawl-pages`` URLs over HTTP, plant changes, and crawl it again rolling, with a tenth of the requests.

All changes have a date in the sitemap. The files of both crawls stay in the directory ``--keep``; an existing one is not crawled again.
CPU is that of all processes of the command, memory the highest of its first process and of the largest other one.
"""

import argparse
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench_crawl_growth import watched
from shop_server import Shop

RATE = 200
"""Requests a second, more than a crawl may make: otherwise a bench of 400,000 URLs takes hours."""
PORT = 34_919
"""The same in each run, because files of an earlier run have its URLs."""
CHANGES = 500
_COMMAND = f"import findable.limits; findable.limits.MAX_RATE = {RATE}.0; from findable.cli.main import main; main()"


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Return the figures of both crawls, and which changes the second one read."""
    pages = options.crawl_pages
    with tempfile.TemporaryDirectory() as name:
        folder = options.keep or Path(name)
        folder.mkdir(exist_ok=True)
        planted = folder / "planted"
        planted.write_text("", encoding="ascii")
        full, rolling = folder / "full.sqlite", folder / "rolling.sqlite"
        with _shop(pages, planted) as url:
            found = {"pages": pages, "full": _crawl(url, full, "--pages", str(pages + pages // 10))}
            changes = random.Random(1).sample(range(1, pages), CHANGES)
            planted.write_text("\n".join(map(str, changes)), encoding="ascii")
            again = _crawl(url, rolling, "--rolling", str(pages // 10), "--baseline", str(full))
            paths = set(map(Shop(pages, planted).path, changes))
        return {**found, "rolling": {**again, **_read(full, rolling, paths, pages)}}


@contextmanager
def _shop(pages: int, planted: Path) -> Iterator[str]:
    command = [sys.executable, str(Path(__file__).with_name("shop_server.py")), str(pages), str(planted), str(PORT)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            process.stdout.readline()
            yield f"http://127.0.0.1:{PORT}/"
        finally:
            process.kill()


def _crawl(url: str, file: Path, *more: str) -> dict[str, Any]:
    if file.exists():
        return {}
    limits = ("--rate", str(RATE), "--connections", "4", "--confirm-after", "0", "--render", "never")
    began_s = time.monotonic()
    found = watched([sys.executable, "-c", _COMMAND, "crawl", url, *more, *limits, "--store", str(file)], file)
    return {**found, "wall_s": round(time.monotonic() - began_s)}


def _read(full: Path, rolling: Path, changes: set[str], pages: int) -> dict[str, Any]:
    """Return how many changes the second crawl has read, how many of them of important pages, and what else differs."""
    joined = "FROM crawl_url JOIN crawl_page AS now USING (id) JOIN earlier.crawl_page AS before USING (id)"
    structure = "id, depth, inlinks, content_inlinks, linked_from, link_score, template"
    with closing(sqlite3.connect(rolling)) as database:
        database.execute("ATTACH ? AS earlier", (os.fspath(full),))

        def paths(statement: str) -> set[str]:
            return {urlsplit(url).path for (url,) in database.execute(statement)}

        seen = paths(f"SELECT url {joined} WHERE now.title <> before.title")
        top = paths(f"SELECT url FROM crawl_url JOIN earlier.crawl_settled USING (id) ORDER BY link_score DESC LIMIT {pages // 20}")
        return {
            "requested": len(paths(f"SELECT url {joined} WHERE now.requested_at <> before.requested_at")),
            "changes_read": f"{len(seen & changes)} of {len(changes)}",
            "important_changes_read": f"{len(seen & changes & top)} of {len(changes & top)}",
            "other_titles_changed": len(seen - changes),
            "other_places_in_the_site": len(
                database.execute(f"SELECT {structure} FROM crawl_settled EXCEPT SELECT {structure} FROM earlier.crawl_settled").fetchall()
            ),
        }
