"""`findable export`: all tables of a crawl file, also of a crawl that has not ended."""

import csv
import io
from pathlib import Path

import pytest

from findable.crawl.tables import CrawlTable
from findable.export import table_files
from tests.cli.conftest import Run, make_site, site
from tests.crawl_sites import make_shop
from tests.sites.server import Site

__all__ = ["make_site", "site"]
FAST = ("--rate", "50", "--connections", "4", "--confirm-after", "0")
TABLES = {table.value for table in CrawlTable if table is not CrawlTable.SITEMAP_XML} | {"about"}


def test_all_tables_are_written_with_a_crawl_and_from_its_file(findable: Run, site: Site, tmp_path: Path) -> None:
    make_shop(site)
    (tmp_path / "lists").mkdir()
    done = findable("crawl", site.url("/"), *FAST, "--store", "shop.crawl.sqlite", "--export=csv=lists", "--export=csv=pages.csv")
    requests = len(site.requests)
    again = findable("export", "shop.crawl.sqlite", "parquet=parquet", "ndjson=ndjson", "xlsx=shop.xlsx")

    assert (done.returncode in (0, 1), again.returncode, len(site.requests)) == (True, 0, requests), again.stderr
    for folder, ending in (("lists", "csv"), ("parquet", "parquet"), ("ndjson", "ndjson")):
        assert {path.name for path in (tmp_path / folder).iterdir()} == {f"{name}.{ending}" for name in TABLES}
    assert (tmp_path / "lists/pages.csv").read_bytes() == (tmp_path / "pages.csv").read_bytes()
    rows = list(csv.DictReader(io.StringIO((tmp_path / "lists/pages.csv").read_text("utf-8-sig"))))
    assert {row["crawl"] for row in rows} == {"shop"}
    assert len((tmp_path / "ndjson/pages.ndjson").read_text().splitlines()) == len(rows)
    assert (tmp_path / "shop.xlsx").read_bytes()[:2] == b"PK"


def test_a_wrong_target_is_named(findable: Run, tmp_path: Path) -> None:
    (tmp_path / "file.csv").write_text("")
    for target, complaint in (
        ("pdf=x.pdf", "is not FORMAT=FILE with one of csv, ndjson, parquet, xlsx"),
        ("csv=file.csv", "is not a folder"),
        ("csv=missing/tables", "missing is not a directory"),
        ("parquet=tables", "none.sqlite is missing"),
    ):
        done = findable("export", "none.sqlite", target)
        assert (done.returncode, complaint in done.stderr) == (2, True), done.stderr
    assert not (tmp_path / "tables").exists()


def test_a_format_that_is_not_installed_is_refused_before_the_crawl(monkeypatch: pytest.MonkeyPatch) -> None:
    from findable.cli.crawl_output import require_packages
    from findable.cli.formats import Target
    from findable.errors import SettingError

    monkeypatch.setattr(table_files, "find_spec", lambda _: None)
    with pytest.raises(SettingError, match=r"parquet is not installed: pip install '\.\[parquet\]'"):
        require_packages([Target("csv", None), Target("parquet", Path("tables"), "--export", is_folder=True)])
