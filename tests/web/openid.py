"""OpenID providers on loopback: a certified one (npm oidc-provider), and one that misbehaves as it is told."""

import json
import re
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.cookiejar import CookieJar
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, Request, build_opener

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.external import FOLDER, missing, program
from tests.web.live import free_port

CLIENT, SECRET = "findable", "a secret: 100%+"
SCRIPT = Path(__file__).with_name("oidc_provider.mjs")


@contextmanager
def certified_provider(redirect_uri: str) -> Iterator[str]:
    """Start the provider of `oidc_provider.mjs`; yields its issuer."""
    library = FOLDER / "node_modules" / "oidc-provider" / "lib" / "index.js"
    if not library.exists():
        missing("oidc-provider")
    port = free_port()
    with subprocess.Popen(
        [program("node"), SCRIPT, library, str(port), redirect_uri], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(30)


class Browser:
    """A browser with cookies that follows redirects."""

    def __init__(self) -> None:
        self.jar = CookieJar()
        self._opener = build_opener(HTTPCookieProcessor(self.jar))

    def open(self, url: str, fields: dict[str, str] | None = None) -> tuple[str, int, str]:
        """The final URL, status and text."""
        body = urlencode(fields).encode() if fields is not None else None
        try:
            with self._opener.open(Request(url, body, {"Sec-Fetch-Site": "same-origin"}), timeout=60) as reply:
                return reply.url, reply.status, reply.read().decode()
        except HTTPError as error:
            with error:
                return error.url or url, error.code, error.read().decode()

    def sign_in(self, start: str, name: str) -> tuple[str, int, str]:
        """Sign in at the certified provider under that name and consent."""
        url, status, text = self.open(start)
        for _ in range(3):
            found = re.search(r'action="([^"]+/interaction/[^"]+)"', text)
            if found is None:
                break
            prompt = re.search(r'name="prompt" value="(\w+)"', text)
            assert prompt is not None
            url, status, text = self.open(found[1], {"prompt": prompt[1], "login": name, "password": "any"})
        return url, status, text


@cache
def key_of(name: str) -> rsa.RSAPrivateKey:
    del name
    return rsa.generate_private_key(65537, 2048)


def public(name: str, **more: Any) -> dict[str, Any]:
    return {**jwt.algorithms.RSAAlgorithm.to_jwk(key_of(name).public_key(), as_dict=True), "kid": name, **more}


@dataclass
class Forged:
    """What a misbehaving provider says: changed fields of the document, of the claims and of the tokens."""

    issuer: str = ""
    document: dict[str, Any] = field(default_factory=dict)
    claims: dict[str, Any] = field(default_factory=dict)
    left_out: frozenset[str] = frozenset()
    """Claims that the token lacks."""
    signer: str = "right"
    algorithm: str = "RS256"
    kid: str = "right"
    user_info: dict[str, Any] = field(default_factory=lambda: {"sub": "ann"})
    token_status: int = 200
    token_body: bytes | None = None
    nonce: str = ""
    """Of the attempt that is answered."""
    requests: list[str] = field(default_factory=list)
    forms: list[dict[str, list[str]]] = field(default_factory=list)
    """Bodies of the requests for tokens."""

    def token(self) -> str:
        moment = int(time.time())
        sound = {
            "iss": self.issuer,
            "sub": "ann",
            "aud": CLIENT,
            "exp": moment + 60,
            "iat": moment,
            "nonce": self.nonce,
            "email": "ann@example.com",
            "email_verified": True,
            "groups": ["seo"],
        }
        claims = {name: value for name, value in {**sound, **self.claims}.items() if name not in self.left_out}
        if self.algorithm == "none":
            return jwt.encode(claims, "", "none", {"kid": self.kid})
        if self.algorithm == "HS256":  # the public key as a shared secret
            return jwt.encode(claims, json.dumps(public("right")), "HS256", {"kid": self.kid})
        return jwt.encode(claims, key_of(self.signer), self.algorithm, {"kid": self.kid})

    def respond(self, path: str) -> tuple[int, bytes]:
        if path == "/.well-known/openid-configuration":
            ends = {"authorization_endpoint": "auth", "token_endpoint": "token", "jwks_uri": "jwks", "userinfo_endpoint": "me"}
            places = {name: f"{self.issuer}/{end}" for name, end in ends.items()}
            return 200, json.dumps({"issuer": self.issuer, **places, **self.document}).encode()
        if path == "/token":
            made = json.dumps({"id_token": self.token(), "access_token": "access"}).encode()
            return self.token_status, made if self.token_body is None else self.token_body
        if path == "/jwks":
            return 200, json.dumps({"keys": [public("right"), public("other")]}).encode()
        return 200, json.dumps(self.user_info).encode()


@contextmanager
def misbehaving_provider() -> Iterator[Forged]:
    """Start a provider that says what the test tells it."""
    forged = Forged()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            forged.requests.append(self.path)
            length = int(self.headers.get("Content-Length") or 0)
            if length:
                forged.forms.append(parse_qs(self.rfile.read(length).decode()))
            status, body = forged.respond(urlsplit(self.path).path)
            self.send_response(status)
            if status in (302, 307):
                self.send_header("Location", "/token")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        forged.issuer = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield forged
        finally:
            server.shutdown()
            thread.join()
