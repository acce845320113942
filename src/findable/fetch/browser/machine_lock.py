"""One measurement at a time on a machine, whichever process of this user makes it."""

import asyncio
import contextlib
import fcntl
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

WAIT_S = 300.0
"""Time after which a page is measured although another one is: its values then say that the machine was busy."""
_POLL_S = 0.25


@asynccontextmanager
async def alone_on_machine() -> AsyncIterator[None]:
    """Wait for a measurement that another process makes. The kernel ends the lock with its process."""
    path = Path(tempfile.gettempdir()) / f"findable-lab-{os.getuid()}.lock"
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError:  # a file of another user, or no folder to write to
        yield
        return
    try:
        for _ in range(round(WAIT_S / _POLL_S)):
            if _locked(lock):
                break
            await asyncio.sleep(_POLL_S)
        yield
    finally:
        with contextlib.suppress(OSError):
            os.close(lock)


def _locked(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
