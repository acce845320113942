"""Logs that are uploaded to a service, by the API and on the page of a project."""

import gzip
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec
import pytest

from findable.service.accounts import account_admin
from findable.service.accounts.callers import authenticate_key
from findable.service.projects import log_folders
from findable.settings import RANGES_NAME
from tests.logs import generated_log
from tests.logs.generated_log import requests, written
from tests.logs.test_send_logs import planted, stored
from tests.tiers import sampled
from tests.web.live import PATIENCE_S, Client, Live, run_live

PATH = "/projects/example.com/log-imports/file"
SAME = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("service")
    with contextmanager(run_live)(folder, log_folders=(f"web1={tmp_path_factory.mktemp('logs')}",)) as running:
        (running.service.settings.data_dir / RANGES_NAME).write_bytes(msgspec.json.encode(generated_log.ranges()))
        yield running


@pytest.fixture
def client(live: Live) -> Client:
    """A client of a new account with the project of the log."""
    made = live.client(email=live.email())
    assert made.post("/projects", {"project": "example.com"}).status in (200, 201)
    return made


@pytest.mark.parametrize("pack", sampled([gzip.compress, bytes]), ids=["gzip", "plain"])
def test_an_uploaded_log_is_counted_once_and_another_one_of_the_same_time_is_refused(
    live: Live, client: Client, pack: Callable[[bytes], bytes]
) -> None:
    made, truth = requests(3000, fakes=100)
    log = written("combined", made)
    first = client.post(PATH, pack(log[: log.index(b"\n", len(log) // 2) + 1]), source="access.log")
    assert (first.status, first.json["data"]["is_new"]) == (201, True), first.text
    grown = client.post(PATH, pack(log), source="access.log")
    assert (grown.status, grown.json["data"]["id"]) == (201, first.json["data"]["id"]), grown.text
    assert stored(client) == planted(truth)
    again = client.post(PATH, gzip.compress(log), source="renamed")
    assert (again.status, again.json["data"]["is_new"], again.json["data"]["hits"]) == (200, False, 0), again.text
    assert stored(client) == planted(truth)

    other = log[log.index(b"\n") + 1 :]
    refused = client.post(PATH, other, source="access.log")
    assert refused.status == 409
    assert "access.log from 2026-11-" in refused.text
    assert client.post(PATH, other, source="access.log", replace="1").status == 201


@pytest.mark.parametrize("body", [b"no log\n" * 300, b"", b"\x1f\x8b broken", b"\0" * 100_000])
def test_what_is_no_log_is_refused_and_stores_nothing(client: Client, body: bytes) -> None:
    refused = client.post(PATH, body)
    assert refused.status == 422, refused.text
    assert client.get("/projects/example.com/log-imports").json["data"] == []


def test_a_log_is_uploaded_on_the_page(live: Live) -> None:
    email = live.email()
    client, browser = live.client(email=email), live.signed_in(email)
    assert client.post("/projects", {"project": "example.com"}).status in (200, 201)
    made, truth = requests(2000, fakes=50)
    log = gzip.compress(written("vhost", made))
    parts = b'--X\r\nContent-Disposition: form-data; name="source"\r\n\r\nweb1\r\n'
    parts += b'--X\r\nContent-Disposition: form-data; name="file"; filename="access.log.2.gz"\r\n\r\n' + log + b"\r\n--X--\r\n"
    kind = {**SAME, "Content-Type": "multipart/form-data; boundary=X"}
    for done in ("imported", "known"):
        reply = browser.post("/projects/example.com/bots", parts, kind)
        assert (reply.status, reply.headers["Location"]) == (303, f"/projects/example.com/bots?done={done}"), reply.text
    assert stored(client) == planted(truth)
    assert [log["source"] for log in client.get("/projects/example.com/log-imports").json["data"]] == ["web1"]
    wrong = browser.post("/projects/example.com/bots", parts.replace(log, b"no log\n" * 300), kind)
    assert wrong.status == 422
    assert "could not be read" in wrong.text
    assert browser.post("/projects/example.com/bots", parts, {"Content-Type": kind["Content-Type"]}).status == 403


def test_an_operator_assigns_a_folder_on_the_page_and_by_the_api(live: Live) -> None:
    email = live.email()
    client, browser = live.client(email=email), live.signed_in(email)
    assert client.post("/projects", {"project": "example.com"}).status in (200, 201)
    page, folder = "/projects/example.com/bots", "/projects/example.com/log-folders"
    assert "Folders of this server" not in browser.get(page).text
    assert client.put(f"{folder}/web1").status == 404
    account_admin.set_operator(live.service, email, is_operator=True)
    assert "Folders of this server" in browser.get(page).text
    assert [one["is_assigned"] for one in client.get(folder).json["data"]] == [False]
    made, truth = requests(1500, fakes=20)
    logs = live.service.settings.named_log_folders["web1"]
    (logs / "access.log").write_bytes(written("combined", made))
    (logs / "notes<b>.txt").write_bytes(b"no log\n" * 300)

    reply = browser.post(f"{page}/folders/web1", {"assigned": "1"}, SAME)
    assert (reply.status, reply.headers["Location"]) == (303, f"{page}?done=assigned"), reply.text
    until_s, caller = time.monotonic() + PATIENCE_S, authenticate_key(live.service, client.key)
    while not log_folders.find(live.service, caller, "example.com")[0].problems:  # the worker reads it
        assert time.monotonic() < until_s
    assert stored(client) == planted(truth)
    assert client.get(folder).json["data"][0]["problems"] == {"notes<b>.txt": "unreadable"}
    assert "notes&lt;b&gt;.txt" in browser.get(page).text
    assert browser.post(f"{page}/folders/other", {"assigned": "1"}, SAME).status == 404
    assert client.delete(f"{folder}/web1").json["data"]["deleted"] is True
    assert client.delete(f"{folder}/web1").status == 404
    assert stored(client) == planted(truth)
