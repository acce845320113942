"""The way out of the browser on loopback: 127.0.0.1 stands for the public internet, 127.0.0.2 for what must not be reached: S9, S13, S17, S20."""

import asyncio
import http.client
import socket
import ssl
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import AuthorityInformationAccessOID, NameOID
from msgspec.structs import replace

from findable.capture.rendering import Rendering, RenderingFailure
from findable.fetch.browser.egress_proxy import EgressProxy, SealedCookies
from findable.fetch.browser.proxy_heads import read_request, response_head
from findable.fetch.browser.visit_order import EgressLimits, VisitOrder
from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.fetch.resolver import Resolver
from tests.browser import needs_chromium
from tests.fetch.browser.visiting import in_pool, installed, visits
from tests.safety.browser_attack_pages import (
    attack_page,
    early_hints,
    files_of_second_attack,
    headers_that_attack,
    second_attack_page,
    service_worker,
)
from tests.sites.server import Page, Site, endless

ONLY_FIRST = Guard(AllowedTarget.parse_all("127.0.0.1"))
BOTH = Guard(AllowedTarget.parse_all("127.0.0.0/8"))


@pytest.fixture
def places() -> Iterator[tuple[Site, Site]]:
    """A public site with the page that attacks, and a private one that nobody has connected to."""
    public, private = Site().start(), Site(host="127.0.0.2").start()
    target = f"127.0.0.2:{private.port}"
    private.fallback(Page(b"secret", headers=(("Access-Control-Allow-Origin", "*"),)))
    public.page("/", attack_page(target))
    public.redirect("/redirect", private.url("/redirected"))
    public.redirect("/redirect-2", "/redirect", 307)
    public.page("/service-worker.js", service_worker(target), content_type="text/javascript")
    public.page("/slow", "x", content_type="image/png", delay_s=1.0)
    public.page("/second", second_attack_page(target), headers=headers_that_attack(target), content_type="text/html")
    for path, (text, kind) in files_of_second_attack(target).items():
        public.page(path, text, content_type=kind)
    public.page("/refresh-frame", "x", headers=[("Refresh", f"0; url={private.url('/refresh-header')}")])
    public.redirect("/redirect-307", private.url("/redirected-post"), 307)
    public.raw("/early", early_hints(target))
    public.page("/plain", "<!doctype html><title>plain</title>")
    yield public, private
    public.stop()
    private.stop()


@pytest.mark.parametrize("network", ["shared", pytest.param("own", marks=pytest.mark.full)])
@needs_chromium
def test_s20_no_way_out_of_a_page_leads_past_the_guard(places: tuple[Site, Site], network: str) -> None:
    public, private = places
    program = replace(installed(), isolates_network=network == "own")
    paths = ("/", "/second", "/early", "/plain")
    found = visits([public.url(path) for path in paths], ONLY_FIRST, program=program, concurrency=2)
    assert private.connections_count == 0
    for rendering, title in zip(found, ("attack", "attack", "early", "plain"), strict=True):
        assert f"<title>{title}" in rendering.html, (title, rendering.failure, rendering.detail)


@pytest.mark.full
@needs_chromium
def test_s20_the_same_page_finds_many_ways_where_the_guard_allows_them(places: tuple[Site, Site]) -> None:
    """Else the test above would say nothing. Windows and service workers stay closed in any case."""
    public, private = places
    visits([public.url("/"), public.url("/second")], BOTH)
    reached = {request.path.strip("/") for request in private.requests}
    loaded = "css import background font img srcset srcdoc iframe sandboxed object embed video preload prefetch"
    scripted = "form fetch xhr ws beacon keepalive sse module worker worker-ws worker-script shared redirected frame-location"
    linked = "link-preload link-prefetch link-module link-dictionary speculation-header refresh-header redirected-post"
    rare = "alternate-css unmatched-css dictionary bundle module-src import-map import-supports preload-fetch preload-font list-image content image-set"
    drawn = "cursor border-image shape clip fe-image svg-script svg-xlink input-image poster picture object.svg inner-svg inner-script inner-import"
    framed = "data-frame javascript-frame credentialless lazy-frame lazy-image attributed get-form formaction audio body-background table-background"
    worked = "audio-worklet paint-worklet worker-sse worker-import worker-xhr nested-worker shared-ws shared-sse shared-script own-worker own-worker-ws"
    called = "fetch-later json-module css-module ws-stream ws-login preflight post xhr-sync font-face parsed constructed written-script"
    assert reached >= set(f"{loaded} {scripted} {linked} {rare} {drawn} {framed} {worked} {called}".split())
    assert not reached & {"opened", "opened-written", "blank-link", "blank-form", "service-worker-import", "prerender-by-script"}
    assert not reached & {"popup", "opened-blob", "opened-data", "service-worker", "speculation"}


def _certificate(folder: Path, *, issuer_url: str) -> ssl.SSLContext:
    """A certificate for 127.0.0.1 whose issuer is said to be found at that URL."""
    key = ec.generate_private_key(ec.SECP256R1())
    name, now = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")]), datetime.now(UTC)
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "An issuer that is not sent")])
    place = x509.AccessDescription(AuthorityInformationAccessOID.CA_ISSUERS, x509.UniformResourceIdentifier(issuer_url))
    made = x509.CertificateBuilder(issuer, name, key.public_key(), x509.random_serial_number(), now - timedelta(1), now + timedelta(30))
    made = made.add_extension(x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), critical=False)
    made = made.add_extension(x509.AuthorityInformationAccess([place]), critical=False)
    (folder / "key.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    (folder / "certificate.pem").write_bytes(made.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    return context


@pytest.mark.full
@needs_chromium
def test_s20_the_issuer_of_a_certificate_is_fetched_past_the_guard_alone(tmp_path: Path) -> None:
    """Chromium fetches certificates that a server leaves out from the URL in the one that it sends."""
    private = Site(host="127.0.0.2").start()
    secure = Site(tls=_certificate(tmp_path, issuer_url=private.url("/issuer"))).start()
    program = replace(installed(), isolates_network=False)
    (refused,) = visits([secure.url("/")], ONLY_FIRST, program=program)
    assert private.connections_count == 0
    assert refused.failure is not RenderingFailure.NONE
    visits([secure.url("/")], BOTH, program=program)
    assert [request.path for request in private.requests] == ["/issuer"], "else the lines above would say nothing"
    secure.stop()
    private.stop()


@pytest.mark.full
@needs_chromium
@pytest.mark.parametrize(
    ("limits", "exceeded"),
    [
        (EgressLimits(received_bytes=1_000_000), "received bytes"),
        (EgressLimits(sent_bytes=100_000), "sent bytes"),
        (EgressLimits(connections_count=20), "connections"),
        (EgressLimits(hosts_count=3), "hosts"),
    ],
)
def test_each_limit_of_a_visit_ends_its_traffic_and_the_report_says_so(site: Site, limits: EgressLimits, exceeded: str) -> None:
    site.handler("/endless", endless(b"HTTP/1.1 200 OK\r\nContent-Type: text/javascript\r\n\r\n", b"x" * 65536))
    site.page(
        "/",
        f"""<!doctype html><title>greedy</title><script>
        if ('{exceeded}' == 'received bytes') document.write('<script src=/endless><\\/script>');
        if ('{exceeded}' == 'sent bytes') fetch('/post',{{method:'POST',body:'x'.repeat(1e6)}}).catch(()=>0);
        if ('{exceeded}' == 'connections') for (let i=0;i<60;i++) new Image().src='/i'+i;
        if ('{exceeded}' == 'hosts') for (let i=0;i<9;i++) new Image().src=`http://h${{i}}.invalid/`;
        </script>""",
    )

    async def run(pool: Any) -> Rendering:
        found: Rendering = await pool.visit(VisitOrder(site.url("/"), limits=limits))
        return found

    rendering = in_pool(run, ONLY_FIRST)
    assert rendering.failure is RenderingFailure.NONE
    assert rendering.detail == exceeded


# --- the proxy, without a browser ---------------------------------------------------------------------------------------


def _through_proxy(
    guard: Guard, *requests: bytes, limits: EgressLimits | None = None, sealed: SealedCookies | None = None
) -> tuple[list[bytes], Any]:
    """What the proxy answers to each of these, on a connection of its own."""

    async def run() -> tuple[list[bytes], Any]:
        listener = socket.create_server(("127.0.0.1", 0))
        listener.setblocking(False)
        resolver = Resolver()
        proxy = EgressProxy(listener, guard, resolver, limits, sealed)
        await proxy.start()
        answers = []
        for request in requests:
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
            writer.write(request.replace(b"OWN", str(proxy.port).encode()))
            async with asyncio.timeout(60):
                try:
                    answers.append(await reader.read())
                except ConnectionResetError:
                    answers.append(b"")
            writer.close()
        await proxy.close()
        await resolver.close()
        return answers, proxy.use

    return asyncio.run(run())


def test_s20_one_connection_carries_one_request_to_one_site(site: Site, make_site: Any) -> None:
    """A second request, for another host, behind the first: neither that site nor the first one gets it."""
    other = make_site()
    first = f"GET {site.url('/a')} HTTP/1.1\r\nHost: elsewhere\r\nProxy-Authorization: x\r\nConnection: keep-alive\r\n\r\n".encode()
    second = f"GET {other.url('/secret')} HTTP/1.1\r\nHost: x\r\nCookie: of=other\r\n\r\n".encode()
    _through_proxy(ONLY_FIRST, first + second)
    assert [request.target for request in site.requests] in ([], ["/a"])
    assert other.requests == []
    (answer,), _ = _through_proxy(ONLY_FIRST, first)
    assert b"Connection: close" in answer
    (request, *_rest) = site.requests[-1:]
    assert request.host == f"127.0.0.1:{site.port}"
    assert "proxy-authorization" not in request.headers
    assert request.headers["connection"] == "close"


def test_s20_what_is_no_request_of_a_browser_is_not_served(site: Site) -> None:
    hosts = f"Host: 127.0.0.1:{site.port}\r\n"
    rest = "HTTP/1.1\r\n" + hosts
    for request in (
        f"GET / {rest}\r\n",
        f"GET {site.url('/')} HTTP/0.9\r\n\r\n",
        f"GET {site.url('/')} {rest}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        f"POST {site.url('/')} {rest}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        f"POST {site.url('/')} {rest}Content-Length: -1\r\n\r\nab",
        f"GET {site.url('/')} {rest} folded: x\r\n\r\n",
        f"GET {site.url('/')} {rest}a\0b: x\r\n\r\n",
        f"GET http://u:p@127.0.0.1:{site.port}/ {rest}\r\n",
        f"GET https://127.0.0.1:{site.port}/ {rest}\r\n",
        f"GET file:///etc/passwd {rest}\r\n",
        f"CONNECT 127.0.0.1 {rest}\r\n",
        f"CONNECT u@127.0.0.1:{site.port} {rest}\r\n",
        f"CONNECT 127.0.0.1:{site.port}/x {rest}\r\n",
        f"CONNECT 127.0.0.1:99999 {rest}\r\n",
    ):
        assert read_request(request.encode().partition(b"\r\n\r\n")[0] + b"\r\n\r\n") is None, request


def test_s20_refused_and_unreachable_places_look_the_same_from_inside(site: Site) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        dead = free.getsockname()[1]
    targets = (f"127.0.0.1:{dead}", "127.0.0.2:80", "[::1]:80", "localhost:22", "no-such-host.invalid:443", "169.254.169.254:80")
    tunnels, use = _through_proxy(ONLY_FIRST, *(f"CONNECT {target} HTTP/1.1\r\n\r\n".encode() for target in targets))
    assert len(set(tunnels)) == 1
    plain, _ = _through_proxy(ONLY_FIRST, *(f"GET http://{target}/ HTTP/1.1\r\n\r\n".encode() for target in targets))
    assert set(plain) == {b""}
    assert set(use.refused_targets) == {"127.0.0.2:80", "::1:80", "localhost:22", "169.254.169.254:80"}


def tunnelled(site: Site) -> bytes:
    """A tunnel to the site, and a request through it."""
    return f"CONNECT 127.0.0.1:{site.port} HTTP/1.1\r\n\r\nGET /inside HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()


def test_s20_tunnels_lead_to_allowed_ports_alone(site: Site, make_site: Any) -> None:
    other = make_site()
    guard = Guard(AllowedTarget.parse_all(f"127.0.0.1:{site.port}"))
    ports = (22, 25, 444, 6379)
    elsewhere = [f"CONNECT www.example:{port} HTTP/1.1\r\n\r\n".encode() for port in ports]
    (allowed, *refused), use = _through_proxy(guard, tunnelled(site), tunnelled(other), *elsewhere)
    assert allowed.startswith(b"HTTP/1.1 200")
    assert [request.path for request in site.requests] == ["/inside"]
    assert {answer.partition(b"\r\n")[0] for answer in refused} == {b"HTTP/1.1 502 Bad Gateway"}
    assert other.connections_count == 0
    assert set(use.refused_targets) == {f"127.0.0.1:{other.port}", *(f"www.example:{port}" for port in ports)}
    assert use.hosts == {"127.0.0.1"}, "a name on such a port is not resolved"


def test_s20_no_tunnel_leads_to_another_port_of_the_host_that_gets_cookies(site: Site, make_site: Any) -> None:
    other = make_site()
    plain = f"GET {other.url('/plain')} HTTP/1.1\r\nCookie: preview=secret; theme=dark\r\n\r\n".encode()
    sealed = SealedCookies("127.0.0.1", site.port, ("preview",))
    (own, foreign, _), _use = _through_proxy(ONLY_FIRST, tunnelled(site), tunnelled(other), plain, sealed=sealed)
    assert own.startswith(b"HTTP/1.1 200")
    assert foreign.startswith(b"HTTP/1.1 502")
    assert [(request.path, request.headers["cookie"]) for request in other.requests] == [("/plain", "theme=dark")]


def test_s19_the_proxy_does_not_lead_to_itself() -> None:
    (answer,), use = _through_proxy(ONLY_FIRST, b"CONNECT 127.0.0.1:OWN HTTP/1.1\r\n\r\n")
    assert b"502" in answer
    assert len(use.refused_targets) == 1


def test_s20_a_site_cannot_answer_for_the_proxy() -> None:
    for head in (
        b"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n",
        b"ICY 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n folded\r\n\r\n",
        b"HTTP/1.1 200 OK\r\na\0b: c\r\n\r\n",
    ):
        assert response_head(head) is None
    assert response_head(b"HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nKeep-Alive: x\r\nA: b\r\n\r\n") == (
        200,
        b"HTTP/1.1 200 OK\r\nA: b\r\nConnection: close\r\n\r\n",
    )


def test_s20_a_long_body_passes_both_ways_as_it_is(site: Site) -> None:
    body = bytes(range(256)) * 2000
    site.page("/", body, content_type="image/png")
    head = f"POST {site.url('/')} HTTP/1.1\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    (answer,), use = _through_proxy(ONLY_FIRST, head + body)
    assert answer.endswith(body)
    assert site.requests[0].body == body
    assert use.received_bytes >= len(body)
    assert use.sent_bytes >= len(body)


def test_s20_the_proxy_is_closed_with_its_visit(site: Site) -> None:
    ports: list[int] = []

    async def run() -> None:
        listener = socket.create_server(("127.0.0.1", 0))
        listener.setblocking(False)
        proxy = EgressProxy(listener, ONLY_FIRST, Resolver())
        await proxy.start()
        ports.append(proxy.port)
        await proxy.close()

    asyncio.run(run())
    with pytest.raises(ConnectionRefusedError):
        http.client.HTTPConnection("127.0.0.1", ports[0]).connect()


def test_s20_a_closing_proxy_serves_no_connection_that_it_has_just_accepted(site: Site) -> None:
    async def run() -> list[bytes]:
        answers = []
        for yields in range(6):  # steps of the loop between the connection and the end of the proxy
            listener = socket.create_server(("127.0.0.1", 0))
            listener.setblocking(False)
            proxy = EgressProxy(listener, ONLY_FIRST, Resolver())
            await proxy.start()
            with socket.create_connection(("127.0.0.1", proxy.port), timeout=60) as browser:
                browser.sendall(f"GET {site.url('/late')} HTTP/1.1\r\n\r\n".encode())
                for _ in range(yields):
                    await asyncio.sleep(0)
                await proxy.close()
                try:
                    answers.append(await asyncio.to_thread(browser.recv, 100))
                except ConnectionResetError:
                    answers.append(b"")
        return answers

    assert asyncio.run(run()) == [b""] * 6
