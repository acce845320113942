"""Memory and processor time of a process and its descendants, as any user may read them."""

import contextlib
from pathlib import Path

from msgspec import Struct

from findable.fetch.browser.browser_keeper import descendants

PROC = Path("/proc")


class ProcessMemory(Struct, frozen=True):
    """Memory of one process."""

    pid: int
    own_bytes: int
    """Anonymous and shared memory, without mapped files such as the program itself."""


def memory_of_tree(pid: int) -> tuple[ProcessMemory, ...]:
    """Return the memory of each descendant of a process, largest first. Memory that two of them share counts for both."""
    sizes = (ProcessMemory(one, _own_bytes(one)) for one in descendants(pid))
    return tuple(sorted(sizes, key=lambda size: -size.own_bytes))


def _own_bytes(pid: int) -> int:
    try:
        lines = (PROC / str(pid) / "status").read_text("latin-1").splitlines()
    except OSError:  # the process has ended
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(("RssAnon:", "RssShmem:")))


def has_seccomp_filter(pid: int) -> bool:
    """Return whether the process runs under a seccomp filter in a separate process namespace."""
    try:
        lines = dict(line.split(":", 1) for line in (PROC / str(pid) / "status").read_text("latin-1").splitlines() if ":" in line)
    except OSError:
        return False
    return lines.get("Seccomp", "").strip() == "2" and len(lines.get("NSpid", "").split()) > 1


class ProcessorTime(Struct, frozen=True):
    """Processor time of the main thread of a process since it started."""

    ran_ns: int
    waited_ns: int
    """Time during which it was ready to run but no processor was free."""


def processor_times(pid: int) -> dict[int, ProcessorTime]:
    """Return the processor times of each descendant of a process, by process id; empty if the system does not report them."""
    found = {}
    for one in descendants(pid):
        with contextlib.suppress(OSError, ValueError):
            ran, waited, _ = (PROC / str(one) / "schedstat").read_text("latin-1").split()
            found[one] = ProcessorTime(int(ran), int(waited))
    return found
