"""Measure questions in SQL about a crawl of ``--crawl-pages`` pages with ``--links`` links each, on the tables that the service asks.

The rows are drawn, not crawled. Times are CPU time of the process that answers, without its start, on tables that are written already;
the floor is one count of all links.
"""

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from findable.crawl.questions import QUESTIONS as NAMED
from findable.service.crawls.crawl_questions import LIMITS
from findable.store.question_files import QUERY_TABLES, query_columns, write_query_rows
from findable.store.question_process import Answer, Cell, Statement, answer

ORIGIN = "https://shop.example"
FOLDERS = ("products", "blog", "category", "help", "brands")
PARAMS: dict[str, Cell] = {"inlinks": 3, "column": "clicks", "clicks": 100}
FLOOR = "SELECT count(*) FROM links"
QUESTIONS = {
    "filter": "SELECT url, words FROM pages WHERE indexable AND words < 200 ORDER BY words",
    "duplicate titles": "SELECT title, count(*) AS pages FROM pages WHERE indexable AND title IS NOT NULL GROUP BY title HAVING pages > 1 "
    "ORDER BY pages DESC",
    "means per template": "SELECT template, count(*), avg(score), avg(words) FROM pages WHERE status = 200 GROUP BY template",
    "broken links": "SELECT target_url, count(DISTINCT source) AS pages FROM links WHERE target_status >= 400 "
    "GROUP BY target ORDER BY pages DESC",
    "few inlinks from content": NAMED["few-content-inlinks"].sql,
    "visited, few inlinks from content": NAMED["visited-with-few-inlinks"].sql,
    "anchors of a URL": "SELECT anchor_text, landmark, count(*) FROM links WHERE target = 77 GROUP BY anchor_text, landmark",
    "two checks": "SELECT p.url FROM verdicts a JOIN verdicts b ON b.n = a.n JOIN pages p ON p.n = a.n "
    "WHERE a.check_id = 'title-length' AND b.check_id = 'h1-present'",
    "folders": "SELECT substr(url, 22, instr(substr(url, 22), '/')) AS folder, count(*) FROM pages GROUP BY folder ORDER BY 2 DESC",
    "text search": "SELECT url, title FROM pages WHERE title LIKE '%number 777%'",
    "canonical targets": "SELECT canonical, count(*) FROM pages WHERE canonical IS NOT NULL GROUP BY canonical ORDER BY 2 DESC",
    "links by landmark": "SELECT landmark, count(*) FROM links GROUP BY landmark",
    "deep pages": "SELECT url, depth FROM pages WHERE indexable AND depth > 4 ORDER BY depth DESC",
    "links to redirects": "SELECT target_url, count(*) FROM links WHERE target_status BETWEEN 300 AND 399 GROUP BY target ORDER BY 2 DESC",
    "slow pages": "SELECT url, first_byte_ms FROM pages WHERE first_byte_ms > 900 ORDER BY first_byte_ms DESC",
}
"""The fifteen questions: filters, groups, means, links, anchors, checks, folders, texts, canonical URLs."""


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Return milliseconds by question, and the time in which the tables were written."""
    with tempfile.TemporaryDirectory() as folder:
        began_s = time.process_time()
        rows = {
            "pages": _pages(options.crawl_pages),
            "links": _links(options.crawl_pages, options.links),
            "verdicts": _verdicts(options.crawl_pages),
            "numbers": ((number, "clicks", float(number * 7919 % 400)) for number in range(1, options.crawl_pages)),
        }
        paths = {name: Path(folder) / f"{name}.sqlite" for name in rows}
        for name, path in paths.items():
            write_query_rows(path, name, rows[name])
        written_s = time.process_time() - began_s
        times = {name: _cpu_ms(paths, sql, options.rounds) for name, sql in QUESTIONS.items()}
        return {
            "pages": options.crawl_pages,
            "links": options.crawl_pages * options.links,
            "write_tables_cpu_s": round(written_s, 1),
            "bytes": sum(path.stat().st_size for path in paths.values()),
            "floor_ms": _cpu_ms(paths, FLOOR, options.rounds),
            "cpu_ms": times,
            "slowest_cpu_ms": max(times.values()),
        }


def _cpu_ms(paths: dict[str, Path], sql: str, rounds: int) -> float:
    files = {name: str(path) for name, path in paths.items()}
    statement = Statement(sql, PARAMS if ":" in sql else {}, files, 600.0, LIMITS.rows, LIMITS.answer_bytes)
    taken = []
    for _ in range(rounds):
        began_s = time.process_time()
        found = msgspec.json.decode(answer(msgspec.json.encode(statement)), type=Answer)
        taken.append(time.process_time() - began_s)
        if found.failure:
            raise SystemExit(f"{sql}: {found.failure} {found.detail}")
    return round(1000 * statistics.median(taken), 1)


def _url(number: int) -> str:
    return f"{ORIGIN}/{FOLDERS[number % len(FOLDERS)]}/page-{number}"


def _pages(count: int) -> Iterator[tuple[Any, ...]]:
    chance = random.Random(1)
    names = [column.name for column in query_columns(QUERY_TABLES["pages"])]
    for number in range(1, count + 1):
        status = chance.choices((200, 301, 404), (92, 5, 3))[0]
        values: dict[str, Any] = {
            "n": number,
            "url": _url(number),
            "status": status,
            "type": "text/html",
            "score": chance.randrange(100) if status == 200 else None,
            "indexable": int(status == 200 and chance.random() < 0.9),
            "depth": min(9, int(chance.expovariate(0.4))),
            "inlinks": int(chance.paretovariate(0.8)),
            "content_inlinks": int(chance.paretovariate(0.8)) - 1,
            "template": min(20, int(chance.expovariate(0.3))),
            "words": chance.randrange(2000),
            "title": f"Product number {chance.randrange(count)}",
            "canonical": _url(chance.randrange(count)) if chance.random() < 0.1 else None,
            "first_byte_ms": chance.expovariate(0.005),
        }
        yield tuple(values.get(name) for name in names)


def _links(pages: int, links: int) -> Iterator[tuple[Any, ...]]:
    chance = random.Random(2)
    names = [column.name for column in query_columns(QUERY_TABLES["links"])]
    for source in range(1, pages + 1):
        for place in range(links):
            target = place + 1 if place < links // 2 else 1 + int(pages * chance.random() ** 3)
            status = 404 if target % 37 == 0 else 301 if target % 41 == 0 else 200
            landmark = "nav" if place < links // 2 else "main"
            values = {
                "source": source,
                "source_url": _url(source),
                "target": target,
                "target_url": _url(target),
                "target_status": status,
                "anchor_text": f"Page {target % 1000}",
                "nofollow": 0,
                "landmark": landmark,
                "selector": "body > ul",
            }
            yield tuple(values.get(name) for name in names)


def _verdicts(pages: int) -> Iterator[tuple[Any, ...]]:
    chance = random.Random(3)
    checks = ("title-length", "h1-present", "meta-description", "image-alt", "canonical-valid", "viewport")
    for number in range(1, pages + 1):
        yield from ((number, name, "warned") for name in checks if chance.random() < 0.2)
