"""POST /batches, GET /batches/{id}, its reports, and the list."""

import gzip
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from findable.service.values.caller import READ, WRITE
from tests.sites.server import Page, Request, Site, dynamic
from tests.web.live import Client, Live, raw, run_live
from tests.worker.processes import until

JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    yield from run_live(tmp_path_factory.mktemp("service"), allow_targets=("127.0.0.1",), rate_limit=100_000)


@pytest.fixture
def held(live: Live) -> Iterator[threading.Event]:
    event = live.analyser.held["held.example"] = threading.Event()
    yield event
    event.set()


def sent(client: Client, *urls: str, **fields: Any) -> Any:
    reply = client.post("/batches", json.dumps({"urls": urls, **fields}), JSON)
    assert reply.status == 202, reply.body
    return reply.json["data"]


def done(client: Client, batch: Any) -> Any:
    """The batch when all of it is done."""
    found: Any = {}

    def is_done() -> bool:
        found.update(client.get(f"/batches/{batch['id']}").json["data"])
        return bool(found["status"] == "done")

    until(is_done)
    return found


def refused(client: Client, body: Any, status: int = 422) -> Any:
    reply = client.post("/batches", json.dumps(body), JSON)
    assert reply.status == status, reply.body
    return reply.json["errors"]


def test_addresses_that_are_no_text_are_named(client: Client) -> None:
    assert refused(client, {"urls": ["https://good.example/", 5, None]}) == {"urls": ["The urls field must be a list of strings."]}


def test_every_address_becomes_a_report_and_what_fails_is_told(client: Client) -> None:
    batch = sent(client, "https://good.example/", "https://bad.example/", "https://times-out.example/", "good.example/two")
    assert (batch["object"], batch["status"], batch["addresses"], batch["sitemap"]) == ("batch", "running", 4, None)
    ended = done(client, batch)
    assert ended["counts"] == {"waiting": 0, "queued": 0, "running": 0, "done": 3, "failed": 1, "refused": 0, "deleted": 0}
    assert sum(ended["results"].values()) == 3
    (failure,) = ended["failures"]
    assert (failure["url"], failure["code"], failure["retryable"]) == ("https://times-out.example/", "target_timeout", True)
    assert client.get(f"/reports/{failure['report']}").json["data"]["status"] == "failed"
    members = client.get(f"/batches/{batch['id']}/reports").json["data"]
    assert [member["url"] for member in members] == [
        "https://good.example/",
        "https://bad.example/",
        "https://times-out.example/",
        "https://good.example/two",
    ]
    for member in members:
        report = client.get(f"/reports/{member['report']}").json["data"]
        assert (report["url"], report["score"], report["links"]["html"]) == (member["url"], member["score"], member["links"]["html"])


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"urls=https%3A%2F%2Fone.example%2F%0D%0A%0D%0A%20two.example", "application/x-www-form-urlencoded"),
        (b"urls[]=https://one.example/&urls[]=two.example", "application/x-www-form-urlencoded"),
        (b"urls%5B0%5D=https://one.example/&urls%5B1%5D=two.example", ""),
        (b'{"urls": "https://one.example/\\ntwo.example\\n"}', "application/json"),
        (b'{"urls": ["https://one.example/", "two.example"]}', "application/json"),
    ],
)
def test_addresses_are_a_list_or_lines(client: Client, body: bytes, content_type: str) -> None:
    reply = client.post("/batches", body, {"Content-Type": content_type} if content_type else {})
    assert reply.status == 202, reply.body
    batch = reply.json["data"]
    assert reply.headers["Location"].endswith(f"/api/v1/batches/{batch['id']}")
    assert reply.headers["Retry-After"]
    members = client.get(f"/batches/{batch['id']}/reports").json["data"]
    assert [member["url"] for member in members] == ["https://one.example/", "https://two.example/"]


def test_an_address_counts_once_and_one_that_is_refused_loses_nothing(client: Client) -> None:
    batch = sent(client, "https://one.example/", "ftp://x.example/", "one.example", "https://ONE.example/#there", "http://10.0.0.1/", "  ")
    assert (batch["addresses"], batch["duplicates"], batch["counts"]["refused"]) == (3, 2, 2)
    ended = done(client, batch)
    assert ended["counts"]["done"] == 1
    assert [(failure["url"], failure["code"], failure["report"]) for failure in ended["failures"]] == [
        ("ftp://x.example/", "refused", None),
        ("http://10.0.0.1/", "refused", None),
    ]
    assert all(failure["message"] for failure in ended["failures"])


def test_what_is_wrong_is_named(client: Client) -> None:
    assert refused(client, {})["urls"] == ["The urls field is required."]
    assert refused(client, {"urls": []})["urls"] == ["The urls field is required."]
    assert refused(client, {"urls": ["  ", "\n"]})["urls"] == ["The urls field is required."]
    assert refused(client, {"urls": [7]})["urls"]
    assert refused(client, {"urls": {"a": 1}})["urls"]
    assert "10.0.0.1" in refused(client, {"urls": ["http://10.0.0.1/"]})["urls"][0]
    assert refused(client, {"urls": ["a.example"], "sitemap": "https://a.example/sitemap.xml"})["sitemap"]
    assert refused(client, {"urls": ["a.example"], "privacy": 2})["password"]
    assert refused(client, {"urls": ["a.example"], "privacy": 7})["privacy"]
    many = refused(client, {"urls": [f"https://a.example/{n}" for n in range(1001)]})
    assert many["urls"] == ["The urls field may have at most 1,000 URLs, 1,001 were sent."]
    assert len(refused(client, {"urls": [f"ftp://a.example/{n}" for n in range(50)]})["urls"]) == 6
    assert client.get("/batches").json["data"] == []


def test_a_thousand_long_addresses_are_taken(client: Client, live: Live) -> None:
    urls = [f"https://held-long.example/{n}?{'x' * 1900}" for n in range(1000)]
    gate = live.analyser.held["held-long.example"] = threading.Event()
    try:
        assert sent(client, *urls)["addresses"] == 1000
    finally:
        gate.set()


def test_a_body_that_is_too_large_is_refused_before_it_is_read(client: Client) -> None:
    head = f"POST /api/v1/batches HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {client.key}\r\nContent-Length: 5000000\r\n\r\n"
    assert raw(client.port, head.encode()).startswith(b"413")


def test_privacy_and_password_are_those_of_every_report(client: Client) -> None:
    batch = sent(client, "a.example", "b.example", privacy=2, password="correct horse")
    assert "password" not in json.dumps(batch).replace("has_password", "")
    done(client, batch)
    found = client.get("/reports").json["data"]
    assert [(report["privacy"], report["has_password"]) for report in found] == [(2, True), (2, True)]


def test_the_same_key_makes_one_batch(client: Client) -> None:
    headers = {**JSON, "Idempotency-Key": "batch-1"}
    body = json.dumps({"urls": ["a.example"]})
    first, again = client.post("/batches", body, headers), client.post("/batches", body, headers)
    assert again.body == first.body
    assert (again.status, again.headers["Idempotent-Replayed"]) == (202, "true")
    assert client.post("/batches", json.dumps({"urls": ["b.example"]}), headers).json["code"] == "idempotency_mismatch"
    assert client.post("/reports", {"urls": "a.example", "url": "a.example"}, {"Idempotency-Key": "batch-1"}).status == 422
    assert len(client.get("/batches").json["data"]) == 1


def test_scopes_and_accounts(live: Live) -> None:
    email = live.email()
    writer, reader = live.client(email=email, scopes=frozenset({WRITE})), live.client(email=email, scopes=frozenset({READ}))
    assert reader.post("/batches", json.dumps({"urls": ["a.example"]}), JSON).status == 403
    batch = sent(writer, "a.example")
    assert reader.get(f"/batches/{batch['id']}").status == 200
    assert writer.get(f"/batches/{batch['id']}").status == 403
    other = live.client()
    for path in (f"/batches/{batch['id']}", f"/batches/{batch['id']}/reports", "/batches/999999", "/batches/x"):
        assert other.get(path).status == 404
    assert other.get("/batches").json["data"] == []


def test_lists_go_on_before_a_number(client: Client) -> None:
    made = [sent(client, f"{name}.example")["id"] for name in "abc"]
    listed = client.get("/batches").json["data"]
    assert [batch["id"] for batch in listed] == made[::-1]
    assert "failures" not in listed[0]
    assert [batch["id"] for batch in client.get("/batches", before=made[1]).json["data"]] == [made[0]]
    assert client.get("/batches", before="x").status == 422


def test_the_list_of_batches_is_followed_by_its_links(client: Client) -> None:
    made = [sent(client, f"ftp-{number}.example")["id"] for number in range(12)]
    first = client.get("/batches", per_page=10)
    assert first.json["links"]["next"].endswith(f"/api/v1/batches?per_page=10&before={made[2]}")
    assert f'<{first.json["links"]["next"]}>; rel="next"' in first.headers["Link"]
    assert "meta" not in first.json
    second = client.get("/batches" + first.json["links"]["next"].partition("/batches")[2])
    assert [batch["id"] for batch in (*first.json["data"], *second.json["data"])] == made[::-1]
    assert second.json["links"]["next"] is None
    assert second.json["links"]["first"].endswith("/api/v1/batches?per_page=10")
    assert client.get("/batches", per_page=25).json["links"]["next"] is None


def test_deleted_reports_are_said_and_not_made_again(client: Client) -> None:
    batch = sent(client, "a.example", "b.example")
    done(client, batch)
    member = client.get(f"/batches/{batch['id']}/reports").json["data"][0]
    assert client.delete(f"/reports/{member['report']}").status == 200
    assert client.delete("/projects/b.example").status == 200
    assert client.get(f"/batches/{batch['id']}").json["data"]["counts"]["deleted"] == 2
    assert client.get("/reports").json["meta"]["total"] == 0


@pytest.mark.full
def test_most_of_a_batch_stands_outside_the_queue(client: Client, live: Live, held: threading.Event) -> None:
    hosts = [f"host{number}.example" for number in range(60)]
    for host in hosts:
        live.analyser.held[host] = held
    batch = sent(client, *hosts)
    until(lambda: client.get(f"/batches/{batch['id']}").json["data"]["counts"]["waiting"] == 20)
    counts = client.get(f"/batches/{batch['id']}").json["data"]["counts"]
    assert (counts["waiting"], counts["queued"] + counts["running"]) == (20, 40)
    held.set()
    assert done(client, batch)["counts"]["done"] == 60


# --- sitemaps


def listing(*urls: str) -> str:
    return f"<urlset>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</urlset>"


def from_sitemap(client: Client, address: str) -> Any:
    reply = client.post("/batches", {"sitemap": address})
    assert reply.status == 202, reply.body
    return reply.json["data"]


def test_the_addresses_of_a_sitemap_and_of_the_files_of_its_index(client: Client, site: Site) -> None:
    site.page("/index.xml", f"<sitemapindex><sitemap><loc>{site.url('/a.xml.gz')}</loc></sitemap></sitemapindex>")
    site.page("/a.xml.gz", gzip.compress(listing("https://a.example/", "https://b.example/", "https://a.example/").encode()))
    batch = from_sitemap(client, site.url("/index.xml"))
    assert (batch["addresses"], batch["sitemap"], batch["left_out"]) == (2, site.url("/index.xml"), 0)
    assert done(client, batch)["counts"]["done"] == 2


def test_a_sitemap_without_a_scheme_is_requested_over_http_where_https_fails(client: Client, site: Site) -> None:
    site.page("/sitemap.xml", listing("https://a.example/"))
    assert from_sitemap(client, f"127.0.0.1:{site.port}/sitemap.xml")["addresses"] == 1


def test_what_a_sitemap_lists_beyond_a_thousand_is_left_out_and_said(client: Client, site: Site, live: Live) -> None:
    gate = live.analyser.held["held-many.example"] = threading.Event()
    try:
        site.page("/sitemap.xml", listing(*(f"https://held-many.example/{n}" for n in range(1300))))
        batch = from_sitemap(client, site.url("/sitemap.xml"))
        assert (batch["addresses"], batch["left_out"]) == (1000, 300)
    finally:
        gate.set()


@pytest.mark.parametrize(
    ("make", "cause"),
    [
        (lambda site: site.url("/missing.xml"), "status 404"),
        (lambda site: site.page("/page", "<!doctype html><title>A page</title><h1>A page</h1>"), "HTML page"),
        (lambda site: site.page("/empty.xml", "<urlset></urlset>"), "lists no http"),
        (lambda site: site.page("/broken.xml", "<urlset><url><loc>https://a.example/</url></urlset>"), "not well-formed"),
        (lambda site: "http://10.0.0.1/sitemap.xml", "URL"),
        (lambda site: "http://127.0.0.1:1/sitemap.xml", "cannot be used"),
    ],
)
def test_s1_a_sitemap_that_cannot_be_used_is_told_with_the_cause(
    client: Client,
    site: Site,
    make: Callable[[Site], str],
    cause: str,
) -> None:
    reply = client.post("/batches", {"sitemap": make(site)})
    assert reply.status == 422
    assert cause in reply.json["errors"]["sitemap"][0]
    assert client.get("/batches").json["data"] == []


def test_s1_a_sitemap_that_leads_to_a_private_place_is_not_followed(client: Client, site: Site) -> None:
    site.redirect("/away.xml", "http://169.254.169.254/latest/meta-data")
    reply = client.post("/batches", {"sitemap": site.url("/away.xml")})
    assert reply.status == 422


def test_s16_the_sitemap_of_a_staging_site_is_requested_with_its_credentials(
    client: Client, make_site: Callable[..., Site], live: Live
) -> None:
    site, other = make_site(), make_site()
    login = {"authorization": "Basic cmV2aWV3ZXI6Y29ycmVjdCBob3JzZQ==", "x-preview": "5f3a9c1e", "cookie": "beta=1"}

    def guarded(request: Request) -> Page:
        if {name: request.headers.get(name) for name in login} != login:
            return Page(b"Sign in.", 401)
        if request.path == "/away.xml":
            return Page(b"", 302, [("Location", other.url("/landed.xml"))])
        inside = f"<sitemap><loc>{site.url('/own.xml')}</loc></sitemap><sitemap><loc>{other.url('/other.xml')}</loc></sitemap>"
        listed = listing("https://a.example/own") if request.path == "/own.xml" else f"<sitemapindex>{inside}</sitemapindex>"
        return Page(listed.encode())

    site.fallback(dynamic(guarded))
    other.fallback(Page(listing("https://a.example/other").encode()))
    refused = client.post("/batches", {"sitemap": site.url("/index.xml")})
    assert "401" in refused.json["errors"]["sitemap"][0]

    host = f"127.0.0.1:{site.port}"
    made = client.post("/projects", {"project": host})
    assert (made.status, made.json["data"]["project"], made.json["data"]["reports_count"]) == (201, host, 0)
    identity = {"user": "reviewer", "password": "correct horse", "headers": {"X-Preview": "5f3a9c1e"}, "cookies": {"beta": "1"}}
    told = client.put(f"/projects/{host}", json.dumps({"identity": identity}), {"Content-Type": "application/json"})
    assert told.status == 200
    assert from_sitemap(client, site.url("/index.xml"))["addresses"] == 2
    assert from_sitemap(client, site.url("/away.xml"))["addresses"] == 1
    assert {request.path for request in other.requests} == {"/other.xml", "/landed.xml"}
    assert not [request for request in other.requests if set(login) & set(request.headers)]

    asked = len(other.requests) + len(site.requests)
    assert live.client().post("/batches", {"sitemap": site.url("/index.xml")}).status == 422  # another account sends nothing of it
    assert "authorization" not in site.requests[-1].headers
    assert len(other.requests) + len(site.requests) == asked + 1
    # What goes along does not travel unencrypted unasked: without a scheme https alone is tried.
    assert client.post("/batches", {"sitemap": f"{host}/index.xml"}).status == 422
    assert len(site.requests) + len(other.requests) == asked + 1


def test_a_repeated_request_reads_the_sitemap_once(client: Client, site: Site) -> None:
    site.page("/sitemap.xml", listing("https://a.example/"))
    headers = {"Idempotency-Key": "map"}
    bodies = [client.post("/batches", {"sitemap": site.url("/sitemap.xml")}, headers).body for _ in range(2)]
    assert bodies[0] == bodies[1]
    assert len(site.asked("/sitemap.xml")) == 1


# --- limits


def test_batches_are_bounded_by_account_and_take_no_room_from_single_reports(tmp_path: Path) -> None:
    with contextmanager(run_live)(tmp_path, queue_limit=2) as running:
        gate = running.analyser.held["held.example"] = threading.Event()
        client = running.client()
        batch = sent(client, *(f"https://held.example/{n}" for n in range(900)))
        until(lambda: client.get(f"/batches/{batch['id']}").json["data"]["counts"]["queued"] > 2)
        over = client.post("/batches", json.dumps({"urls": [f"https://held.example/more{n}" for n in range(200)]}), JSON)
        assert (over.status, over.json["code"]) == (429, "quota_exceeded")
        assert [client.post("/reports", {"url": f"https://held.example/mine{n}"}, wait=0).status for n in range(3)] == [202, 202, 429]
        gate.set()
