"""Short messages between services on one PostgreSQL database (NOTIFY and LISTEN).

They are sent after a transaction, never within one: PostgreSQL serializes the commits of notifying transactions. A message may be lost with
its connection, so it must only speed up work that would happen anyway.
"""

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sqlalchemy import make_url

if TYPE_CHECKING:
    from findable.store.postgres_timeouts import TimedConnection

CHANNEL = "findable"
RECONNECT_S = 1.0
RESPONSE_TIMEOUT_S = 5.0
"""Time limit for sending a message."""
CHECK_EVERY_S = 0.5
"""Interval of checks for shutdown while the connection is silent."""
_ALIVE = {"connect_timeout": 5, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 2, "tcp_user_timeout": 15_000}
_log = logging.getLogger(__name__)


class Signals:
    """Messages between services, by two connections: one listens in a separate thread, the other sends.

    Args:
        url: URL of the database.
        on_message: called with each message, in the thread.
        on_gap: called when listening starts or restarts, since messages may have been lost.
    """

    def __init__(self, url: str, on_message: Callable[[str], None], on_gap: Callable[[], None]) -> None:
        parsed = make_url(url).set(drivername="postgresql")
        self._address = parsed.render_as_string(hide_password=False)
        self._options: dict[str, Any] = {name: value for name, value in _ALIVE.items() if name not in parsed.query}
        self._hear = on_message
        self._missed = on_gap
        self._ending = threading.Event()
        self._listening = threading.Event()
        self._sending = threading.Lock()
        self._sender: TimedConnection | None = None
        self._thread = threading.Thread(target=self._listen, name="signals", daemon=True)
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether messages are being received."""
        return self._listening.is_set()

    def send(self, word: str) -> bool:
        """Send a message to all services, this one included; at most 8,000 bytes. Returns False if it could not be sent. Blocks."""
        import psycopg

        with self._sending:
            for _ in range(2):  # the connection may have been lost since the last message
                try:
                    if self._sender is None:
                        self._sender = self._connect("findable signals")
                    self._sender.execute("SELECT pg_notify(%s, %s)", (CHANNEL, word))
                except psycopg.Error:
                    self._drop_sender()
                else:
                    return True
        return False

    def close(self) -> None:
        """Close both connections."""
        self._ending.set()
        self._thread.join()
        with self._sending:
            self._drop_sender()

    def _connect(self, name: str) -> "TimedConnection":
        from findable.store.postgres_timeouts import TimedConnection

        connection = TimedConnection.connect(self._address, autocommit=True, application_name=name, **self._options)
        connection.response_timeout_s = RESPONSE_TIMEOUT_S
        return connection

    def _drop_sender(self) -> None:
        import psycopg

        if self._sender is not None:
            with suppress(psycopg.Error):
                self._sender.close()
            self._sender = None

    def _listen(self) -> None:
        import psycopg

        while not self._ending.is_set():
            try:
                with self._connect("findable listener") as connection:
                    connection.execute(f"LISTEN {CHANNEL}".encode())
                    self._listening.set()
                    self._missed()
                    while not self._ending.is_set():
                        for notice in connection.notifies(timeout=CHECK_EVERY_S):
                            self._hear(notice.payload)
            except psycopg.Error as error:
                _log.warning("cannot receive messages from other services: %s", " ".join(str(error).split()))
            finally:
                self._listening.clear()
            self._ending.wait(RECONNECT_S)
