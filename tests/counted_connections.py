"""Connections of servers of the tests, which end with their server."""

import asyncio
from typing import Any

END_ROUNDS = 200
"""Steps of the loop in which connections can end."""


class CountedConnection(asyncio.StreamReaderProtocol):
    """A connection that its server can still end after its handler is over; asyncio.Server offers that from Python 3.13 on."""

    transports: set[Any]
    """Those of all connections of the server, which gives it."""
    _mine: tuple[Any, ...] = ()

    def connection_made(self, transport: Any) -> None:  # again after STARTTLS
        self._mine = (*self._mine, transport)
        self.transports.add(transport)
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self.transports.difference_update(self._mine)
        super().connection_lost(exc)


async def end_connections(transports: set[Any]) -> None:
    """End connections, also those whose last response nobody reads, or whose TLS is still being closed."""
    for _ in range(END_ROUNDS):
        for transport in tuple(transports):
            transport.abort()
        if not transports:
            return
        await asyncio.sleep(0.001)


async def close_server(server: asyncio.Server) -> None:
    """Close a server once all that it has accepted are connections.

    asyncio leaves a socket open that it has accepted and whose transport it creates after the server has closed.
    """
    for listener in server.sockets:
        asyncio.get_running_loop().remove_reader(listener.fileno())
    await asyncio.sleep(0)
    server.close()
