"""How far a report is, told while it happens."""

import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from findable.service.values.report_values import Progress
from findable.web.pages.report import event_stream
from tests.web.live import Client, Live, run_live
from tests.web.test_manage import SAME, owned
from tests.web.test_share_page import unlocked
from tests.worker.processes import until

if TYPE_CHECKING:
    from tests.postgresql import Server


class Stream:
    """Server-sent events as a client reads them."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self.answer = answer

    def events(self) -> Iterator[dict[str, str]]:
        """Each event; comments as ``{"": …}``. Ends with the stream."""
        found: dict[str, str] = {}
        for line in self.answer:
            text = line.decode().rstrip("\n")
            if not text:
                if found:
                    yield found
                found = {}
                continue
            name, _, value = text.partition(":")
            found[name] = value.strip()


@contextmanager
def followed(client: Client, path: str, last: str = "", **query: str) -> Iterator[Stream]:
    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=60)
    headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in client.cookies.items()), "Last-Event-ID": last}
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    connection.request("GET", f"{path}/events" + (f"?{asked}" if asked else ""), headers={k: v for k, v in headers.items() if v})
    answer = connection.getresponse()
    assert answer.status == 200, answer.read()
    try:
        yield Stream(answer)
    finally:
        connection.close()


def made_again(live: Live, host: str, **fields: Any) -> tuple[Client, Client, Any, str]:
    """A report whose next generation waits."""
    client, browser, report, path = owned(live, url=f"https://{host}/", **fields)
    live.analyser.held[host] = threading.Event()
    assert browser.post(f"{path}/again", b"", SAME).status == 303
    return client, browser, report, path


def test_stages_are_told_until_the_result_is_there(live: Live) -> None:
    client, _, report, path = made_again(live, "followed.example")
    with followed(client.guest(), path, language="de") as stream:
        assert stream.answer.headers["Content-Type"].startswith("text/event-stream")
        assert stream.answer.headers["Cache-Control"] == "private, no-store"
        assert stream.answer.headers["X-Accel-Buffering"] == "no"
        told = stream.events()
        assert next(told)["retry"] == "2000"
        first = next(event for event in told if json.loads(event["data"])["stage"] == "fetch")
        assert (first["event"], json.loads(first["data"])) == (
            "progress",
            {"stage": "fetch", "words": "die Seite wird abgerufen", "done": 0, "of": 4},
        )
        assert str(report["id"]) not in first["id"].split("-")[1:2]
        live.service.events.set_progress(report["id"], Progress("checks", 3, 4))
        second = next(told)
        assert json.loads(second["data"])["done"] == 3
        assert second["id"] != first["id"]
        live.analyser.held["followed.example"].set()
        assert [event["event"] for event in told][-1] == "done"


def test_who_comes_back_is_told_what_is_new(live: Live) -> None:
    client, _, report, path = made_again(live, "comes-back.example")
    guest = client.guest()
    with followed(guest, path) as stream:
        known = next(event["id"] for event in stream.events() if "id" in event and "fetch" in event["id"])
    with followed(guest, path, last=known) as stream:
        told = stream.events()
        assert "retry" in next(told)
        live.service.events.set_progress(report["id"], Progress("site", 1, 4))
        assert json.loads(next(told)["data"])["stage"] == "site"
        live.analyser.held["comes-back.example"].set()
        assert [event["event"] for event in told][-1] == "done"
    with followed(guest, path, last=known) as stream:
        assert [event.get("event") for event in stream.events()] == [None, "done"]


def test_a_head_is_answered_at_once_and_takes_no_place(live: Live) -> None:
    client, _, _, path = made_again(live, "only-a-head.example")
    until(lambda: not live.service.streams.taken_count)  # of the tests before
    reply = client.guest().request("HEAD", f"{path}/events")
    assert (reply.status, reply.body, live.service.streams.taken_count) == (200, b"", 0)
    assert reply.headers["Content-Type"].startswith("text/event-stream")
    live.analyser.held["only-a-head.example"].set()


def test_silence_is_filled_with_comments(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_stream, "HEARTBEAT_S", 0.0)
    client, _, _, path = made_again(live, "silent.example")
    with followed(client.guest(), path) as stream:
        assert any("" in event for event in stream.events())
    live.analyser.held["silent.example"].set()


def test_s52_a_stream_ends_with_the_right_to_see_the_report(live: Live) -> None:
    client, browser, report, path = made_again(live, "locked-while.example", privacy=2, password="pw")
    guest = client.guest()
    assert guest.get(f"{path}/events").status == 404
    with followed(unlocked(guest, path, "pw"), path) as stream:
        told = stream.events()
        assert "retry" in next(told)
        assert browser.post(f"{path}/privacy", {"privacy": "2", "password": "another"}, SAME).status == 303
        assert [event["event"] for event in told][-1] == "done"
    assert client.get(f"/reports/{report['id']}").json["data"]["progress"]["stage"] == "fetch"
    live.analyser.held["locked-while.example"].set()


def test_places_are_bounded_and_given_back(tmp_path: Path) -> None:
    for live in run_live(tmp_path, waiting_slots=2):
        client, _, _, path = made_again(live, "crowded.example")
        guest = client.guest()
        for _ in range(3):
            with followed(guest, path) as first, followed(guest, path) as second:
                assert "retry" in next(first.events())
                assert "retry" in next(second.events())
                refused = guest.get(f"{path}/events")
                assert (refused.status, refused.headers["Retry-After"]) == (503, "10")
            deadline = time.monotonic() + 60
            while live.service.streams.taken_count:
                assert time.monotonic() < deadline
                time.sleep(0.02)


def test_f31_a_stream_ends_cleanly_with_the_service(tmp_path: Path) -> None:
    for live in run_live(tmp_path):
        client, _, _, path = made_again(live, "drained.example")
        with followed(client.guest(), path) as stream:
            told = stream.events()
            assert "retry" in next(told)
            live.service.drain()
            assert "done" not in [event.get("event") for event in told]


@pytest.fixture
def postgresql_url(postgresql: "Server") -> Iterator[str]:
    made = postgresql.database()
    yield made
    postgresql.drop(made)


def test_what_another_process_does_is_told(tmp_path: Path, postgresql_url: str) -> None:
    for live in run_live(tmp_path / "first", database_url=postgresql_url, secret_key="k" * 40):
        _, _, _, path = made_again(live, "elsewhere.example")
        for other in run_live(tmp_path / "second", database_url=postgresql_url, secret_key="k" * 40):
            with followed(Client(other.port, prefix=""), path) as stream:
                told = stream.events()
                assert "retry" in next(told)
                assert next(told)["event"] == "progress"
                live.analyser.held["elsewhere.example"].set()
                assert [event["event"] for event in told][-1] == "done"
