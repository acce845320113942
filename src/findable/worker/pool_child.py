"""The inside of a process of the pool: reads a function and its arguments, answers with what it returns or raises."""

import contextlib
import ctypes
import gc
import importlib
import os
import pickle
import signal
import struct
import sys
from typing import BinaryIO

LENGTH = struct.Struct("!Q")
PR_SET_PDEATHSIG = 1
GRACE_S = 5
UNCOLLECTED = 20_000
"""So many objects more than at the last time are looked through for cycles, between two answers."""


def main() -> None:
    """Serves until its standard input ends."""
    requests, answers = _own_pipes()
    _die_with_parent()
    _be_killed_first()
    for module in sys.argv[1:]:
        importlib.import_module(module)
    collect_between_answers()
    while (head := requests.read(LENGTH.size)) and len(head) == LENGTH.size:
        (length,) = LENGTH.unpack(head)
        answer = _answer(requests, length)
        try:
            answers.write(LENGTH.pack(len(answer)) + answer)
            answers.flush()
        except BrokenPipeError:
            os._exit(0)  # the parent has gone, and nobody waits for the answer that is still in the buffer
        if gc.get_count()[0] > UNCOLLECTED:
            gc.collect()


def collect_between_answers() -> None:
    """From here on the garbage collector leaves what is loaded alone, and waits while an answer is made.

    A page has no cycles: its memory is free when it is done. Looking through the elements of a large one for cycles, again and
    again while they grow in number, would take as long as all the checks.
    """
    gc.collect()
    gc.freeze()
    gc.disable()


def _answer(requests: BinaryIO, length: int) -> bytes:
    function, arguments, time_limit_s = pickle.loads(requests.read(length))  # noqa: S301 - from our parent, over our own pipe
    # Should the parent be stopped or gone, a loop in C still ends: the default action of SIGALRM is death.
    signal.alarm(int(time_limit_s) + GRACE_S)
    try:
        return pickle.dumps((False, function(*arguments)))
    except Exception as error:  # noqa: BLE001 - raised again in the parent
        return pickle.dumps((True, _portable(error)))
    finally:
        signal.alarm(0)


def _portable(error: Exception) -> Exception:
    """The error itself where it survives the pipe, else its text."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - what we made in the same line
    except Exception:  # noqa: BLE001 - whatever its constructor wants
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and output for us alone; whatever a library prints goes to standard error."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a descriptor is wanted
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return requests, answers


def _die_with_parent() -> None:
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _be_killed_first() -> None:
    """When memory ends it is this process that goes, not the service."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:  # noqa: PTH123
        file.write("1000")


if __name__ == "__main__":
    main()
