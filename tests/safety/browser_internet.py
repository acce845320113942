"""The browser in the small internet of `internet.py`: every way out that was thought of, with and without a network of its own.

Run as root by `test_browser_netns.py`, in a network namespace: ``python -m tests.safety.browser_internet``. Prints what was seen as JSON.
"""

import asyncio
import itertools
import json
import select
import socket
import struct
import sys
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from findable.capture.rendering import Rendering, RenderingFailure
from findable.fetch.browser.browser_pool import BrowserPool
from findable.fetch.browser.browser_program import find_browser
from findable.fetch.browser.visit_order import VisitOrder
from findable.fetch.egress_guard import Guard
from tests.safety.browser_attack_pages import attack_page, files_of_second_attack, headers_that_attack, second_attack_page, service_worker
from tests.safety.dns import name_server
from tests.safety.internet import OF_THIS_MACHINE, PRIVATE, PUBLIC, SPELLINGS, Traps, _rebinding, public_sites
from tests.sites.server import Page, Site, dynamic

TARGETS = (
    *(
        "10.0.0.1:80",
        "127.0.0.1:80",
        "127.0.0.2:8080",
        "localhost:80",
        "localhost.:8080",
        "[::1]:80",
        "169.254.169.254:80",
        "[fd00:ec2::254]:80",
    ),
    *(
        "inside.example:80",
        "mixed.example:80",
        "rebind.example:80",
        "flapping.example:80",
        "0.0.0.0:80",
        "2130706433:80",
        "[::ffff:10.0.0.1]:80",
    ),
    *("10.0.0.1:22", "127.0.0.1:6379", f"{OF_THIS_MACHINE}:8443", "me.example:8443", "denied.example:80"),
)
MOVES = {
    "js": "location='http://10.0.0.1/'",
    "js-name": "location='http://inside.example/'",
    "js-replace": "location.replace('http://127.0.0.1/')",
    "js-form": "const f=document.createElement('form');f.method='post';f.action='http://10.0.0.1/';document.documentElement.append(f);f.submit()",
    "js-late": "setTimeout(()=>location='http://169.254.169.254/latest/meta-data/',600)",
    "js-file": "location='file:///etc/passwd'",
    "js-data": "location='data:text/html,<h1>data</h1>'",
    "js-blob": "location=URL.createObjectURL(new Blob(['<h1>blob</h1><img src=http://10.0.0.1/>'],{type:'text/html'}))",
    "js-chrome": "location='chrome://version'",
    "js-source": "location='view-source:http://10.0.0.1/'",
    "js-ftp": "location='ftp://10.0.0.1/'",
    "js-port": "location='http://public.example:22/'",
    "js-login": "location='http://u:p@10.0.0.1/'",
    "js-download": "const a=document.createElement('a');a.href='http://10.0.0.1/';a.download='x';document.documentElement.append(a);a.click()",
    "js-app": "location='intent://x#Intent;scheme=http;end'",
    "js-mail": "location='mailto:a@example.com'",
    "js-open": "open('http://10.0.0.1/','_top')",
    "js-top": "document.write('<iframe srcdoc=\"<script>top.location=`http://10.0.0.1/`</script>\"></iframe>')",
}
PUBLIC_SITE = "http://public.example"
ATTEMPTS = 3
LATE = frozenset({RenderingFailure.UNREACHABLE, RenderingFailure.TIMEOUT})
SO_RCVBUFFORCE = 33


class UdpTraps:
    """UDP sockets on every private address; they count what arrives."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._sockets = []
        for address, port in itertools.product((*PRIVATE, "127.0.0.1", "::1"), (80, 443, 3478, 5353, 8080)):
            one = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_DGRAM)
            one.bind((address, port))
            self._sockets.append(one)
        threading.Thread(target=self._count, daemon=True).start()

    def _count(self) -> None:
        while True:
            for ready in select.select(self._sockets, [], [])[0]:
                ready.recvfrom(65536)
                self.counts[str(ready.getsockname()[:2])] += 1


class Sniffer:
    """Every UDP packet, and every TCP connection that is begun, on loopback."""

    def __init__(self) -> None:
        self.udp: Counter[str] = Counter()
        self.tcp: Counter[str] = Counter()
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
        self._socket.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 256 * 1024 * 1024)  # no packet is dropped, however slow we are
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            packet, about = self._socket.recvfrom(128)
            if about[2] == socket.PACKET_OUTGOING:
                continue
            if packet[0] >> 4 == 4:
                protocol, data, target = packet[9], packet[(packet[0] & 15) * 4 :], socket.inet_ntop(socket.AF_INET, packet[16:20])
            else:
                protocol, data, target = packet[6], packet[40:], socket.inet_ntop(socket.AF_INET6, packet[24:40])
            source_port, port = struct.unpack("!HH", data[:4]) if len(data) >= 4 else (0, 0)
            if protocol == socket.IPPROTO_UDP and 53 not in (source_port, port):
                self.udp[f"{target} {port}"] += 1
            if protocol == socket.IPPROTO_TCP and len(data) > 13 and data[13] & 0x12 == 0x02:
                self.tcp[f"{target} {port}"] += 1


def prepare(public: Site) -> None:
    for number, target in enumerate(TARGETS):
        public.page(f"/attack-{number}", attack_page(target, secure=target.rpartition(":")[0] + ":443", redirects=f"/to-{number}"))
        public.redirect(f"/to-{number}", f"http://{target}/redirected")
    public.page("/service-worker.js", service_worker("10.0.0.1:80"), content_type="text/javascript")
    public.page("/slow", "x", content_type="image/png", delay_s=2.5)
    public.redirect("/redirect-2", "/to-0", 307)
    public.redirect("/to-file", "file:///etc/passwd")
    public.redirect("/to-data", "data:text/html,x")
    inside = "10.0.0.1:80"
    public.page("/second", second_attack_page(inside), headers=headers_that_attack(inside), content_type="text/html")
    for path, (text, kind) in files_of_second_attack(inside).items():
        public.page(path, text, content_type=kind)
    for name, script in MOVES.items():
        public.page(f"/{name}", f"<!doctype html><title>before</title><p>before</p><script>{script}</script>")
    public.page("/refresh", '<!doctype html><meta http-equiv=refresh content="0;url=http://10.0.0.1/">')
    public.page("/plain", "<!doctype html><title>plain</title><p>plain</p><script>document.title='scripted'</script>")
    public.page(
        "/download", b"x" * 1000, content_type="application/octet-stream", headers=[("Content-Disposition", "attachment; filename=x")]
    )
    public.handler("/refresh-header", dynamic(lambda request: Page(b"x", 200, (("Refresh", "0; url=http://10.0.0.1/"),))))


async def visits(*, wants_network: bool) -> Mapping[str, Any]:
    paths = [
        "/plain",
        *(f"/attack-{number}" for number in range(len(TARGETS))),
        "/second",
        "/",
        "/go",
        "/go-by-name",
        "/hop0",
        "/refused-port",
        "/301",
        "/307",
    ]
    paths += ["/refresh", "/refresh-header", "/to-file", "/to-data", "/download", *(f"/{name}" for name in MOVES)]
    urls = [f"{PUBLIC_SITE}{path}" for path in paths] + [f"{base}/" for base in SPELLINGS] + ["file:///etc/passwd", "chrome://version"]
    urls += ["http://six.example/", "http://rebind2.example/", "http://denied.example/", "http://me.example:8443/"]
    found: dict[str, Rendering] = {}
    leaked: list[str] = []
    own_network: list[bool] = []
    for _ in range(ATTEMPTS):
        of_attempt, has_own = await _visited(urls, wants_network=wants_network)
        found |= of_attempt
        own_network.append(has_own)
        leaked += [url for url, rendering in of_attempt.items() if "root:" in rendering.html or "secret" in rendering.html]
        # On a busy machine the name server, or a page of the public site itself, may be late: such a visit attacked nothing yet.
        urls = [url for url, rendering in found.items() if rendering.failure in LATE and url.startswith(PUBLIC_SITE)]
        if not urls:
            break
    return {
        "own_network": all(own_network) if wants_network else any(own_network),
        "failures": {url: rendering.failure.value for url, rendering in found.items()},
        "titles": {url: rendering.html.partition("<title>")[2].partition("<")[0] for url, rendering in found.items()},
        "leaked": leaked,
    }


async def _visited(urls: Sequence[str], *, wants_network: bool) -> tuple[dict[str, Rendering], bool]:
    """Visit the pages in a browser of their own, whose resolver remembers no failure."""
    program = find_browser()
    assert program is not None
    guard = Guard(own_addresses=[(OF_THIS_MACHINE, 8443), ("me.example", 8443)], deny_hosts=["denied.example"])
    pool = BrowserPool(replace(program, isolates_network=wants_network), guard, concurrency=3)
    renderings = await asyncio.gather(*(pool.visit(VisitOrder(url)) for url in urls))
    browser = pool._current
    has_own_network = browser is not None and browser.started.has_own_network
    await pool.close()
    return dict(zip(urls, renderings, strict=True)), has_own_network


def main() -> dict[str, Any]:
    rebinding, rebinding_2, flapping = _rebinding(), _rebinding(), itertools.cycle([[PUBLIC], ["10.0.0.1"]])
    names: dict[str, Any] = {
        "public.example": [PUBLIC],
        "other.example": ["151.101.1.69"],
        "six.example": ["2606:2800:21f::14"],
        "inside.example": ["10.0.0.1"],
        "mixed.example": [PUBLIC, "10.0.0.1"],
        "rebind.example": lambda: next(rebinding),
        "rebind2.example": lambda: next(rebinding_2),
        "flapping.example": lambda: next(flapping),
        "me.example": [OF_THIS_MACHINE],
        "denied.example": [PUBLIC],
    }
    seen: dict[str, Any] = {}
    with name_server(names=names, port=53) as server, public_sites() as (public, _other):
        prepare(public)
        traps, udp, sniffer = Traps(), UdpTraps(), Sniffer()
        own_listener = Site(host=OF_THIS_MACHINE, port=8443).start()
        for mode, wants_network in (("own", True), ("shared", False)):
            seen[mode] = dict(asyncio.run(visits(wants_network=wants_network)))
            seen[mode] |= {"sprung": traps.sprung(), "udp": dict(udp.counts), "own_service": own_listener.connections_count}
            seen[mode] |= {"sniffed_udp": dict(sniffer.udp), "sniffed_tcp": dict(sniffer.tcp)}
        seen["asked_names"] = sorted(set(server.asked))
        seen["asked_of_public"] = sorted({request.path for request in public.requests})
        seen["traps_are_set"] = traps.are_set()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.sendto(b"x", ("10.0.0.1", 443))
            probe.sendto(b"x", ("127.0.0.1", 5353))
        ends_s = time.monotonic() + 10
        while time.monotonic() < ends_s and not (len(udp.counts) >= 2 and "10.0.0.1 443" in sniffer.udp):
            time.sleep(0.02)
        own_listener.stop()
        seen["udp_is_counted"] = len(udp.counts) >= 2 and "10.0.0.1 443" in sniffer.udp
    return seen


if __name__ == "__main__":
    json.dump(main(), sys.stdout)
