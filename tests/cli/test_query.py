"""`findable query`: a crawl file is asked in SQL."""

import subprocess
import sys
from pathlib import Path

import pytest

from findable.crawl.questions import QUESTIONS
from findable.store.question_files import QUERY_TABLES
from tests.cli.conftest import Run, make_site, site
from tests.crawl_sites import make_shop
from tests.sites.server import Site

__all__ = ["make_site", "site"]


def test_a_crawl_file_is_asked(findable: Run, site: Site, tmp_path: Path) -> None:
    make_shop(site)
    store = str(tmp_path / "shop.sqlite")
    findable("crawl", site.url("/"), "--rate", "50", "--connections", "4", "--store", store)
    text = findable("query", store, "SELECT count(*) AS pages FROM pages WHERE indexable AND url LIKE '%/product/%'")
    csv = findable("query", store, "--name", "statuses", "--format", "csv")
    rows = findable("query", store, "SELECT n FROM pages WHERE n < :n", "--param", "n=2", "--format", "ndjson")

    assert (text.returncode, text.stdout.splitlines()) == (0, ["pages", "40", "1 rows"])
    assert csv.stdout.startswith('\ufeff"status","pages"\n200,')
    assert rows.stdout == '{"n":1}\n'
    pytest.importorskip("xlsxwriter")
    book = subprocess.run(
        [sys.executable, "-m", "findable", "query", store, "SELECT 1", "--format", "xlsx"], capture_output=True, check=True
    )
    assert book.stdout.startswith(b"PK")


def test_several_crawl_files_are_asked_like_the_crawls_of_a_project(findable: Run, site: Site, tmp_path: Path) -> None:
    site.page("/", "<title>Start</title><a href='/a'>A</a>")
    site.page("/a", "<title>Before</title>")
    stores = [str(tmp_path / f"{name}.crawl.sqlite") for name in ("first", "second")]
    crawl = ("crawl", site.url("/"), "--rate", "50", "--connections", "4", "--confirm-after", "0", "--store")
    findable(*crawl, stores[0])
    site.page("/a", "<title>After</title>")
    findable(*crawl, stores[1])
    stacked = findable("query", *stores, "SELECT crawl, count(*) AS pages, count(crawled_at) FROM pages GROUP BY crawl ORDER BY crawl")
    changed = findable("query", *stores, "--name", "crawls-titles", "--format", "ndjson")
    wrong = findable("query", *stores, "SELECT colour FROM pages")
    missing = findable("query", *stores, str(tmp_path / "third.sqlite"), "SELECT 1")

    assert stacked.stdout.splitlines()[1:3] == ["first   2      2", "second  2      2"]
    assert f'"url":"{site.url("/a")}","titles":2' in changed.stdout
    assert (wrong.returncode, "no such column: colour" in wrong.stderr) == (2, True)
    assert (missing.returncode, "third.sqlite is missing" in missing.stderr) == (2, True)


def test_a_wrong_question_is_named(findable: Run, site: Site, tmp_path: Path) -> None:
    site.page("/", "<title>Start</title>")
    store, other = tmp_path / "one.sqlite", tmp_path / "other.sqlite"
    findable("crawl", site.url("/"), "--rate", "50", "--connections", "4", "--store", str(store))
    other.write_text("nothing")

    for arguments, complaint in (
        ((str(store), "SELECT * FROM sqlite_master"), "documented tables only"),
        ((str(store), "SELECT colour FROM pages"), "no such column: colour"),
        ((str(store), "--name", "nothing"), "thin-pages"),
        ((str(store),), "either a statement or --name"),
        ((str(tmp_path / "missing.sqlite"), "SELECT 1"), "is missing"),
        ((str(other), "SELECT 1"), "not a crawl file"),
    ):
        done = findable("query", *arguments)
        assert (done.returncode, complaint in done.stderr) == (2, True), done.stderr


def test_tables_and_questions_are_listed(findable: Run) -> None:
    listed = findable("query").stdout

    assert all(f"  {name} (" in listed for name in QUERY_TABLES)
    assert all(f"  {name}: " in listed for name in QUESTIONS)
