"""Verify a bot by reverse DNS: its host name must be of a domain of its operator, and the name must lead back to the IP address.

A host name alone proves nothing, because the owner of an IP address chooses its name.
"""

from collections.abc import Sequence

from findable.errors import Cause
from findable.fetch.ip_addresses import parse_address
from findable.fetch.resolver import DnsError, Resolver

_NO_NAME = frozenset({Cause.NAME_NOT_FOUND, Cause.NO_ADDRESS, Cause.BAD_NAME})


async def belongs_to(resolver: Resolver, address: str, domains: Sequence[str]) -> bool | None:
    """Return whether an IP address belongs to one of the domains; None if name servers did not respond."""
    try:
        names = await resolver.host_names(address)
        for name in names:
            if any(name == domain or name.endswith(f".{domain}") for domain in domains):
                found = await resolver.resolve(name)
                if parse_address(address) in [parse_address(one) for one in found]:
                    return True
    except DnsError as error:
        return False if error.cause in _NO_NAME else None
    return False
