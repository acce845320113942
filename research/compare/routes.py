"""Record every route of a running service: status, headers, and the paths and types of its JSON or the forms of its page.

The service is the demonstration, started as by `make run`. Routes are requested as by programs and browsers; this module does not
import the product, so that the same steps work with any revision.
"""

import gzip
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

API = "/api/v1"
FORM = "application/x-www-form-urlencoded"
VARYING = frozenset({"age", "content-length", "date", "etag", "last-modified", "ratelimit", "retry-after", "server-timing", "x-request-id"})
"""Headers that are compared by presence, not by value."""
START_S = 90

READS = (
    "/reports", "/reports?per_page=11&sort_by=password", "/reports?per_page=25&sort_by=result&sort=asc", "/reports?result=bad",
    "/reports?search=visit", "/reports?project={project}", "/reports?project=nothing.example", "/reports?status=done&check=noindex&verdict=failed",
    "/reports/{id}", "/reports/{id}/", "/reports/0", "/reports/none", "/reports/{id}/runs", "/reports/{id}/runs/1", "/reports/{id}/runs/9",
    "/reports/{id}/changes?since=1", "/reports/{id}/changes?since=9", "/reports/{id}/client", "/reports/{id}/link", "/projects",
    "/projects?per_page=11", "/projects?search=127&sort_by=project", "/projects/{project}", "/projects/nothing.example", "/batches",
    "/batches/none", "/account", "/nothing", "/openapi.json", "/docs",
)  # fmt: skip
PAGES = (
    "/", "/projects", "/projects/{project}", "/projects/{project}/reports.csv", "/projects/{project}/settings", "/projects/{project}/delete",
    "/projects/nothing.example", "/findings", "/account", "/account/sessions", "/account/delete", "/account/keys", "/account/people",
    "/r/{public_id}", "/r/{public_id}/history", "/r/{public_id}/compare", "/r/{public_id}/evidence", "/r/{public_id}/delete",
    "/r/{public_id}/client", "/r/{public_id}/link", "/r/{public_id}/report.csv", "/r/{public_id}/report.json", "/r/{public_id}/report.md",
    "/r/{public_id}/report.pdf", "/r/{public_id}/badge.svg", "/r/{public_id}/card.png", "/r/{public_id}/icon.png", "/r/{public_id}/logo.png",
    "/r/nothing", "/demonstration", "/sign-in", "/sign-in/none", "/invitation/none", "/welcome", "/docs/checks", "/docs/checks/noindex", "/docs/checks/none",
    "/healthz", "/readyz", "/metrics", "/robots.txt", "/favicon.ico", "/favicon.svg", "/errors/not_found", "/brand/1a5442", "/nothing",
    "/static/nothing", "/static/{stylesheet}",
)  # fmt: skip
WRITES: tuple[tuple[str, str, Any, Mapping[str, str]], ...] = (
    ("POST", "/reports", {}, {}),
    ("POST", "/reports", {"url": "nonsense://", "privacy": 7}, {}),
    ("POST", "/reports", {"url": "{site}/about", "privacy": 2, "password": "correct horse", "unknown": 1}, {}),
    ("POST", "/reports", b"url={site}/directions?a=1&b=2 c+d&privacy=1", {}),
    ("POST", "/reports", b'{"url": "{site}/breads/", "privacy": 1}', {"Content-Type": "application/json"}),
    ("POST", "/reports", b"{", {"Content-Type": "application/json"}),
    ("POST", "/reports", b"<a/>", {"Content-Type": "text/xml"}),
    ("POST", "/reports", b"a=" + b"a" * 70_000, {"Content-Type": FORM}),
    ("POST", "/reports", {"url": "{site}/"}, {"Prefer": "respond-async", "Idempotency-Key": "one"}),
    ("POST", "/reports", {"url": "{site}/about"}, {"Prefer": "respond-async", "Idempotency-Key": "one"}),
    ("PUT", "/reports/{id}", {"privacy": 1}, {}),
    ("PUT", "/reports/{id}", {"nothing": 1}, {}),
    ("PATCH", "/reports/{id}", {"privacy": 2}, {}),
    ("POST", "/reports/{id}", {"privacy": 0}, {}),
    ("PUT", "/reports/{id}", {"results": 1}, {}),
    ("GET", "/reports/{id}/changes?since=1", None, {}),
    ("PUT", "/reports/{id}", {"privacy": 0}, {"If-Match": '"stale"'}),
    ("PUT", "/reports/{id}/client", {"summary": "What we saw."}, {}),
    ("PUT", "/reports/{id}/link", {"until": "2099-12-31"}, {}),
    ("PUT", "/reports/{id}/link", {"until": "yesterday"}, {}),
    ("POST", "/reports/{id}/link", {}, {}),
    ("PUT", "/reports/{id}/accepted/image-alt", {"reason": "A draft."}, {}),
    ("PUT", "/reports/{id}/accepted/nothing", {"reason": "A draft."}, {}),
    ("DELETE", "/reports/{id}/accepted/image-alt", None, {}),
    ("POST", "/projects", {"project": "staging.example"}, {}),
    ("PUT", "/projects/staging.example", {"not_for_search": "/drafts/*"}, {}),
    ("PATCH", "/projects/staging.example", {}, {}),
    ("DELETE", "/projects/staging.example", None, {}),
    ("DELETE", "/projects/staging.example", None, {}),
    ("POST", "/batches", {"urls": "{site}/about\n{site}/directions"}, {}),
    ("POST", "/batches", {}, {}),
    ("PUT", "/projects", None, {}),
    ("OPTIONS", "/reports", None, {"Origin": "https://a.example", "Access-Control-Request-Method": "POST"}),
    ("HEAD", "/reports/{id}", None, {}),
    ("DELETE", "/reports/{made}", None, {}),
    ("DELETE", "/reports/{made}", None, {}),
)
"""Steps with the API, in this order."""
FORMS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("/reports", {"url": "nonsense://"}),
    ("/reports", {"url": "{site}/about"}),
    ("/projects", {"project": "other.example"}),
    ("/projects/{project}/settings/patterns", {"not_for_search": "/drafts/*"}),
    ("/projects/{project}/settings/brand", {"brand_name": "Brand", "brand_color": "#1a5442", "language": ""}),
    ("/projects/{project}/settings/sign-in", {"user": "anna", "password": "correct horse"}),
    ("/r/{public_id}/client", {"summary": "What we saw."}),
    ("/r/{public_id}/link", {"until": "2099-12-31"}),
    ("/r/{public_id}/accepted/image-alt", {"reason": "A draft.", "until": "", "scope": "report", "pattern": ""}),
    ("/r/{public_id}/accepted/image-alt/withdraw", {}),
    ("/r/{public_id}/privacy", {"privacy": 2, "password": "correct horse"}),
    ("/r/{public_id}", {"password": "wrong"}),
    ("/r/{public_id}/privacy", {"privacy": 0, "password": ""}),
    ("/account/profile", {"name": "Anna", "language": "en", "time_zone": "UTC"}),
    ("/account/keys", {"name": "a program", "scope": "read", "expires": ""}),
    ("/account/people/invite", {"email": "b@example.com", "role": "member"}),
    ("/r/{public_id}/delete", {}),
    ("/sign-in", {"email": "nobody@example.com", "password": "wrong"}),
    ("/sign-out", {}),
)
"""Steps in a browser, in this order."""


Reply = tuple[http.client.HTTPResponse, bytes]


class Service:
    """A running demonstration and its known values."""

    def __init__(self, port: int, words: str) -> None:
        self.port = port
        self.key = _first(r"API key:\s+(\S+)", words)
        self.cookie = ""
        self.known = {"site": _first(r"(http://127\.0\.0\.1:\d+)\. Reports", words), "public_id": re.findall(r"/r/([\w-]{22})", words)[1]}
        self.sign_in_path = urlsplit(_first(r"(http\S+/sign-in/\S+)", words)).path
        self.known["project"] = self.known["site"].removeprefix("http://")

    def filled(self, value: Any) -> Any:
        """Return the text or bytes with each ``{name}`` replaced by its known value."""
        for name, known in self.known.items():
            mark = f"{{{name}}}"
            value = value.replace(mark.encode(), known.encode()) if isinstance(value, bytes) else value.replace(mark, known)
        return value

    def send(self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None) -> Reply:
        """Send a request on a new connection; return the response with its body decoded."""
        sent = dict(headers or {})
        if isinstance(body, Mapping):
            body = urlencode({name: self.filled(str(value)) for name, value in body.items()})
            sent["Content-Type"] = FORM
        elif body is not None:
            body = self.filled(body)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, self.filled(path), body, sent)
        response = connection.getresponse()
        data = response.read()
        connection.close()
        return response, gzip.decompress(data) if response.headers["Content-Encoding"] == "gzip" else data

    def by_key(self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None) -> Reply:
        """Send a request with the API key."""
        return self.send(method, API + path, body, {"Authorization": f"Bearer {self.key}", "Accept": "application/json", **(headers or {})})

    def in_browser(self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None) -> Reply:
        """Send a request with the cookie of a signed-in person."""
        sent = {"Cookie": self.cookie, "Sec-Fetch-Site": "same-origin", "Accept": "text/html", **(headers or {})}
        return self.send(method, path, body, sent)

    def sign_in(self) -> Reply:
        """Follow the sign-in link of the first start and store the cookie."""
        reply, body = self.in_browser("POST", self.sign_in_path, {})
        self.cookie = (reply.headers["Set-Cookie"] or "").partition(";")[0]
        return reply, body


def _first(pattern: str, words: str) -> str:
    found = re.search(pattern, words)
    if found is None:
        raise SystemExit(f"the demonstration did not print {pattern}:\n{words}")
    return found[1]


@contextmanager
def running() -> Iterator[Service]:
    """Run the demonstration in a separate process with a new data directory."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        environment = os.environ | {"FINDABLE_DATA_DIR": folder, "FINDABLE_PORT": str(port), "PYTHONUNBUFFERED": "1"}
        environment["FINDABLE_RATE_LIMIT"] = "0"
        environment["PYTHONPATH"] = os.pathsep.join(str(Path(path).resolve()) for path in sys.path if path)
        command = [sys.executable, "-m", "findable.demo"]
        process = subprocess.Popen(command, env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        alarm = threading.Timer(START_S, process.kill)
        alarm.start()
        words = ""
        assert process.stdout is not None
        for line in process.stdout:
            words += line
            if "Ctrl-C stops" in line:
                break
        alarm.cancel()
        reader = threading.Thread(target=process.stdout.read, daemon=True)
        reader.start()
        try:
            yield Service(port, words)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)


def recorded() -> dict[str, Any]:
    """Return the response to every step, by caller, method and path."""
    found: dict[str, Any] = {}
    with running() as service:

        def note(who: str, method: str, path: str, reply: Reply, what: str = "") -> None:
            name = f"{who} {method} {path}{what}"
            while name in found:
                name += " again"
            found[name] = _shape(service, *reply)

        listed = json.loads(service.by_key("GET", "/reports?sort=asc")[1])["data"]
        service.known["id"] = str(next(report["id"] for report in listed if report["public_id"] == service.known["public_id"]))
        for path in READS:
            note("nobody", "GET", API + path, service.send("GET", API + path))
            note("key", "GET", API + path, service.by_key("GET", path))
        service.known["stylesheet"] = _first(r'href="/static/([^"]+\.css[^"]*)"', service.send("GET", "/")[1].decode())
        for path in PAGES:
            note("nobody", "GET", path, service.send("GET", path))
        note("person", "POST", "/sign-in/{token}", service.sign_in())
        for path in PAGES:
            note("person", "GET", path, service.in_browser("GET", path))
        for method, path, body, headers in WRITES:
            reply = service.by_key(method, path, body, headers)
            note("key", method, API + path, reply, f" {sorted(body)}" if isinstance(body, Mapping) and body else "")
            if method == "POST" and path == "/reports" and reply[0].status == 201:
                service.known["made"] = str(json.loads(reply[1])["data"]["id"])
        shared = json.loads(service.by_key("GET", "/reports/{id}")[1])["data"]
        service.known["public_id"] = shared["public_id"]  # the step created a new link
        for path, body in FORMS:
            note("person", "POST", path, service.in_browser("POST", path, body))
        for who in ("key", "nobody"):
            found[f"{who} GET {API}/openapi.json"].pop("json")  # compare the described operations, not their wording
        found["OpenAPI"] = {"operations": _operations(json.loads(service.by_key("GET", "/openapi.json")[1]))}
    return found


def _operations(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the operations of the OpenAPI document with their parameters and statuses."""
    return {
        f"{method.upper()} {path}": {
            "parameters": sorted(f"{item.get('in')} {item.get('name')}" for item in operation.get("parameters", ()) if "name" in item),
            "responses": sorted(operation["responses"]),
        }
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        if isinstance(operation, Mapping)
    }


def _shape(service: Service, response: http.client.HTTPResponse, body: bytes) -> dict[str, Any]:
    """Return status, headers, and the paths and types of JSON or the forms of a page."""
    kind = response.headers.get_content_type()
    headers: dict[str, list[str]] = {}
    for name, value in response.headers.items():
        headers.setdefault(name.lower(), []).append("" if name.lower() in VARYING else _stable(service, value))
    shape: dict[str, Any] = {"status": response.status, "headers": {name: sorted(values) for name, values in sorted(headers.items())}}
    if kind.endswith("json") and body:
        paths: dict[str, set[str]] = {}
        _paths(json.loads(body), "", paths)
        shape["json"] = {path: sorted(kinds) for path, kinds in sorted(paths.items())}
    elif kind == "text/html":
        reader = _Forms()
        reader.feed(body.decode("utf-8", "replace"))
        shape["forms"] = sorted({_stable(service, form) for form in reader.forms})
    return shape


def _stable(service: Service, value: str) -> str:
    """Return the text without values that change with each start."""
    for name, known in sorted(service.known.items(), key=lambda item: -len(item[1])):
        if len(known) > 2:
            value = value.replace(known, f"{{{name}}}")
    value = value.replace(str(service.port), "{port}")
    value = re.sub(r"/(reports|batches|r)/[\w-]+", r"/\1/{}", value)
    value = re.sub(r"(cursor|v)=[\w%.-]+", r"\1={}", value)
    value = re.sub(r"'(nonce|sha256)-[^']+'", r"'\1-{}'", value)
    value = re.sub(r"\.[0-9a-f]{8,}\.", ".{}.", value)
    value = re.sub(r"^([\w-]+)=[^;]*(;.*)?$", r"\1={}\2", value) if ";" in value and "path=" in value.lower() else value
    return re.sub(r"(expires=)[^;]*", r"\1{}", value, flags=re.IGNORECASE)


def _paths(value: Any, path: str, found: dict[str, set[str]]) -> None:
    """Add the types of all members; parameters of findings count as one member."""
    if isinstance(value, dict):
        found.setdefault(path or ".", set()).add("object")
        if path.endswith("params"):
            return
        for name, member in value.items():
            _paths(member, f"{path}.{name}" if path else name, found)
    elif isinstance(value, list):
        found.setdefault(path, set()).add("array")
        for member in value:
            _paths(member, f"{path}[]", found)
    else:
        names = {bool: "boolean", int: "number", float: "number", str: "string", type(None): "null"}
        found.setdefault(path, set()).add(names[type(value)])


class _Forms(HTMLParser):
    """Collector of the forms of a page: method, action and field names."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[str] = []
        self._names: list[str] | None = None
        self._head = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self._head, self._names = f"{(given.get('method') or 'get').upper()} {given.get('action') or ''}", []
        elif self._names is not None and tag in ("input", "select", "textarea", "button") and given.get("name"):
            self._names.append(str(given["name"]))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form" and self._names is not None:
            self.forms.append(f"{self._head} {' '.join(sorted(set(self._names)))}".strip())
            self._names = None
