"""What the wire said: hops, headers, timings, certificates. Values only."""

from collections.abc import Iterator
from enum import StrEnum
from typing import ClassVar

from msgspec import Struct, field

from findable.capture.sitemap_summary import SitemapSummary
from findable.errors import Cause
from findable.values import Discreet

KEPT_BYTES = 5_000_000
"""Of the decoded body of a page. More is not judged, so only its size is kept."""


class Headers(Struct, frozen=True):
    """Header lines in the order and spelling they were sent, one ``(name, value)`` per line.

    Values are latin-1 text with line folding undone. HTTP/2 lower-cases names. Values of Set-Cookie are hidden when a
    page is captured: ``name=…; Path=/``.
    """

    lines: tuple[tuple[str, str], ...] = ()

    def all(self, name: str) -> tuple[str, ...]:
        """Every value of that header, in order; the name in any case."""
        wanted = name.lower()
        return tuple(value for key, value in self.lines if key.lower() == wanted)

    def first(self, name: str) -> str | None:
        """The first value of that header, None where it was not sent."""
        wanted = name.lower()
        for key, value in self.lines:  # no generator: it is asked for each of hundreds of answers
            if key.lower() == wanted:
                return value
        return None

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.lines)


class Timing(Struct, frozen=True):
    """Milliseconds of each phase of one request; on a reused connection dns, connect and tls are 0."""

    dns_ms: float = 0.0
    connect_ms: float = 0.0
    tls_ms: float = 0.0
    first_byte_ms: float = 0.0
    """From the start of the request (dns included) to the first byte of the answer."""
    last_byte_ms: float = 0.0
    """From the start of the request to the last byte."""

    @property
    def wait_ms(self) -> float:
        """The server's own share: first byte less dns, connect and tls."""
        return max(0.0, self.first_byte_ms - self.dns_ms - self.connect_ms - self.tls_ms)


class Certificate(Struct, frozen=True):
    """One certificate of the chain the server sent, leaf first. Times are RFC 3339 UTC text."""

    subject: str
    issuer: str
    names: tuple[str, ...]
    """subjectAltName entries: DNS names and IP addresses."""
    not_before: str
    not_after: str
    signature_algorithm: str
    public_key_algorithm: str
    public_key_bits: int


class Tls(Struct, frozen=True):
    """The TLS connection of the main fetch. ``verified`` False means it was read on a second, credential-free try."""

    version: str = ""
    """``TLSv1.3`` …; empty where it could not be read."""
    verified: bool = True
    verify_error: str = ""
    """What the verification said, e.g. "certificate has expired"."""
    chain: tuple[Certificate, ...] = ()


class Hop(Struct, frozen=True):
    """One answer on the way to the page. The last hop is the page itself."""

    url: str
    status: int
    headers: Headers
    http_version: str
    """``1.0``, ``1.1``, ``2`` or ``3``."""
    timing: Timing
    address: str = ""
    """The IP address that was connected to."""
    location: str = ""
    """Where it redirects to, resolved; empty on the last hop."""


class Response(Discreet, frozen=True):
    """The page as the network gave it. ``body`` is decoded from its content coding, not from its charset."""

    hidden: ClassVar[frozenset[str]] = frozenset({"body"})
    requested_url: str
    hops: tuple[Hop, ...]
    """At least one."""
    body: bytes = b""
    """Its first KEPT_BYTES. Left out of what is printed: asyncio.run prints its result, four bytes for each of a body of zeros."""
    wire_bytes: int = 0
    """Body bytes as transferred."""
    decoded_bytes: int = 0
    """Where more came than is kept, how much; 0 where ``body`` is all that came."""
    content_encoding: str = ""
    """The codings that were undone, lower case, comma-separated; empty for none."""
    truncated: bool = False
    """A cap ended the transfer: there is more of the page than came."""
    decode_error: str = ""
    """Why the content coding could not be undone (to the end); empty when it could."""
    tls: Tls | None = None
    attempts: int = 1
    wait_samples_ms: tuple[float, ...] = ()
    """First-byte times of all tries on new connections (the main fetch first), for a median."""

    @property
    def final(self) -> Hop:
        """The hop that answered without redirecting."""
        return self.hops[-1]

    @property
    def final_url(self) -> str:
        """The address that answered."""
        return self.hops[-1].url

    @property
    def status(self) -> int:
        """The final status."""
        return self.hops[-1].status

    @property
    def headers(self) -> Headers:
        """The final headers."""
        return self.hops[-1].headers

    @property
    def size_bytes(self) -> int:
        """Decoded bytes that came, kept or not."""
        return max(self.decoded_bytes, len(self.body))

    @property
    def is_whole(self) -> bool:
        """Whether ``body`` is all of the page."""
        return not self.truncated and not self.decoded_bytes


class Failure(StrEnum):
    """Why an extra request has no answer."""

    NONE = ""
    BUDGET = "budget"
    """The report's time, requests or bytes were used up before it was sent."""
    PAUSED = "paused"
    """The server had said that requests come too fast, and asked for a longer pause than the report has time for."""
    ROBOTS_TXT = "robots_txt"
    """robots.txt asks our product token not to fetch it; ``detail`` has the line."""
    REFUSED = "refused"
    """Our guard does not reach that address."""
    SKIPPED = "skipped"
    """The address looks like an action (logout, delete …) and was left alone."""
    DNS = "dns"
    CONNECT = "connect"
    TLS = "tls"
    TIMEOUT = "timeout"
    TOO_MANY_REDIRECTS = "too_many_redirects"
    PROTOCOL = "protocol"
    """The answer could not be read."""
    NO_ROUTE = "no_route"
    """No host outside could be reached at all: nothing is known of this one."""
    NOT_ASKED = "not_asked"
    """This kind of request is not part of the profile or was switched off."""


class Answer(Discreet, frozen=True):
    """What one extra request told. Where ``failure`` is not NONE and ``hops`` is empty, nothing was received."""

    hidden: ClassVar[frozenset[str]] = frozenset({"body"})
    url: str
    method: str = "GET"
    hops: tuple[Hop, ...] = ()
    body: bytes = b""
    """Decoded; the first bytes only where a range was asked for or a cap cut it."""
    wire_bytes: int = 0
    """Body bytes as transferred by us."""
    total_bytes: int | None = None
    """Whole size in transfer coding as the server states it (Content-Length, Content-Range); None where unknown."""
    content_encoding: str = ""
    truncated: bool = False
    failure: Failure = Failure.NONE
    cause: Cause | None = None
    """What was met, where that says more than ``failure``."""
    detail: str = ""
    """The host of a cause with a name, the line of robots.txt, or what a library says."""
    decode_error: str = ""
    """Why the content coding could not be undone (to the end); empty when it could."""
    left_count: int = 0
    """With BUDGET: how many of the same kind were left out."""
    tries: tuple[str, ...] = field(default=())
    """What was tried before, e.g. ``("HEAD 405", "GET 404")``."""
    sitemap: SitemapSummary | None = None
    """Of a sitemap: what the whole file says; `body` is only its beginning."""

    @property
    def status(self) -> int:
        """The final status, 0 where nothing answered."""
        return self.hops[-1].status if self.hops else 0

    @property
    def final_url(self) -> str:
        """The address that answered, or the asked one."""
        return self.hops[-1].url if self.hops else self.url

    @property
    def headers(self) -> Headers:
        """The final headers, empty where nothing answered."""
        return self.hops[-1].headers if self.hops else Headers()

    @property
    def ok(self) -> bool:
        """A final 2xx was received."""
        return 200 <= self.status < 300  # noqa: PLR2004 - HTTP's success class
