"""Tables of a crawl: what their rows say of whole sites."""

import csv
import io
import re
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct, structs

from findable.crawl.exported_table import table_of
from findable.crawl.finding_rows import REMOVED
from findable.crawl.page_selection import PageSelection
from findable.crawl.state import Phase
from findable.crawl.tables import FIRST_VERSION, CrawlTable, HreflangRow, columns_of
from findable.export.sitemap_file import sitemap_xml
from findable.export.table_files import table_csv
from findable.store.crawl_file import CrawlFile
from findable.store.crawl_findings import stored_findings
from findable.store.table_exports import AFTER_CRAWL, SO_FAR, TableExports
from findable.store.table_rows import CrawlTables
from tests.crawl.clean_sites import make_business, make_countries
from tests.crawl.stored_crawl import SITE, Link, StoredPage, stored_crawl
from tests.crawl.test_crawls import Crawled
from tests.crawl_sites import make_shop
from tests.sites.plugin import make_site, site
from tests.sites.server import Site

__all__ = ["make_site", "site"]
ALL = PageSelection()


def tables(crawled: Crawled) -> CrawlTables:
    return CrawlTables(crawled.file.engine.connect(), crawled.state)


def test_every_column_of_a_table_has_a_type_and_a_meaning() -> None:
    assert [(table.value, column.name) for table in CrawlTable for column in columns_of(table.row) if not column.meaning] == []
    assert {column.type for table in CrawlTable for column in columns_of(table.row)} == {
        *("text", "integer", "number", "boolean", "list of texts", "map")
    }
    columns = {column.name: column for column in columns_of(CrawlTable.PAGES.row)}
    assert (columns["depth"].type, columns["depth"].is_nullable, columns["data"].type) == ("integer", True, "map")


def test_a_later_column_states_its_version() -> None:
    class Row(Struct):
        first: int
        second: Annotated[int | None, Meta(extra={"since": "0.9"})] = None

    assert [(column.name, column.type, column.is_nullable, column.since) for column in columns_of(Row)] == [
        ("first", "integer", False, FIRST_VERSION),
        ("second", "integer", True, "0.9"),
    ]


def test_every_column_of_an_exported_table_is_in_the_reference(site: Site, tmp_path: Path) -> None:
    make_business(site, frozenset({"footer"}))
    crawled = Crawled(tmp_path / "crawl.sqlite", site.url("/"))
    listed: dict[str, set[str]] = {}
    for part in Path("docs/reference/tables.md").read_text().split("\n## ")[1:]:
        title, _, text = part.partition("\n")
        listed |= {name: set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)) for name in title.split(", ")}
    with crawled.file.reading() as connection:
        exported = {table.name: [column.name for column in table.columns] for table in TableExports(connection, crawled.state, "x").each()}

    assert set(exported) == {table.value for table in CrawlTable if table is not CrawlTable.SITEMAP_XML} | {"about"}
    for name, columns in exported.items():
        assert columns[:2] == ["crawl", "crawled_at"]
        assert len(columns) == len(set(columns))
        assert set(columns[2:]) <= listed[name], name
    assert listed["In every table"] == {"crawl", "crawled_at"}


def test_a_running_crawl_has_the_tables_that_do_not_need_its_end(site: Site, tmp_path: Path) -> None:
    make_business(site, frozenset({"footer"}))
    crawled = Crawled(tmp_path / "crawl.sqlite", site.url("/"))
    running = structs.replace(crawled.state, phase=Phase.DISCOVER)
    with crawled.file.reading() as connection:
        rows = {table.name: list(table.rows) for table in TableExports(connection, running, "x").each()}
    about = {row[2]: row[3:5] for row in rows.pop("about")}

    assert set(rows) == {table.value for table in CrawlTable if not table.needs_end}
    assert len(rows["pages"]) == len(crawled.rows())
    assert about["pages"] == (len(rows["pages"]), SO_FAR)
    assert {name for name, told in about.items() if told == (None, AFTER_CRAWL)} == {
        table.value for table in CrawlTable if table.needs_end and table is not CrawlTable.SITEMAP_XML
    }


def test_the_fix_list_has_old_and_proposed_values(site: Site, tmp_path: Path) -> None:
    make_business(site, frozenset({"footer", "title", "chain"}))
    crawled = Crawled(tmp_path / "crawl.sqlite", site.url("/"))
    found = tables(crawled)
    rows = list(found.fix_list())

    assert {row.url for row in rows} <= {row.url for row in crawled.rows().values()}
    assert {row.check_id for row in rows if row.check_id.startswith("site-")} == {
        finding.finding.id for finding in stored_findings(crawled.file.engine.connect()) if not finding.finding.templates
    }
    assert all(row.proposed_value == REMOVED or row.proposed_value != row.old_value for row in rows if row.proposed_value)
    assert not any(row.done for row in rows)
    text = "We bake bread and buns in our own oven every morning, and we bring them to your door if you call us the day before. " * 5
    site.page(
        "/", f"<!doctype html><html><head><title>Our bakery in town</title></head><body><h1>Fresh bread</h1><p>{text}</p></body></html>"
    )
    fixed = [row for row in tables(Crawled(tmp_path / "one.sqlite", site.url("/"), pages=1)).fix_list() if row.check_id == "html-lang"]
    assert [(row.old_value, row.proposed_value, row.pages_count) for row in fixed] == [("<html>", '<html lang="en">', 1)]


def test_findings_and_verdicts_have_a_row_for_each_page(site: Site, tmp_path: Path) -> None:
    make_business(site, frozenset({"footer", "title"}))
    found = tables(Crawled(tmp_path / "crawl.sqlite", site.url("/")))
    findings = {finding.key: finding for finding in found.findings()}
    verdicts = {(row.n, row.check_id, row.verdict) for row in found.verdicts()}

    assert Counter(row.key for row in found.finding_pages()) == {key: finding.pages_count for key, finding in findings.items()}
    assert verdicts == {
        (page.n, check, verdict) for page in found.pages(ALL) for verdict, checks in page.verdicts.items() for check in checks
    }


def test_language_versions_are_listed_with_their_way_back(site: Site, tmp_path: Path) -> None:
    make_countries(site)
    rows = list(tables(Crawled(tmp_path / "crawl.sqlite", site.url("/"))).hreflang(ALL))

    assert {(row.hreflang, row.alternate_status, row.returns) for row in rows} == {("en-gb", 200, True), ("en-us", 200, True)}
    assert len(rows) == 16
    file = b"".join(table_csv(table_of("hreflang", HreflangRow, rows))).decode("utf-8-sig")
    assert next(iter(csv.DictReader(io.StringIO(file)))).keys() == set(HreflangRow.__struct_fields__)


def test_duplicates_are_numbered_by_group_within_their_kind(tmp_path: Path) -> None:
    titles = {"/": "Shop", "/a": "Same", "/b": "Other", "/c": "Same", "/d": "Other", "/e": "Same"}
    links = tuple(Link(path) for path in titles)
    stored_crawl(tmp_path, {path: StoredPage(links=links, record={"title": title}) for path, title in titles.items()})
    with closing(CrawlFile(tmp_path / "crawl.sqlite")) as file, file.engine.connect() as connection:
        state = file.state()
        assert state is not None
        rows = [row for row in CrawlTables(connection, state).duplicates() if row.kind == "title"]

    assert [row.group for row in rows] in ([1, 1, 1, 2, 2], [1, 1, 2, 2, 2])
    paths = {row.title: [one.url.removeprefix(SITE) for one in rows if one.group == row.group] for row in rows}
    assert paths == {"Same": ["/a", "/c", "/e"], "Other": ["/b", "/d"]}


def test_a_business_with_faults_lists_each_in_its_table(site: Site, tmp_path: Path) -> None:
    make_business(site, frozenset({"footer", "chain", "loop", "server-error", "title", "canonical", "text", "orphan"}))
    crawled = Crawled(tmp_path / "crawl.sqlite", site.url("/"))
    found = tables(crawled)
    redirects = {row.url.removeprefix(site.url("")): row for row in found.redirects(ALL)}
    canonicals = list(found.canonicals(ALL))
    kinds = {row.kind for row in found.duplicates()}

    assert {row.target_status for row in found.broken_links()} >= {404, 500}
    errors = [row for row in found.pages(ALL) if row.status >= 400 and row.type == "text/html"]
    assert {row.status for row in errors} >= {404, 500}
    assert {row.score for row in errors} == {None}
    assert any(row.is_loop for row in redirects.values())
    assert max(row.hops for row in redirects.values()) >= 2
    assert all(row.end_status == 200 for row in redirects.values() if not row.is_loop)
    assert canonicals
    assert {"title", "similar"} <= kinds
    assert len(list(found.orphans())) == 1
    assert all(row.status is not None or row.refusal for row in found.sitemaps())
    assert {link.source_url for link in found.links(ALL)} <= {row.url for row in found.pages(ALL)}


def test_urls_that_were_not_requested_are_listed_with_the_reason(site: Site, tmp_path: Path) -> None:
    make_shop(site)
    left_out = {row.url.removeprefix(site.base): row for row in tables(Crawled(tmp_path / "crawl.sqlite", site.url("/"))).refused()}
    few = Counter(row.reason for row in tables(Crawled(tmp_path / "few.sqlite", site.url("/"), pages=5)).refused())

    assert {path: (row.reason, row.detail) for path, row in left_out.items()} == {
        "/private/admin": ("robots", "2: Disallow: /private/"),
        "/basket/add?add-to-cart=7": ("action", None),
        "https://example.org/": ("scope", None),
    }
    assert all(row.page and row.pages for row in left_out.values())
    assert few["budget"] > 5


def test_files_of_pages_and_findings_hold_a_row_for_each(site: Site, tmp_path: Path) -> None:
    make_business(site, frozenset({"footer"}))
    crawled = Crawled(tmp_path / "crawl.sqlite", site.url("/"))
    with crawled.file.engine.connect() as connection:
        exports = TableExports(connection, crawled.state, "x")
        files = {
            name: b"".join(table_csv(exports.table(name, ALL))).decode("utf-8-sig") for name in (CrawlTable.PAGES, CrawlTable.FINDINGS)
        }
        pages = list(exports.pages(ALL))
        findings = [item.finding for item in stored_findings(connection)]

    rows = list(csv.DictReader(io.StringIO(files[CrawlTable.PAGES])))
    assert [row["url"] for row in rows] == [page.url for page in pages]
    assert [row["failed"].split() for row in rows] == [page.verdicts["failed"] for page in pages]
    assert [row["indexable"] for row in rows] == [str(page.indexable).lower() for page in pages]
    listed = csv.DictReader(io.StringIO(files[CrawlTable.FINDINGS]))
    assert [row["key"] for row in listed] == [item.key for item in findings]
    assert b"".join(sitemap_xml(pages)).count(b"<loc>") == sum(page.indexable for page in pages)
