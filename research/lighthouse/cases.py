"""Serve saved pages to Lighthouse: ``python -m research.lighthouse.cases PAGES``, used by ``research/lighthouse/run.mjs``.

The cases are the pages of a directory of ``*.html.gz``, with the responses of research/precision.py and a plausible
robots.txt, the ``good*.html`` and ``bad*.html`` of the checks that Lighthouse also has, and the realistic pages of tests/mutations with
each fault that such a check finds. One case is served at a time, at its
URL: Chromium maps every host to this server. Anything that a case does not contain is a small image, an empty frame or a 404.

Both tools must see the page as sent, parsed with scripting on: stylesheets and scripts are empty, those inside the
page are blocked by a policy, attributes (event handlers, styles) are unchanged.

Prints one line of JSON: the ports, and the name and URL of each case. ``GET /N`` at the ``control`` port serves case N.
"""

import argparse
import gzip
import hashlib
import json
import ssl
import subprocess
import sys
import tempfile
import threading
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

import brotli
from msgspec.structs import replace

from findable.capture.capture import Capture
from findable.capture.response import Headers, Hop, ProbeResponse, Timing
from findable.checks.engine import all_checks
from findable.urls import parse
from research.lighthouse.rules import COMPARED
from research.precision import saved_page
from tests.checks.harness import capture, fixture
from tests.mutations.faults import FAULTS
from tests.mutations.judging import harmed
from tests.mutations.world import NAMES, captured, site

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests/checks"
MARKUP_ONLY = "; ".join(
    f"{kind}-src-elem http: https:; {kind}-src-attr 'unsafe-inline'"
    for kind in ("script", "style")  # blocks scripts and stylesheets inside the page but not attributes
)
DROPPED = {"content-length", "content-encoding", "transfer-encoding", "connection", "strict-transport-security", "alt-svc", "set-cookie"}
"""Headers that this server writes itself, that would outlive a case in the browser, and cookies, whose values captures do not contain."""

ROBOTS = (
    (404, ""),
    (200, "User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n\nSitemap: {origin}/sitemap.xml\n"),
    (200, "# all may read all\nUser-agent: *\nDisallow:\n"),
    (200, "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /search\nCrawl-delay: 10\n"),
    (200, "User-agent: *\nDisallow: {path}\n"),
    (200, "User-agent: *\nDisallow: private/\nSitemap: /sitemap.xml\n"),
    (200, "Disallow: /cart\nUser-agent: *\nAllow: /\n"),
    (503, "Service Unavailable"),
)
EMPTY = {"style": "text/css", "script": "text/javascript"}
PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010804000000b51c0c020000000b4944415478da63fcff1f0002eb01f4b3b6e7bb0000000049454e44ae426082"
)


@dataclass(frozen=True, slots=True)
class Case:
    """A page and the responses around it; its name is also that of its result."""

    name: str
    capture: Capture

    @property
    def url(self) -> str:
        """Start URL for Lighthouse."""
        return self.capture.page.response.requested_url


def cases(pages: Path, checks: Iterable[str]) -> list[Case]:
    """Return all cases in a fixed order."""
    wanted = frozenset(checks)
    return [*_pages(pages), *_fixtures(wanted), *_faults(wanted)]


def _pages(folder: Path) -> Iterator[Case]:
    for path in sorted(folder.glob("*.html.gz")):
        name = path.name.removesuffix(".html.gz")
        page = saved_page(path)
        parsed = parse(page.page.response.final_url)
        if parsed is None:
            raise ValueError(page.page.response.final_url)
        digest = hashlib.sha256(f"robots {name}".encode()).digest()[0]
        status, text = ROBOTS[digest % len(ROBOTS)] if digest < len(ROBOTS) * 8 else ROBOTS[digest % 4]
        body = text.format(origin=parsed.origin, path=parsed.path).encode()
        where = f"{parsed.origin}/robots.txt"
        robots = ProbeResponse(where, hops=(Hop(where, status, Headers((("content-type", "text/plain"),)), "1.1", Timing()),), body=body)
        yield Case(f"page.{name}", replace(page, site=replace(page.site, robots_txt=robots)))


def _fixtures(checks: frozenset[str]) -> Iterator[Case]:
    registered = all_checks()
    for check_id in sorted(checks):
        folder = FIXTURES / registered[check_id].category.value / check_id.replace("-", "_")
        for path in sorted(folder.glob("*.html")):
            html, given = fixture(path)
            yield Case(f"{check_id}.{path.stem}", capture(html, **given))


def _faults(checks: frozenset[str]) -> Iterator[Case]:
    """Yield each fault on one of the ten pages in turn, and the pages without faults."""
    for name in NAMES:
        page = site(name)
        yield Case(f"fault.none.{name}", captured(page.html, page.keywords))
    for number, fault in enumerate(fault for fault in FAULTS.values() if not checks.isdisjoint(fault.finds)):
        name = fault.pages[number % len(fault.pages)]
        draft = harmed(fault, name)
        yield Case(f"fault.{fault.name.replace(' ', '-')}.{name}", captured(draft.body, draft.keywords))


# --- the server


Reply = tuple[int, Sequence[tuple[str, str]], bytes]


class World:
    """Simulated web around the current case."""

    def __init__(self, listed: Sequence[Case]) -> None:
        self.cases = listed
        self.replies: Mapping[str, Reply] = {}

    def use(self, number: int) -> None:
        """Switch to another case."""
        self.replies = _replies(self.cases[number].capture)

    def reply(self, url: str, wanted: str) -> Reply:
        """Return the response to a request of that kind: ``image``, ``style``, ``iframe`` or another."""
        if wanted in EMPTY:
            return 200, [("Content-Type", EMPTY[wanted])], b""
        if url in self.replies:
            return self.replies[url]
        if wanted == "image":
            return 200, [("Content-Type", "image/png")], PICTURE
        if wanted in ("iframe", "frame"):
            return 200, [("Content-Type", "text/html")], b'<!doctype html><html lang="en"><title>Frame</title>'
        return 404, [("Content-Type", "text/plain")], b"not found"


def _replies(case: Capture) -> dict[str, Reply]:
    site, probes = case.site, case.page.probes
    known = [site.home, site.favicon, site.llms_txt, *probes.assets, *probes.links, probes.canonical, *probes.alternates]
    replies: dict[str, Reply] = {}
    for answer in known:
        if answer is not None and answer.ok:
            replies[answer.url] = answer.status, _kept(answer.hops[-1].headers), answer.body
    robots = site.robots_txt
    replies[f"{site.origin}/robots.txt"] = (
        (robots.status, _kept(robots.hops[-1].headers), robots.body) if robots.hops else (503, [], b"Service Unavailable")
    )
    response = case.page.response
    for hop in response.hops[:-1]:
        replies[_requested(hop.url)] = hop.status, [*_kept(hop.headers), ("Location", hop.location)], b""
    last = response.hops[-1]
    coding, body = _coded(response.content_encoding, response.body)
    headers = [*_kept(last.headers), *([("Content-Encoding", coding)] if coding else []), ("Content-Security-Policy", MARKUP_ONLY)]
    replies[_requested(last.url)] = last.status, headers, body
    return replies


def _kept(headers: Headers) -> list[tuple[str, str]]:
    return [(name, value) for name, value in headers if name.lower() not in DROPPED and name.lower() != "location"]


def _requested(url: str) -> str:
    """Return a URL as a server can build it from a request: without default port and fragment."""
    parsed = parse(url)
    return url if parsed is None else parsed.href.partition("#")[0]


def _coded(coding: str, body: bytes) -> tuple[str, bytes]:
    if coding == "br":
        return coding, brotli.compress(body, quality=4)
    if coding == "gzip":
        return coding, gzip.compress(body, mtime=0)
    if coding == "deflate":
        return coding, zlib.compress(body)
    return "", body


class Handler(BaseHTTPRequestHandler):
    """Handles requests for any host."""

    protocol_version = "HTTP/1.1"
    world: ClassVar[World]
    scheme: ClassVar[str]

    def do_GET(self) -> None:
        """Send the case's response for this URL."""
        status, headers, body = self.world.reply(f"{self.scheme}://{self.headers.get('Host', '')}{self.path}", self._wanted())
        self.send_response_only(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _wanted(self) -> str:
        """Return the kind of resource, which browsers only send over https."""
        accept = self.headers.get("Accept", "")
        guess = "image" if accept.startswith("image/") else "style" if accept.startswith("text/css") else ""
        return str(self.headers.get("Sec-Fetch-Dest") or guess)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name the library gave it
        """Says nothing."""


class Secure(Handler):
    """Handler for https."""

    scheme = "https"


class Plain(Handler):
    """Handler for http."""

    scheme = "http"


class Control(BaseHTTPRequestHandler):
    """``GET /N`` serves case N."""

    world: ClassVar[World]

    def do_GET(self) -> None:
        """Switch the case."""
        self.world.use(int(urlsplit(self.path).path.strip("/")))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name the library gave it
        """Says nothing."""


def _certificate(folder: Path) -> ssl.SSLContext:
    """Create a self-signed certificate, which Chromium is configured to ignore."""
    both = folder / "both.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run([*command, "-keyout", both, "-out", folder / "certificate.pem"], check=True, capture_output=True)
    both.write_bytes(both.read_bytes() + (folder / "certificate.pem").read_bytes())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(both)
    return context


def _start(handler: type[BaseHTTPRequestHandler], context: ssl.SSLContext | None = None) -> int:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return int(server.server_address[1])


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until standard input ends."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pages", type=Path, help="directory of *.html.gz")
    given = parser.parse_args(arguments)
    world = World(cases(given.pages, {check for item in COMPARED for check in item.checks}))
    Handler.world = Control.world = world
    with tempfile.TemporaryDirectory() as folder:
        ports = {"https": _start(Secure, _certificate(Path(folder))), "http": _start(Plain), "control": _start(Control)}
    listed = [{"name": case.name, "url": case.url} for case in world.cases]
    print(json.dumps({"ports": ports, "cases": listed}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
