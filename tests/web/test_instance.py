"""The page of the operator: who sees it, what it says, and stopping a crawl of another account."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from findable.errors import NotFound
from findable.service import instance_figures
from findable.service.accounts import account_admin, api_keys
from tests.web.live import Client, Live, run_live
from tests.web.test_people import SAME, browser, with_password


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    yield from run_live(tmp_path_factory.mktemp("instance"))


def operator(live: Live) -> tuple[Client, str]:
    email = with_password(live)
    account_admin.set_operator(live.service, email, is_operator=True)
    return browser(live, email), email


def test_only_operators_see_the_page_and_from_one_request_to_the_next(live: Live) -> None:
    person, email = operator(live)
    assert person.get("/instance").status == 200
    assert 'href="/instance"' in person.get("/account").text
    account_admin.set_operator(live.service, email, is_operator=False)
    assert person.get("/instance").status == 404
    assert 'href="/instance"' not in person.get("/account").text
    assert Client(live.port, prefix="").get("/instance").headers["Location"].startswith("/sign-in")
    with pytest.raises(NotFound):
        account_admin.set_operator(live.service, "nobody@example.com", is_operator=True)


def test_a_key_of_an_operator_is_not_one(live: Live) -> None:
    _, email = operator(live)
    reply = Client(live.port, api_keys.create_key(live.service, email).token, prefix="").get("/instance")
    assert reply.status == 303


def test_it_tells_of_every_account_and_its_work(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    person, _ = operator(live)
    email = live.email()
    api = live.client(email=email)
    api.report("https://good.example/a")
    live.analyser.held["held.example"] = threading.Event()
    try:
        assert api.post("/reports", {"url": "https://held.example/x"}, wait=0).status == 202
        text = person.get("/instance").text
        assert "https://held.example/x" in text
        assert email in text
        assert "people: 1, projects: 2, reports: 2, crawls: 0" in text
        assert "0 MB of 20.0 GB" in text
    finally:
        live.analyser.held["held.example"].set()
    monkeypatch.setattr(instance_figures, "ACCOUNTS", 1)
    seen, path = 0, "/instance"
    while path:
        text = person.get(path).text
        seen += text.count("people: 1")
        path = text.partition('href="/instance?after=')[2].partition('"')[0]
        path = f"/instance?after={path}" if path else ""
    with live.service.store.read() as session:
        assert seen == len(session.instance.accounts(0, 0, 1000))
    for wrong in ("-1", "x", "9" * 30, "٣"):
        assert person.get("/instance", after=wrong).status == 200


def test_a_crawl_of_another_account_is_stopped_and_its_owner_reads_by_whom(live: Live) -> None:
    person, email = operator(live)
    api = live.client()
    made = api.post("/crawls", {"url": "https://good.example/", "pages": 5}).json["data"]
    path = f"/instance/crawls/{made['id']}/stop"
    stranger = browser(live, with_password(live))
    assert stranger.post(path, b"", SAME).status == 404
    assert person.post(path, b"", {"Sec-Fetch-Site": "cross-site"}).status == 403
    assert person.post(path, b"", SAME).headers["Location"] == "/instance?done=stopped"
    assert "The crawl stops" in person.get("/instance?done=stopped").text
    last = api.get("/audit", thing="crawl").json["data"][0]
    assert (last["action"], last["actor"], last["subject"]) == ("crawl.stopped", email, "https://good.example/")
    assert person.post("/instance/crawls/99999/stop", b"", SAME).status == 404
    assert made["id"] not in [one["id"] for one in api.get("/crawls", status="running").json["data"]]


def test_reports_and_batches_of_another_account_are_stopped(live: Live) -> None:
    person, email = operator(live)
    api = live.client()
    done = api.report("https://slow.example/done")
    held = live.analyser.held["slow.example"] = threading.Event()
    try:
        first = api.post("/reports", {"url": "https://slow.example/first"}, wait=0).json["data"]["id"]
        assert api.put(f"/reports/{done['id']}", {"results": 1}, wait=0).status == 202
        urls = [f"https://slow.example/{number}" for number in range(60)]
        batch = api.post("/batches", {"urls": "\n".join(urls)}).json["data"]["id"]
        text = person.get("/instance").text
        assert f'action="/instance/batches/{batch}/stop"' in text
        assert f'action="/instance/reports/{first}/stop"' in text
        for path, done_word in ((f"reports/{first}", "report"), (f"reports/{done['id']}", "report"), (f"batches/{batch}", "batch")):
            assert browser(live, with_password(live)).post(f"/instance/{path}/stop", b"", SAME).status == 404
            assert person.post(f"/instance/{path}/stop", b"", SAME).headers["Location"] == f"/instance?done={done_word}"
        assert person.post("/instance/reports/99999999/stop", b"", SAME).status == 404
        assert person.post("/instance/batches/99999999/stop", b"", SAME).status == 404
        stopped = api.get(f"/reports/{first}").json["data"]
        assert (stopped["status"], stopped["error"]["code"]) == ("failed", "stopped")
        kept = api.get(f"/reports/{done['id']}").json["data"]
        assert (kept["score"], kept["last_error"]["code"]) == (done["score"], "stopped")
        counts = api.get(f"/batches/{batch}").json["data"]["counts"]
        assert counts["waiting"] == counts["queued"] == counts["running"] == 0
        assert sum(counts.values()) == 60
    finally:
        held.set()
        del live.analyser.held["slow.example"]
    assert api.get(f"/reports/{first}").json["data"]["status"] == "failed"  # what a worker brings now is not accepted
    entries = [(one["action"], one["actor"]) for one in api.get("/audit").json["data"] if one["action"].endswith(".stopped")]
    assert sorted(entries) == [("batch.stopped", email), ("report.stopped", email), ("report.stopped", email)]
    assert api.put(f"/reports/{first}", {"results": 1}).json["data"]["status"] == "done"


def test_the_command_makes_and_ends_operators(tmp_path: Path) -> None:
    environment = {**os.environ, "FINDABLE_DATA_DIR": str(tmp_path)}

    def run(*words: str) -> int:
        command = [sys.executable, "-m", "findable", "accounts", *words]
        return subprocess.run(command, env=environment, capture_output=True, timeout=120, check=False).returncode

    assert run("create", "ann@example.com") == 0
    assert run("operator", "ann@example.com") == 0
    assert run("operator", "ann@example.com", "--end") == 0
    assert run("operator", "bob@example.com") == 2
