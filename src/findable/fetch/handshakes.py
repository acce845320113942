"""TLS versions that the server of an origin accepts: one handshake per version, cached for all reports."""

import asyncio
from collections.abc import Awaitable, Callable

from findable.clock import monotonic_s
from findable.fetch.tls_versions import TLS_VERSIONS

KEPT_S = 900.0
MAX_ORIGINS = 1024

Versions = tuple[tuple[str, bool], ...]
"""Results as (version, accepted), oldest first, without versions whose result is unknown."""


class Handshakes:
    """Cache of the TLS versions that recently checked origins accept."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[float, Versions]] = {}

    async def versions(self, origin: str, accepts: Callable[[str], Awaitable[bool | None]]) -> Versions:
        """Return the TLS versions with whether the server of the origin accepts them. Results are cached unless empty.

        Args:
            origin: https origin of the server.
            accepts: tries one version; returns None if the result is unknown.
        """
        at_s, found = self._known.get(origin, (0.0, ()))
        if found and monotonic_s() - at_s < KEPT_S:
            return found
        told = await asyncio.gather(*(accepts(version) for version in TLS_VERSIONS))
        found = tuple((version, accepted) for version, accepted in zip(TLS_VERSIONS, told, strict=True) if accepted is not None)
        if found:
            if len(self._known) >= MAX_ORIGINS:
                self._known.pop(next(iter(self._known)))
            self._known[origin] = (monotonic_s(), found)
        return found
