"""Starting, watching and ending the stub service."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT)))}


def until(condition: Callable[[], bool], timeout_s: float = 180) -> None:
    """Waits for a condition; fails after the time."""
    deadline_s = time.monotonic() + timeout_s
    pause_s = 0.01
    while not condition():
        assert time.monotonic() < deadline_s, "the condition did not come true in time"
        time.sleep(pause_s)
        pause_s = min(pause_s * 1.3, 0.1)  # a condition is often a request: what is waited for needs the processor


async def eventually(condition: Callable[[], bool], timeout_s: float = 180) -> None:
    """The same on an event loop."""
    async with asyncio.timeout(timeout_s):
        while not condition():  # noqa: ASYNC110 - what is waited for happens in other processes
            await asyncio.sleep(0.005)


def exists(pid: int) -> bool:
    """Whether the process lives."""
    return Path(f"/proc/{pid}").exists()


def log_of(data_dir: Path) -> list[str]:
    path = data_dir / "log"
    return path.read_text().splitlines() if path.exists() else []


@contextmanager
def stub_service(data_dir: Path, *options: object, wrapper: tuple[str, ...] = ()) -> Iterator[subprocess.Popen[str]]:
    """Runs from "ready" on; is killed at the end of the block."""
    ready = log_of(data_dir).count("ready")
    command = [*wrapper, sys.executable, str(Path(__file__).parent / "stub_service.py"), str(data_dir), *map(str, options)]
    with subprocess.Popen(command, env=ENVIRONMENT, text=True, stderr=subprocess.PIPE) as process:
        try:
            until(lambda: log_of(data_dir).count("ready") > ready or process.poll() is not None)
            yield process
        finally:
            process.kill()
