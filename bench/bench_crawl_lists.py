"""Measure lists of a settled crawl of ``--crawl-pages`` pages: the first page and deep pages, by filter and order.

The crawl consists of rows without a site: it has all the data of lists but no links. Times are CPU time for ten rows per page, with the
file in the system's cache, so that other work on the machine does not count.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace
from sqlalchemy import insert

from findable.checks.engine import Evidence
from findable.crawl.packed_verdicts import all_check_ids
from findable.crawl.page_selection import CanonicalKind, PagePlace, PageSelection
from findable.crawl.record import PageRecord, Reason
from findable.crawl.settings import CrawlSettings, Segment
from findable.crawl.state import CrawlState, Phase
from findable.reports.reported_finding import ReportedFinding
from findable.store.crawl_file import CrawlFile
from findable.store.crawl_schema import PAGE, RECORD, SETTLED, URL, VERDICT
from findable.store.packed_pages import packed_record
from findable.store.page_lists import PageLists
from findable.store.page_results import settle_pages
from findable.vocabulary import Verdict

ORIGIN = "https://shop.example"
FOLDERS = ("products", "blog", "category", "help", "reviews", "brands", "news", "faq", "stores", "press", "jobs", "guides")
DEPTHS = 9
OTHERS_SHARE = 0.2
"""Number of URLs that were not requested, per page."""
CUT = 0.9
WRITTEN_AT_ONCE = 5000
PLACES = 5


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Return milliseconds by order, filter and position."""
    with tempfile.TemporaryDirectory() as folder:
        file = CrawlFile(Path(folder) / "crawl.sqlite")
        state = fill(file, options.crawl_pages)
        began_s = time.process_time()
        with file.engine.begin() as connection:
            settle_pages(connection, state.settings.segments)
        settled_s = time.process_time() - began_s
        found = {
            "pages": options.crawl_pages,
            "settle_pages_cpu_s_per_100000_pages": round(settled_s * 100_000 / options.crawl_pages, 2),
            "cpu_ms": {
                name: {sort: _times(file, state, replace(selection, sort=sort), options.rounds) for sort in ORDERS}
                for name, selection in FILTERS.items()
            },
        }
        others: dict[str, dict[str, float]] = {}
        for name, selection in OTHERS.items():
            others[name] = _times(file, state, selection, options.rounds)
        file.close()
    slowest = max(max(times.values()) for of in found["cpu_ms"].values() for times in of.values())
    slowest_other = max(max(times.values()) for times in others.values())
    return found | {"other_cpu_ms": others, "slowest_cpu_ms": slowest, "slowest_other_cpu_ms": slowest_other}


ORDERS = ("number", "score", "inlinks")
FILTERS = {
    "unfiltered": PageSelection(),
    "status=404": PageSelection(status="404"),
    "status=200": PageSelection(status="200"),
    "template=3": PageSelection(template=3),
    "depth=4": PageSelection(depth="4"),
    "segment=Blog": PageSelection(segment="Blog"),
    "check, failed": PageSelection(check="title-present", verdict=Verdict.FAILED),
    "check, warned": PageSelection(check="description-length", verdict=Verdict.WARNED),
    "check, passed": PageSelection(check="title-present", verdict=Verdict.PASSED),
}
OTHERS = {
    "search, few": PageSelection(search="item-19999"),
    "search, many": PageSelection(search="blog", sort="score"),
    "folder": PageSelection(folder="/blog/7/", sort="score"),
    "folder and search": PageSelection(folder="/blog/7/", search="9", sort="inlinks"),
    "by url": PageSelection(sort="url", descending=True),
    "eleven filters": PageSelection(
        status="200..299",
        indexable=1,
        depth="2..6",
        words="100..",
        inlinks="1..",
        ttfb_ms="..900",
        in_sitemap=1,
        canonical=CanonicalKind.SELF,
        lang="en",
        type="text/html",
        verdict=Verdict.WARNED,
        sort="link_score",
        descending=True,
    ),
    "page 1000 without a cursor": PageSelection(sort="score", offset=10_000),
}


def _times(file: CrawlFile, state: CrawlState, selection: PageSelection, rounds: int) -> dict[str, float]:
    """Return the median milliseconds of the first page, and of the slowest of several cursors."""
    first = _cpu_ms(file, state, selection, rounds)
    with file.engine.connect() as connection:
        lists = PageLists(connection, state)
        total = lists.select(selection).total
        steps = [total * part // (PLACES + 1) for part in range(1, PLACES + 1)] if total > selection.offset else []
        places = []
        for step in steps:
            item = lists.select(replace(selection, offset=min(step, 90_000), limit=1)).pages[0]
            places += [PagePlace(item.value, item.row.n), PagePlace(item.value, item.row.n, backwards=True)]
    deep = [_cpu_ms(file, state, replace(selection, offset=0, place=place), max(1, rounds // 2)) for place in places]
    return {"first": first, "cursor": max(deep, default=0.0)}


def _cpu_ms(file: CrawlFile, state: CrawlState, selection: PageSelection, rounds: int) -> float:
    taken = []
    for _ in range(rounds):
        began_s = time.process_time()
        with file.engine.connect() as connection:
            PageLists(connection, state).select(selection)
        taken.append(time.process_time() - began_s)
    return round(1000 * statistics.median(taken), 1)


def fill(file: CrawlFile, pages: int) -> CrawlState:
    """Store a settled crawl."""
    random, checks = Random(1), all_check_ids()
    settings = CrawlSettings(f"{ORIGIN}/", pages=pages, segments=(Segment("Blog", ("/blog/*",)), Segment("Shop", ("/products/*",))))
    state = CrawlState(f"{ORIGIN}/", settings, phase=Phase.REPORT, checks=checks)
    file.save_state(state)
    verdicts = tuple(Verdict)
    kinds = [[random.choices(range(1, 7), (60, 6, 4, 20, 5, 5))[0] for _ in checks] for _ in FOLDERS]
    urls: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    settled: list[dict[str, Any]] = []
    records: dict[tuple[int, int], PageRecord] = {}
    packed: dict[tuple[int, int], bytes] = {}
    stored: list[dict[str, Any]] = []
    judged: list[dict[str, Any]] = []
    number = 0
    for at in range(pages):
        number += 1 if random.random() > OTHERS_SHARE else 2
        template = min(int(random.expovariate(0.4)), len(FOLDERS) - 1)
        url = f"{ORIGIN}/{FOLDERS[template]}/{at % 97}/item-{at}-{random.randrange(10**6)}"
        status = random.choices((200, 301, 404, 500), (90, 5, 4, 1))[0]
        is_html = status == 200
        reason = random.choices((Reason.NONE, Reason.NOINDEX, Reason.CANONICAL), (85, 5, 10))[0] if is_html else Reason.STATUS
        score = random.randrange(40, 100) if is_html else None
        key = template, random.randrange(200) if is_html else -1
        if key not in records:
            records[key] = _record(url, kinds[template] if is_html else None, random, verdicts, checks)
            packed[key] = packed_record(records[key])
        urls.append(
            {
                "id": number,
                "key": number,
                "url": url,
                "state": 2,
                "depth": 1,
                "found_by": random.choice((2, 8, 10)),
                "place": 0,
                "has_query": False,
            }
        )
        rows.append(
            {
                "id": number,
                "status": status,
                "failure": "",
                "reason": reason.value,
                "is_html": is_html,
                **dict.fromkeys(("location", "canonical", "title", "description", "heading", "text", "plain_text"), 0),
                "lang": random.choice(("en", "de", "fr")),
                "words": random.randrange(2000),
                "first_byte_ms": random.expovariate(0.005),
                "score": score,
                "media_type": records[key].media_type,
                "canonical_kind": CanonicalKind.SELF.value if is_html else CanonicalKind.NONE.value,
            }
        )
        stored.append({"id": number, "record": packed[key], "blocks": b"\1\2\3", "resources": b""})
        judged.append({"id": number, "verdicts": records[key].verdicts})
        settled.append(
            {
                "id": number,
                "depth": max(0, min(int(random.gauss(4, 1.5)), DEPTHS)) if random.random() < CUT else -1,
                "inlinks": int(random.paretovariate(0.8)) % pages,
                "content_inlinks": int(random.paretovariate(0.8)) % pages,
                "linked_from": 1,
                "link_score": random.randrange(101),
                "template": template,
                "similar": 0,
            }
        )
        if len(urls) == WRITTEN_AT_ONCE or at == pages - 1:
            with file.engine.begin() as connection:
                for table, batch in ((URL, urls), (PAGE, rows), (RECORD, stored), (VERDICT, judged), (SETTLED, settled)):
                    connection.execute(insert(table), batch)
            urls, rows, stored, judged, settled = [], [], [], [], []
    return state


def _record(url: str, kinds: list[int] | None, random: Random, verdicts: tuple[Verdict, ...], checks: tuple[str, ...]) -> PageRecord:
    """Return a record; pages of one template differ in one of ten verdicts."""
    if kinds is None:
        return PageRecord(url, 404)
    packed = bytes(kind if random.random() < CUT else random.randrange(1, 7) for kind in kinds)
    findings = tuple(
        ReportedFinding(
            id=checks[at],
            verdict=verdicts[kind - 1],
            message="{found_count} things on this page",
            params={"found_count": at},
            evidence=(Evidence("element", f"<p class='n{random.random()}'>"),),
        )
        for at, kind in enumerate(packed)
        if kind in (2, 3)
    )
    return PageRecord(
        url,
        200,
        media_type="text/html",
        title=f"Item {random.random()}",
        declares_canonical=True,
        words=300,
        verdicts=packed,
        findings=findings,
    )
