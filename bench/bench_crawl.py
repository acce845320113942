"""Measure the CPU time per page of a crawl in all processes, compared with a Scrapy spider that checks nothing and with LibreCrawl.

A short and a long crawl are measured alternately; their difference excludes the start. The server runs separately and is not counted.
A crawl that only reads title, description, h1 and links, as the spider does, is measured in the same rounds. The analysis of
a page is also measured separately.
"""

import argparse
import contextlib
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import crawl_server
import librecrawl
import links_crawl
from bench_analysis import ORIGIN, capture_of

from findable.capture.response import Response
from findable.capture.saved import dump_site
from findable.crawled_pages import read_pages
from findable.fetch.single_fetch import SingleFetch

HERE = Path(__file__).resolve().parent
SMALL, FEW, MANY = 10, 40, 340
SPIDER = """
import sys

import scrapy
from scrapy.crawler import CrawlerProcess


class Spider(scrapy.Spider):
    name = "peer"

    def parse(self, response):
        yield {
            "url": response.url,
            "title": response.css("title::text").get(),
            "description": response.css("meta[name=description]::attr(content)").get(),
            "h1": response.css("h1 ::text").get(),
            "links": response.css("a::attr(href)").getall(),
        }
        yield from response.follow_all(css="a", callback=self.parse)


def main() -> None:
    settings = {
        "LOG_LEVEL": "ERROR",
        "CONCURRENT_REQUESTS_PER_DOMAIN": 4,
        "CLOSESPIDER_PAGECOUNT": int(sys.argv[2]),
        "ROBOTSTXT_OBEY": True,
        "TELNETCONSOLE_ENABLED": False,
        "DOWNLOAD_DELAY": 0,
        "FEEDS": {"/dev/null": {"format": "jsonlines", "overwrite": False}},
    }
    process = CrawlerProcess(settings)
    crawler = process.create_crawler(Spider)
    process.crawl(crawler, start_urls=[sys.argv[1]])
    process.start()
    print(crawler.stats.get_value("item_scraped_count", 0))


if __name__ == "__main__":
    main()
"""
"""Source of a spider for Scrapy, which is not a dependency: it reads title, description, h1 and links, and follows links."""
ANALYSED = 40
LINKS_ONLY = ("-c", f"import sys; sys.path.insert(0, {str(HERE)!r}); import links_crawl; links_crawl.crawl()")
"""Program of a crawl that checks nothing."""


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Measure each size, and pages like the ``--template``; also ``--before`` TREE, the spider and LibreCrawl."""
    sites = {f"{size} kB": str(size) for size in options.kilobytes}
    if options.template:
        sites[options.template.name] = str(options.template)
    return {name: _measure_site(site, options) for name, site in sites.items()}


def _measure_site(site: str, options: argparse.Namespace) -> dict[str, Any]:
    rounds, scrapy = options.rounds, options.scrapy
    ours: list[float] = []
    before: list[float] = []
    links: list[float] = []
    peers: list[float] = []
    others: list[tuple[float, ...]] = []  # LibreCrawl, with and without comparing each page with each other one
    small: list[tuple[float, float]] = []
    small_before: list[tuple[float, float]] = []
    stored = 0.0
    with serve_site(MANY, site) as url:
        for _ in range(rounds):
            small.append(_crawl(url, SMALL)[::2])
            few, many = _crawl(url, FEW), _crawl(url, MANY)
            ours.append((many[0] - few[0]) / (MANY - FEW))
            stored = (many[1] - few[1]) / (MANY - FEW)
            if options.before:
                python = str(options.before / ".venv/bin/python")
                small_before.append(_crawl(url, SMALL, python=python)[::2])
                before.append((_crawl(url, MANY, python=python)[0] - _crawl(url, FEW, python=python)[0]) / (MANY - FEW))
            links.append((_crawl(url, MANY, LINKS_ONLY)[0] - _crawl(url, FEW, LINKS_ONLY)[0]) / (MANY - FEW))
            if scrapy:
                peers.append((_spider(scrapy, url, MANY) - _spider(scrapy, url, FEW)) / (MANY - FEW))
            if options.librecrawl:
                ends = [librecrawl.crawl(_run, options.librecrawl_python, options.librecrawl, url, pages) for pages in (MANY, FEW)]
                others.append(tuple((many_s - few_s) / (MANY - FEW) for many_s, few_s in zip(*ends, strict=True)))
    found: dict[str, Any] = {"cpu_ms_per_page": _ms(ours), "pages_per_second_per_core": round(1 / statistics.median(ours), 1)}
    found |= {"links_only_cpu_ms_per_page": _ms(links), "links_only_pages_per_second_per_core": round(1 / statistics.median(links), 1)}
    found["stored_bytes_per_page"] = round(stored)
    found["small_crawl_cpu_s_and_wall_s"] = _medians(small)
    if before:
        found |= {"before_cpu_ms_per_page": _ms(before), "times_before": round(statistics.median(ours) / statistics.median(before), 2)}
        found["before_small_crawl_cpu_s_and_wall_s"] = _medians(small_before)
    if site.isdigit():
        found["analysis_cpu_ms_per_page"] = _analysis(int(site), rounds)
    if peers:
        found |= {"scrapy_cpu_ms_per_page": _ms(peers), "times_scrapy": round(statistics.median(peers) / statistics.median(ours), 2)}
        found["links_only_times_scrapy"] = round(statistics.median(peers) / statistics.median(links), 2)
        found["cpu_against_scrapy"] = [round(own / peer, 2) for own, peer in zip(ours, peers, strict=True)]
    if others:
        for name, spent in zip(("librecrawl", "librecrawl_without_comparison"), zip(*others, strict=True), strict=True):
            found[f"{name}_cpu_ms_per_page"] = _ms(list(spent))
            found[f"cpu_against_{name}"] = [round(own / other, 3) for own, other in zip(ours, spent, strict=True)]
    found["load"] = round(os.getloadavg()[1], 1)
    return found


def _analysis(size: int, rounds: int) -> dict[str, float]:
    """Return the CPU milliseconds of a page's analysis, without requests and store."""
    captures = [capture_of(crawl_server.page(number, MANY, size * 1000), f"page/{number}") for number in range(ANALYSED)]
    site = dump_site(captures[0].site)
    responses = [capture.page.response for capture in captures]

    def per_page(read: Callable[[Response], object]) -> float:
        read(responses[0])
        spent = []
        for _ in range(rounds):
            started_s = time.process_time()
            for response in responses:
                read(response)
            spent.append((time.process_time() - started_s) / ANALYSED)
        return _ms(spent)

    checked = per_page(lambda response: read_pages(site, [(f"{ORIGIN}/", SingleFetch(response=response))]))
    return {"all checks": checked, "links only": per_page(links_crawl.links_of)}


def _ms(seconds: list[float]) -> float:
    return round(1000 * statistics.median(seconds), 2)


def _medians(pairs: list[tuple[float, float]]) -> list[float]:
    return [round(statistics.median(values), 2) for values in zip(*pairs, strict=True)]


def _crawl(
    url: str, pages: int, program: tuple[str, ...] = ("-m", "findable"), *, python: str = sys.executable
) -> tuple[float, int, float]:
    """Return the CPU seconds, the stored bytes and the wall seconds of a crawl without a browser."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "crawl.sqlite"
        command = [python, *program, "crawl", url, "--pages", str(pages), "--store", str(file), "--format", "ndjson", "--render", "never"]
        began_s = time.monotonic()
        seconds, _ = _run([*command, "--rate", "50", "--connections", "4", "--confirm-after", "0"])
        took_s = time.monotonic() - began_s
        with closing(sqlite3.connect(file)) as database:
            (read,) = database.execute("SELECT count(*) FROM crawl_page").fetchone()
        if read < pages:
            raise SystemExit(f"{read} of {pages} pages were crawled")
        return seconds, sum(path.stat().st_size for path in Path(folder).iterdir()), took_s


def _spider(python: Path, url: str, pages: int) -> float:
    """Return the CPU seconds of a Scrapy crawl. The spider is written to a file, because Scrapy reads it from one."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "spider.py"
        path.write_text(SPIDER, encoding="utf-8")
        seconds, printed = _run([str(python), str(path), url, str(pages)])
    if int(printed or 0) < pages:
        raise SystemExit(f"Scrapy read {int(printed or 0)} of {pages} pages")
    return seconds


def _run(command: list[str]) -> tuple[float, str]:
    """Return the output of a command, and the CPU time of it and the processes that it started and waited for."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        printed = process.stdout.read()
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
    return usage.ru_utime + usage.ru_stime, printed


@contextlib.contextmanager
def serve_site(pages: int, site: int | str) -> Iterator[str]:
    command = [sys.executable, str(HERE / "crawl_server.py"), str(pages), str(site)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}/"
        finally:
            process.kill()
