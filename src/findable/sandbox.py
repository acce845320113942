"""Run one function on bytes in a separate process with kernel limits on time, memory and output size.

It isolates code that must not run in the service: decoders of untrusted images, and the typesetter. A process runs one function and ends.
"""

import contextlib
import ctypes
import importlib
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import cast

from msgspec import Struct

PR_SET_PDEATHSIG = 1
OUTPUT, REQUEST = "output", "request"
_PASSED_ON = ("PATH", "LANG", "LC_ALL", "HOME", "XDG_DATA_HOME", "FONTCONFIG_FILE", "FONTCONFIG_PATH", "LD_LIBRARY_PATH")
"""Environment variables that the process inherits; settings and secrets of the service are withheld."""
WAITING = 4
"""Wall-clock limit as a multiple of the limit of processor time."""
_REASON_CHARS = 2000
_ERRORS_BYTES = 64 * 1024


class Limits(Struct, frozen=True):
    """Limits of one sandboxed process: time, memory and output."""

    time_s: float
    """Limit of processor time; on a busy machine the process may take `WAITING` times as long."""
    memory_bytes: int
    """Limit of the address space."""
    output_bytes: int


class Rejected(Exception):
    """Error for a request that the sandboxed function rejected with a ValueError, whose text is the message."""


class Crashed(Exception):
    """Error for a sandboxed process that crashed or exceeded a limit; the message says why, for the log."""


def run(function: str, request: bytes, limits: Limits) -> bytes:
    """Run ``function`` ("package.module:name", bytes to bytes) on the request and return its result (blocking).

    Raises Rejected and Crashed.
    """
    try:
        return _run(function, request, limits)
    except OSError as error:  # the disk is full, or there are too many processes
        raise Crashed(f"the sandboxed process could not be started: {error}") from error


def child_environment() -> dict[str, str]:
    """Return the environment of a child process: it imports the same modules as this process, and sees none of its settings and secrets."""
    environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return environment | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def _run(function: str, request: bytes, limits: Limits) -> bytes:
    with tempfile.TemporaryDirectory(prefix="findable-") as folder:
        (Path(folder) / REQUEST).write_bytes(request)
        bounds = [str(limits.time_s), str(limits.memory_bytes), str(limits.output_bytes)]
        with (Path(folder) / "errors").open("w+b") as errors:
            started = subprocess.Popen(  # noqa: S603 - this interpreter and module
                [sys.executable, "-m", "findable.sandbox", function, *bounds],
                cwd=folder,
                env={**child_environment(), "PYTHONDONTWRITEBYTECODE": "1"},
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
                start_new_session=True,
            )
            try:
                code = started.wait(limits.time_s * WAITING)
            except subprocess.TimeoutExpired as error:
                raise Crashed(f"no response within {limits.time_s * WAITING:g} s") from error
            finally:
                if started.poll() is None:
                    os.killpg(started.pid, signal.SIGKILL)
                    started.wait()
            errors.seek(0)
            reason = errors.read(_REASON_CHARS * 4).decode("utf-8", "replace")[-_REASON_CHARS:].strip()
        if code == _REJECTED:
            raise Rejected(reason)
        if code != 0:
            raise Crashed(f"ended with {code}: {reason}" if reason else f"ended with {code}")
        return (Path(folder) / OUTPUT).read_bytes()


# --- inside the process -----------------------------------------------------------------------------------------------

_REJECTED = 65
"""EX_DATAERR of sysexits.h, the exit code of a rejected request."""


def main() -> None:
    """Run ``python -m findable.sandbox module:function seconds bytes bytes`` in the folder that contains the request."""
    function, time_s, memory_bytes, output_bytes = sys.argv[1:]
    _bind(float(time_s), int(memory_bytes), int(output_bytes))
    module, _, name = function.partition(":")
    made = cast("Callable[[bytes], bytes]", getattr(importlib.import_module(module), name))
    try:
        output = made(Path(REQUEST).read_bytes())
    except ValueError as error:
        sys.stderr.write(str(error)[:_REASON_CHARS])
        sys.stderr.flush()
        os._exit(_REJECTED)
    if len(output) > int(output_bytes):
        sys.stderr.write("the output is too long")
        sys.stderr.flush()
        os._exit(1)
    Path(OUTPUT).write_bytes(output)
    # Skip the normal interpreter shutdown: threads of a library may hang.
    os._exit(0)


def _bind(time_s: float, memory_bytes: int, output_bytes: int) -> None:
    """Apply the limits, before the function is imported."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    with contextlib.suppress(OSError):  # the out-of-memory killer should choose this process, not the service
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    seconds = int(time_s) + 1
    for kind, bound in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_FSIZE, max(output_bytes, _ERRORS_BYTES)),
    ):
        _, hard = resource.getrlimit(kind)
        least = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
        resource.setrlimit(kind, (least, least))


if __name__ == "__main__":
    main()
