"""Connections of psycopg that do not wait for ever.

The server ends statements by its own limits, but a server that is frozen, or a proxy or firewall that forgot the connection, says
nothing at all, and libpq waits for an answer without a limit: ``tcp_user_timeout`` is for what is not acknowledged, and a proxy
acknowledges what nobody will answer.
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

LOOK_S = 0.1
"""How often the end of patience is looked for while nothing comes."""


class Patient(psycopg.Connection[TupleRow]):
    """A connection that is closed, with OperationalError, where an answer does not come in time.

    Set after connecting, which has a limit of its own (``connect_timeout``):

    Attributes:
        patience_s: for each answer; infinite where nothing else is said.
        is_over: asked while nothing comes; True ends the wait at once.
    """

    patience_s = float("inf")
    is_over: Callable[[], bool] = staticmethod(lambda: False)

    def wait(self, gen: PQGen[T], interval: float = LOOK_S, timeout: float | None = None) -> T:
        """See `psycopg.Connection.wait`; a time that is given is left to it."""
        return super().wait(gen if timeout is not None else self._bounded(gen), interval, timeout)

    def _bounded(self, gen: PQGen[T]) -> Generator[Wait, Ready | int, T]:
        until_s = monotonic_s() + self.patience_s
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if not ready and (monotonic_s() > until_s or self.is_over()):
                    break
                wanted = gen.send(ready)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        with suppress(psycopg.Error):
            self.close()
        raise psycopg.OperationalError("the server does not answer")
