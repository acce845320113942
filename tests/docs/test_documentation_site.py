"""The documentation as a site: every page is in its navigation; made by Sphinx, shown by the service, searched in a browser."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from findable.web.pages.shared import documentation
from tests.accessibility import faults
from tests.browser import LOOKS, Open, needs_chromium, scrolls_sideways
from tests.web.live import Client, Live, run_live
from tools.documentation_site import SOURCE, chapters, gather

NOT_LISTED = {"checks", "decisions"}
"""Folders that have an index of their own."""


def test_every_page_is_in_the_navigation_once() -> None:
    listed = [name for _, found in chapters((SOURCE / "README.md").read_text()) for name, _ in found]
    assert len(listed) == len(set(listed))
    pages = [path.relative_to(SOURCE) for path in SOURCE.rglob("*.md") if path.relative_to(SOURCE).parts[0] not in NOT_LISTED]
    assert {path.with_suffix("").as_posix() for path in pages} - {"README"} <= set(listed)


def test_links_out_of_the_pages_become_their_text(tmp_path: Path) -> None:
    gather(tmp_path / "source")
    page = (tmp_path / "source" / "security.md").read_text()
    assert "](SECURITY.md" in page
    assert "](../" not in page
    assert (tmp_path / "source" / "index.md").is_file()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "documentation"
    subprocess.run([sys.executable, "tools/documentation_site.py", str(folder)], check=True, cwd=SOURCE.parent)
    return folder


@pytest.fixture(scope="module")
def served(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    before = documentation.FOLDER
    documentation.FOLDER = site
    documentation.pages.cache_clear()
    yield from run_live(tmp_path_factory.mktemp("service"))
    documentation.FOLDER = before
    documentation.pages.cache_clear()


@pytest.mark.full
def test_pages_ask_nobody_else_and_run_nothing_inline(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > len(list(SOURCE.rglob("*.md")))
    for page in pages:
        head = page.read_text().partition("<main")[0]
        assert "<script>" not in head, page
        assert "<style" not in head, page
        assert not re.search(r"(?:src|href|action)=.?(?:\w+:)?//", head), page


@pytest.mark.full
def test_the_service_shows_it_and_nothing_beside_it(served: Live) -> None:
    guest = Client(served.port, prefix="")
    assert guest.get("/docs").headers["Location"] == "/docs/index.html"
    page = guest.get("/docs/how-to/watch.html")
    assert (page.status, page.headers["Content-Type"].partition(";")[0]) == (200, "text/html")
    assert guest.get("/docs/how-to/watch.html", {"If-None-Match": page.headers["ETag"]}).status == 304
    assert guest.get("/docs/checks/noindex.html").headers["Location"] == "/docs/checks/noindex"
    for path in ("../app.py", "%2e%2e/app.py", "..%2fapp.py", "how-to/../../app.py", "/etc/passwd", "how-to", "_static", "a\u0000b"):
        assert guest.get(f"/docs/{path}".replace("\u0000", "%00")).status in (303, 400, 404), path


@needs_chromium
@pytest.mark.full
@LOOKS
def test_people_find_a_page_by_the_search_and_break_no_rule(served: Live, window: Open, width: int, dark: bool) -> None:
    page = window(width=width, dark=dark)
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.goto(f"http://127.0.0.1:{served.port}/docs")
    assert faults(page) == []
    page.get_by_label("Search the documentation").fill("clocks change")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("main").get_by_role("link", name="Watch a site").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Watch a site")
    assert not scrolls_sideways(page)
    assert faults(page) == []
    assert problems == []
