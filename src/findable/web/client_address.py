"""IP address and network of the client of a request, from the connection and trusted proxies."""

import re
from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

from findable.service.runtime.attempt_limits import network_of

_CACHE_SIZE = 4096
_PORT = re.compile(r"\A(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)\Z")
"""Address with port, as some proxies write it: ``198.51.100.7:1234``, ``[2001:db8::7]:1234``."""


def address_of(scope: Any, trusted_proxies: Sequence[str]) -> str:
    """Return the IP address of a request's client. ``X-Forwarded-For`` is read from its right end, as far as proxies are trusted."""
    peer = str(scope["client"][0]) if scope["client"] else ""
    trusted = _networks(tuple(trusted_proxies))
    address = peer
    for hop in reversed(_forwarded_hops(scope) if trusted else ()):
        if not _is_in(address, trusted):
            break
        address = hop
    return address if _is_address(address) else peer


def is_from(scope: Any, proxies: Sequence[str]) -> bool:
    """Return whether the connection comes from one of these networks, regardless of headers."""
    return bool(scope["client"]) and _is_in(str(scope["client"][0]), _networks(tuple(proxies)))


@lru_cache(_CACHE_SIZE)
def network_at(address: str) -> str:
    """Return the /24 (IPv4) or /56 (IPv6) network of an IP address; empty without one, and for loopback, which may be a proxy."""
    if not _is_address(address):
        return ""
    ip = ip_address(address)
    mapped = ip.ipv4_mapped if isinstance(ip, IPv6Address) else None
    return "" if (mapped or ip).is_loopback else network_of(address)


def _forwarded_hops(scope: Any) -> list[str]:
    """Return the addresses in the last ``X-Forwarded-For`` header, in order."""
    lines = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    return [_PORT.sub(r"\1\2", hop.strip()) for hop in lines[-1].decode("latin-1").split(",") if hop.strip()] if lines else []


@lru_cache(1)
def _networks(entries: tuple[str, ...]) -> list[IPv4Network | IPv6Network]:
    return [ip_network(entry) for entry in entries]


@lru_cache(_CACHE_SIZE)
def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _is_in(text: str, networks: Sequence[IPv4Network | IPv6Network]) -> bool:
    return _is_address(text) and any(ip_address(text) in network for network in networks)
