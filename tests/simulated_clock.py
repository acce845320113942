"""A clock that tests set: every module of Findable that reads the time reads this one."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest

from findable import clock


class SimulatedClock:
    """Time that stands still until it is set."""

    def __init__(self, at: int) -> None:
        self.at = at

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.at, UTC)


@contextmanager
def simulated_clock(at: int) -> Iterator[SimulatedClock]:
    """Give all loaded modules this clock."""
    told, real = SimulatedClock(at), clock.now
    with pytest.MonkeyPatch.context() as patch:
        for name, module in list(sys.modules.items()):
            if name.startswith("findable.") and getattr(module, "now", None) is real:
                patch.setattr(module, "now", told.now)
        yield told
