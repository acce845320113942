"""Classify IP addresses as public or special, by a table and not by the standard library.

`ipaddress.is_global` and `is_private` change between Python versions; data/special_addresses.csv, made from IANA's registries by
tools/special_addresses.py, does not. Both parts of addresses with an embedded IPv4 address (mapped, NAT64, 6to4, ISATAP) are checked.
"""

import csv
from collections.abc import Sequence
from functools import cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from msgspec import Struct

from findable.values import path_in

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_IPV4_BITS, _IPV6_BITS = 32, 128
_ISATAP_INTERFACE = 0x5EFE
_UNIVERSAL_BIT = 0x02000000
_NAT64_LENGTHS = {32, 40, 48, 56, 64, 96}


class Block(Struct, frozen=True):
    """Block of special IP addresses, a row of data/special_addresses.csv."""

    network: Network
    kind: str
    """Kind: ``block``, ``exact`` or ``embeds-N``; see the head of the file."""
    name: str


@cache
def special_blocks() -> tuple[Block, ...]:
    """Return the blocks of special IP addresses."""
    text = path_in("findable.fetch", "data/special_addresses.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    return tuple(Block(ip_network(row["network"]), row["kind"], row["name"]) for row in rows)


@cache
def _blocks(version: int, kind: str) -> tuple[tuple[int, int], ...]:
    """Return (first, last) of each block of the version and kind, as numbers."""
    return tuple(
        (int(block.network.network_address), int(block.network.broadcast_address))
        for block in special_blocks()
        if block.network.version == version and block.kind == kind
    )


@cache
def _embedding() -> tuple[tuple[IPv6Network, int], ...]:
    """Return (network, bits before the IPv4 address) of the blocks that embed one."""
    rows = (block for block in special_blocks() if block.kind.startswith("embeds-"))
    return tuple((block.network, int(block.kind.partition("-")[2])) for block in rows if isinstance(block.network, IPv6Network))


def parse_address(text: str) -> Address | None:
    """Parse an IP literal, with or without brackets; None for a name. A zone (``%eth0``) is not accepted."""
    if "%" in text:
        return None
    try:
        return ip_address(text.strip("[]"))
    except ValueError:
        return None


def readings(address: Address, nat64_prefixes: Sequence[IPv6Network] = ()) -> tuple[Address, ...]:
    """Return the address and each IPv4 address that a router could extract from it, outermost first.

    IPv4-mapped and translated addresses count only as the inner address, because their block is no evidence.
    """
    if isinstance(address, IPv4Address):
        return (address,)
    number = int(address)
    for prefix in nat64_prefixes:
        if address in prefix:
            return (_nat64(number, prefix.prefixlen),)
    for network, offset in _embedding():
        if address in network:
            return (IPv4Address((number >> (_IPV6_BITS - offset - _IPV4_BITS)) & 0xFFFFFFFF),)
    if (number >> _IPV4_BITS) & 0xFFFFFFFF & ~_UNIVERSAL_BIT == _ISATAP_INTERFACE:
        return (address, IPv4Address(number & 0xFFFFFFFF))
    return (address,)


def _nat64(number: int, length: int) -> IPv4Address:
    """Return the IPv4 address in a NAT64 address (RFC 6052 section 2.2: bits 64 to 71 are skipped)."""
    octets = number.to_bytes(16, "big")
    packed = octets[:8] + octets[9:] if length < 96 else octets  # noqa: PLR2004 - the only prefix length without the gap of bits
    start = length // 8
    return IPv4Address(packed[start : start + 4])


def nat64_prefix(text: str) -> IPv6Network:
    """Parse a NAT64 prefix. Raises ValueError if its length is not one of RFC 6052."""
    network = IPv6Network(text)
    if network.prefixlen not in _NAT64_LENGTHS:
        raise ValueError(f"a NAT64 prefix has a length of 32, 40, 48, 56, 64 or 96, not {network.prefixlen}")
    return network


def _is_in_block(address: Address, kind: str) -> bool:
    number = int(address)
    return any(first <= number <= last for first, last in _blocks(address.version, kind))


def is_exact_only(address: Address) -> bool:
    """Return whether the IP address is one like a metadata service's, which must be allowed individually, not by a range."""
    return _is_in_block(address, "exact")


def is_special(address: Address) -> bool:
    """Return whether the IP address is outside the public internet. Embedded addresses are not checked: see `readings`."""
    return _is_in_block(address, "block") or is_exact_only(address)
