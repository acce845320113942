"""Resolve names with c-ares: one resolution per connection, a timeout per attempt, and a cause for failures.

/etc/hosts and ``localhost`` are checked before any server. IP literals are never resolved.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from ipaddress import ip_address
from typing import TYPE_CHECKING

from findable.clock import monotonic_s
from findable.errors import Cause
from findable.fetch.ip_addresses import parse_address

if TYPE_CHECKING:
    import aiodns

TRY_TIMEOUT_S = 2.0
TRIES = 2
TOTAL_TIMEOUT_S = 8.0
"""Time limit for one name: with several name servers the timeouts of the attempts add up."""
NEGATIVE_TTL_S = 60.0
MAX_NEGATIVE = 4096
MAX_ADDRESSES = 16
# Error codes from c-ares's ares.h, which pycares does not reliably export.
_CAUSES = {
    1: Cause.NO_ADDRESS,  # ENODATA
    2: Cause.NAME_SERVER_FAILED,  # EFORMERR
    3: Cause.NAME_SERVER_FAILED,  # ESERVFAIL
    4: Cause.NAME_NOT_FOUND,  # ENOTFOUND
    8: Cause.BAD_NAME,  # EBADNAME
    11: Cause.NO_NAME_SERVER,  # ECONNREFUSED
    12: Cause.NAME_SERVER_TIMEOUT,  # ETIMEOUT
}
_CACHED_CAUSES = frozenset({Cause.NAME_NOT_FOUND, Cause.NO_ADDRESS, Cause.NAME_SERVER_FAILED, Cause.NAME_SERVER_TIMEOUT})


class DnsError(Exception):
    """A name could not be resolved; ``cause`` says why."""

    def __init__(self, host: str, cause: Cause) -> None:
        self.host = host
        self.cause = cause
        super().__init__(host, cause)


class Resolver:
    """Resolves names in the running event loop.

    Args:
        nameservers: ``address`` or ``address:port``; None for the system's.
        try_timeout_s: timeout of one attempt at one server.
    """

    def __init__(self, nameservers: Sequence[str] | None = None, *, try_timeout_s: float = TRY_TIMEOUT_S) -> None:
        self._nameservers = list(nameservers) if nameservers else None
        self._try_timeout_s = try_timeout_s
        self._resolvers: dict[bool, aiodns.DNSResolver] = {}
        self._negative: dict[str, tuple[float, Cause]] = {}

    async def resolve(self, host: str) -> tuple[str, ...]:
        """Return all IPv4 and IPv6 addresses of the name, in the order to try. Raises DnsError."""
        literal = parse_address(host)
        if literal:
            return (str(literal),)
        until_s, cause = self._negative.get(host, (0.0, Cause.NAME_NOT_FOUND))
        if monotonic_s() < until_s:
            raise DnsError(host, cause)
        try:
            addresses = await self._query(host)
        except DnsError as error:
            self._remember(host, error.cause)
            raise
        self._negative.pop(host, None)
        return addresses

    async def _query(self, host: str) -> tuple[str, ...]:
        async with _asking(host):
            result = await self._channel(host).getaddrinfo(host, family=socket.AF_UNSPEC, type=socket.SOCK_STREAM)
        texts = (node.addr[0].decode("ascii") if isinstance(node.addr[0], bytes) else str(node.addr[0]) for node in result.nodes)
        addresses = tuple(dict.fromkeys(texts))[:MAX_ADDRESSES]
        if not addresses:
            raise DnsError(host, Cause.NO_ADDRESS)
        return addresses

    def _channel(self, host: str) -> "aiodns.DNSResolver":
        import aiodns  # noqa: PLC0415 - a page by its IP address needs none
        import pycares  # noqa: PLC0415 - a page by its IP address needs none

        # Only names without a dot get the machine's search domains: example.com never becomes example.com.corp.internal.
        is_short = "." not in host
        if is_short not in self._resolvers:
            flags = 0 if is_short else pycares.ARES_FLAG_NOSEARCH
            self._resolvers[is_short] = aiodns.DNSResolver(self._nameservers, timeout=self._try_timeout_s, tries=TRIES, flags=flags)
        return self._resolvers[is_short]

    async def host_names(self, address: str) -> tuple[str, ...]:
        """Return the names of an IP address by reverse DNS, in lower case and without a trailing dot. Raises DnsError."""
        name = ip_address(address).reverse_pointer
        async with _asking(name):
            result = await self._channel(name).query_dns(name, "PTR")
        names = (str(getattr(record.data, "dname", "")) for record in result.answer)
        return tuple(name.rstrip(".").lower() for name in names if name)[:MAX_ADDRESSES]

    def clear_failure(self, host: str) -> None:
        """Discard a cached failure, so that the name is queried again."""
        self._negative.pop(host, None)

    def _remember(self, host: str, cause: Cause) -> None:
        if cause not in _CACHED_CAUSES:
            return
        if len(self._negative) >= MAX_NEGATIVE:
            self._negative.pop(next(iter(self._negative)))
        self._negative[host] = (monotonic_s() + NEGATIVE_TTL_S, cause)

    async def close(self) -> None:
        """Cancel open queries."""
        for resolver in self._resolvers.values():
            await resolver.close()
        self._resolvers.clear()


@asynccontextmanager
async def _asking(name: str) -> AsyncIterator[None]:
    """Limit the time of a query for a name, and raise its failures as DnsError."""
    import aiodns  # noqa: PLC0415 - a page by its IP address needs none

    try:
        async with asyncio.timeout(TOTAL_TIMEOUT_S):
            yield
    except TimeoutError as error:
        raise DnsError(name, Cause.NAME_SERVER_TIMEOUT) from error
    except aiodns.error.DNSError as error:
        raise DnsError(name, _CAUSES.get(error.args[0], Cause.NAME_SERVER_FAILED)) from error
    except (UnicodeError, ValueError) as error:
        raise DnsError(name, Cause.BAD_NAME) from error
