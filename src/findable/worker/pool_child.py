"""Main function of a pool process: read a function and its arguments, write its result or exception."""

import contextlib
import ctypes
import gc
import importlib
import os
import pickle
import signal
import socket
import struct
import sys
from typing import BinaryIO

from findable.sandbox import child_environment

LENGTH = struct.Struct("!Q")
PR_SET_PDEATHSIG = 1
GRACE_S = 5
GC_THRESHOLD = 20_000
"""Number of new objects after which the garbage collector runs between two tasks."""


def main() -> None:
    """Serve until standard input closes."""
    gc.disable()  # what is imported stays
    for module in sys.argv[1:]:
        importlib.import_module(module)
    serve()


def serve() -> None:
    """Serve until standard input closes."""
    requests, responses = _own_pipes()
    die_with_parent()
    _be_killed_first()
    collect_between_calls()
    try:
        while (head := requests.read(LENGTH.size)) and len(head) == LENGTH.size:
            (length,) = LENGTH.unpack(head)
            response = _response_to(requests, length)
            responses.write(LENGTH.pack(len(response)) + response)
            responses.flush()
            if gc.get_count()[0] > GC_THRESHOLD:
                gc.collect()
    except ConnectionError:
        os._exit(0)  # the parent has ended, and the buffered response is not read


def collect_between_calls() -> None:
    """Collect garbage only between tasks, and never inspect the objects loaded so far.

    A page has no reference cycles: its memory is freed when its task ends. Repeated searches for cycles in a large growing tree would take
    as long as all checks.
    """
    gc.freeze()
    gc.disable()


def fork(connection: socket.socket) -> int:
    """Fork a process that serves at the socket and shares what this one has imported; return its id. This process has one thread only."""
    pid = os.fork()
    if pid:
        return pid
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.setsid()
        os.dup2(connection.fileno(), 0)
        os.dup2(0, 1)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        kept = child_environment()
        os.environ.clear()
        os.environ.update(kept)
        serve()
    finally:
        os._exit(1)


def _response_to(requests: BinaryIO, length: int) -> bytes:
    function, arguments, time_limit_s = pickle.loads(requests.read(length))  # noqa: S301 - from the parent over a private pipe
    # If the parent is stopped or has ended, a loop in C still ends: by default SIGALRM kills the process.
    signal.alarm(int(time_limit_s) + GRACE_S)
    try:
        return pickle.dumps((False, function(*arguments)))
    except Exception as error:  # noqa: BLE001 - raised again in the parent process
        return pickle.dumps((True, _picklable(error)))
    finally:
        signal.alarm(0)


def _picklable(error: Exception) -> Exception:
    """Return the error itself if it can be pickled, else its text."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - the bytes come from the same line
    except Exception:  # noqa: BLE001 - any constructor may raise
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Return standard input and output for the protocol only; output of libraries goes to standard error."""
    requests = os.fdopen(os.dup(0), "rb")
    responses = os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a file descriptor is needed
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return requests, responses


def die_with_parent() -> None:
    """End this process with its parent, however that ends."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _be_killed_first() -> None:
    """Make the kernel's out-of-memory killer choose this process before the service."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:  # noqa: PTH123 - the child loads no pathlib for it
        file.write("1000")


if __name__ == "__main__":
    main()
