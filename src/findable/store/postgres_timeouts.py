"""PostgreSQL connections (psycopg) that time out.

The server limits its statements, but a frozen server, or a proxy or firewall that dropped the connection, sends nothing, and libpq waits
forever: ``tcp_user_timeout`` only covers unacknowledged data, and a proxy acknowledges everything.
"""

from collections.abc import Callable, Generator
from contextlib import suppress
from typing import TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.rows import TupleRow
from psycopg.waiting import Ready, Wait

from findable.clock import monotonic_s

T = TypeVar("T")

CHECK_EVERY_S = 0.1
"""Interval at which the timeout is checked while the connection is silent."""


class TimedConnection(psycopg.Connection[TupleRow]):
    """PostgreSQL connection that closes with OperationalError if a response is late.

    Set these attributes after connecting, which has a separate limit (``connect_timeout``):

    Attributes:
        response_timeout_s: timeout per response, infinite by default.
        is_over: called while a response is pending; True ends the wait immediately.
    """

    response_timeout_s = float("inf")
    is_over: Callable[[], bool] = staticmethod(lambda: False)

    def wait(self, gen: PQGen[T], interval: float = CHECK_EVERY_S, timeout: float | None = None) -> T:
        """Wait like `psycopg.Connection.wait`, with a time limit; an explicit timeout is left unchanged."""
        return super().wait(gen if timeout is not None else self._with_timeout(gen), interval, timeout)

    def _with_timeout(self, gen: PQGen[T]) -> Generator[Wait, Ready | int, T]:
        until_s = monotonic_s() + self.response_timeout_s
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if not ready and (monotonic_s() > until_s or self.is_over()):
                    break
                wanted = gen.send(ready)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]  # the generator of psycopg is untyped
        with suppress(psycopg.Error):
            self.close()
        raise psycopg.OperationalError("the server does not respond")
