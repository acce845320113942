"""Transport and delivery of the page, if they can be checked.

Previews of another origin and hosts on a private network do not deliver the page to visitors: checking their TLS, compression or timing
would be a false alarm.
"""

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from msgspec import Struct

from findable.artifacts.registry import Absent, artifact
from findable.capture.page import PageCapture
from findable.capture.response import Response
from findable.urls import Url, parse

LOCAL_SUFFIXES = (".localhost", ".local", ".test", ".internal", ".home.arpa")


class Transport(Struct, frozen=True):
    """Scheme, TLS and host of a public page.

    Absent for previews and on loopback (a secure context by itself: W3C Secure Contexts 3.1).
    """

    url: Url
    """Final URL."""
    response: Response


class Delivery(Transport, frozen=True):
    """Compression, caching, protocol, timing and server headers as visitors receive them.

    Absent for previews and for hosts on a private network.
    """


@artifact
def make_response(page: PageCapture) -> Response:
    """Return the response of the page."""
    return page.response


@artifact
def make_transport(page: PageCapture) -> Transport | Absent:
    """Return the transport unless the page is a preview or on loopback."""
    url = parse(page.response.final_url)
    if url is None:
        return Absent("the URL could not be read")
    if page.judged_as:
        return Absent("this is a preview of {origin}", params={"origin": page.judged_as})
    if is_loopback(url.host, page.response.final.address):
        return Absent("the page is on this machine ({host})", params={"host": url.host})
    return Transport(url, page.response)


@artifact
def make_delivery(page: PageCapture, transport: Transport) -> Delivery | Absent:
    """Return the delivery if the transport can be checked and the host is public."""
    if is_private(transport.url.host, page.response.final.address):
        return Absent("the host {host} is private: visitors do not get it from there", params={"host": transport.url.host})
    return Delivery(transport.url, transport.response)


_NOT_PUBLIC = tuple(
    map(
        ip_network,
        (
            *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"),
            *("192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4"),
            *("::/127", "::ffff:0:0/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "fc00::/7", "fe80::/10"),
        ),
    )
)
"""Networks outside the public internet (IANA's special-purpose registries, 2025); Python's list differs between releases."""


def is_loopback(host: str, address: str = "") -> bool:
    """Return whether the host is this machine."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    return any(ip.is_loopback for ip in _addresses(host, address))


def is_private(host: str, address: str = "") -> bool:
    """Return whether the host is on a private network. This is not a guard: see fetch/egress_guard.py."""
    if host == "localhost" or host.endswith(LOCAL_SUFFIXES):
        return True
    return any(ip in network for ip in _addresses(host, address) for network in _NOT_PUBLIC if network.version == ip.version)


def is_private_copy(url: str, canonical_url: str) -> bool:
    """Return whether a URL is only reachable in a private network, but its canonical URL is public."""
    here, there = parse(url), parse(canonical_url)
    return here is not None and there is not None and is_private(here.host) and not is_private(there.host)


def _addresses(*texts: str) -> Iterator[IPv4Address | IPv6Address]:
    for text in texts:
        if ":" not in text and not text[-1:].isdigit():
            continue  # nearly every resource has a host name
        try:
            yield ip_address(text)
        except ValueError:
            continue
