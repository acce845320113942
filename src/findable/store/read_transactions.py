"""Read transactions of a store; those of one thread can be combined into one."""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from findable.store.store_protocol import Session


class ReadTransactions:
    """Methods for read transactions, shared by the stores of both databases."""

    def __init__(self) -> None:
        self._of_thread = threading.local()

    def _begin_reading(self) -> AbstractContextManager[Session]:
        """Start a new read transaction."""
        raise NotImplementedError

    @contextmanager
    def read(self) -> Iterator[Session]:
        """See `Store.read`."""
        held: Session | None = getattr(self._of_thread, "session", None)
        if held is not None:
            yield held
            return
        with self._begin_reading() as session:
            yield session

    @contextmanager
    def one_snapshot(self) -> Iterator[None]:
        """See `Store.one_snapshot`."""
        with self._begin_reading() as session:
            self._of_thread.session = session
            try:
                yield
            finally:
                del self._of_thread.session
