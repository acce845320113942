"""Memory of long-running processes with threads."""

import contextlib
import ctypes

MALLOC_ARENAS = 2
"""The default of glibc is eight per core: a crawl of 200,000 pages on two cores then held 400 MB more, and grew on."""
_M_ARENA_MAX = -8
"""Parameter of ``mallopt`` in ``malloc.h`` of glibc."""


def share_malloc_arenas() -> None:
    """Make all threads allocate from a few arenas of glibc, because each arena keeps the memory of its largest moment."""
    with contextlib.suppress(AttributeError, OSError):  # another C library
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, MALLOC_ARENAS)


def return_free_memory() -> None:
    """Return memory of freed objects to the system, before much is allocated in larger pieces."""
    with contextlib.suppress(AttributeError, OSError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)
