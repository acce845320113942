"""The demonstration site: a bakery with a good page, a decent one and a bad one, served on loopback from a thread."""

import gzip
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from importlib.resources.abc import Traversable

from msgspec import Struct

HOST = "127.0.0.1"
PORT = 8001
PORTS_TRIED = 50

TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "xml": "application/xml",
    "txt": "text/plain; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
}
TEXT_TYPES = ("html", "css", "js", "xml", "txt", "svg")
REDIRECTS = {"/bread": "/breads/", "/index.html": "/"}
GOOD_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'self'; base-uri 'none'; object-src 'none'",
    "Referrer-Policy": "strict-origin-when-cross-origin",
}
PAGES_WITHOUT_HEADERS = {"/visit", "/christmas-orders"}
"""Pages that are sent without the headers of `GOOD_HEADERS`."""

PAGES: Mapping[str, str] = {
    "/breads/rye-sourdough": "a page in good order",
    "/visit": "a neglected page",
    "/christmas-orders": "a draft that went live unfinished",
}
"""Pages of the demonstration by path, each with the expected quality."""


OnRequest = Callable[[str, str], None]


class File(Struct, frozen=True):
    """One file of the site. ``{{origin}}`` in its text is replaced by the origin."""

    suffix: str
    content: bytes


@cache
def site_files() -> Mapping[str, File]:
    """Return all files by path: pages without ``.html``, ``index.html`` as its folder."""
    return dict(_walk(files(__package__) / "pages", "/"))


def _walk(folder: Traversable, path: str) -> Iterator[tuple[str, File]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _walk(entry, f"{path}{entry.name}/")
            continue
        stem, _, suffix = entry.name.rpartition(".")
        name = entry.name if suffix != "html" else "" if stem == "index" else stem
        yield path + name, File(suffix, entry.read_bytes())


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30
    wbufsize = -1
    disable_nagle_algorithm = True  # waiting for an acknowledgement would take 40 ms

    def version_string(self) -> str:
        return "bakery"

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        if isinstance(self.server, _Server) and hasattr(self, "path"):  # these attributes are missing if the request could not be parsed
            self.server.on_request(self.command, self.path)

    def log_message(self, *_: object) -> None:
        """Discard the server's log messages."""

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path in REDIRECTS:
            self._send(HTTPStatus.MOVED_PERMANENTLY, b"", {"Location": REDIRECTS[path]})
        elif path in site_files() and path != "/404":
            self._send_file(HTTPStatus.OK, path, site_files()[path])
        else:
            self._send_file(HTTPStatus.NOT_FOUND, path, site_files()["/404"])

    do_HEAD = do_GET  # noqa: N815 - name required by http.server

    @property
    def _origin(self) -> str:
        host, port = self.connection.getsockname()
        return f"http://{host}:{port}"

    def _send_file(self, status: HTTPStatus, path: str, file: File) -> None:
        body = file.content
        headers = {"Content-Type": TYPES[file.suffix]}
        if file.suffix in TEXT_TYPES:
            body = body.replace(b"{{origin}}", self._origin.encode())
            headers["Vary"] = "Accept-Encoding"
            if "gzip" in self.headers.get("Accept-Encoding", ""):
                body = gzip.compress(body, mtime=0)
                headers["Content-Encoding"] = "gzip"
        if path not in PAGES_WITHOUT_HEADERS:
            headers |= GOOD_HEADERS
        headers["Cache-Control"] = "max-age=300" if file.suffix in ("html", "xml", "txt") else "public, max-age=31536000, immutable"
        self._send(status, body, headers)

    def _send(self, status: HTTPStatus, body: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, port: int, on_request: OnRequest) -> None:
        super().__init__((HOST, port), _Handler)
        self.on_request = on_request


def _bind(first_port: int, on_request: OnRequest) -> _Server:
    """Listen on the first free port from ``first_port``. Raises OSError if there is none."""
    for port in range(first_port, first_port + PORTS_TRIED):
        try:
            return _Server(port, on_request)
        except OSError:
            if port == first_port + PORTS_TRIED - 1:
                raise
    raise AssertionError(first_port)


def _ignore(method: str, path: str) -> None:
    """Ignore a request; the default callback."""


@contextmanager
def serve_site(port: int = PORT, on_request: OnRequest = _ignore) -> Iterator[str]:
    """Serve the site within the block and yield its origin, ``http://127.0.0.1:8001`` or the next free port. Port 0 uses any free port.

    ``on_request`` is called with method and path of each request, from the serving thread.
    """
    server = _Server(0, on_request) if port == 0 else _bind(port, on_request)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, name="demonstration site", daemon=True)
    thread.start()
    try:
        yield f"http://{HOST}:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
