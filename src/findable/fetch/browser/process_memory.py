"""Memory of a process and all below it, as any user may read it."""

import contextlib
from pathlib import Path

from msgspec import Struct

PROC = Path("/proc")


class ProcessMemory(Struct, frozen=True):
    """Memory of one process."""

    pid: int
    own_bytes: int
    """Anonymous and shared memory; files, such as the program itself, are left out."""


def descendants(pid: int) -> tuple[int, ...]:
    """Return the processes below this one."""
    children: dict[int, list[int]] = {}
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                parent = int((entry / "stat").read_text("latin-1").rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    found: list[int] = []
    waiting = [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return tuple(found)


def memory_of_tree(pid: int) -> tuple[ProcessMemory, ...]:
    """Return the memory of each process below this one, largest first. Memory that two of them share counts for both."""
    sizes = (ProcessMemory(one, _own_bytes(one)) for one in descendants(pid))
    return tuple(sorted(sizes, key=lambda size: -size.own_bytes))


def _own_bytes(pid: int) -> int:
    try:
        lines = (PROC / str(pid) / "status").read_text("latin-1").splitlines()
    except OSError:  # the process has ended
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(("RssAnon:", "RssShmem:")))


def has_seccomp_filter(pid: int) -> bool:
    """Return whether the kernel filters the system calls of the process, in a process namespace of its own."""
    try:
        lines = dict(line.split(":", 1) for line in (PROC / str(pid) / "status").read_text("latin-1").splitlines() if ":" in line)
    except OSError:
        return False
    return lines.get("Seccomp", "").strip() == "2" and len(lines.get("NSpid", "").split()) > 1


class ProcessorTime(Struct, frozen=True):
    """Time of the main thread of a process since it began."""

    ran_ns: int
    waited_ns: int
    """Time in which it was ready to run and no processor was free."""


def processor_times(pid: int) -> dict[int, ProcessorTime]:
    """Return the times of each process below this one; none where the system does not tell."""
    found = {}
    for one in descendants(pid):
        with contextlib.suppress(OSError, ValueError):
            ran, waited, _ = (PROC / str(one) / "schedstat").read_text("latin-1").split()
            found[one] = ProcessorTime(int(ran), int(waited))
    return found
