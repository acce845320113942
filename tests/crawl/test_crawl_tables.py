"""Tables of a crawl: what their rows say of whole sites."""

import csv
import io
import json
from collections import Counter
from pathlib import Path

from findable.crawl.page_selection import PageSelection
from findable.crawl.tables import CrawlTable, HreflangRow, RedirectRow, columns_of
from findable.export.crawl_documents import site_finding_json
from findable.export.crawl_files import findings_csv, pages_csv, sitemap_xml, table_csv, table_ndjson
from findable.store.crawl_findings import stored_findings
from findable.store.crawl_tables import CrawlTables
from tests.crawl.clean_sites import make_business, make_countries
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
    assert next(iter(csv.DictReader(io.StringIO(b"".join(table_csv(HreflangRow, rows)).decode("utf-8-sig"))))).keys() == set(
        HreflangRow.__struct_fields__
    )


def test_a_business_with_faults_lists_each_in_its_table(site: Site, tmp_path: Path) -> None:
    make_business(site, frozenset({"footer", "chain", "loop", "server-error", "title", "canonical", "text", "orphan"}))
    crawled = Crawled(tmp_path / "crawl.sqlite", site.url("/"))
    found = tables(crawled)
    redirects = {row.url.removeprefix(site.url("")): row for row in found.redirects(ALL)}
    canonicals = list(found.canonicals(ALL))
    kinds = {row.kind for row in found.duplicates()}

    assert {row.target_status for row in found.broken_links()} >= {404, 500}
    assert any(row.is_loop for row in redirects.values())
    assert max(row.hops for row in redirects.values()) >= 2
    assert all(row.end_status == 200 for row in redirects.values() if not row.is_loop)
    assert canonicals
    assert {"title", "similar"} <= kinds
    assert len(list(found.orphans())) == 1
    assert all(row.status is not None or row.refusal for row in found.sitemaps())
    assert {link.source_url for link in found.links(ALL)} <= {row.url for row in found.pages(ALL)}
    (one, *_) = redirects.values()
    assert json.loads(next(table_ndjson([one])))["url"] == one.url
    assert len(list(table_csv(RedirectRow, redirects.values()))) == len(redirects) + 1


def test_urls_that_were_not_requested_are_listed_with_the_reason(site: Site, tmp_path: Path) -> None:
    make_shop(site)
    left_out = {row.url.removeprefix(site.base): row for row in tables(Crawled(tmp_path / "crawl.sqlite", site.url("/"))).refused()}
    few = Counter(row.reason for row in tables(Crawled(tmp_path / "few.sqlite", site.url("/"), pages=5)).refused())

    assert {path: (row.reason, row.detail) for path, row in left_out.items()} == {
        "/private/admin": ("robots", "line 2: Disallow: /private/"),
        "/basket/add?add-to-cart=7": ("action", None),
        "https://example.org/": ("scope", None),
    }
    assert all(row.page and row.pages for row in left_out.values())
    assert few["budget"] > 5


def test_files_of_pages_and_findings_hold_a_row_for_each(site: Site, tmp_path: Path) -> None:
    make_business(site, frozenset({"footer"}))
    crawled = Crawled(tmp_path / "crawl.sqlite", site.url("/"))
    found = tables(crawled)
    pages = list(found.pages(ALL))
    with crawled.file.engine.connect() as connection:
        findings = [item.finding for item in stored_findings(connection)]

    rows = list(csv.DictReader(io.StringIO(b"".join(pages_csv(pages)).decode("utf-8-sig"))))
    assert [row["url"] for row in rows] == [page.url for page in pages]
    assert [row["failed"].split() for row in rows] == [page.verdicts["failed"] for page in pages]
    listed = csv.DictReader(io.StringIO(b"".join(findings_csv(site_finding_json(item) for item in findings)).decode("utf-8-sig")))
    assert [row["key"] for row in listed] == [item.key for item in findings]
    assert b"".join(sitemap_xml(pages)).count(b"<loc>") == sum(page.indexable for page in pages)
