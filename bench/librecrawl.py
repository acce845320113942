"""Crawl with LibreCrawl for bench_crawl. It is not a dependency: a checkout and a Python with its requirements are needed.

Its crawler class runs as in its web application, with its database and all its checks, without a browser and without clients.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path

PROGRAM = """
import os
import sys
import time

checkout, url, pages, folder = sys.argv[1:]
sys.path.insert(0, checkout)
sys.stdout = open(os.devnull, "w")

from src import crawl_db
from src.crawler import WebCrawler

crawl_db.DB_FILE = os.path.join(folder, "crawl.sqlite")
crawl_db.init_crawl_tables()
crawler = WebCrawler()
compare, compared_s = crawler._detect_duplication_issues, []


def timed(threshold):
    began_s = time.process_time()
    compare(threshold)
    compared_s.append(time.process_time() - began_s)


crawler._detect_duplication_issues = timed
crawler.update_config({"delay": 0, "concurrency": 4, "max_urls": int(pages), "max_depth": 1000, "enable_javascript": False})
crawler.start_crawl(url, session_id="bench")
crawler.crawl_thread.join()
read = [result for result in crawler.crawl_results if result["status_code"] == 200 and result["title"]]
print(len(read), sum(compared_s), file=sys.__stdout__)
"""
"""Source of a program for LibreCrawl's Python: it prints how many pages were read, and the CPU seconds of comparing each with each."""


def crawl(run: Callable[[list[str]], tuple[float, str]], python: Path, checkout: Path, url: str, pages: int) -> tuple[float, float]:
    """Return the CPU seconds of a crawl, and of it without comparing each page with each other one."""
    with tempfile.TemporaryDirectory() as folder:
        seconds, printed = run([str(python), "-c", PROGRAM, str(checkout), url, str(pages), folder])
    read, compared_s = printed.split() or ("0", "0")
    if int(read) < pages:
        raise SystemExit(f"LibreCrawl read {read} of {pages} pages")
    return seconds, seconds - float(compared_s)
