"""What holds for every answer of the interface."""

import base64
import re
from contextlib import contextmanager
from datetime import timedelta

import pytest

from findable import __version__
from findable.clock import now
from findable.service.accounts import api_keys
from findable.web.api.request_models import MAX_WAIT_S
from tests.web.live import Client, Live, run_live

UNAUTHENTICATED = "Unauthenticated."


def test_an_error_has_the_members_of_both_worlds(client: Client) -> None:
    reply = client.post("/reports", {})
    body = reply.json
    assert set(body) == {"type", "title", "status", "detail", "instance", "code", "message", "errors", "request_id"}
    assert body["status"] == reply.status == 422
    assert body["code"] == "validation_failed"
    assert body["instance"] == "/api/v1/reports"
    assert body["message"] == "The url field is required."
    assert body["errors"] == {"url": ["The url field is required."]}
    assert body["request_id"] == reply.headers["X-Request-Id"]
    assert body["type"].endswith("/errors/validation_failed")
    assert client.guest().get("/errors/validation_failed").status == 200


def test_problem_json_only_for_who_names_it(client: Client) -> None:
    assert client.get("/reports/0", {"Accept": "*/*"}).headers["Content-Type"] == "application/json"
    assert client.get("/reports/0", {"Accept": "text/html"}).headers["Content-Type"] == "application/json"
    assert client.get("/reports/0", {"Accept": "application/problem+json, */*"}).headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("accept", ["text/html", "image/png", "application/xml;q=0.9", "", "nonsense"])
def test_the_answer_is_json_whatever_is_accepted(client: Client, accept: str) -> None:
    reply = client.get("/reports", {"Accept": accept})
    assert (reply.status, reply.headers["Content-Type"]) == (200, "application/json")


@pytest.mark.parametrize("path", ["", "/nothing", "/reports/1/nothing", "/../../etc/passwd", "/%2e%2e/x", "/reports/1%2f2"])
def test_unknown_addresses_are_json_404(client: Client, path: str) -> None:
    reply = client.get(path)
    assert (reply.status, reply.json["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/reports", {"GET", "HEAD", "POST", "OPTIONS"}),
        ("PUT", "/projects", {"GET", "HEAD", "POST", "OPTIONS"}),
        ("BREW", "/account", {"GET", "HEAD", "OPTIONS"}),
    ],
)
def test_405_names_what_is_allowed(client: Client, method: str, path: str, allowed: set[str]) -> None:
    reply = client.request(method, path)
    assert (reply.status, reply.json["code"]) == (405, "method_not_allowed")
    assert set(reply.headers["Allow"].split(", ")) == allowed


def test_headers_of_every_answer(client: Client) -> None:
    reply = client.get("/reports", {"X-Request-Id": "mine-1"})
    assert reply.headers["X-Request-Id"] == "mine-1"
    assert reply.headers["Cache-Control"] == "private, no-store"
    assert reply.headers["X-Content-Type-Options"] == "nosniff"
    assert re.fullmatch(r'"default";q=300;w=60, "account";q=1200;w=60', reply.headers["RateLimit-Policy"])
    assert re.fullmatch(r'"default";r=\d+;t=\d+, "account";r=\d+;t=\d+', reply.headers["RateLimit"])
    assert client.get("/reports", {"X-Request-Id": "a b<script>"}).headers["X-Request-Id"] != "a b<script>"


UNDESCRIBED = {
    *("access-control-allow-origin", "access-control-expose-headers", "cache-control", "connection", "content-length"),
    *("content-security-policy", "content-type", "date", "server", "transfer-encoding", "vary", "x-content-type-options"),
    *("ratelimit", "ratelimit-policy", "x-request-id"),
}
"""What every answer has."""


def test_headers_are_those_that_the_description_names(client: Client) -> None:
    described = client.get("/openapi.json?complete=1").json
    prefer, *_ = (one for one in described["paths"]["/reports"]["post"]["parameters"] if one["name"] == "Prefer")
    assert f"at most {MAX_WAIT_S})" in prefer["description"]
    waiting = {"Idempotency-Key": "once", "Prefer": "wait=30"}
    made = client.post("/reports", {"url": "https://good.example/"}, waiting)
    path, one = f"/reports/{made.json['data']['id']}", "/reports/{id}"
    batch = [client.post("/batches", {"urls": "https://good.example/"}, {"Idempotency-Key": "batch"}) for _ in range(2)]
    for method, template, reply in (
        ("post", "/reports", client.post("/reports", {"url": "https://good.example/"}, waiting)),
        ("post", "/reports", client.post("/reports", {"url": "https://good.example/"}, {"Prefer": "respond-async"})),
        ("post", "/reports", client.guest().post("/api/v1/reports", {"url": "https://good.example/"})),
        ("get", one, client.get(path, {"Prefer": "wait=1"})),
        ("get", one, client.get(path, {"If-None-Match": "*"})),
        ("put", one, client.put(path, {"privacy": 1}, {"Prefer": "wait=1"})),
        ("get", "/reports", client.get("/reports")),
        ("post", "/batches", batch[1]),
    ):
        answers = described["paths"][template][method]["responses"]
        answer = answers[str(reply.status)]
        answer = described["components"]["responses"][answer["$ref"].rpartition("/")[2]] if "$ref" in answer else answer
        named = {name.lower() for name in answer.get("headers", ())}
        assert {name.lower() for name in reply.headers} - UNDESCRIBED <= named, (method, template, reply.status)


@pytest.mark.parametrize("header", ["", "Basic dXNlcjpwdw==", "Bearer", "Bearer ", "Bearer wrong", "Token x"])
def test_s60_without_a_good_key_it_is_401(live: Live, header: str) -> None:
    reply = Client(live.port).get("/reports", {"Authorization": header} if header else {})
    assert reply.status == 401
    assert (reply.json["code"], reply.json["message"]) == ("unauthenticated", UNAUTHENTICATED)
    assert reply.headers["WWW-Authenticate"] == 'Bearer realm="api"'


def test_s60_a_good_key_in_another_scheme_opens_nothing(client: Client) -> None:
    basic = [base64.b64encode(text.encode()).decode() for text in (f"{client.key}:", f":{client.key}", client.key)]
    for header in (
        *(f"Basic {text}" for text in basic),
        f"Token {client.key}",
        client.key,
        f"Bearer: {client.key}",
        f"Bearer={client.key}",
    ):
        assert client.get("/reports", {"Authorization": header}).status == 401, header


def test_s60_the_scheme_is_read_in_any_case(client: Client) -> None:
    for scheme in ("bearer", "BEARER", "Bearer "):
        assert client.get("/reports", {"Authorization": f"{scheme} {client.key}"}).status == 200
    for key in (client.key[:-1], client.key.swapcase(), client.key + "x"):
        assert client.get("/reports", {"Authorization": f"Bearer {key}"}).status == 401


@pytest.mark.parametrize("name", ["api_key", "apikey", "access_token", "API_KEY"])
def test_s60_a_key_in_the_address_is_always_refused(client: Client, name: str) -> None:
    assert Client(client.port).get(f"/reports?{name}={client.key}").status == 401
    assert client.get(f"/reports?{name}={client.key}").status == 401


def test_s60_revoked_and_expired_keys(live: Live) -> None:
    email = live.email()
    client = live.client(email=email)
    assert client.get("/account").status == 200
    api_keys.revoke_key(live.service, email, client.get("/account").json["data"]["key"]["prefix"])
    assert client.get("/account").status == 401
    new = api_keys.create_key(live.service, email, expires_at=now() + timedelta(days=1))
    assert Client(live.port, new.token).get("/account").json["data"]["key"]["expires_at"].endswith("Z")


def test_401_comes_before_anything_is_looked_at(live: Live) -> None:
    nobody = Client(live.port)
    assert nobody.get("/reports", per_page="11").status == 401
    assert nobody.post("/reports", b"x" * 70_000, {"Content-Type": "text/plain"}).status == 401
    assert nobody.get("/reports/1").status == 401


def test_s94_description_and_health_need_no_key(live: Live) -> None:
    guest = Client(live.port, prefix="")
    assert guest.get("/api/v1/openapi.json").status == 200
    assert guest.get("/api/v1/docs").headers["Content-Type"].startswith("text/html")
    assert (guest.get("/healthz").body, guest.get("/readyz").body) == (b"ok\n", b"ready\n")
    assert __version__ not in guest.get("/nothing").text


def test_s78_links_come_from_the_settings_not_from_host(client: Client) -> None:
    client.report()
    reply = client.get("/reports", {"Host": "evil.example"})
    assert b"evil.example" not in reply.body


def test_s92_too_many_requests_are_429(tmp_path_factory: pytest.TempPathFactory) -> None:
    with contextmanager(run_live)(tmp_path_factory.mktemp("limited"), rate_limit=3) as live:
        client = live.client()
        replies = [client.get("/account") for _ in range(4)]
        assert [reply.status for reply in replies] == [200, 200, 200, 429]
        last = replies[-1]
        assert last.json["code"] == "rate_limited"
        assert 1 <= int(last.headers["Retry-After"]) <= 60
        assert ";r=0;" in last.headers["RateLimit"]
        assert live.client().get("/account").status == 200
