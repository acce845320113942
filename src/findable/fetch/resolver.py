"""Names to addresses by c-ares: one resolution per connection, a limit per try, and a reason when it fails.

/etc/hosts and ``localhost`` are looked at before any server is asked. IP literals are never resolved.
"""

import asyncio
import socket
from collections.abc import Sequence
from enum import StrEnum

import aiodns
import pycares

from findable.clock import monotonic_s
from findable.fetch.ip_addresses import parse_address

TRY_TIMEOUT_S = 2.0
TRIES = 2
TOTAL_TIMEOUT_S = 8.0
"""With several name servers the tries add up; a page does not wait longer than this for a name."""
NEGATIVE_TTL_S = 60.0
MAX_NEGATIVE = 4096
MAX_ADDRESSES = 16


class DnsTrouble(StrEnum):
    """Why a name has no address."""

    NOT_FOUND = "not_found"
    """NXDOMAIN: the name does not exist."""
    NO_ADDRESS = "no_address"
    """It exists, with neither A nor AAAA."""
    SERVER_FAILED = "server_failed"
    """SERVFAIL, REFUSED or an answer that cannot be read."""
    TIMEOUT = "timeout"
    NO_SERVER = "no_server"
    """No name server can be reached from here."""
    BAD_NAME = "bad_name"


_SENTENCES = {
    DnsTrouble.NOT_FOUND: "the name {host} does not exist (NXDOMAIN)",
    DnsTrouble.NO_ADDRESS: "the name {host} has no address",
    DnsTrouble.SERVER_FAILED: "the name servers of {host} answered with an error (SERVFAIL)",
    DnsTrouble.TIMEOUT: "the name servers of {host} did not answer in time",
    DnsTrouble.NO_SERVER: "no name server could be reached to look up {host}",
    DnsTrouble.BAD_NAME: "{host} cannot be the name of a host",
}
# Numbers of ares.h; pycares does not promise to export them all.
_TROUBLES = {
    1: DnsTrouble.NO_ADDRESS,  # ENODATA
    2: DnsTrouble.SERVER_FAILED,  # EFORMERR
    3: DnsTrouble.SERVER_FAILED,  # ESERVFAIL
    4: DnsTrouble.NOT_FOUND,  # ENOTFOUND
    8: DnsTrouble.BAD_NAME,  # EBADNAME
    11: DnsTrouble.NO_SERVER,  # ECONNREFUSED
    12: DnsTrouble.TIMEOUT,  # ETIMEOUT
}
_KEPT = frozenset({DnsTrouble.NOT_FOUND, DnsTrouble.NO_ADDRESS, DnsTrouble.SERVER_FAILED, DnsTrouble.TIMEOUT})


class DnsError(Exception):
    """A name could not be resolved; `trouble` says why."""

    def __init__(self, host: str, trouble: DnsTrouble) -> None:
        self.host = host
        self.trouble = trouble
        super().__init__(_SENTENCES[trouble].format(host=host))


class Resolver:
    """Resolves names in the running event loop.

    Args:
        nameservers: ``address`` or ``address:port``; None takes the system's.
        try_timeout_s: how long one try waits for one server.
    """

    def __init__(self, nameservers: Sequence[str] | None = None, *, try_timeout_s: float = TRY_TIMEOUT_S) -> None:
        self._nameservers = list(nameservers) if nameservers else None
        self._try_timeout_s = try_timeout_s
        self._resolvers: dict[bool, aiodns.DNSResolver] = {}
        self._negative: dict[str, tuple[float, DnsTrouble]] = {}

    async def resolve(self, host: str) -> tuple[str, ...]:
        """Every address of the name, IPv4 and IPv6, in the order to be tried. Raises DnsError."""
        literal = parse_address(host)
        if literal:
            return (str(literal),)
        until_s, trouble = self._negative.get(host, (0.0, DnsTrouble.NOT_FOUND))
        if monotonic_s() < until_s:
            raise DnsError(host, trouble)
        try:
            addresses = await self._ask(host)
        except DnsError as error:
            self._remember(host, error.trouble)
            raise
        self._negative.pop(host, None)
        return addresses

    async def _ask(self, host: str) -> tuple[str, ...]:
        # The machine's search domains are for names without a dot: no example.com becomes example.com.corp.internal here.
        is_short = "." not in host
        if is_short not in self._resolvers:
            flags = 0 if is_short else pycares.ARES_FLAG_NOSEARCH
            self._resolvers[is_short] = aiodns.DNSResolver(self._nameservers, timeout=self._try_timeout_s, tries=TRIES, flags=flags)
        try:
            async with asyncio.timeout(TOTAL_TIMEOUT_S):
                result = await self._resolvers[is_short].getaddrinfo(host, family=socket.AF_UNSPEC, type=socket.SOCK_STREAM)
        except TimeoutError as error:
            raise DnsError(host, DnsTrouble.TIMEOUT) from error
        except aiodns.error.DNSError as error:
            raise DnsError(host, _TROUBLES.get(error.args[0], DnsTrouble.SERVER_FAILED)) from error
        except (UnicodeError, ValueError) as error:
            raise DnsError(host, DnsTrouble.BAD_NAME) from error
        texts = (node.addr[0].decode("ascii") if isinstance(node.addr[0], bytes) else str(node.addr[0]) for node in result.nodes)
        addresses = tuple(dict.fromkeys(texts))[:MAX_ADDRESSES]
        if not addresses:
            raise DnsError(host, DnsTrouble.NO_ADDRESS)
        return addresses

    def _remember(self, host: str, trouble: DnsTrouble) -> None:
        if trouble not in _KEPT:
            return
        if len(self._negative) >= MAX_NEGATIVE:
            self._negative.pop(next(iter(self._negative)))
        self._negative[host] = (monotonic_s() + NEGATIVE_TTL_S, trouble)

    async def close(self) -> None:
        """Ends open queries."""
        for resolver in self._resolvers.values():
            await resolver.close()
        self._resolvers.clear()
