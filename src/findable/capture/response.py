"""Values of HTTP responses: hops, headers, timings, certificates."""

from collections.abc import Iterator
from typing import Any, ClassVar

from msgspec import Struct, field

from findable.capture.media_type import MediaType, media_type_of
from findable.capture.sitemap_summary import SitemapSummary
from findable.capture.status_classes import is_success
from findable.errors import Cause
from findable.values import Discreet
from findable.vocabulary import Code

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})


class Headers(Struct, frozen=True):
    """Header lines in the order and case in which they were sent, one ``(name, value)`` per line.

    Values are latin-1 text with line folding undone. HTTP/2 lower-cases names. Values of Set-Cookie are hidden when a page is captured:
    ``name=…; Path=/``.
    """

    lines: tuple[tuple[str, str], ...] = ()

    def all(self, name: str) -> tuple[str, ...]:
        """Return every value of the header, in order. The name is case-insensitive."""
        wanted = name.lower()
        return tuple(value for key, value in self.lines if key.lower() == wanted)

    def first(self, name: str) -> str | None:
        """Return the first value of the header, None if it was not sent."""
        wanted = name.lower()
        for key, value in self.lines:  # faster than a generator: there are hundreds of responses
            if key.lower() == wanted:
                return value
        return None

    @property
    def media_type(self) -> str:
        """Media type in Content-Type, like ``text/html``: lower case, without parameters; empty if none was sent, or none that is valid."""
        return self.content_type.essence

    @property
    def content_type(self) -> MediaType:
        """Media type and charset of the response, as browsers read all Content-Type lines."""
        return media_type_of(self.all("content-type"))

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.lines)


class Timing(Struct, frozen=True):
    """Milliseconds of each phase of one request. On a reused connection dns, connect and tls are 0."""

    dns_ms: float = 0.0
    connect_ms: float = 0.0
    tls_ms: float = 0.0
    first_byte_ms: float = 0.0
    """Time from the start of the request (dns included) to the first byte of the response."""
    last_byte_ms: float = 0.0
    """Time from the start of the request to the last byte."""

    @property
    def wait_ms(self) -> float:
        """Time the server took: first byte minus dns, connect and tls."""
        return max(0.0, self.first_byte_ms - self.dns_ms - self.connect_ms - self.tls_ms)


class Certificate(Struct, frozen=True):
    """Certificate of the chain that the server sent. Times are RFC 3339 UTC text."""

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
    """TLS connection of the main fetch. ``verified`` is False if the page was read by a second, unverified attempt without credentials."""

    version: str = ""
    """Version, like ``TLSv1.3``; empty if unknown."""
    verified: bool = True
    verify_error: str = ""
    """Message of the certificate verification, e.g. "certificate has expired"."""
    chain: tuple[Certificate, ...] = ()


class Hop(Struct, frozen=True):
    """One response in a redirect chain. The last hop is the page itself."""

    url: str
    status: int
    headers: Headers
    http_version: str
    """HTTP version: ``1.0``, ``1.1``, ``2`` or ``3``."""
    timing: Timing
    address: str = ""
    """IP address of the connection."""
    location: str = ""
    """Resolved redirect target; empty on the last hop."""


def cookie_loop(hops: tuple[Hop, ...]) -> tuple[Hop, ...]:
    """Return the redirect loop at which a client without cookies ends; empty if there is none, or if cookies do not end it either.

    A chain is followed beyond a loop only with cookies, so a URL then occurs twice.
    """
    urls = [hop.url for hop in hops]
    second = next((place for place, url in enumerate(urls) if url in urls[:place]), 0)
    return hops[urls.index(urls[second]) : second] if second else ()


class Response(Discreet, frozen=True):
    """HTTP response of the page. The content coding of ``body`` is removed; it is not decoded to text."""

    hidden: ClassVar[frozenset[str]] = frozenset({"body"})
    requested_url: str
    hops: tuple[Hop, ...]
    """Redirect chain, at least one hop."""
    body: bytes = b""
    """First STORED_BYTES of the body. Excluded from repr, because asyncio.run prints its result."""
    wire_bytes: int = 0
    """Body bytes as transferred."""
    decoded_bytes: int = 0
    """Number of decoded bytes if more than the stored ones arrived; 0 if ``body`` is complete."""
    content_encoding: str = ""
    """Content codings that were removed, lower case, comma-separated; empty for none."""
    truncated: bool = False
    """Whether a cap ended the transfer before the page was complete."""
    decode_error: str = ""
    """Reason why the content coding could not be removed completely; empty if it could."""
    tls: Tls | None = None
    attempts: int = 1
    wait_samples_ms: tuple[float, ...] = ()
    """First-byte times of all attempts on new connections (the main fetch first), for a median."""

    @property
    def cookie_loop(self) -> tuple[Hop, ...]:
        """Redirect loop at which a client without cookies ends; empty if there is none."""
        return cookie_loop(self.hops)

    @property
    def redirects(self) -> tuple[Hop, ...]:
        """Redirects before the page, as a visitor with cookies sees them: without those of a loop."""
        loop = self.cookie_loop
        return tuple(hop for hop in self.hops[:-1] if not any(hop is looping for looping in loop))

    @property
    def final(self) -> Hop:
        """Last hop of the redirect chain, whose response is that of the page."""
        return self.hops[-1]

    @property
    def final_url(self) -> str:
        """URL of the last hop."""
        return self.hops[-1].url

    @property
    def status(self) -> int:
        """Status of the last hop."""
        return self.hops[-1].status

    @property
    def headers(self) -> Headers:
        """Headers of the last hop."""
        return self.hops[-1].headers

    @property
    def size_bytes(self) -> int:
        """Number of decoded bytes received, stored or not."""
        return max(self.decoded_bytes, len(self.body))

    @property
    def is_whole(self) -> bool:
        """Whether ``body`` is the complete page."""
        return not self.truncated and not self.decoded_bytes


class Failure(Code, params=("reason", "failure")):
    """Reason why an extra request has no response."""

    NONE = ""
    BUDGET = "budget", "not measured: the budget was used up"
    """The report's time, requests or bytes were used up before the request was sent."""
    PAUSED = "paused", "not fetched: the server requested a pause"
    """The server requested a longer pause (rate limit) than the report has time for."""
    ROBOTS_TXT = "robots_txt", "not fetched: robots.txt disallows it"
    """robots.txt disallows the URL for the product token of this crawler; ``detail`` has the line."""
    REFUSED = "refused", "not fetched: the network guard does not allow that URL"
    """The network guard rejected the URL."""
    SKIPPED = "skipped", "not fetched: the URL looks like an action"
    """The URL looks like an action (logout, delete …) and was not requested."""
    DNS = "dns", "the host name did not resolve"
    CONNECT = "connect", "no connection"
    TLS = "tls", "no secure connection"
    TIMEOUT = "timeout", "no response in time"
    TOO_MANY_REDIRECTS = "too_many_redirects", "too many redirects"
    PROTOCOL = "protocol", "the response could not be read"
    """The response could not be parsed."""
    NO_ROUTE = "no_route", "no route to the internet"
    """No external host was reachable, so that nothing is known about this one."""
    NOT_ASKED = "not_asked", "not requested"
    """The profile does not include this kind of request, or it is turned off."""


class ProbeResponse(Discreet, frozen=True):
    """Outcome of one extra request. If ``failure`` is not NONE and ``hops`` is empty, nothing was received."""

    hidden: ClassVar[frozenset[str]] = frozenset({"body"})
    url: str
    method: str = "GET"
    hops: tuple[Hop, ...] = ()
    body: bytes = b""
    """Decoded body; only its first bytes if a range was requested or a cap applied."""
    wire_bytes: int = 0
    """Body bytes as transferred."""
    total_bytes: int | None = None
    """Complete size in transfer coding as the server states it (Content-Length, Content-Range); None if unknown."""
    content_encoding: str = ""
    truncated: bool = False
    failure: Failure = Failure.NONE
    cause: Cause | None = None
    """Specific cause, if it says more than ``failure``."""
    detail: str = ""
    """Host of a named cause, the line of robots.txt, or the message of a library."""
    decode_error: str = ""
    """Reason why the content coding could not be removed completely; empty if it could."""
    left_count: int = 0
    """Number of requests of the same kind that were left out (BUDGET only)."""
    tries: tuple[str, ...] = field(default=())
    """Previous attempts, e.g. ``("HEAD 405", "GET 404")``."""
    sitemap: SitemapSummary | None = None
    """Summary of the whole sitemap file, of which `body` is only the beginning."""

    @property
    def status(self) -> int:
        """Status of the last hop, 0 without a response."""
        return self.hops[-1].status if self.hops else 0

    @property
    def final_url(self) -> str:
        """URL of the last hop, or the requested URL without a response."""
        return self.hops[-1].url if self.hops else self.url

    @property
    def headers(self) -> Headers:
        """Headers of the last hop, empty without a response."""
        return self.hops[-1].headers if self.hops else Headers()

    @property
    def ok(self) -> bool:
        """Whether the final status is 2xx."""
        return is_success(self.status)


NOT_REQUESTED = frozenset(
    {Failure.BUDGET, Failure.PAUSED, Failure.ROBOTS_TXT, Failure.REFUSED, Failure.SKIPPED, Failure.NO_ROUTE, Failure.NOT_ASKED}
)
"""Failures without a response that say nothing about the site, because the request was not made or failed locally."""


class Outcome(Code, params=("reason",)):
    """Reason of a finding about an extra request that got a response."""

    STATUS = "status", "returned {status}"


def outcome(response: ProbeResponse) -> dict[str, Any]:
    """Return the failure of an extra request, or its status, as values of a finding."""
    if response.failure is not Failure.NONE:
        return {"reason": response.failure}
    return {"reason": Outcome.STATUS, "status": response.status}
