"""Lock that allows one measurement at a time on this machine, across all processes of this user."""

import asyncio
import contextlib
import fcntl
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

WAIT_S = 300.0
"""Time after which a page is measured while another measurement runs: its values then say that the machine was busy."""
_POLL_S = 0.25


@asynccontextmanager
async def lock_machine() -> AsyncIterator[None]:
    """Wait until no other process measures. The kernel releases the lock when its process ends."""
    path = Path(tempfile.gettempdir()) / f"findable-lab-{os.getuid()}.lock"
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError:  # a file of another user, or no folder to write to
        yield
        return
    try:
        for _ in range(round(WAIT_S / _POLL_S)):
            if _try_lock(lock):
                break
            await asyncio.sleep(_POLL_S)
        yield
    finally:
        with contextlib.suppress(OSError):
            os.close(lock)


def _try_lock(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
