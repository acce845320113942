import csv
import html
import json
import re
import threading
from datetime import UTC, datetime

import pytest

from findable.checks.engine import find_check
from findable.sandbox import Limits
from findable.service.values.presentation import BrandView
from findable.urls import parse
from findable.web.app import ENDPOINTS
from findable.web.pages.report.report_images import IMAGE_FILES
from findable.web.pages.result.files import file_name
from findable.web.pages.shared.attachments import SANDBOX
from tests.web.live import Client, Live, Reply
from tests.web.test_manage import ACTIONS, PAST
from tests.web.test_share_page import Links
from tests.web.viewers import BY_EVERYBODY, look

FILES = ("report.json", "report.csv", "report.md", "report.pdf")
ALL = (*FILES, "badge.svg")
EACH = pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.full] if name == "report.pdf" else []) for name in ALL])
"""Setting a PDF takes as long as all the others."""


def public(client: Client, url: str = "https://bad.example/") -> tuple[Client, str]:
    return client.guest(), f"/r/{client.report(url)['public_id']}"


def same_answer(reply: Reply) -> tuple[int, str | None, str | None, bytes]:
    return reply.status, reply.headers["Content-Type"], reply.headers["Content-Disposition"], reply.body


def test_json_is_the_report(client: Client) -> None:
    made = client.report("https://bad.example/")
    reply = client.guest().get(f"/r/{made['public_id']}/report.json")
    assert reply.status == 200
    assert reply.headers["Content-Type"] == "application/json"
    assert {name: reply.json[name] for name in ("url", "result", "score", "counts")} == {
        name: made[name] for name in ("url", "result", "score", "counts")
    }
    assert [finding["id"] for finding in reply.json["results"]] == [finding["id"] for finding in made["results"]]
    assert reply.json["links"] == {name: made["links"][name] for name in ("html", "json", "csv", "markdown", "pdf")}


def test_csv_has_a_row_for_each_finding(client: Client) -> None:
    made = client.report("https://bad.example/")
    reply = client.guest().get(f"/r/{made['public_id']}/report.csv")
    rows = list(csv.reader(reply.body.decode("utf-8-sig").splitlines()))
    assert reply.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert len(rows) == 1 + len(made["results"])


def test_markdown_says_the_verdict(client: Client) -> None:
    guest, path = public(client)
    reply = guest.get(f"{path}/report.md")
    assert reply.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert reply.text.startswith("# SEO report: `https://bad.example/`")
    assert "**Rated bad**" in reply.text


def test_the_pdf_is_in_the_readers_language(client: Client) -> None:
    guest, path = public(client)
    english, german = (guest.get(f"{path}/report.pdf", {"Accept-Language": code}) for code in ("en", "de"))
    assert english.headers["Content-Type"] == "application/pdf"
    assert english.body.startswith(b"%PDF-1.7")
    assert len({english.headers["ETag"], german.headers["ETag"], guest.get(f"{path}/report.pdf?tables=1").headers["ETag"]}) == 3
    assert english.headers["Vary"] == "Cookie, Accept-Language"
    assert english.body == guest.get(f"{path}/report.pdf").body


def test_s43_pdfs_that_take_too_long_are_refused_and_the_service_lives(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    guest, path = public(client)
    monkeypatch.setattr("findable.export.pdf.LIMITS", Limits(0.002, 2 * 1024**3, 10**7))
    reply = guest.get(f"{path}/report.pdf")
    assert reply.status == 503
    assert "could not be created" in reply.text
    monkeypatch.undo()
    assert guest.get(f"{path}/report.pdf").status == 200


def test_where_no_typesetter_is_installed_no_pdf_is_offered(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    guest, path = public(client)
    for place in ("findable.export.pdf", "findable.web.api.report_shapes"):
        monkeypatch.setattr(f"{place}.is_available", lambda: False)
    reply = guest.get(f"{path}/report.pdf")
    assert reply.status == 503
    assert "'.[pdf]' in a clone of Findable" in html.unescape(reply.text)
    assert "report.pdf" not in guest.get(path).text
    assert "pdf" not in guest.get(f"{path}/report.json").json["links"]


def test_the_badge_shows_the_rating(client: Client) -> None:
    guest, path = public(client)
    reply = guest.get(f"{path}/badge.svg")
    assert reply.headers["Content-Type"] == "image/svg+xml"
    assert "Content-Disposition" not in reply.headers
    assert re.search(r"Findable: bad \d+", reply.text)


@pytest.mark.parametrize("name", ALL)
def test_s42_files_run_nothing(client: Client, name: str) -> None:
    guest, path = public(client, "https://hostile.example/")
    reply = guest.get(f"{path}/{name}")
    assert reply.status == 200
    assert reply.headers["Content-Security-Policy"] == SANDBOX
    assert reply.headers["X-Content-Type-Options"] == "nosniff"
    assert reply.headers["X-Robots-Tag"] == "noindex"
    if name in FILES:
        ending = name.rpartition(".")[2]
        assert re.fullmatch(
            rf'attachment; filename="findable-hostile\.example-\d{{4}}-\d\d-\d\d\.{ending}"', reply.headers["Content-Disposition"]
        )


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://www.example.com/a", "findable-www.example.com-2026-11-21.csv"),
        ("https://bücher.example/", "findable-xn--bcher-kva.example-2026-11-21.csv"),
        ("http://[::1]:8000/", "findable-1-2026-11-21.csv"),
        ("https://a..b_-.example/", "findable-a.b.-.example-2026-11-21.csv"),
        ('https://x"\r\n/../', "findable-x-2026-11-21.csv"),
        (f"https://{'a' * 60}.{'b' * 60}.example/", f"findable-{'a' * 60}.{'b' * 19}-2026-11-21.csv"),
    ],
)
def test_s45_file_names_are_plain_ascii(url: str, name: str) -> None:
    parsed = parse(url)
    assert file_name(BrandView(), parsed.host if parsed else "", datetime(2026, 11, 21, tzinfo=UTC), "csv") == name


@EACH
def test_head_is_get_without_the_body_and_nothing_else_is_answered(client: Client, name: str) -> None:
    guest, path = public(client)
    reply = guest.request("HEAD", f"{path}/{name}")
    assert (reply.status, reply.body) == (200, b"")
    assert reply.headers["Content-Type"] == guest.get(f"{path}/{name}").headers["Content-Type"]
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        refused = guest.request(method, f"{path}/{name}")
        assert refused.status == 405
        assert refused.headers["Allow"] == "GET, HEAD, OPTIONS"
    assert guest.get(f"{path}/{name}/").status == 200


# --- privacy ----------------------------------------------------------------------------------------------------------


def test_s49_every_route_below_a_share_page_is_in_the_matrix() -> None:
    below = {path.removeprefix("/r/{public_id}/") for handler in ENDPOINTS for path in handler.paths if path.startswith("/r/{public_id}/")}
    pictures = set(IMAGE_FILES)  # tests/web/test_pictures.py
    assert below == {
        *ALL,
        *(action for _, action in ACTIONS),
        *PAST,
        "evidence",
        "events",  # tests/web/test_events.py
        "accepted/{check}",
        "accepted/{check}/withdraw",
        "details/{name}",  # tests/web/test_report_details.py
        "report.har",  # tests/api/test_report_browser.py
        *("fixes.md", "issue", "logo.png", "site-icon.png"),  # tests/safety/test_matrix.py
        *pictures,
    }


@BY_EVERYBODY
def test_s51_s57_whoever_sees_the_page_gets_the_files(live: Live, who: str, privacy: int) -> None:
    seen = look(live, who, privacy)
    for name in ALL:
        reply = seen.viewer.get(f"{seen.path}/{name}")
        if seen.may_see and (name != "badge.svg" or privacy == 0):
            assert reply.status == 200, name
        elif privacy == 2 and name != "badge.svg" and not seen.may_see:
            assert (reply.status, reply.headers["Location"], reply.body) == (303, seen.path, b""), name
        else:
            assert same_answer(reply) == same_answer(seen.viewer.get(f"/r/nothing/{name}")), name
            assert reply.status == 404, name
            assert b"bad.example" not in reply.body, name
        assert reply.headers["Cache-Control"] == seen.cache_control, name
        assert ("ETag" in reply.headers) is (seen.cache_control == "no-cache"), name


@EACH
def test_s52_a_report_made_private_is_gone_with_the_next_request(client: Client, name: str) -> None:
    report = client.report()
    guest, path = client.guest(), f"/r/{report['public_id']}/{name}"
    tag = guest.get(path).headers["ETag"]
    assert guest.get(path, {"If-None-Match": tag}).status == 304
    client.put(f"/reports/{report['id']}", {"privacy": 1})
    assert guest.get(path, {"If-None-Match": tag}).status == 404


def test_s57_deleted_missing_and_malformed_look_the_same(client: Client) -> None:
    report = client.report()
    client.delete(f"/reports/{report['id']}")
    guest = client.guest()
    for name in ALL:
        assert len({same_answer(guest.get(f"/r/{public_id}/{name}")) for public_id in (report["public_id"], "nothing", "%00")}) == 1
    assert guest.get(f"/r/{report['public_id']}/report.exe").status == 404


@pytest.mark.parametrize("name", ALL)
def test_a_key_opens_no_file_of_the_pages(live: Live, name: str) -> None:
    owner = live.client()
    report = owner.report(privacy=1)
    owner.prefix = ""
    assert owner.get(f"/r/{report['public_id']}/{name}").status == 404


def test_a_file_tells_nothing_of_the_account(live: Live) -> None:
    email = live.email()
    owner = live.client(email=email)
    report = owner.report("https://bad.example/")
    accepted = owner.put(f"/reports/{report['id']}/accepted/noindex", {"reason": "meant so"})
    assert accepted.status == 200
    found = owner.guest().get(f"/r/{report['public_id']}/report.json")
    assert {"id", "project", "has_password", "previous"}.isdisjoint(found.json)
    assert next(item for item in found.json["results"] if item["id"] == "noindex")["accepted"] == {"reason": "meant so", "until": ""}
    assert email not in found.text


# --- when there is something to export --------------------------------------------------------------------------------


def test_before_the_first_result_there_are_no_files(client: Client, live: Live) -> None:
    held = live.analyser.held["exports-wait.example"] = threading.Event()
    made = client.post("/reports", {"url": "https://exports-wait.example/"}, wait=0).json["data"]
    guest, path = client.guest(), f"/r/{made['public_id']}"
    assert {"json", "csv", "markdown", "pdf"}.isdisjoint(made["links"])
    assert [guest.get(f"{path}/{name}").status for name in ALL] == [404] * len(ALL)
    assert "Share and export" not in guest.get(path).text
    held.set()
    done = client.get(f"/reports/{made['id']}", wait=60).json["data"]
    base = done["links"]["html"]
    assert done["links"]["markdown"] == f"{base}/report.md"
    listed = client.get("/reports", search="exports-wait").json["data"][0]
    assert listed["links"] == done["links"]
    assert [guest.get(f"{path}/{name}").status for name in ALL] == [200] * len(ALL)


def test_a_page_that_was_not_seen_has_no_files(client: Client) -> None:
    report = client.report("https://times-out.example/")
    guest, path = client.guest(), f"/r/{report['public_id']}"
    assert "json" not in report["links"]
    assert [guest.get(f"{path}/{name}").status for name in ALL] == [404] * len(ALL)


@pytest.mark.parametrize("privacy", [0, 1])
def test_the_page_leads_to_the_files_that_there_are(live: Live, privacy: int) -> None:
    email = live.email()
    report = live.client(email=email).report(privacy=privacy)
    browser, path = live.signed_in(email), f"/r/{report['public_id']}"
    links = Links(browser.get(path).text).hrefs
    hrefs = [href for href, _ in links if href.startswith(f"{path}/") and not href.endswith(("/client", "/link", "/delete"))]
    files = [href for href in hrefs if not href.startswith(f"{path}/details/")]  # tests/web/test_report_details.py
    assert sorted(files) == sorted(f"{path}/{name}" for name in (*(ALL if privacy == 0 else FILES), "evidence"))
    assert [browser.get(href).status for href in hrefs] == [200] * len(hrefs)


def test_a_finding_of_a_check_that_no_longer_exists_is_exported(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    report = client.report("https://bad.example/")
    monkeypatch.setattr("findable.reports.reported_finding.find_check", lambda name: None if name == "noindex" else find_check(name))
    guest, path = client.guest(), f"/r/{report['public_id']}"
    assert [guest.get(f"{path}/{name}").status for name in ALL] == [200] * len(ALL)
    found = json.loads(guest.get(f"{path}/report.json").body)["results"]
    assert next(item for item in found if item["id"] == "noindex")["question"] == ""
