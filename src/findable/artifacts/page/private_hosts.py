"""Hosts that only a private network or this machine reaches."""

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from findable.urls import parse

LOCAL_SUFFIXES = (".localhost", ".local", ".test", ".internal", ".home.arpa")
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
