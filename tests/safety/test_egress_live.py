"""What leaves the machine, watched from the other side: S8 to S13, S16 to S19, S22, F21."""

import asyncio
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from findable.artifacts.request_targets import AssetTarget, Targets
from findable.capture.page import AssetKind, PageProbes
from findable.capture.response import Failure, ProbeResponse
from findable.capture.site import SiteCapture
from findable.clock import monotonic_s
from findable.errors import Cause
from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.fetch.extra_request_budget import Budget
from findable.fetch.fetcher import Fetcher
from findable.fetch.page_requests import probe_page
from findable.fetch.redirects import MAX_REDIRECTS
from findable.fetch.resolver import DnsError, Resolver
from findable.fetch.site_requests import probe_site
from findable.fetch.trust import Trust
from findable.fetch.wire import Order, Wire
from findable.reports.page_error_text import detail_of
from findable.urls import parse
from tests.fetch.helpers import ask, fetch, not_seen, with_fetcher
from tests.safety.dns import NXDOMAIN, SERVFAIL, NameServer, name_server
from tests.sites.server import Page, Site

MakeSite = Callable[..., Site]
HTML = "<!doctype html><title>A page</title><p>Text</p>"
ONLY_FIRST = Guard(AllowedTarget.parse_all("127.0.0.1"))
"""127.0.0.1 stands for the public internet, 127.0.0.2 for what must not be reached."""


@pytest.fixture
def private(make_site: MakeSite) -> Site:
    """A site that nothing may ever connect to."""
    secret = make_site(host="127.0.0.2")
    secret.fallback(Page(b"<title>secret</title>"))
    return secret


def resolver(server: NameServer, **settings: float) -> Resolver:
    return Resolver([server.address], **settings)


def test_s8_a_name_with_a_public_and_a_private_address_is_refused_whole(site: Site, private: Site) -> None:
    site.page("/", HTML)
    with name_server(names={"mixed.test": ["127.0.0.1", "127.0.0.2"], "fine.test": ["127.0.0.1"]}) as server:
        reason = not_seen(f"http://mixed.test:{site.port}/", guard=ONLY_FIRST, settings={"resolver": resolver(server)})
        assert reason.code == "target_refused"
        assert site.connections_count == private.connections_count == 0
        assert fetch(f"http://fine.test:{site.port}/", guard=ONLY_FIRST, settings={"resolver": resolver(server)}).status == 200
        assert site.requests[0].host == f"fine.test:{site.port}"


def test_s9_a_name_that_changes_its_mind_is_asked_once_per_connection(site: Site, make_site: MakeSite) -> None:
    site.page("/", HTML)
    trap = make_site(host="127.0.0.2", port=site.port)
    answers = [["127.0.0.1"], ["127.0.0.2"], ["127.0.0.2"]]
    with name_server(names={"rebind.test": lambda: answers.pop(0)}) as server:
        response = fetch(f"http://rebind.test:{site.port}/", guard=ONLY_FIRST, settings={"resolver": resolver(server)})
    assert response.final.address == "127.0.0.1"
    assert len(answers) == 2
    assert trap.connections_count == 0


def test_s9_the_socket_is_checked_even_where_the_pin_is_wrong(private: Site) -> None:
    async def run() -> Failure | None:
        wire = Wire(ONLY_FIRST, Trust())
        url = parse(f"http://name.test:{private.port}/")
        assert url is not None
        exchange = await wire.exchange(url, ("127.0.0.2",), Order(monotonic_s() + 5))
        await wire.close()
        return exchange.error.failure if exchange.error else None

    assert asyncio.run(run()) is Failure.REFUSED
    assert private.connections_count == 0


def test_s9_a_literal_in_the_url_does_not_lead_past_the_pin(private: Site) -> None:
    async def run() -> Failure | None:
        wire = Wire(ONLY_FIRST, Trust())
        url = parse(private.url())
        assert url is not None
        exchange = await wire.exchange(url, ("127.0.0.1",), Order(monotonic_s() + 5))
        await wire.close()
        return exchange.error.failure if exchange.error else None

    assert asyncio.run(run()) in {Failure.REFUSED, Failure.CONNECT}
    assert private.connections_count == 0


def test_s10_a_host_that_rebinds_between_two_requests(site: Site, make_site: MakeSite) -> None:
    site.page("/", HTML)
    trap = make_site(host="127.0.0.2", port=site.port)
    answers = [["127.0.0.1"], ["127.0.0.2"]]

    with name_server(names={"rebind.test": lambda: answers.pop(0) if len(answers) > 1 else answers[0]}) as server:

        async def twice(fetcher: Fetcher) -> tuple[ProbeResponse, ProbeResponse]:
            url = f"http://rebind.test:{site.port}/"
            return await fetcher.request(url), await fetcher.request(url)

        first, second = with_fetcher(twice, guard=ONLY_FIRST, resolver=resolver(server))
    assert first.ok
    assert second.failure is Failure.REFUSED or second.headers == first.headers
    assert trap.connections_count == 0


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("hop", [1, 9])
def test_s11_a_redirect_to_a_private_address_is_refused_on_any_hop(site: Site, private: Site, status: int, hop: int) -> None:
    for number in range(1, hop):
        site.redirect(f"/{number}", f"/{number + 1}", status)
    site.redirect(f"/{hop}", private.url("/secret"), status)
    reason = not_seen(site.url("/1"), guard=ONLY_FIRST)
    assert reason.code == "target_refused"
    assert f"Redirect {hop} to {private.url('/secret')}" in detail_of(reason.error)
    assert private.connections_count == 0


def test_s11_refresh_in_header_or_page_is_not_followed(site: Site, private: Site) -> None:
    body = f'<!doctype html><meta http-equiv="refresh" content="0;url={private.url()}"><script>location="{private.url()}"</script>'
    site.page("/", body, headers=[("Refresh", f"0; url={private.url()}")])
    assert fetch(site.url(), guard=ONLY_FIRST).final_url == site.url()
    assert private.connections_count == 0


ODD_LOCATIONS = (
    "http://2130706434:{port}/",
    "http://0x7f000002:{port}/",
    "http://017700000002:{port}/",
    "http://127.2:{port}/",
    "http://127.0.0.2.:{port}/",
    "http://①②⑦.⓪.⓪.②:{port}/",
    "http://127。0。0。2:{port}/",
    "http://%31%32%37.0.0.2:{port}/",
    "http://[::ffff:127.0.0.2]:{port}/",
    "http://[64:ff9b::7f00:2]:{port}/",
    "https:127.0.0.2:{port}/",
    "http:\\\\127.0.0.2:{port}\\",
    "\\\\127.0.0.2:{port}\\",
    "//127.0.0.2:{port}/",
    "ht\ttp://127.0.0.2:{port}/",
    "  http://127.0.0.2:{port}/",
    "http://127.0.0.2:{port}\\@127.0.0.1/",
    "HTTP://127.0.0.2:{port}/#http://127.0.0.1/",
)


@pytest.mark.parametrize("location", ODD_LOCATIONS)
def test_s6_s7_s11_a_private_address_in_an_odd_spelling_is_refused_in_a_redirect_too(site: Site, private: Site, location: str) -> None:
    sent = location.format(port=private.port).encode()
    site.raw("/", b"HTTP/1.1 302 Found\r\nLocation: " + sent + b"\r\nContent-Length: 0\r\n\r\n")
    assert not_seen(site.url(), guard=ONLY_FIRST).code == "target_refused"
    assert ask(site.url(), guard=ONLY_FIRST).failure is Failure.REFUSED
    assert private.connections_count == 0


def test_s11_of_two_locations_none_leads_inside(site: Site, private: Site) -> None:
    site.page("/end", HTML)
    for lines in ((site.url("/end"), private.url()), (private.url(), site.url("/end"))):
        both = "".join(f"Location: {line}\r\n" for line in lines)
        site.raw("/", f"HTTP/1.1 302 Found\r\n{both}Content-Length: 0\r\n\r\n".encode())
        answer = ask(site.url(), guard=ONLY_FIRST)
        assert answer.failure in {Failure.REFUSED, Failure.PROTOCOL} or answer.url == site.url("/end")
    assert private.connections_count == 0


@pytest.mark.parametrize(
    "addresses",
    [
        ["::ffff:127.0.0.2"],
        ["::127.0.0.2"],
        ["64:ff9b::7f00:2"],
        ["2002:7f00:2::"],
        ["::ffff:0:127.0.0.2"],
        ["0.0.0.0"],
        ["::"],
        ["169.254.169.254"],
        ["127.0.0.1", "::ffff:127.0.0.2"],
        [*(f"127.0.0.{number}" for number in range(3, 20)), "127.0.0.2"],
    ],
    ids=str,
)
def test_s3_s5_s8_a_name_leads_inside_however_its_addresses_are_written(site: Site, private: Site, addresses: list[str]) -> None:
    site.page("/", HTML)
    with name_server(names={"odd.test": addresses}) as server:
        reason = not_seen(f"http://odd.test:{private.port}/", guard=ONLY_FIRST, settings={"resolver": resolver(server)})
    assert reason.code == "target_refused"
    assert site.connections_count == private.connections_count == 0


def test_s12_redirects_are_bounded_and_read_as_browsers_do(site: Site) -> None:
    site.redirect("/long", "/" + "x" * 65536)
    assert fetch(site.url("/long")).status == 302
    site.page("/end", HTML)
    for path, location in {
        "/relative": "end",
        "/slashes": f"//127.0.0.1:{site.port}/end",
        "/backslashes": f"\\\\127.0.0.1:{site.port}\\end",
    }.items():
        site.redirect(path, location)
        assert fetch(site.url(path)).final_url == site.url("/end")
    site.page("/none", HTML, status=302)
    assert fetch(site.url("/none")).status == 302
    site.redirect("/loop", "/loop")
    assert not_seen(site.url("/loop")).code == "too_many_redirects"
    assert len(site.asked("/loop")) <= MAX_REDIRECTS + 1
    site.page("/hop0", HTML)
    for hops in range(1, MAX_REDIRECTS + 2):
        site.redirect(f"/hop{hops}", f"/hop{hops - 1}")
    assert fetch(site.url(f"/hop{MAX_REDIRECTS}")).final_url == site.url("/hop0")
    assert not_seen(site.url(f"/hop{MAX_REDIRECTS + 1}")).code == "too_many_redirects"


@pytest.mark.parametrize(
    "location",
    [
        "file:///etc/passwd",
        "data:text/html,<p>x",
        "ftp://127.0.0.1/",
        "gopher://127.0.0.1:70/_x",
        "javascript:alert(1)",
        "blob:http://127.0.0.1/x",
        "view-source:http://127.0.0.1/",
        "chrome://version",
        "dict://127.0.0.1:11211/stats",
    ],
)
def test_s13_a_redirect_to_another_scheme_is_refused(site: Site, location: str) -> None:
    site.redirect("/", location)
    assert not_seen(site.url()).code == "target_refused"
    assert ask(site.url()).failure is Failure.REFUSED


def test_s15_a_redirect_with_userinfo_is_refused(site: Site) -> None:
    site.redirect("/", f"http://me:secret@127.0.0.1:{site.port}/end")
    site.page("/end", HTML)
    reason = not_seen(site.url())
    assert reason.code == "target_refused"
    assert "secret" not in detail_of(reason.error)
    assert not site.asked("/end")


def test_s16_credentials_of_an_extra_request_stay_at_their_origin(site: Site, make_site: MakeSite) -> None:
    from findable.fetch.identity import Identity

    other = make_site()
    site.redirect("/", other.url("/end"))
    other.page("/end", HTML)
    ask(site.url(), identity=Identity(origin=site.base, headers=(("X-Key", "k"),), cookies=(("a", "1"),), user_password=("u", "p")))
    assert {"x-key", "cookie", "authorization"} <= set(site.requests[0].headers)
    assert not {"x-key", "cookie", "authorization"} & set(other.requests[0].headers)


def test_s17_nothing_a_page_or_a_site_names_leads_past_the_guard(site: Site, private: Site) -> None:
    site.page("/robots.txt", f"Sitemap: {private.url('/map.xml')}\nSitemap: {site.url('/index.xml')}", content_type="text/plain")
    site.page("/index.xml", f"<sitemapindex><sitemap><loc>{private.url('/child.xml')}</loc></sitemap></sitemapindex>")
    site.redirect("/favicon.ico", private.url("/favicon.ico"))
    site.redirect("/llms.txt", private.url("/llms.txt"))
    site.redirect("/hidden", private.url("/hidden"))
    targets = Targets(
        site.url("/page"),
        assets=tuple(AssetTarget(private.url(f"/{kind.value}"), kind) for kind in AssetKind),
        links_internal=(site.url("/hidden"),),
        links_external=(private.url("/link"), "http://169.254.169.254/latest/meta-data/", "http://[::1]/"),
        canonical=private.url("/canonical"),
        alternates=(private.url("/de"),),
    )

    async def both(fetcher: Fetcher) -> tuple[SiteCapture, PageProbes]:
        budget = Budget()
        capture = await probe_site(fetcher, site.url("/page"), budget)
        return capture, await probe_page(fetcher, targets, budget, capture)

    capture, probes = with_fetcher(both, guard=ONLY_FIRST)
    assert private.connections_count == 0
    answers = [*probes.assets, *probes.links, probes.canonical, *probes.alternates, capture.favicon, capture.llms_txt]
    assert {answer.failure for answer in answers if answer} == {Failure.REFUSED}
    assert [answer.failure for answer in capture.sitemaps] == [Failure.REFUSED, Failure.NONE, Failure.REFUSED]


def test_s18_proxies_and_netrc_of_the_environment_are_ignored(
    site: Site, private: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, private.base)
    for name in ("no_proxy", "NO_PROXY"):  # of whoever runs the tests it would keep the proxies away
        monkeypatch.setenv(name, "nothing.example")
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login me password secret\n")
    site.page("/", HTML)
    assert fetch(site.url()).status == 200
    assert ask(site.url()).ok
    assert private.connections_count == 0
    assert all("authorization" not in request.headers for request in site.requests)


def test_s19_our_own_address_is_not_fetched(site: Site) -> None:
    site.page("/", HTML)
    guard = Guard(AllowedTarget.parse_all("127.0.0.1, localhost"), own_addresses=[("127.0.0.1", site.port)])
    assert not_seen(site.url(), guard=guard).code == "target_refused"
    assert not_seen(f"http://localhost:{site.port}/", guard=guard).code == "target_refused"
    assert site.connections_count == 0


def test_s22_open_closed_and_silent_ports_of_a_private_host_look_the_same(private: Site) -> None:
    with socket.socket() as closed, socket.socket() as mute:
        closed.bind(("127.0.0.2", 0))
        mute.bind(("127.0.0.2", 0))
        mute.listen(1)
        ports = [private.port, closed.getsockname()[1], mute.getsockname()[1]]
        guard = Guard(AllowedTarget.parse_all("127.0.0.1"), extra_ports=ports)
        seen = set()
        for port in ports:
            started_s = time.monotonic()
            reason = not_seen(f"http://127.0.0.2:{port}/", guard=guard)
            assert time.monotonic() - started_s < 2
            seen.add(reason.error)
            refused = ProbeResponse(f"http://127.0.0.2:{port}/", failure=Failure.REFUSED, cause=Cause.TARGET_REFUSED)
            assert ask(f"http://127.0.0.2:{port}/", guard=guard) == refused
    assert len(seen) == 1
    assert private.connections_count == 0


# --- F21: names --------------------------------------------------------------------------------------------------------


def trouble_of(resolver_: Resolver, name: str) -> Cause:
    async def run() -> Cause:
        try:
            with pytest.raises(DnsError) as caught:
                await resolver_.resolve(name)
        finally:
            await resolver_.close()
        return caught.value.cause

    return asyncio.run(run())


def test_f21_each_failure_of_a_name_has_its_own_word() -> None:
    codes = {"gone.test": NXDOMAIN, "broken.test": SERVFAIL}
    with name_server(names={"empty.test": []}, codes=codes, silent={"slow.test"}, cut={"cut.test"}) as server:
        server.names["cut.test"] = ["127.0.0.1"]
        assert trouble_of(resolver(server), "gone.test") is Cause.NAME_NOT_FOUND
        assert trouble_of(resolver(server), "broken.test") is Cause.NAME_SERVER_FAILED
        assert trouble_of(resolver(server), "empty.test") is Cause.NO_ADDRESS
        started_s = time.monotonic()
        assert trouble_of(resolver(server, try_timeout_s=0.2), "slow.test") is Cause.NAME_SERVER_TIMEOUT
        assert time.monotonic() - started_s < 12
        # The whole answer would have come over TCP, where nothing listens.
        assert trouble_of(resolver(server, try_timeout_s=0.2), "cut.test") in {
            Cause.NO_NAME_SERVER,
            Cause.NAME_SERVER_TIMEOUT,
            Cause.NAME_SERVER_FAILED,
        }


def test_f21_where_no_name_server_is_a_name_fails_quickly() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    started_s = time.monotonic()
    assert trouble_of(Resolver([f"127.0.0.1:{port}"]), "name.test") is Cause.NO_NAME_SERVER
    assert time.monotonic() - started_s < 20


def test_f21_a_missing_name_is_not_asked_for_again_at_once() -> None:
    with name_server() as server:
        shared = resolver(server)

        async def twice() -> None:
            for _ in range(2):
                with pytest.raises(DnsError):
                    await shared.resolve("gone.test")
            await shared.close()

        asyncio.run(twice())
        assert server.asked == ["gone.test", "gone.test"]  # A and AAAA, once


def test_f21_the_page_says_which(site: Site) -> None:
    with name_server(codes={"broken.test": SERVFAIL}) as server:
        reasons = [not_seen(f"http://{name}/", settings={"resolver": resolver(server)}) for name in ("gone.test", "broken.test")]
    assert [reason.code for reason in reasons] == ["dns_failed", "dns_failed"]
    assert "NXDOMAIN" in detail_of(reasons[0].error)
    assert "SERVFAIL" in detail_of(reasons[1].error)


def test_localhost_and_literals_need_no_name_server() -> None:
    async def run() -> list[tuple[str, ...]]:
        resolver_ = Resolver(["127.0.0.1:1"])
        found = [await resolver_.resolve(name) for name in ("localhost", "127.0.0.1", "::1")]
        await resolver_.close()
        return found

    local, four, six = asyncio.run(run())
    assert "127.0.0.1" in local
    assert (four, six) == (("127.0.0.1",), ("::1",))


# --- the default guard, with public addresses on loopback ------------------------------------------------------------


NETNS = """
import asyncio, json, sys
sys.path[:0] = sys.argv[1:]
from findable.capture.response import Failure
from findable.errors import PageUnavailable
from findable.fetch.fetcher import Fetcher
from findable.fetch.egress_guard import Guard
from tests.sites.server import Site

public = Site(host="8.8.8.8", port=80).start()
hidden = Site(host="10.0.0.1", port=80).start()
public.page("/", "<!doctype html><p>public")
public.redirect("/go", "http://10.0.0.1/")
public.redirect("/name", "http://inside.test/")

async def main():
    told = {}
    async with Fetcher(Guard()) as fetcher:
        for url in ("http://8.8.8.8/", "http://public.test/", "http://8.8.8.8/go", "http://8.8.8.8/name", "http://10.0.0.1/"):
            try:
                told[url] = (await fetcher.fetch_page(url, deadline_s=5)).status
            except PageUnavailable as error:
                told[url] = error.code
    print(json.dumps([told, hidden.connections_count]))

asyncio.run(main())
"""


@pytest.mark.skipif(os.getuid() != 0 or not shutil.which("unshare") or not shutil.which("ip"), reason="needs root, unshare and ip")
def test_s1_the_default_guard_with_public_addresses_in_a_network_of_its_own(tmp_path: Path) -> None:
    hosts = tmp_path / "hosts"
    hosts.write_text("127.0.0.1 localhost\n8.8.8.8 public.test\n10.0.0.1 inside.test\n")
    script = tmp_path / "netns.py"
    script.write_text(NETNS)
    setup = f"mount --bind {hosts} /etc/hosts && ip link set lo up && ip addr add 8.8.8.8/32 dev lo && ip addr add 10.0.0.1/32 dev lo"
    root = Path(__file__).parents[2]
    command = f"{setup} && exec {sys.executable} {script} {root} {root / 'src'}"
    done = subprocess.run(["unshare", "-n", "-m", "sh", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode and "not permitted" in done.stderr:
        pytest.skip("no network namespace here")
    assert done.returncode == 0, done.stderr
    import json

    told, hidden_connections = json.loads(done.stdout)
    assert told == {
        "http://8.8.8.8/": 200,
        "http://public.test/": 200,
        "http://8.8.8.8/go": "target_refused",
        "http://8.8.8.8/name": "target_refused",
        "http://10.0.0.1/": "target_refused",
    }
    assert hidden_connections == 0
