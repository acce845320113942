"""Checks of a page that read its place in the crawl."""

from pathlib import Path

import pytest

from findable.artifacts.html.document import Document
from findable.service.crawls.position_checks import PositionChecks
from findable.store.crawl_roots import CrawlRoots
from findable.store.crawl_settling import Settling
from findable.store.page_results import write_page_results
from findable.store.page_roots import PageRoots
from findable.store.site_roots import ReadSite
from tests.crawl.test_crawls import Crawled
from tests.crawl_sites import html, text
from tests.sites.plugin import make_site, site
from tests.sites.server import Site

__all__ = ["make_site", "site"]

PLACED = ("title-unique", "description-unique", "content-duplicate", "click-depth", "orphan-page")


def make_deep(site: Site) -> None:
    """A chain of six clicks, two pages with one title, two with one text, and a page that only the sitemap knows."""

    def page(path: str, title: str, links: str, words: str = "", description: str = "") -> None:
        body = f"<p>{words or text(path, 150)}</p><p>{links}</p>"
        site.page(path, html(title, body, description=description).replace('<li><a href="/about">About us</a></li>', ""))

    page("/", "Home", "<a href='/step/1'>on</a> <a href='/twin/a'>a</a> <a href='/twin/b'>b</a> <a href='/copy/a'>c</a>")
    for step in range(1, 7):
        page(f"/step/{step}", f"Step number {step}", f"<a href='/step/{step + 1}'>on</a>" if step < 6 else "", description=f"Step {step}.")
    page("/twin/a", "Twins", "", description="One description for both.")
    page("/twin/b", "Twins", "", description="One description for both.")
    page("/copy/a", "Copies", "<a href='/copy/b'>copy</a>", words=text("copy", 150))
    page("/copy/b", "Copies", "<a href='/copy/a'>copy</a>", words=text("copy", 150))
    page("/alone", "Alone", "")
    for path in ("/shop", "/imprint", "/privacy"):
        page(path, f"Page {path}", "")
    entries = "".join(f"<url><loc>{site.url(path)}</loc></url>" for path in ("/", "/alone"))
    site.page("/sitemap.xml", f"<urlset>{entries}</urlset>", content_type="application/xml")


def test_the_place_of_a_page_is_judged_from_the_settled_crawl(site: Site, tmp_path: Path) -> None:
    make_deep(site)
    crawled = Crawled(tmp_path / "deep.sqlite", site.url("/"))
    found = {path: [*row.verdicts["failed"], *row.verdicts["warned"]] for path, row in crawled.rows().items()}
    against = {path: sorted(set(names) & set(PLACED)) for path, names in found.items() if set(names) & set(PLACED)}

    assert against == {
        "step/5": ["click-depth"],
        "step/6": ["click-depth"],
        "twin/a": ["description-unique", "title-unique"],
        "twin/b": ["description-unique", "title-unique"],
        "copy/a": ["content-duplicate", "title-unique"],
        "copy/b": ["content-duplicate", "title-unique"],
        "alone": ["orphan-page"],
    }


def test_evidence_of_depth_is_the_path_from_home(site: Site, tmp_path: Path) -> None:
    make_deep(site)
    crawled = Crawled(tmp_path / "deep.sqlite", site.url("/"))
    with crawled.file.engine.connect() as connection:
        groups = ReadSite(connection, crawled.state).findings.found().groups
    finding = next(group.finding for group in groups if group.check == "click-depth")

    assert [item.url for item in finding.evidence] == [site.url(path) for path in ("/", *(f"/step/{step}" for step in range(1, 6)))]


def test_checks_with_a_twin_of_the_site_are_not_in_the_list_of_the_site(site: Site, tmp_path: Path) -> None:
    make_deep(site)
    ids = {finding.id for finding in Crawled(tmp_path / "deep.sqlite", site.url("/")).report().findings}

    assert not ids & set(PLACED)
    assert {"site-title-duplicate", "site-text-duplicate", "site-orphans"} <= ids


def test_a_part_of_a_site_has_no_orphans_and_no_long_paths(site: Site, tmp_path: Path) -> None:
    make_deep(site)
    rows = Crawled(tmp_path / "part.sqlite", site.url("/"), exclude=("/twin/*",)).rows()

    assert not [path for path, row in rows.items() if {"orphan-page", "click-depth"} & {*row.verdicts["failed"], *row.verdicts["warned"]}]
    assert "title-unique" in rows["copy/a"].verdicts["warned"]


def test_pages_whose_links_scripts_insert_leave_orphans_and_long_paths_unknown(site: Site, tmp_path: Path) -> None:
    make_deep(site)
    shell = "<!doctype html><html lang=en><title>App</title><body><div id=root></div><script src=/app.js></script></body></html>"
    site.page("/twin/a", shell)
    rows = Crawled(tmp_path / "shell.sqlite", site.url("/")).rows()

    assert not [path for path, row in rows.items() if {"orphan-page", "click-depth"} & {*row.verdicts["failed"], *row.verdicts["warned"]}]


def test_settling_and_judging_parse_nothing(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_deep(site)
    crawled = Crawled(tmp_path / "deep.sqlite", site.url("/"))
    before, requests_count = crawled.rows(), len(site.requests)
    parsed: list[str] = []
    monkeypatch.setattr(Document, "__init__", lambda _self, _text, url, *_more: parsed.append(url))
    with crawled.file.engine.begin() as connection:
        _, parents = Settling(connection, 1).settle()
        roots = PageRoots(connection, crawled.state, CrawlRoots(connection, crawled.state).summary(), parents)
        write_page_results(connection, PositionChecks(roots, crawled.state.checks, crawled.file.site()).results())

    assert crawled.rows() == before
    assert (parsed, len(site.requests)) == ([], requests_count)
