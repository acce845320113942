"""Run benchmarks and print JSON: ``make bench ARGS="analysis DIRECTORY"``.

- ``analysis [DIRECTORY]``: one page from bytes to its report, compared with parsing alone; pages/s; time by step; memory.
- ``post``: POST /reports until 201, compared with only fetching the same resources with libcurl.
- ``list``: GET /reports with many reports at 100 connections, compared with a handler with the same statements; with ``--before TREE``
  also with the service of another tree.
- ``startup``: ``findable --version``, ``findable audit`` and ``findable serve``: time and memory; with ``--before TREE`` also of that tree.
- ``queue``: from accepted to stored on PostgreSQL with 1, 2 and 4 workers, compared with a bare job table; the cost of a whole report.
- ``million``: lists, filters, searches, creation and deletion with ``--reports 1000000`` on SQLite and PostgreSQL, in the store.
- ``stored``: stored bytes per run.
- ``urls [DIRECTORY]``: calls of the URL parser per report.
- ``crawl``: CPU per page of a crawl of pages of 36 and 159 kB, and of pages like ``--template FILE``, with all checks and with links only;
  with ``--scrapy PYTHON`` against a spider, with ``--librecrawl CHECKOUT --librecrawl-python PYTHON`` against LibreCrawl, with
  ``--before TREE`` against another tree.
- ``crawl_processes``: wall time of a crawl with one and two analysis processes, each limited to a fifth of a core; needs root.
- ``crawl_workers``: ``--crawls 1000`` crawls and one of one site on PostgreSQL with 1, 2 and 4 workers.
- ``crawl_lists``: lists of a settled crawl of ``--crawl-pages 200000`` pages, in its store.
- ``crawl_http``: lists, tables and changes of a settled crawl of ``--crawl-pages``, over HTTP; ``--keep FILE``: of that settled crawl;
  with ``--database-url`` on PostgreSQL.
- ``questions``: fifteen questions in SQL about a crawl of ``--crawl-pages 100000`` with ``--links 20`` each.
- ``crawl_growth``: memory and CPU of a crawl of ``--crawl-pages`` over HTTP while it runs, by the command and by the service.
- ``crawl_changes``: comparing two settled crawls of ``--crawl-pages 100000``, and lists of their changes.
- ``settle``: storing, settling and reporting a crawl of ``--crawl-pages 100000`` with ``--links 50`` each, without requests.
- ``rolling``: copying an earlier crawl of ``--crawl-pages`` with ``--links`` each, and what else a rolling crawl does without requests.
- ``shop``: a made shop of ``--crawl-pages`` over HTTP: a crawl, 500 planted changes, a rolling crawl; its files stay in ``--keep``.
- ``logs``: lines per CPU second of access logs, compared with one pattern for each line; memory over ``--log-rounds 50``.
- ``log_store``: the counts of ``--log-lines 50000000`` with ``--log-urls 2000000`` in a project: size of the database, time of its lists.
- ``table_exports``: all tables of a settled crawl of ``--crawl-pages`` with ``--links`` each as Parquet, CSV and xlsx.
- ``hostile``: the slowest check on pages that are built to be slow.

Without an argument the first four are run. The baseline of each is measured in the same run, in turn with the product, so
that a busy machine slows both. DIRECTORY contains saved pages (``*.html``, ``*.html.gz``), by default those of the demonstration.
"""

import argparse
import importlib
import json
import os
import platform
import sys
from pathlib import Path
from typing import Any

from findable import __version__

PARTS = ("analysis", "post", "list", "startup")
ON_REQUEST = (
    "crawl",
    "crawl_changes",
    "crawl_growth",
    "crawl_http",
    "crawl_lists",
    "crawl_processes",
    "crawl_workers",
    "hostile",
    "log_store",
    "logs",
    "questions",
    "queue",
    "million",
    "rolling",
    "settle",
    "shop",
    "stored",
    "table_exports",
    "urls",
)
"""Benchmarks that only run if requested."""
DEMONSTRATION = Path(__file__).resolve().parent.parent / "src/findable/demo/pages"


def arguments(given: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench ARGS=…", description="Measure, and print JSON.")
    parser.add_argument("part", nargs="?", choices=(*PARTS, *ON_REQUEST, "all"), default="all")
    parser.add_argument("pages", nargs="?", type=Path, default=DEMONSTRATION, help="directory of saved pages for analysis")
    parser.add_argument("--rounds", type=int, default=5, help="how often each thing is measured")
    parser.add_argument("--reports", type=int, default=100_000, help="stored reports for list")
    parser.add_argument("--before", type=Path, help="another tree, with its .venv, for crawl, list and startup")
    parser.add_argument("--jobs", type=int, default=2000, help="reports for each number of workers for queue")
    parser.add_argument("--keep", type=Path, help="where the database of million, or the crawls of settle and shop, stay or stand already")
    parser.add_argument(
        "--database-url",
        default="",
        help="an empty PostgreSQL database for million, of which we are superuser, or for crawl_http or log_store",
    )
    parser.add_argument("--findings", type=int, default=8, help="verdicts other than passed for each rated report of million")
    parser.add_argument("--analysis-bytes", type=int, default=7800, help="size of a stored analysis of million")
    parser.add_argument("--crawl-pages", type=int, default=200_000, help="pages for crawl_changes, crawl_growth, crawl_lists and settle")
    parser.add_argument("--crawls", type=int, default=1000, help="crawls for each number of workers for crawl_workers")
    parser.add_argument("--log-lines", type=int, default=50_000_000, help="lines of access logs for log_store")
    parser.add_argument("--log-rounds", type=int, default=50, help="100,000 lines each, for the memory of logs")
    parser.add_argument("--log-urls", type=int, default=2_000_000, help="URLs in access logs for log_store")
    parser.add_argument("--bytes", type=int, default=2_000_000, help="size of a page for hostile")
    parser.add_argument("--links", type=int, default=50, help="links of a page for settle")
    parser.add_argument("--own-lists", type=int, choices=(1, 2), default=1, help="lists of links that only one page of settle has")
    parser.add_argument("--template", type=Path, help="saved page (HTML, may be gzipped) of which crawl makes a site")
    parser.add_argument("--scrapy", type=Path, help="Python with Scrapy, for crawl")
    parser.add_argument("--librecrawl", type=Path, help="checkout of LibreCrawl, for crawl")
    parser.add_argument("--librecrawl-python", type=Path, help="Python with the requirements of that checkout")
    parser.add_argument("--kilobytes", type=int, nargs="*", default=[36, 159], help="sizes of the pages of crawl and crawl_processes")
    return parser.parse_args(given)


def main(given: list[str]) -> None:
    asked = arguments(given)
    measured: dict[str, Any] = {
        "findable": __version__,
        "python": platform.python_version(),
        "machine": {"cores": len(os.sched_getaffinity(0)), "processor": platform.machine()},
    }
    for part in PARTS if asked.part == "all" else [asked.part]:
        measured[part] = importlib.import_module(f"bench_{part}").measure(asked)
    json.dump(measured, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main(sys.argv[1:])
