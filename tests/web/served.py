"""`findable serve` as it is started: a process of its own."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from findable.service.accounts import account_admin, api_keys
from findable.service.runtime.service import Service
from findable.settings import Settings
from tests.web.live import Client, free_port
from tests.worker.processes import until

ROOT = Path(__file__).parents[2]


@dataclass
class Served:
    """A running service and its first key."""

    process: subprocess.Popen[str]
    port: int
    key: str
    log: Path
    said: str = ""
    """What it said when it started."""

    @property
    def client(self) -> Client:
        return Client(self.port, self.key)

    @property
    def healthy(self) -> bool:
        with suppress(OSError):
            return self.client.guest().get("/healthz").status == 200
        return False

    def end(self, number: int = signal.SIGTERM, timeout_s: float = 30) -> int:
        self.process.send_signal(number)
        code = self.process.wait(timeout_s)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code


def environment_of(folder: Path, **settings: object) -> dict[str, str]:
    """Settings as variables; the data directory is below the folder."""
    given = {f"FINDABLE_{name.upper()}": str(value) for name, value in settings.items()}
    return {**os.environ, "FINDABLE_DATA_DIR": str(folder / "data"), "PYTHONPATH": str(ROOT / "src"), **given}


def command_of(port: int) -> list[str]:
    """What starts it."""
    return [sys.executable, "-m", "findable", "serve", "--port", str(port)]


def start(folder: Path, *flags: str, port: int = 0, key: str = "", **settings: str) -> Served:
    """Starts it on a data directory below the folder and reads the first key, where none is given."""
    port = port or free_port()
    log = folder / "log.txt"
    with log.open("a") as errors:
        process = subprocess.Popen(
            [*command_of(port), *flags],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=environment_of(folder, **settings),
            cwd=folder,
        )
    assert process.stdout is not None
    known = key
    said = ""
    for line in process.stdout:
        said += line
        key = key or next(iter(re.findall(r"API key: +(\S+)", line)), "")
        if ("ready" if known else "A new link") in line:
            break
    assert "Findable is ready at" in said, log.read_text()
    return Served(process, port, key, log, said)


@contextmanager
def served_by(folder: Path, wrapper: Sequence[str] = (), *, stdout: int | None = None, **settings: object) -> Iterator[Served]:
    """Runs it below a wrapper (`prlimit …`) with an account made beforehand; ends it for sure."""
    service = Service.open(Settings(data_dir=folder / "data"))
    if not account_admin.has_accounts(service):
        account_admin.create_account(service, "a@example.com")
    key = api_keys.create_key(service, "a@example.com").token
    service.close()
    port, log = free_port(), folder / "log.txt"
    with log.open("a") as errors:
        into = errors if stdout is None else stdout
        command = [*wrapper, *command_of(port)]
        process = subprocess.Popen(command, stdout=into, stderr=into, text=True, env=environment_of(folder, **settings), cwd=folder)
    one = Served(process, port, key, log)
    try:
        until(lambda: one.healthy or process.poll() is not None)
        assert process.poll() is None, log.read_text()
        yield one
    finally:
        process.kill()
        process.wait()
