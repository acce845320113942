"""`findable.api`: its reference runs as it stands, on a shop on loopback, and what a notebook needs."""

import asyncio
import doctest
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from findable import api
from findable.api import frames
from findable.api.crawling_options import CrawlingOptions
from findable.api.options import AuditOptions, AuditPace
from tests.crawl_sites import make_shop
from tests.sites.plugin import make_site, site
from tests.sites.server import Site

__all__ = ["make_site", "site"]
DOCS = Path(__file__).parents[2] / "docs"
BAD = '<script>alert("x")</script>'


@pytest.fixture
def shop(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A small shop, and an empty folder to work in."""
    make_shop(site, products=12)
    monkeypatch.chdir(tmp_path)
    return site


def run_examples(page: Path, base: str) -> None:
    runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    failures: list[str] = []
    text = page.read_text("utf-8").replace("https://shop.example", base)
    runner.run(doctest.DocTestParser().get_doctest(text, {}, page.name, None, 0), out=failures.append)

    assert runner.tries > 15
    assert not failures, "".join(failures)


def test_the_examples_of_the_reference_run(shop: Site) -> None:
    run_examples(DOCS / "reference/python-api.md", shop.base)


@pytest.mark.full
def test_the_steps_for_pandas_duckdb_excel_and_notebooks_run(shop: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pandas", "pyarrow", "duckdb", "openpyxl", "matplotlib"):
        pytest.importorskip(name)
    monkeypatch.setenv("MPLBACKEND", "agg")

    run_examples(DOCS / "how-to/notebooks.md", shop.base)


def test_every_option_about_requests_is_a_keyword_argument() -> None:
    for function, kinds in (
        (api.audit, (AuditOptions, AuditPace)),
        (api.audit_all, (AuditOptions, AuditPace)),
        (api.crawl, (CrawlingOptions,)),
    ):
        declared = {name for kind in kinds for name in inspect.signature(kind).parameters}
        assert set(inspect.signature(function).parameters) - {"url", "urls"} == declared | {"progress"}


def test_it_works_inside_a_running_event_loop(shop: Site) -> None:
    async def cell() -> api.AuditedPage:
        return api.audit(shop.url("/"))  # blocks, as in a notebook

    assert asyncio.run(cell()).score is not None


def test_texts_of_a_site_are_escaped_in_a_notebook(site: Site, tmp_path: Path) -> None:
    site.page("/", f"<title>{BAD.replace('<', '&lt;')}</title><p><a href='/missing?{BAD}'>x</a>")
    page = api.audit(site.url("/"))
    crawl = api.crawl(site.url("/"), store=tmp_path / "one.sqlite", rate=50, render=api.Render.NEVER, confirm_after=0)
    rows = crawl.query("SELECT title, url FROM pages")

    assert BAD in str(rows.rows)
    for shown in (page, crawl, rows):
        html = shown._repr_html_()
        assert "<script" not in html
        assert "<table>" in html


def test_frames_have_the_types_of_the_tables(shop: Site, tmp_path: Path) -> None:
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    crawl = api.crawl(shop.url("/"), store=tmp_path / "shop.sqlite", rate=50, render=api.Render.NEVER, confirm_after=0)
    pages, links = crawl.to_arrow(), crawl.to_arrow("links")
    frame = crawl.to_pandas()

    assert pages.num_rows == len(frame) == sum(1 for _ in crawl.pages())
    assert (pages.schema.field("indexable").type, links.schema.field("target_status").type) == (pyarrow.bool_(), pyarrow.int64())
    assert pages.schema.field("segment").type == pyarrow.list_(pyarrow.string())
    assert (frame["score"].dtype, frame["indexable"].dtype) == (pandas.Int64Dtype(), pandas.BooleanDtype())
    assert crawl.to_arrow("findings").num_rows == len(crawl.findings())
    assert list(crawl.query("SELECT n, url FROM pages").to_pandas().columns) == ["n", "url"]


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)

    with pytest.raises(api.PackageMissing, match="pip install pandas"):
        frames.library("pandas")


def test_importing_it_loads_no_database_and_no_web_framework() -> None:
    code = "import sys, findable.api; print([name for name in ('sqlalchemy', 'starlette', 'pandas', 'pyarrow') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_an_audit_loads_nothing_of_crawls() -> None:
    code = (
        "import sys, findable.cli.audit; print([name for name in ('findable.api.results', 'findable.crawl.record') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_the_public_names_are_listed_and_others_are_none() -> None:
    assert {"audit", "crawl", "Crawl"} <= set(dir(api))
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        api.nothing  # noqa: B018 - an unknown name is the test
