"""`findable import`: from a second Findable, and from an older server with the given interface."""

import asyncio
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from findable.service.accounts.account_admin import owner_caller
from findable.service.reports import history, reports
from findable.service.runtime.service import Service
from findable.service.values.report_values import ReportQuery, ReportSort, ReportView
from findable.settings import Settings
from findable.vocabulary import Privacy, Status
from tests.cli.conftest import Run
from tests.sites.server import Page, Request, Site, Wire, dynamic
from tests.web.live import Live, run_live

KEY = "old-secret-0123456789"
OLDER: list[dict[str, object]] = [
    {"id": 3, "url": "https://shop.example/", "result": "good", "privacy": 0, "generated_at": "2021-08-31T12:00:00.000000Z"},
    {"id": 4, "url": "https://shop.example/terms", "result": "bad", "privacy": "2", "generated_at": "2021-09-01 09:30:00"},
    {"id": 5, "url": "http://192.168.0.7/", "result": "good", "privacy": 0, "generated_at": "2021-09-02T12:00:00Z"},
    {"id": 6, "url": "https://new.example/", "result": None, "privacy": 1, "generated_at": None},
    {"url": "https://without-id.example/"},
]
"""Rows of such a server: dates with and without zone, numbers as text, an address that is private, a report without a rating."""


class OlderServer:
    """The given interface in the form of Laravel's paginator, three rows a page. It fails where a test wants it to."""

    def __init__(self, site: Site) -> None:
        self.fails_on_page = 0
        self.base = site.base
        self.keys: set[str] = set()
        self.together = asyncio.Barrier(1)
        """Requests for reports that wait for each other."""
        site.handler(
            "/api/v1/projects", dynamic(lambda request: self._listed(request, [{"project": "shop.example"}, {"project": "no host!"}]))
        )
        site.handler("/api/v1/reports", self._reports)

    async def _reports(self, request: Request, wire: Wire) -> None:
        await asyncio.wait_for(self.together.wait(), 30)
        await dynamic(lambda asked: self._listed(asked, OLDER))(request, wire)

    def _listed(self, request: Request, rows: list[dict[str, object]]) -> Page:
        self.keys.add(request.headers["authorization"])
        page = int(parse_qs(request.target.partition("?")[2])["page"][0])
        if page == self.fails_on_page:
            return Page(b"<h1>500</h1>", 500)
        following = f"https://elsewhere.example/api/v1/reports?page={page + 1}" if page * 3 < len(rows) else None
        shown = rows[(page - 1) * 3 : page * 3]
        body = {"data": shown, "links": {"next": following}, "meta": {"current_page": page, "per_page": 3}, "status": 200}
        return Page(json.dumps(body).encode(), headers=[("Content-Type", "application/json")])


def stored(folder: Path) -> list[ReportView]:
    """Return the reports of the data directory, the oldest first."""
    service = Service.open(Settings(data_dir=folder))
    try:
        caller = owner_caller(service, None)
        found = reports.find(service, caller, ReportQuery(sort_by=ReportSort.ID, descending=False, per_page=100)).items
        assert all(len(history.runs(service, caller, view.id)) == 1 for view in found)
        return list(found)
    finally:
        service.close()


def test_reports_of_an_older_server_keep_date_and_rating_and_are_imported_once(findable: Run, site: Site, tmp_path: Path) -> None:
    older = OlderServer(site)
    assert findable("accounts", "create", "owner@example.com").returncode == 0
    older.fails_on_page = 2
    broken = findable("import", "--from", f"{older.base}/api/v1/", "--key", KEY)
    assert broken.returncode == 3
    assert "1 projects and 2 reports were imported; 0 reports" in broken.stdout
    assert "/api/v1/reports returned 500. Run the command again to continue." in broken.stderr
    older.fails_on_page = 0
    done = findable("import", "--from", older.base, FINDABLE_KEY=KEY)
    assert done.returncode == 0, done.stderr
    assert "0 projects and 1 reports were imported; 2 reports were imported before." in done.stdout
    assert "1 rows have no URL or id" in done.stdout
    assert "not imported: http://192.168.0.7/: " in done.stdout
    assert "not imported: no host!: " in done.stdout
    assert older.keys == {f"Bearer {KEY}"}
    assert KEY not in broken.stdout + broken.stderr + done.stdout + done.stderr
    shop, terms, new = stored(tmp_path / "data")
    assert (shop.status, shop.result, shop.score, shop.privacy) == (Status.FAILED, None, None, Privacy.PUBLIC)
    assert terms.privacy is Privacy.PRIVATE
    assert not terms.has_password
    assert new.privacy is Privacy.PRIVATE
    assert shop.created_at.isoformat() == "2021-08-31T12:00:00+00:00"
    assert shop.error is not None
    assert shop.error.source == f"{older.base}/api/v1/reports/3"
    assert KEY.encode() not in b"".join(file.read_bytes() for file in (tmp_path / "data").rglob("*") if file.is_file())


def test_two_imports_at_once_store_each_report_once(findable: Run, site: Site, tmp_path: Path) -> None:
    older = OlderServer(site)
    assert findable("accounts", "create", "owner@example.com").returncode == 0
    older.together = asyncio.Barrier(2)
    with ThreadPoolExecutor(2) as both:
        done = list(both.map(lambda _: findable("import", "--from", older.base, "--key", KEY, PYTHONUNBUFFERED="1"), range(2)))
    assert [one.returncode for one in done] == [0, 0], [one.stderr for one in done]
    assert len(stored(tmp_path / "data")) == 3
    counts = [int(count) for one in done for count in re.findall(r"(\d+) reports were imported", one.stdout)]
    assert sum(counts) == 6, counts  # each counts those of the other one as imported before


@pytest.fixture
def second(tmp_path: Path) -> Iterator[Live]:
    yield from run_live(tmp_path / "second")


@pytest.mark.full
def test_an_account_of_a_second_findable_is_imported_shown_and_run_again(findable: Run, second: Live, tmp_path: Path) -> None:
    source = second.client()
    for number in range(102):  # more than a page of the list
        source.post("/reports", {"url": f"https://good.example/{number}"}, wait=0)
    locked = source.report("https://locked.example/", privacy=2, password="of the report")
    assert findable("accounts", "create", "owner@example.com").returncode == 0
    done = findable("import", "--from", f"http://127.0.0.1:{second.port}", "--key", source.key)
    assert done.returncode == 0, done.stderr
    assert "2 projects and 103 reports were imported; 0 reports" in done.stdout
    assert "now private, had a password: https://locked.example/" in done.stdout
    again = findable("import", "--from", f"http://127.0.0.1:{second.port}", "--key", source.key)
    assert "0 projects and 0 reports were imported; 103 reports were imported before." in again.stdout
    assert locked["result"] == "decent"
    for target in run_live(tmp_path / "data"):
        browser = target.signed_in("owner@example.com")
        imported = target.client(email="owner@example.com")
        report = imported.get("/reports", search="locked").json["data"][0]
        assert report["error"]["code"] == "imported"
        assert "127.0.0.1 rated the page decent on" in report["error"]["message"]
        page = browser.get(f"/r/{report['public_id']}").text
        assert "No rating yet: this report was imported" in page
        assert "It does not show how search engines see the page" not in page
        assert "No rating yet: this report was imported" in browser.get("/projects/locked.example").text
        assert imported.put(f"/reports/{report['id']}", {"results": 1}).json["data"]["result"] == "decent"
        runs = imported.get(f"/reports/{report['id']}/runs").json["data"]
        assert [run["error"] and run["error"]["code"] for run in runs] == [None, "imported"]
        assert "rated the page decent on" in browser.get(f"/r/{report['public_id']}/history").text
        assert target.client().get("/reports").json["data"] == []  # of another account
        entries = imported.get("/audit", thing="report").json["data"]
        assert "report.imported" in {entry["action"] for entry in entries}


def test_what_cannot_be_imported_is_refused_by_the_name_of_the_flag(findable: Run) -> None:
    assert "There is no account yet" in findable("import", "--from", "https://old.example", "--key", KEY).stderr
    assert findable("accounts", "create", "owner@example.com").returncode == 0
    for arguments, words in (
        (["--from", "ftp://old.example", "--key", KEY], "--from: "),
        (["--from", "https://user:word@old.example", "--key", KEY], "--from: "),
        (["--from", "https://old.example"], "--key: "),
    ):
        refused = findable("import", *arguments)
        assert refused.returncode == 2, refused.stdout
        assert words in refused.stderr
        assert KEY not in refused.stderr


def test_a_table_of_sites_is_imported_and_rows_with_errors_are_listed(findable: Run, tmp_path: Path) -> None:
    assert findable("accounts", "create", "owner@example.com").returncode == 0
    (tmp_path / "sites.csv").write_text("url,tags,interval\nhttps://one.example/,shop,\ntwo.example,,sometimes\n")
    for options, counts in (
        (("--dry-run",), "dry run, nothing was changed: 1 created, 0 updated, 0 unchanged, 1 with errors\n"),
        ((), "1 created, 0 updated, 0 unchanged, 1 with errors\n"),
        ((), "0 created, 0 updated, 1 unchanged, 1 with errors\n"),
    ):
        done = findable("import", "--sites", "sites.csv", *options)
        assert (done.returncode, done.stdout) == (3, counts)
        assert done.stderr.startswith("findable: line 3: interval: The interval must be day")
    assert findable("import", "--sites", "none.csv").returncode == 2
