"""A small internet inside a network namespace: public addresses on loopback, private ones beside them, a name server on port 53.

Run as root by `test_egress_netns.py`, in a namespace of its own: ``python -m tests.safety.internet FOLDER``. It starts everything, lets
`findable audit` and `findable serve` loose on it with the settings they have when nobody sets any, and prints what was seen as JSON.
"""

import contextlib
import http.client
import itertools
import json
import os
import re
import selectors
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.safety.dns import name_server
from tests.sites.server import Page, Site, dynamic

PUBLIC, OTHER, OF_THIS_MACHINE = "93.184.215.14", "151.101.1.69", "203.105.64.7"
PUBLIC_V6 = "2606:2800:21f::14"
PRIVATE = (
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.2",
    "168.63.129.16",
    "169.254.169.254",
    "192.0.0.192",
    "198.18.0.1",
    "fd00:ec2::254",
    "fd20:ce::254",
    "fc00::1",
)
ADDRESSES = (PUBLIC, OTHER, OF_THIS_MACHINE, PUBLIC_V6, *PRIVATE)
MAPPED = ("10.0.0.1", "10.0.0.2", "192.168.1.1", "fc00::1")
"""What names lead to: two hosts on which port 80 listens and 8443 does not, one that is not there, and one of IPv6."""
PORTS = (22, 80, 443, 6379, 8080)
SERVICE_PORT = 8000

SPELLINGS = (
    *(f"http://[{address}]" if ":" in address else f"http://{address}" for address in (*PRIVATE, "127.0.0.1", "::1", "0.0.0.0")),
    "http://167772161",
    "http://0x0a000001",
    "http://012.0.0.1",
    "http://10.1",
    "http://[::ffff:10.0.0.1]",
    "http://[64:ff9b::a00:1]",
    "http://inside.example",
    "http://mixed.example",
    "http://localhost",
    "https://10.0.0.1",
    "http://10.0.0.1:8080",
    "http://10.0.0.1:22",
    "http://10.0.0.1:6379",
)
"""Private places as a page can write them."""


def _page(title: str, head: str = "", body: str = "") -> str:
    return f'<!doctype html><html lang="en"><head><title>{title}</title>{head}</head><body><h1>{title}</h1>{body}</body></html>'


def hostile_page() -> str:
    """A page that names private places wherever a page can name a place."""
    head, body = [], []
    for number, base in enumerate(SPELLINGS):
        for path in ("icon", "canonical", "alternate", "style", "script", "manifest", "preload", "amp", "feed", "next"):
            url = f"{base}/{path}"
            head.append(
                {
                    "icon": f'<link rel="icon" href="{url}.png"><link rel="apple-touch-icon" href="{url}.png">',
                    "canonical": f'<link rel="canonical" href="{url}">' if number == 0 else "",
                    "alternate": f'<link rel="alternate" hreflang="x-{number}" href="{url}">',
                    "style": f'<link rel="stylesheet" href="{url}.css">',
                    "script": f'<script src="{url}.js"></script>',
                    "manifest": f'<link rel="manifest" href="{url}.json">',
                    "preload": f'<link rel="preload" as="image" href="{url}.png"><link rel="dns-prefetch" href="{base}">',
                    "amp": f'<link rel="amphtml" href="{url}">',
                    "feed": f'<link rel="alternate" type="application/rss+xml" href="{url}.xml">',
                    "next": f'<link rel="next" href="{url}">',
                }[path]
            )
        head.append(f'<meta property="og:image" content="{base}/og.png"><meta name="twitter:image" content="{base}/card.png">')
        body.append(f'<a href="{base}/link">link {number}</a><img src="{base}/picture.png" srcset="{base}/2x.png 2x" alt="x">')
        body.append(f'<iframe src="{base}/frame"></iframe><form action="{base}/form"></form><video poster="{base}/poster.png"></video>')
    head.append(f'<meta http-equiv="refresh" content="600;url={SPELLINGS[0]}/refresh">')
    logo = {"@context": "https://schema.org", "@type": "Organization", "url": f"{SPELLINGS[0]}/", "logo": f"{SPELLINGS[0]}/logo.png"}
    head.append(f'<script type="application/ld+json">{json.dumps(logo)}</script>')
    body.append('<a href="/go">go</a><a href="/go-by-name">go</a><a href="http://rebind.example/">rebind</a><img src="/go" alt="x">')
    return _page("A page that reaches inside", "".join(head), "".join(body))


class Traps:
    """Listeners on every private address; they count who connects and hang up."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._selector = selectors.DefaultSelector()
        for address, port in itertools.product((*PRIVATE, "127.0.0.1", "::1"), PORTS):
            listener = socket.create_server((address, port), family=socket.AF_INET6 if ":" in address else socket.AF_INET)
            self._selector.register(listener, selectors.EVENT_READ, f"{address} {port}")
        threading.Thread(target=self._count, daemon=True).start()

    def _count(self) -> None:
        while True:
            for key, _ in self._selector.select():
                connection, _ = key.fileobj.accept()  # type: ignore[union-attr]  # a listener
                self.counts[key.data] += 1
                connection.close()

    def sprung(self) -> list[str]:
        """Where somebody connected to."""
        return sorted(self.counts)

    def are_set(self) -> bool:
        """Whether each of them counts a connection: tried at the end, or zero would say nothing."""
        before = dict(self.counts)
        for address, port in itertools.product((*PRIVATE, "127.0.0.1", "::1"), PORTS):
            socket.create_connection((address, port), timeout=60).close()
        ends_s = time.monotonic() + 60
        while time.monotonic() < ends_s:
            if all(count > before.get(place, 0) for place, count in list(self.counts.items())) and len(self.counts) == 15 * len(PORTS):
                return True
            time.sleep(0.02)
        return False


def _environment(folder: Path) -> dict[str, str]:
    """Nothing of ours, and proxies that must not be believed."""
    proxy = "http://10.0.0.1:8080"
    names = ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy")
    no_proxy = dict.fromkeys(("no_proxy", "NO_PROXY"), "nothing.example")
    (folder / ".netrc").write_text("default login me password from-netrc\n")
    (folder / ".curlrc").write_text(f"proxy = {proxy}\n")
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "PYTHONPATH") if name in os.environ}
    return {
        **kept,
        **dict.fromkeys(names, proxy),
        **no_proxy,
        "HOME": str(folder),
        "FINDABLE_DATA_DIR": str(folder / "data"),
        "NO_COLOR": "1",
    }


def audit(folder: Path, *urls: str) -> list[dict[str, Any]]:
    """What `findable audit` reports of these, typed on one command line."""
    command = [sys.executable, "-m", "findable", "audit", "--format", "json", *urls]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False, env=_environment(folder), cwd=folder)
    assert done.returncode in {0, 1, 3}, done.stderr
    reports = json.loads(done.stdout)
    return reports if isinstance(reports, list) else [reports]


def _told(report: Mapping[str, Any]) -> str:
    """The code of why it failed, else its status."""
    return str((report["error"] or {}).get("code") or report["status"])


class RunningService:
    """`findable serve` with a key of its first account."""

    def __init__(self, folder: Path, **settings: str) -> None:
        folder.mkdir()
        environment = _environment(folder) | settings
        self._log = (folder / "log").open("wb")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "findable", "serve"], stdout=subprocess.PIPE, stderr=self._log, text=True, env=environment, cwd=folder
        )
        assert self._process.stdout is not None
        self.key = ""
        for line in self._process.stdout:
            if "API key:" in line:
                self.key = line.split()[-1]
            if line.lstrip().startswith("A new link:"):
                break
        assert self.key, (folder / "log").read_text()
        self.remaining: list[int] = []
        """Requests left in the minute, as each answer said."""
        self._address = settings.get("FINDABLE_HOST", "127.0.0.1"), int(settings.get("FINDABLE_PORT", SERVICE_PORT))

    def report(self, url: str) -> str:
        """What becomes of that address: ``422 sentence``, the code of why it failed, or ``done``."""
        made = self.made(url)
        return f"422 {' '.join(made['errors']['url'])}" if "errors" in made else _told(made)

    def made(self, url: str) -> Mapping[str, Any]:
        """The report of that address once it has ended, or what was said instead of making one."""
        status, made = self._request("POST", "/reports", {"url": url})
        if status == 422:
            return dict(made)
        assert status in {201, 202}, (status, made)
        number = made["data"]["id"]
        ends_s = time.monotonic() + 90
        while made["data"]["status"] not in {"done", "failed"}:
            assert time.monotonic() < ends_s, made
            status, made = self._request("GET", f"/reports/{number}")
            assert status == 200, (status, made)
        return dict(made["data"])

    def _request(self, method: str, path: str, fields: Mapping[str, str] | None = None) -> tuple[int, Any]:
        connection = http.client.HTTPConnection(*self._address, timeout=120)
        with contextlib.closing(connection):
            headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/x-www-form-urlencoded", "Prefer": "wait=30"}
            connection.request(method, f"/api/v1{path}", urlencode(fields or {}), headers)
            answer = connection.getresponse()
            self.remaining.append(int(re.findall(r"r=(\d+)", answer.headers["RateLimit"])[0]))
            return answer.status, json.loads(answer.read())

    def end(self) -> None:
        self._process.terminate()
        self._process.wait(30)
        self._log.close()


@contextlib.contextmanager
def public_sites() -> Iterator[tuple[Site, Site]]:
    """The hostile site, and another one it redirects to."""
    public, other = Site(host=PUBLIC, port=80).start(), Site(host=OTHER, port=80).start()
    six = Site(host=PUBLIC_V6, port=80).start()
    other.page("/", _page("Another public page"))
    six.page("/", _page("A page over IPv6"))
    public.page("/", hostile_page())
    public.page("/robots.txt", "Sitemap: http://10.0.0.1/map.xml\nSitemap: http://public.example/index.xml\n", content_type="text/plain")
    children = "".join(f"<sitemap><loc>{base}/child.xml</loc></sitemap>" for base in ("http://169.254.169.254", "http://inside.example"))
    index = f"<sitemapindex>{children}<sitemap><loc>http://public.example/go</loc></sitemap></sitemapindex>"
    public.page("/index.xml", index, content_type="application/xml")
    for path in ("/favicon.ico", "/llms.txt", "/.well-known/security.txt", "/sitemap.xml", "/go"):
        public.redirect(path, f"http://169.254.169.254{path}")
    public.redirect("/go-by-name", "http://inside.example/")
    public.redirect("/elsewhere", "http://other.example/")
    for status in (301, 302, 303, 307, 308):
        public.redirect(f"/{status}", "http://10.0.0.1/", status)
    for hop in range(8):
        public.redirect(f"/hop{hop}", f"/hop{hop + 1}")
    public.redirect("/hop8", "http://[::ffff:10.0.0.1]/")
    public.redirect("/rebind", "http://rebind.example/")
    public.redirect("/refused-port", "http://public.example:22/")
    robots = dynamic(lambda request: Page(b"", 302, (("Location", "http://192.168.1.1/robots.txt"),)))
    other.handler("/robots.txt", robots)
    try:
        yield public, other
    finally:
        for site in (public, other, six):
            site.stop()


def _rebinding() -> Iterator[list[str]]:
    """Public for the first question, private ever after."""
    yield [PUBLIC]
    yield from itertools.repeat(["10.0.0.1"])


def main(folder: Path) -> dict[str, Any]:
    """Everything that was seen."""
    seen: dict[str, Any] = {}
    rebinding, flapping = _rebinding(), itertools.cycle([[PUBLIC], ["10.0.0.1"]])
    names: dict[str, Any] = {
        **{f"map-{number}.example": [address] for number, address in enumerate(MAPPED)},
        "public.example": [PUBLIC],
        "other.example": [OTHER],
        "six.example": [PUBLIC_V6],
        "inside.example": ["10.0.0.1"],
        "mixed.example": [PUBLIC, "10.0.0.1"],
        "rebind.example": lambda: next(rebinding),
        "flapping.example": lambda: next(flapping),
        "me.example": [OF_THIS_MACHINE],
    }
    with name_server(names=names, port=53) as server, public_sites() as (public, other):
        traps = Traps()
        cli = folder / "cli"
        cli.mkdir()
        typed = ["http://public.example/", "http://six.example/", "http://public.example/elsewhere"]
        typed += [f"http://public.example/{path}" for path in (301, 302, 303, 307, 308, "hop0", "rebind", "refused-port", "go-by-name")]
        typed += ["http://169.254.169.254/latest/meta-data/", "http://[fd00:ec2::254]/"]
        reports = audit(cli, *typed)
        seen["audit"] = {url: _told(report) for url, report in zip(typed, reports, strict=True)}
        seen["audit_sprung"] = traps.sprung()
        seen["asked_of_public"] = len(public.requests)
        seen["credentials"] = [request.target for request in (*public.requests, *other.requests) if "authorization" in request.headers]

        service = RunningService(folder / "service")
        try:
            seen["service"] = {url: service.report(url) for url in typed}
            seen["names"] = {name: service.report(f"http://{name}.example/") for name in ("inside", "mixed", "rebind", "flapping")}
            seen["spellings"] = {base: service.report(f"{base}/") for base in SPELLINGS if "example" not in base}
            mapped = [service.made(f"http://map-{number}.example:{port}/") for number in range(len(MAPPED)) for port in (80, 8443)]
            seen["mapped"] = [json.dumps(report["error"]) for report in mapped]
            seen["remaining"] = service.remaining
            hosts = ("127.0.0.1", "localhost", "[::ffff:127.0.0.1]")
            seen["own_port"] = {host: service.report(f"http://{host}:{SERVICE_PORT}/") for host in hosts}
        finally:
            service.end()
        seen["service_sprung"] = traps.sprung()

        listening = RunningService(folder / "listening", FINDABLE_HOST=OF_THIS_MACHINE, FINDABLE_PORT="8443")
        try:
            own = (f"http://{OF_THIS_MACHINE}:8443/", "http://me.example:8443/")
            seen["own_public_port"] = {url: listening.report(url) for url in own}
            seen["other_port_of_own"] = listening.report(f"http://{OF_THIS_MACHINE}/")
        finally:
            listening.end()
        seen["traps_are_set"] = traps.are_set()
        seen["asked_of_names"] = len(server.asked)
    return seen


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
