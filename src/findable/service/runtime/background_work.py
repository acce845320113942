"""Work on many things in the background: rows in small transactions, and errors that concern one of them only."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from findable.errors import Unavailable
from findable.service.runtime.service import Service
from findable.store.store_protocol import Session

_log = logging.getLogger(__name__)
Row = TypeVar("Row")


def each_row(service: Service, read: Callable[[Session, int], Sequence[Row]], id_of: Callable[[Row], int]) -> Iterator[Row]:
    """Yield rows in the order of their ids. ``read`` returns the first ones with ids above a number, in a transaction for each call."""
    after = 0
    while True:
        with service.store.read() as session:
            rows = read(session, after)
        if not rows:
            return
        yield from rows
        after = id_of(rows[-1])


@contextmanager
def others_continue(failed: str, *values: object) -> Iterator[None]:
    """Log any error of the block, which must not stop the work on other things. Raises Unavailable, which concerns them all."""
    try:
        yield
    except Unavailable:
        raise
    except Exception:  # noqa: BLE001 - see above
        _log.exception(failed, *values)
