"""What the service says of addresses that it may not reach, whichever way it is asked: S1 to S7, S11, S13 to S15, S19, S21, S22."""

import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest

from findable.api.options import AuditOptions
from findable.api.targets import guard_of as guard_of_command
from findable.errors import SettingError
from findable.fetch.egress_guard import Refusal
from findable.reports.page_error_text import detail_of, sentences_of
from findable.service.runtime.service import Service, guard_of
from findable.service.values.caller import Caller
from findable.settings import Settings
from findable.vocabulary import Status
from tests.safety.test_egress_guard import LOOPBACK_STRINGS, METADATA
from tests.safety.test_whole_run import cells_of
from tests.safety.world import SAME
from tests.sites.server import Site
from tests.web.live import Client, Live, Reply, run_live
from tests.worker.test_reports_of_real_sites import made, story

JSON = {"Content-Type": "application/json"}


def literal(address: str) -> str:
    return f"http://[{address}]/" if ":" in address else f"http://{address}/"


WRAPPED = ("::ffff:7f00:1", "::127.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::7f00:1", "2002:7f00:1::", "2001::1")
NOT_PUBLIC: tuple[str, ...] = (
    *map(literal, ("10.0.0.1", "172.31.255.255", "192.168.0.0", "0.1.2.3", "198.19.0.1", "255.255.255.255", "fc00::1", "2001:db8::1")),
    *map(literal, METADATA),
    *map(literal, WRAPPED),
    *map(literal, ("::", "0.0.0.0", "0", "fec0::1", "ff02::1", "224.0.0.1", "::1")),
    *LOOPBACK_STRINGS,
    "http://127.0.\r0.1/",
    "http:\\/127.0.0.1",
)
REFUSED: Mapping[Refusal, tuple[str, ...]] = {
    Refusal.PRIVATE_ADDRESS: NOT_PUBLIC,
    Refusal.NOT_A_URL: (
        "http://[fe80::1%25eth0]/",
        "http://[fe80::1%eth0]/",
        "http://[::1%25lo]/",
        "http://fe80::1%eth0/",
        "http://exa mple.com/",
        "http://a<b/",
        "http://",
        "http://example.com:65536/",
        "http://example.com:+80/",
        "http://example.com:-1/",
        "http://example.com:80 80/",
    ),
    Refusal.NOT_HTTP: (
        "jar:http://x!/",
        "file:///etc/passwd",
        "data:text/html,x",
        "ftp://example.com/",
        "gopher://x:70/_x",
        "javascript:alert(1)",
        "blob:http://x/",
        "view-source:http://x/",
        "chrome://version",
    ),
    Refusal.PORT_NOT_ALLOWED: tuple(f"http://example.com:{port}/" for port in ("22", "25", "6379", "0", "08", "81", "8000", "00022")),
    Refusal.HAS_USERINFO: ("https://u:p@host.example/", "https://u@host.example/", "https://:p@host.example/", "//u:p@host.example/"),
}


@pytest.mark.parametrize("refusal", REFUSED)
def test_s1_s2_s3_s5_s6_s7_s13_s14_s15_what_can_be_seen_in_the_address_is_422(live: Live, refusal: Refusal) -> None:
    email = live.email()
    client, browser = live.client(email=email), live.signed_in(email)
    sentence = refusal.words
    for text in REFUSED[refusal]:
        alone = client.post("/reports", json.dumps({"url": text}), JSON)
        assert (alone.status, alone.json["errors"]) == (422, {"url": [sentence]}), text
        among = client.post("/batches", json.dumps({"urls": [text]}), JSON)
        assert among.status == 422, text
        assert among.json["errors"]["urls"][0].endswith(f": {sentence}"), text
        listed = client.post("/batches", json.dumps({"sitemap": text}), JSON)
        assert (listed.status, listed.json["errors"]) == (422, {"sitemap": [sentence]}), text
        assert browser.post("/reports", {"url": text}, SAME).status == 422, text
        assert browser.post("/projects", {"project": text}, SAME).status == 422, text
    assert client.get("/reports").json["meta"]["total"] == 0
    assert client.get("/projects").json["meta"]["total"] == 0


def test_s7_what_stands_in_two_readings_is_read_once(live: Live) -> None:
    """Tab, CR and LF are left out as browsers leave them out, a backslash is a slash, and what is stored is what was judged."""
    client = live.client()
    for text, url in {
        "https://two.exa\tmple/a\r\nb": "https://two.example/ab",
        "https:\\\\two.example\\a": "https://two.example/a",
        "https://two.example\\@10.0.0.1/": "https://two.example/@10.0.0.1/",
        "//two.example/x": "https://two.example/x",
        "https://two.example:0443/": "https://two.example/",
        "https://two.example:/": "https://two.example/",
    }.items():
        assert client.post("/reports", json.dumps({"url": text}), JSON).json["data"]["url"] == url, text
    assert client.post("/reports", json.dumps({"url": "https://two.exa\0mple/"}), JSON).status == 400


# --- S15 --------------------------------------------------------------------------------------------------------------

IN_THE_ADDRESS = "in-the-address-0815"
WITH_LOGIN = (
    f"https://anna:{IN_THE_ADDRESS}@login.example/",
    f"https://{IN_THE_ADDRESS}@login.example/",
    f"anna:{IN_THE_ADDRESS}@login.example/",
    f"//anna:{IN_THE_ADDRESS}@login.example/",
    f"https:\\\\anna:{IN_THE_ADDRESS}@login.example\\",
    f"https://anna:{IN_THE_ADDRESS}/x@login.example/",
    f"https://anna:{IN_THE_ADDRESS}@login.example:99999/",
    f"ftp://anna:{IN_THE_ADDRESS}@login.example/",
)


def test_s15_the_login_in_an_address_is_neither_kept_nor_logged_nor_shown(live: Live, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    email = live.email()
    client, browser = live.client(email=email), live.signed_in(email)
    replies: list[Reply] = []
    for text in WITH_LOGIN:
        sent = json.dumps({"url": text})
        replies += [client.post("/reports", sent, JSON), browser.post("/reports", {"url": text}, SAME)]
        replies += [client.post("/batches", json.dumps({"sitemap": text}), JSON), browser.post("/projects", {"project": text}, SAME)]
    replies.append(client.post("/batches", json.dumps({"urls": list(WITH_LOGIN)}), JSON))
    assert {reply.status for reply in replies} == {422}
    batch = client.post("/batches", json.dumps({"urls": [*WITH_LOGIN, "https://login.example/"]}), JSON)
    form = browser.post("/reports", {"url": "\n".join([*WITH_LOGIN, "https://login.example/a@b"])}, SAME)
    assert (batch.status, form.status) == (202, 303)
    for number, path in ((batch.json["data"]["id"], ""), (form.headers["Location"].rpartition("/")[2], form.headers["Location"])):
        replies += [client.get(f"/batches/{number}"), client.get(f"/batches/{number}/reports"), browser.get(path or f"/batches/{number}")]
        told = client.get(f"/batches/{number}/reports").json["data"]
        assert {member["url"] for member in told if member["state"] == "refused"} >= {"https://…@login.example/"}
    replies += [batch, form, browser.get("/"), browser.get("/?reports=all"), client.get("/reports"), client.get("/projects")]
    assert any("https://…@login.example/" in reply.text for reply in replies if reply.headers["Content-Type"].startswith("text/html"))
    assert [reply.text for reply in replies if IN_THE_ADDRESS in reply.text + str(reply.headers)] == []
    assert [record for record in caplog.records if IN_THE_ADDRESS in str(vars(record)) + record.getMessage()] == []
    assert any(record.name == "findable.access" for record in caplog.records)
    kept = b"\n".join(cells_of(live.service.settings.data_dir / "findable.db"))
    assert b"login.example" in kept
    assert IN_THE_ADDRESS.encode() not in kept


# --- what a report says of it -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("hop", [1, 9])
def test_s11_the_report_names_the_hop_that_was_refused(tmp_path: Path, site: Site, make_site: Callable[..., Site], hop: int) -> None:
    private = make_site(host="127.0.0.2")
    for number in range(1, hop):
        site.redirect(f"/{number}", f"/{number + 1}")
    site.redirect(f"/{hop}", private.page("/secret", "<title>secret</title>"))

    async def tell(service: Service, caller: Caller) -> None:
        report = await made(service, caller, site.url("/1"))
        assert report.status is Status.FAILED
        assert report.error is not None
        assert report.error.code == "target_refused"
        assert f"Redirect {hop} to {private.url('/secret')}: " in sentences_of(report.error)

    story(tmp_path, (site,), tell)
    assert private.connections_count == 0


@pytest.mark.parametrize(
    ("location", "told"),
    [(f"http://anna:{IN_THE_ADDRESS}@127.0.0.1/", "http://127.0.0.1/"), ("javascript:alert(1)", "javascript:…")],
)
def test_s12_s13_s15_the_eleventh_redirect_is_told_without_login_and_script(site: Site, location: str, told: str) -> None:
    from tests.fetch.helpers import not_seen

    for number in range(10):
        site.redirect(f"/{number}", f"/{number + 1}")
    site.redirect("/10", location)
    reason = not_seen(site.url("/0"))
    assert reason.code == "too_many_redirects"
    assert told in detail_of(reason.error)
    assert IN_THE_ADDRESS not in detail_of(reason.error)
    assert "alert" not in detail_of(reason.error)


# --- settings ---------------------------------------------------------------------------------------------------------


def both_guards(tmp_path: Path, **settings: Any) -> list[Any]:
    given = Settings(data_dir=tmp_path, **settings)
    return [guard_of(given), guard_of_command(AuditOptions(), given, [])]


def test_s4_the_networks_own_prefix_is_a_setting_of_the_service_and_of_the_command(tmp_path: Path) -> None:
    for guard in both_guards(tmp_path, nat64_prefixes=("2600:ff00::/96", "2600:ff00:1::/48")):
        assert guard.check_url("http://[2600:ff00::10.0.0.1]/") == Refusal.PRIVATE_ADDRESS
        assert guard.check_url("http://[2600:ff00:1:a9fe:a9:fe00::]/") == Refusal.PRIVATE_ADDRESS
        assert guard.check_addresses("name.example", 443, ["2600:ff00::10.0.0.1"]) == Refusal.PRIVATE_ADDRESS
        assert guard.check_url("http://[2600:ff00::8.8.8.8]/") is None
    with pytest.raises(SettingError, match=r"FINDABLE_NAT64_PREFIXES.*length"):
        both_guards(tmp_path, nat64_prefixes=("2600:ff00::/72",))
    with pytest.raises(SettingError, match="NAT64_PREFIXES"):
        both_guards(tmp_path, nat64_prefixes=("10.0.0.0/8",))


def test_s19_where_we_listen_and_what_we_publish_are_refused_whatever_is_allowed(tmp_path: Path) -> None:
    everything = ("0.0.0.0/0", "::/0", "seo.example", "localhost")
    guard = guard_of(Settings(data_dir=tmp_path, port=8765, base_url="https://seo.example:8443", allow_targets=everything))
    for url in (
        "http://127.0.0.1:8765/metrics",
        "http://localhost:8765/",
        "http://[::ffff:127.0.0.1]:8765/",
        "http://[64:ff9b::7f00:1]:8765/",
        "http://0.0.0.0:8765/",
        "http://0:8765/",
        "http://[::]:8765/",
        "https://seo.example:8443/",
        "https://SEO.example.:8443/r/1",
        "http://seo.example:8443/",
    ):
        assert guard.check_url(url) == Refusal.OWN_ADDRESS, url
    assert guard.check_addresses("name.example", 8765, ["127.0.0.1"]) == Refusal.OWN_ADDRESS
    for url in ("http://127.0.0.1:8766/", "https://seo.example/", "http://0.0.0.0:8766/"):
        assert guard.check_url(url) is None, url


def test_s21_of_the_setting_only_what_it_names_is_opened(tmp_path: Path) -> None:
    for guard in both_guards(tmp_path, allow_targets=("10.1.0.0/16",)):
        network = ip_network("10.1.0.0/16")
        for address in (network.network_address, network.broadcast_address):
            assert guard.check_url(f"http://{address}:5000/") is None
        for beside in (network.network_address - 1, network.broadcast_address + 1):
            assert guard.check_url(f"http://{beside}/") == Refusal.PRIVATE_ADDRESS
        for other in ("127.0.0.1", "192.168.0.1", *METADATA):
            assert guard.check_url(literal(other)) == Refusal.PRIVATE_ADDRESS, other


# --- S22 --------------------------------------------------------------------------------------------------------------

LIMIT = 40
WINDOW_S = 60
PLACES = [f"{scheme}://10.0.0.{host}:{port}/" for host in range(256) for scheme in ("http", "https") for port in (80, 443, 8080, 8443)]


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[Live]:
    with contextmanager(run_live)(tmp_path, rate_limit=LIMIT) as running:
        yield running


def most(began_s: float) -> int:
    """How many requests a caller may have had answered since then, in windows of a minute."""
    return LIMIT * (int((time.monotonic() - began_s) // WINDOW_S) + 1)


@pytest.mark.full
def test_s22_two_thousand_requests_map_nothing_and_are_counted(limited: Live) -> None:
    headers = {"Authorization": f"Bearer {limited.client().key}", "Content-Type": "application/json"}
    began_s, told, answered = time.monotonic(), set(), 0
    with closing(HTTPConnection("127.0.0.1", limited.port, timeout=60)) as connection:
        for place in PLACES:
            connection.request("POST", "/api/v1/reports", json.dumps({"url": place}), headers)
            reply = connection.getresponse()
            body = json.loads(reply.read())
            assert reply.status in (422, 429)
            if reply.status == 422:
                answered += 1
                told.add(json.dumps({**body, "request_id": ""}))
                assert answered <= most(began_s)
            else:
                assert 1 <= int(reply.headers["Retry-After"]) <= WINDOW_S
    assert len(PLACES) == 2048
    assert len(told) == 1
    assert answered >= LIMIT


def again(live: Live, client: Client, browser: Client) -> Callable[[str], Reply]:
    path = f"/r/{client.report()['public_id']}/again"
    return lambda _place: browser.post(path, {}, SAME)


@pytest.mark.parametrize("form", ["new", "again"])
def test_s22_what_a_person_has_fetched_by_forms_is_counted_too(limited: Live, form: str) -> None:
    email = limited.email()
    client, browser = limited.client(email=email), limited.signed_in(email)
    send = again(limited, client, browser) if form == "again" else lambda place: browser.post("/reports", {"url": place}, SAME)
    began_s = time.monotonic()
    statuses: list[int] = []
    refused: Reply | None = None
    for place in PLACES[: 2 * LIMIT]:
        reply = send(place)
        statuses.append(reply.status)
        refused = reply if reply.status == 429 else refused
        assert len(statuses) - statuses.count(429) <= most(began_s)
    assert set(statuses) == {303 if form == "again" else 422, 429}
    assert len(statuses) - statuses.count(429) >= LIMIT
    assert refused is not None
    assert 1 <= int(refused.headers["Retry-After"]) <= WINDOW_S
    assert "Too many requests." in refused.text
    assert browser.get("/").status == 200
    assert limited.signed_in(limited.email()).post("/reports", {"url": PLACES[0]}, SAME).status == 422
