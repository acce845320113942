"""Extractors: their rules, their columns and filters, and stored crawls that are judged again without a request."""

import asyncio
import csv
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from msgspec.structs import replace

from findable.artifacts.html.document import Document
from findable.compute import compute_here
from findable.crawl.extractors import MAX_VALUE_CHARS, MAX_VALUES, Extracted, Extractor, extract_values, problem_of, problem_of_all
from findable.crawl.page_selection import PageSelection
from findable.crawl.settings import Segment
from findable.crawl.state import CrawlState, Phase
from findable.crawl.tables import CrawlTable
from findable.export.table_files import TableFormat
from findable.reports.scoring import RULESET
from findable.service.crawls.crawl_exports import TableChoice, exported_file
from findable.service.crawls.crawl_rescoring import begin_rescoring, rescore_crawl, rescore_slice
from findable.service.crawls.crawl_run import settle_crawl
from findable.store import crawl_store
from findable.store.page_lists import PageLists
from tests.crawl.test_crawls import Crawled
from tests.crawl_sites import make_shop
from tests.sites.plugin import make_site, site
from tests.sites.server import Site

__all__ = ["make_site", "site"]

PAGE = """<html><head><title> A  title </title><meta name="author" content="Ada"></head><body><h1>Hi <b>there</b></h1>
<p class="tag">one</p><p class="tag">two</p><p class="tag"></p><script>GTM-123</script><p>Sold&nbsp;<i>out</i></p></body></html>"""


def one(rule: str, page: str = PAGE) -> Extracted | None:
    extractor = Extractor("It", rule)
    assert problem_of(extractor) is None
    return extract_values(Document(page, "https://example.com/"), (extractor,)).get(extractor.key)


def test_rules_take_texts_attributes_and_numbers() -> None:
    cases = {
        "h1": Extracted(1, ("Hi there",)),
        "title": Extracted(1, ("A title",)),
        "script": Extracted(1, ("GTM-123",)),
        "meta[name=author]@content": Extracted(1, ("Ada",)),
        "h1@class": Extracted(0),
        ".tag": Extracted(3, ("one",)),
        "all: .tag": Extracted(3, ("one", "two")),
        "count: .tag": Extracted(3),
        "count: .none": Extracted(0),
        "contains: gtm-": Extracted(1),
        "contains: sold out": Extracted(1),
        "contains: in stock": Extracted(0),
        "p:not(.tag)": Extracted(1, ("Sold out",)),
        ".tag:nth-child(3)": Extracted(1, ("two",)),
    }
    assert {rule: one(rule) for rule in cases} == cases


def test_values_are_bounded_and_what_a_cut_page_may_hold_is_unknown() -> None:
    many = one("all: p", f"<p>{'word' * 2000}</p>" * (MAX_VALUES + 5))
    assert many is not None
    assert (many.count, len(many.values), len(many.values[0])) == (MAX_VALUES + 5, MAX_VALUES, MAX_VALUE_CHARS)

    document = Document(PAGE, "https://example.com/")
    document.cut = True
    rules = [Extractor("a", "h1"), Extractor("b", ".none"), Extractor("c", "contains: nothing")]
    assert list(extract_values(document, rules)) == [rules[0].key]


def test_what_could_hang_or_is_wrong_is_refused() -> None:
    wrong = ["a:has(b)", ":is(a b)", ":not(:not(a))", ":nth-child(2) :nth-child(3)", ":nth-child(2 of a)", ":lang(de)", "p[", "p::before"]
    wrong += ["contains:", "all:", "@href", "", "h1\n", "a" * 300]
    assert [rule for rule in wrong if problem_of(Extractor("It", rule)) is None] == []
    assert [name for name in ("", "a=b", "a:b", "a" * 100) if problem_of(Extractor(name, "h1")) is None] == []
    assert problem_of_all([Extractor("It", "h1"), Extractor("It", "h2")]) is not None
    assert problem_of_all([Extractor(str(number), "h1") for number in range(21)]) is not None


@pytest.mark.full
def test_the_slowest_rules_end_soon_on_pages_made_for_them() -> None:
    deep = Document(f"<body>{'<div>' * 400}{'<p class=a>x</p>' * 20_000}", "https://example.com/")
    flat = Document(f"<body>{'<p class=a>x <b>y</b></p>' * 40_000}", "https://example.com/")
    rules = [
        "* " * 90 + "p",
        "* ~ " * 48 + "p.z",
        ".z > " + "* ~ * " * 30 + "p",
        ":nth-last-child(2n) ~ * ~ * ~ * ~ p",
        ":not(.z) " * 20 + "p.z",
    ]
    rules += [":nth-child(odd) * ~ * ~ * p", ":is(.a,.b) ~ :last-of-type ~ :only-of-type ~ p.z", "* + * ~ * * + * ~ * * + * ~ * * p.z"]
    for document in (deep, flat):
        for rule in rules:
            assert problem_of(Extractor("It", rule)) is None
            began_s = process_time()
            extract_values(document, (Extractor("It", rule),))
            assert process_time() - began_s < 10, rule


HEADING, LINKS, WORDS = Extractor("Heading", "h1"), Extractor("Links", "count: a"), Extractor("Table", "contains: table")


def crawl(path: Path, site: Site, *extractors: Extractor, **more: Any) -> Crawled:
    return Crawled(path, site.url("/"), extractors=extractors, **more)


def listed(crawled: Crawled, **selection: Any) -> list[str]:
    with crawled.file.engine.connect() as connection:
        lists = PageLists(connection, crawled.state)
        return [row.url.removeprefix(crawled.state.settings.start_url) for row in lists.each(PageSelection(**selection))]


def pages_file(crawled: Crawled, format_: TableFormat) -> bytes:
    return b"".join(exported_file(crawled.file, crawled.state, "shop", TableChoice(format_, CrawlTable.PAGES)))


def values(crawled: Crawled) -> dict[str, dict[str, Extracted | None]]:
    return {path: row.extracted for path, row in crawled.rows().items()}


def again(crawled: Crawled, *extractors: Extractor, segments: Sequence[Segment] = ()) -> None:
    wanted = replace(crawled.state.settings, extractors=extractors, segments=tuple(segments))
    crawled.state = asyncio.run(rescore_crawl(crawled.file, crawled.state, wanted, compute_here))


def test_a_crawl_has_a_column_for_each_extractor(site: Site, tmp_path: Path) -> None:
    make_shop(site, products=6)
    crawled = crawl(tmp_path / "shop.sqlite", site, HEADING, LINKS, WORDS)
    found = values(crawled)
    table = list(csv.reader(io.StringIO(pages_file(crawled, TableFormat.CSV).decode("utf-8-sig"))))

    assert found["about"]["Heading"] == Extracted(1, ("About us",))
    assert found["old-shop"] == {}
    links = found["about"]["Links"]
    assert links is not None
    assert links.count > 3
    assert table[0][-3:] == ["Heading", "Links", "Table"]
    assert next(line for line in table if line[3].endswith("/about"))[-3:-1] == ["About us", str(links.count)]
    assert "about" in listed(crawled, has="Heading", value="about")
    assert "about" not in listed(crawled, has="Heading", value="product")
    everything = {path for path, columns in found.items() if columns}
    with_words, without_words = set(listed(crawled, has="Table")), set(listed(crawled, lacks="Table"))
    assert with_words | without_words == everything
    assert with_words == {path for path, columns in found.items() if (result := columns.get("Table")) is not None and result.count}


def test_extractors_and_segments_are_added_without_a_request(site: Site, tmp_path: Path) -> None:
    make_shop(site, products=6)
    fresh = crawl(tmp_path / "fresh.sqlite", site, HEADING, WORDS, segments=(Segment("Products", ("/product/*",)),))
    later = crawl(tmp_path / "later.sqlite", site, LINKS)
    requests_count = len(site.requests)
    again(later, HEADING, WORDS, segments=[Segment("Products", ("/product/*",))])

    assert len(site.requests) == requests_count
    assert values(later) == values(fresh)
    assert [item.key for item in later.report().findings] == [item.key for item in fresh.report().findings]
    assert later.rows()["about"].score == fresh.rows()["about"].score
    for selection in ({"has": "Heading"}, {"lacks": "Table"}, {"segment": "Products"}, {"has": "Table", "segment": "Products"}):
        assert listed(later, **selection) == listed(fresh, **selection) != []
    again(later)
    assert {tuple(columns) for columns in values(later).values()} == {()}


def test_pages_without_a_stored_response_are_unknown(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crawl_store, "MAX_STORED_BYTES", 6_000)
    make_shop(site, products=8)
    crawled = crawl(tmp_path / "shop.sqlite", site, HEADING)
    stored = {item.url.removeprefix(site.url("/")) for batch in crawled.file.stored_responses(5) for item in batch}
    before = values(crawled)
    again(crawled, replace(HEADING, name="Renamed"), LINKS)
    found = {path: columns for path, columns in values(crawled).items() if columns}
    lines = [json.loads(line) for line in pages_file(crawled, TableFormat.NDJSON).splitlines()]

    assert 0 < len(stored) < len(found)
    assert {path for path, columns in found.items() if columns["Links"] is not None} == stored
    assert {path: columns["Renamed"] for path, columns in found.items()} == {path: before[path]["Heading"] for path in found}
    assert set(listed(crawled, has="Links")) | set(listed(crawled, lacks="Links")) == stored
    assert {line["url"].removeprefix(site.url("/")) for line in lines if line["Links"] is not None} == stored


def interrupted(crawled: Crawled, state: CrawlState, after: int) -> None:
    """Judge until so many batches are stored, as a worker that is killed then."""
    left = after

    def is_halted() -> bool:
        nonlocal left
        left -= 1
        return left <= 0

    asyncio.run(rescore_slice(crawled.file, state, compute_here, is_halted=is_halted))


@pytest.mark.parametrize("ruleset", [RULESET, "2025-01"])
def test_a_killed_judging_goes_on_where_it_was(site: Site, tmp_path: Path, ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("findable.service.crawls.crawl_rescoring.CHECKED_AT_ONCE", 2)
    make_shop(site, products=8)
    plain, killed = crawl(tmp_path / "plain.sqlite", site, HEADING), crawl(tmp_path / "killed.sqlite", site)
    wanted = replace(killed.state.settings, extractors=(HEADING,))
    state = begin_rescoring(killed.file, replace(killed.state, ruleset=ruleset), wanted)
    before = listed(killed, indexable=1)
    interrupted(killed, state, 2)
    known = killed.file.state()
    assert known is not None
    assert (known.phase, known.judged_to > 0) == (Phase.JUDGE, True)
    assert listed(killed, indexable=1) == before
    read: list[int] = []

    async def compute(function: Callable[..., Any], *arguments: Any) -> Any:
        read.append(len(arguments[0] if ruleset == RULESET else arguments[1]))
        return await compute_here(function, *arguments)

    state = begin_rescoring(killed.file, known, wanted)
    killed.state = asyncio.run(rescore_crawl(killed.file, state, wanted, compute))

    assert sum(read) == killed.file.count_responses() - 4
    assert killed.state.ruleset == RULESET
    assert values(killed) == values(plain)
    assert killed.digest(site.base) == plain.digest(site.base)


def test_a_page_that_crashes_the_analysis_keeps_what_it_had(site: Site, tmp_path: Path) -> None:
    make_shop(site, products=4)
    crawled = crawl(tmp_path / "shop.sqlite", site)
    wanted = replace(crawled.state.settings, extractors=(HEADING,))

    async def compute(function: Callable[..., Any], *arguments: Any) -> Any:
        found = await compute_here(function, *arguments)
        if any(result[HEADING.key].values == ("About us",) for result in found):
            raise RuntimeError
        return found

    crawled.state = asyncio.run(rescore_crawl(crawled.file, crawled.state, wanted, compute))
    found = values(crawled)

    assert [path for path, columns in found.items() if columns and columns["Heading"] is None] == ["about"]


def test_nothing_is_judged_again_where_nothing_has_changed(site: Site, tmp_path: Path) -> None:
    make_shop(site, products=2)
    crawled = crawl(tmp_path / "shop.sqlite", site, HEADING)
    assert begin_rescoring(crawled.file, crawled.state, crawled.state.settings) is crawled.state
    state = begin_rescoring(crawled.file, crawled.state, replace(crawled.state.settings, extractors=(LINKS,)))
    state = asyncio.run(rescore_slice(crawled.file, state, compute_here))
    assert state.phase is Phase.SETTLE
    assert settle_crawl(crawled.file).phase is Phase.REPORT
