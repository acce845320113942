"""Small shops on loopback that things happen to: real servers with certificates of their own, on addresses of their own."""

import asyncio
import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from tests.sites.server import AUTHORITY, Page, Request, Site, Wire, answer_bytes

PAGES = ("/", "/tea", "/cups", "/pots")
TEXT = "Each tin carries the name of the garden where the leaves grew, and we ship it within a day of your order."
NOT_FOUND = Page(b"<!doctype html><title>Not found</title><h1>Not found</h1>", 404)


class Authority:
    """An authority of the tests that signs certificates for any time; ``bundle`` is what a service trusts."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._key = folder, ec.generate_private_key(ec.SECP256R1())
        self._name, now = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Authority of the shops")]), datetime.now(UTC)
        made = x509.CertificateBuilder(self._name, self._name, self._key.public_key(), 1, now - timedelta(4000), now + timedelta(4000))
        self._own = made.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True).sign(self._key, hashes.SHA256())
        self.bundle = folder / "authorities.pem"
        self.bundle.write_bytes(self._own.public_bytes(Encoding.PEM) + AUTHORITY.read_bytes())

    def sign(self, file: str, hosts: list[str], end: int, days: int = 365) -> Path:
        """A file with a certificate for these addresses, and its key. It begins as many days before its end."""
        until, key = datetime.fromtimestamp(end, UTC), ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, hosts[0])])
        begin = until - timedelta(days)
        made = x509.CertificateBuilder(self._name, name, key.public_key(), x509.random_serial_number(), begin, until)
        names = [x509.IPAddress(ip_address(host)) for host in hosts]
        made = made.add_extension(x509.SubjectAlternativeName(names), critical=False)
        path = self._folder / file
        secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        chain = (made.sign(self._key, hashes.SHA256()), self._own)
        path.write_bytes(secret + b"".join(one.public_bytes(Encoding.PEM) for one in chain))
        return path


class Shop:
    """A site of four pages that responds as ``fault`` says."""

    def __init__(self, host: str, certificate: Path | None) -> None:
        self.host, self.certificate, self.fault = host, certificate, ""
        self.tls: ssl.SSLContext | None = None
        if certificate is not None:
            self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.tls.load_cert_chain(certificate)
        self._site = self._serve(0)
        self.port = self._site.port
        self.requests = 0
        self.resets = 0
        """Number of the next requests that get no response."""

    def _serve(self, port: int) -> Site:
        site = Site(host=self.host, port=port, tls=self.tls)
        site.fallback(self._respond)
        return site.start()

    @property
    def name(self) -> str:
        """Name of its project."""
        return f"{self.host}:{self.port}"

    def url(self, path: str = "/") -> str:
        return f"{'https' if self.tls else 'http'}://{self.name}{path}"

    def give(self, fault: str, certificate: Path | None = None) -> None:
        """Respond like this from now on, with that certificate or its usual one."""
        was_stopped, self.fault = self.fault == "stopped", fault
        if self.tls is not None:
            self.tls.load_cert_chain(certificate or self.certificate or Path())
        if fault == "stopped":
            self._site.stop()
        elif was_stopped:
            self._site = self._serve(self.port)

    def close(self) -> None:
        if self.fault != "stopped":
            self._site.stop()

    async def _respond(self, request: Request, wire: Wire) -> None:
        self.requests += 1
        if self.resets:
            self.resets -= 1
            wire.reset()
            return
        made = self._page(request)
        if made.delay_s:
            await asyncio.sleep(made.delay_s)
        lines = (*made.headers, ("Connection", "close"))  # a server that stops leaves no connection open
        await wire.send(answer_bytes(Page(made.body, made.status, lines), head_only=request.method == "HEAD"))

    def _page(self, request: Request) -> Page:
        path, fault = request.path, self.fault
        if fault == "server error":
            return Page(b"", 503)
        if fault == "limited":
            return Page(b"", 429, (("Retry-After", "3600"),))
        if path == "/robots.txt":
            if fault == "robots error":
                return Page(b"", 503)
            rules = {
                "robots all": "*\nDisallow: /",
                "robots google": "Googlebot\nDisallow: /",
                "robots all and google": "*\nUser-agent: Googlebot\nDisallow: /",
                "robots new": "*\nDisallow: /new",
            }
            return Page(
                f"User-agent: {rules.get(fault, '*' + chr(10) + 'Disallow: /cart')}\n".encode(), 200, (("Content-Type", "text/plain"),)
            )
        if fault == "start page error" and path == "/":
            return Page(b"", 500)
        if fault == "gone":
            return NOT_FOUND
        if path not in PAGES or (fault == "pages lost" and path != "/"):
            return NOT_FOUND
        headers = (("X-Robots-Tag", "noindex"),) if fault == "noindex header" else ()
        return Page(self._html(path, fault).encode(), 200, headers, 0.9 if fault == "slow" else 0.0)

    def _html(self, path: str, fault: str) -> str:
        title = f"{'Summer sale' if fault == 'title' else 'Loose leaf tea'} from small gardens, {path.strip('/') or 'start'}"
        target = "https://127.0.0.9/" if fault == "elsewhere" else self.url(path)
        head = f'<title>{title}</title><meta name="viewport" content="width=device-width"><meta name="description" content="{TEXT}">'
        head += "" if fault == "canonical" else f'<link rel="canonical" href="{target}">'
        if fault == "noindex" or (fault == "noindex tea" and path == "/tea"):
            head += '<meta name="robots" content="noindex">'
        known = PAGES[:1] if fault == "pages lost" else PAGES
        links = "".join(f'<a href="{one}">To the page {one}</a>' for one in known)
        count = 0 if fault == "thin" else 12
        words = "".join(f"<p>{path.title()} {number} of {self.host}: {TEXT}</p>" for number in range(count))
        return f'<!doctype html><html lang="en"><head>{head}</head><body><main><h1>{title}</h1>{links}{words}</main></body></html>'
