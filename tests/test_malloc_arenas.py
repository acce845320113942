"""Memory of long-running processes: threads share few arenas of glibc."""

import subprocess
import sys

import pytest

from findable.malloc_arenas import MALLOC_ARENAS

PROGRAM = """
import ctypes, threading
from findable.malloc_arenas import share_malloc_arenas
if {is_shared}:
    share_malloc_arenas()
libc = ctypes.CDLL(None)
libc.malloc.restype = libc.fdopen.restype = ctypes.c_void_p
together = threading.Barrier(12)
def allocate():
    together.wait()
    kept = [libc.malloc(1000) for _ in range(1000)]
    together.wait()
threads = [threading.Thread(target=allocate) for _ in range(12)]
for thread in threads: thread.start()
for thread in threads: thread.join()
out = ctypes.c_void_p(libc.fdopen(1, b"w"))
libc.malloc_info(0, out)
libc.fflush(out)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="malloc_info is glibc's")
def test_threads_share_few_arenas() -> None:
    def arenas(*, is_shared: bool) -> int:
        command = [sys.executable, "-c", PROGRAM.format(is_shared=is_shared)]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.count("<heap nr=")

    assert arenas(is_shared=True) <= MALLOC_ARENAS < arenas(is_shared=False)


FREED = """
from pathlib import Path
from findable.malloc_arenas import return_free_memory
def resident():
    return int(Path("/proc/self/statm").read_text().split()[1])
kept = [bytearray(b"x" * 60_000) for _ in range(1000)]
last = bytearray(b"x" * 60_000)
del kept
held = resident()
return_free_memory()
print(held - resident())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="malloc_trim is glibc's")
def test_freed_memory_is_returned_to_the_system() -> None:
    pages = subprocess.run([sys.executable, "-c", FREED], capture_output=True, text=True, check=True, timeout=60).stdout
    assert int(pages) > 10_000
