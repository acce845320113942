"""IP address of the client, as far as it can be trusted."""

import re
from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

from findable.service.accounts.failed_attempts import network_of

_CACHE_SIZE = 4096
_PORT = re.compile(r"\A(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)\Z")
"""Address with port, as some proxies write it: ``198.51.100.7:1234``, ``[2001:db8::7]:1234``."""


def address_of(scope: Any, trusted_proxies: Sequence[str]) -> str:
    """Return the IP address of the client. ``X-Forwarded-For`` counts only from trusted proxies, read from its right end."""
    peer = str(scope["client"][0]) if scope["client"] else ""
    trusted = _networks(tuple(trusted_proxies))
    address = peer
    for hop in reversed(_forwarded_hops(scope) if trusted else ()):
        if not _is_in(address, trusted):
            break
        address = hop
    return address if _is_address(address) else peer


def is_from(scope: Any, proxies: Sequence[str]) -> bool:
    """Return whether one of these networks made the connection itself, regardless of headers."""
    return bool(scope["client"]) and _is_in(str(scope["client"][0]), _networks(tuple(proxies)))


@lru_cache(_CACHE_SIZE)
def network_at(address: str) -> str:
    """Return the /24 or /56 network of an IP address. Empty without an address, and for this machine, which may run an undeclared proxy."""
    if not _is_address(address):
        return ""
    ip = ip_address(address)
    mapped = ip.ipv4_mapped if isinstance(ip, IPv6Address) else None
    return "" if (mapped or ip).is_loopback else network_of(address)


def _forwarded_hops(scope: Any) -> list[str]:
    """Return the hops in the last forwarding header."""
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
