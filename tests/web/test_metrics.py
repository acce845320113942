"""`/metrics`, readiness, and the load that is refused."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from findable import __version__
from findable.service.runtime.queue_status import PRIORITIES, queue_status_of
from findable.service.runtime.rate_limits import KEYS_OF_ACCOUNT
from findable.service.values.caller import Caller
from findable.web import middleware
from findable.web.response_headers import rate_headers
from tests.web.live import Client, Live, Reply, run_live

TOKEN = "a-token-for-who-watches"


def samples_of(reply: Reply) -> dict[str, float]:
    """Names with their labels to values."""
    assert reply.status == 200, reply.body
    found = {}
    for family in text_string_to_metric_families(reply.text):
        for sample in family.samples:
            labels = ",".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}"] = sample.value
    return found


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Live]:
    yield from run_live(tmp_path / "watched", rate_limit=0, metrics_token=TOKEN)


def metrics(live: Live, token: str = TOKEN) -> Reply:
    return Client(live.port, token, prefix="").get("/metrics")


def test_metrics_tell_of_queue_reports_requests_and_process(watched: Live) -> None:
    client = watched.client()
    before = samples_of(metrics(watched))
    client.report()
    client.report("https://bad.example/")
    client.post("/reports", {"url": "https://times-out.example/"})
    watched.analyser.held["held.example"] = threading.Event()
    client.post("/reports", {"url": "https://held.example/"}, wait=0)
    found = samples_of(metrics(watched))
    assert sum(found[f"findable_reports{{result={result}}}"] for result in ("good", "decent", "bad")) == 2
    assert found["findable_reports{result=none}"] - before["findable_reports{result=none}"] == 2
    assert found["findable_jobs{state=ready}"] + found["findable_jobs{state=running}"] == 1
    assert 0 <= found["findable_jobs_oldest_seconds{state=running}"] < 60
    numbers = queue_status_of(watched.service)
    assert found["findable_jobs_ended_per_minute{}"] == numbers.ended_per_minute > 0
    assert numbers.failures == {"target_timeout": 1}
    assert found["findable_jobs_failed_last_hour{code=target_timeout}"] == 1
    assert sum(found[f"findable_jobs_waiting{{queue={name}}}"] for name in PRIORITIES) == found["findable_jobs{state=ready}"]
    posts = {name: value for name, value in found.items() if name.startswith("findable_requests_total{method=POST")}
    assert sum(posts.values()) == 4
    assert "findable_requests_total{method=POST,route=/api/v1/reports,status=201}" in posts
    assert found["findable_request_seconds_count{method=POST,route=/api/v1/reports}"] == 4
    assert found["process_resident_memory_bytes{}"] > 10_000_000
    assert 0 < found["process_open_fds{}"] <= found["process_max_fds{}"]
    assert found["findable_database_bytes{}"] > 0
    assert (found["findable_database_up{}"], found["findable_ready{}"], found["findable_waiting_requests{}"]) == (1, 1, 0)
    watched.analyser.held["held.example"].set()


def test_s94_metrics_need_their_token_and_hold_no_secret_and_no_version(watched: Live) -> None:
    client = watched.client()
    for token in ("", "wrong", TOKEN + "x", client.key):
        assert metrics(watched, token).status == 401
    assert Client(watched.port, prefix="").get(f"/metrics?token={TOKEN}").status == 401
    text = metrics(watched).text
    for secret in (TOKEN, client.key, __version__, "example.com"):
        assert secret not in text


def test_s94_labels_are_bounded_whatever_is_asked(watched: Live) -> None:
    client = watched.client()
    metrics(watched)
    before = len(samples_of(metrics(watched)))
    for n in range(30):
        client.get(f"/reports/{n + 1000}")
        client.guest().get(f"/nothing/{n}")
        client.guest().get(f"/r/{n}")
        client.request(f"ODD{n}", "/reports")
    after = samples_of(metrics(watched))
    assert len(after) - before < 120
    assert not any("ODD" in name or "nothing" in name for name in after)


@pytest.mark.parametrize(("more", "status"), [({}, 200), ({"base_url": "https://seo.example.com"}, 404), ({"host": "0.0.0.0"}, 404)])
def test_s94_without_a_token_only_a_machine_that_serves_nobody_else_tells(tmp_path: Path, more: dict[str, Any], status: int) -> None:
    with contextmanager(run_live)(tmp_path, **more) as live:
        assert Client(live.port, prefix="").get("/metrics").status == status


def test_f7_readiness_says_why_not(watched: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    guest = Client(watched.port, prefix="")
    with monkeypatch.context() as patch:
        patch.setattr(watched.service.store, "ping", lambda: False)
        reply = guest.get("/readyz")
        assert (reply.status, reply.text) == (503, "not ready: the database is read-only\n")
        assert reply.headers["Retry-After"] == "5"
        assert samples_of(metrics(watched))["findable_ready{}"] == 0
        assert guest.get("/healthz").status == 200
    assert guest.get("/readyz").text == "ready\n"


def test_s92_load_is_refused_before_it_takes_memory(watched: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    client = watched.client()
    monkeypatch.setattr(middleware, "MAX_LOAD", 3)
    held = watched.analyser.held["slow.example"] = threading.Event()
    waiting = [threading.Thread(target=client.post, args=("/reports", {"url": "https://slow.example/"})) for _ in range(3)]
    for thread in waiting:
        thread.start()
    guest = client.guest()
    while (refused := guest.get("/robots.txt")).status == 200:
        pass
    assert refused.status == 503
    assert refused.headers["Retry-After"] == "1"
    assert refused.json["code"] == "unavailable"
    assert guest.get("/healthz").status == 200
    held.set()
    for thread in waiting:
        thread.join()
    assert guest.get("/robots.txt").status == 200
    assert samples_of(metrics(watched))["findable_requests_shed_total{}"] >= 1
    large = {"Content-Length": str(middleware.LOAD_BYTES * 4), "Content-Type": "text/plain"}
    assert client.post("/reports", b"x" * middleware.LOAD_BYTES * 4, large).status == 503  # counts as five


def test_s92_an_account_is_limited_over_all_its_keys(tmp_path: Path) -> None:
    with contextmanager(run_live)(tmp_path, rate_limit=3) as live:
        email = live.email()
        keys = [live.client(email=email) for _ in range(KEYS_OF_ACCOUNT + 1)]
        replies = [client.get("/account") for client in keys for _ in range(3)]
        statuses = [reply.status for reply in replies]
        assert statuses == [200] * 12 + [429] * 3
        last = replies[-1]
        assert re.fullmatch(r'"default";q=3;w=60, "account";q=12;w=60', last.headers["RateLimit-Policy"])
        assert re.fullmatch(r'"default";r=\d;t=\d+, "account";r=0;t=\d+', last.headers["RateLimit"])
        assert 1 <= int(last.headers["Retry-After"]) <= 60
        assert live.client().get("/account").status == 200
        assert live.service.rates.state(Caller(99, 1, 99, frozenset())).remaining == 3


def test_no_limit_is_told_where_there_is_none() -> None:
    assert rate_headers({"default": None, "account": None}) == []
