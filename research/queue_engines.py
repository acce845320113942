"""Test job queues with worker processes that are suspended and killed, and with a server that is killed.

    python -m research.queue_engines [ENGINE…]

Each engine runs by its own worker (`research.queue_workers`). It needs the servers of Debian (postgresql, rabbitmq-server, redis-server,
nats-server), which are started here on loopback with data of their own and stopped at the end, and packages that `make setup` does not
install: pip install procrastinate pgqueuer 'psycopg[pool]' pika celery 'dramatiq[redis]' nats-py. Prints a line of JSON for each engine
(docs/decisions/0024-an-engine-carries-jobs.md):

    again_s     seconds until the job of a suspended worker is given to another one; null if it is not within a minute
    late_end    deliveries after the suspended worker woke up and ended the job, and the other one was killed: 1 is correct, 0 is a lost job
    cut_off     the same for a worker whose connection to the server falls silent, and whether it ends its job by the means of the engine
    long_job    workers that run at once a job that takes four times as long as a sign of life may be missing: 1 is correct
    kill_9      deliveries of a job after the server was killed as soon as it confirmed the job: 1 is correct, 0 is a lost job
    cpu_ms      processor time for each of 2,000 empty jobs: of sending, of the worker, of the server
    server_mb   memory of the idle server, with its processes
"""

import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit, urlunsplit

from research import queue_workers
from tests.postgresql import Server as PostgreSQL
from tests.postgresql import programs

ROOT = Path(__file__).resolve().parent.parent
LIMIT_S = 60
PATIENCE_S = {"celery_redis": 150}
"""Time after which a lost worker is certainly found: Celery looks for its messages in Redis every 100 s."""
SETTLE_S = 5
"""Time for an engine to pass on the late end of a job."""
JOBS = 2
CPU_JOBS = 2000
SAFE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def until(condition: Callable[[], bool], limit_s: float = LIMIT_S) -> float | None:
    """Wait for the condition; return the seconds that this took, None if it stayed false."""
    begun_s = time.monotonic()
    while not condition():
        if time.monotonic() > begun_s + limit_s:
            return None
        time.sleep(0.05)
    return time.monotonic() - begun_s


def tree(pid: int) -> list[int]:
    """Return the process and its descendants."""
    found = [pid]
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = status.read_text().rpartition(")")[2].split()
            found += tree(int(status.parent.name)) if int(fields[1]) == pid else []
    return found


def is_alive(pid: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def cpu_s(pid: int) -> float:
    """Return the seconds of processor time of a process and its descendants."""
    ticks = 0
    for one in tree(pid):
        with suppress(OSError):
            ticks += sum(map(int, Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def memory_mb(pid: int) -> float:
    """Return the proportional memory of a process and its descendants."""
    lines = [line for one in tree(pid) for line in Path(f"/proc/{one}/smaps_rollup").read_text().splitlines() if line.startswith("Pss:")]
    return round(sum(int(line.split()[1]) for line in lines) / 1000, 1)


class Postgres:
    """A PostgreSQL server that writes each commit to the disk."""

    def __init__(self, *, empty: bool) -> None:
        place = programs()
        if place is None:
            raise FileNotFoundError("initdb")
        self._server = PostgreSQL(place)
        self._server.stop()
        self._server.start(**SAFE)
        self.url = self._server.empty_database() if empty else self._server.database()

    @property
    def pid(self) -> int:
        """Id of the first process of the server."""
        return int((self._server.folder / "data/postmaster.pid").read_text().split()[0])

    def kill_9(self) -> None:
        """Kill the server, whose children end when they find it gone, and start it again."""
        pids = tree(self.pid)
        self._server.stop(signal.SIGKILL)
        until(lambda: not any(is_alive(pid) for pid in pids))
        self._server.start(**SAFE)

    def close(self) -> None:
        """End the server and remove its data."""
        self._server.remove()


class Program:
    """A server that is one command with a data directory of its own."""

    def __init__(self, url: str, command: list[str], folder: Path, port: int, environment: dict[str, str] | None = None) -> None:
        self.url = url
        self._command = command
        self._port = port
        self._environment = {**os.environ, "HOME": str(folder), **(environment or {})}
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._start()

    @property
    def pid(self) -> int:
        """Id of the first process of the server."""
        assert self._process is not None
        return self._process.pid

    def _start(self) -> None:
        with (self._folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command, env=self._environment, cwd=self._folder, stdout=log, stderr=log, start_new_session=True
            )
        if until(self._answers) is None:
            raise RuntimeError((self._folder / "server.log").read_text())

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self._port), 1):
            return True
        return False

    def kill_9(self) -> None:
        """Kill all processes of the server and start it again."""
        os.killpg(self.pid, signal.SIGKILL)
        assert self._process is not None
        self._process.wait()
        self._start()

    def close(self) -> None:
        """End the server."""
        os.killpg(self.pid, signal.SIGKILL)
        assert self._process is not None
        self._process.wait()
        if "ERL_EPMD_PORT" in self._environment:  # Erlang starts it outside of the group
            until(
                lambda: subprocess.run(["epmd", "-kill"], env=self._environment, capture_output=True, check=False).returncode == 0, SETTLE_S
            )


def postgres(_folder: Path) -> Postgres:
    return Postgres(empty=True)


def our_postgres(_folder: Path) -> Postgres:
    return Postgres(empty=False)


def rabbitmq(folder: Path) -> Program:
    port, distribution, epmd = free_port(), free_port(), free_port()
    program = "/usr/lib/rabbitmq/bin/rabbitmq-server"
    if not Path(program).exists():
        raise FileNotFoundError(program)
    (folder / "plugins").write_text("[].")
    (folder / "rabbitmq.conf").write_text("loopback_users = none\n")
    environment = {
        "RABBITMQ_NODENAME": f"findable{port}@localhost",
        "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
        "RABBITMQ_NODE_PORT": str(port),
        "RABBITMQ_DIST_PORT": str(distribution),
        "RABBITMQ_MNESIA_BASE": str(folder / "data"),
        "RABBITMQ_LOG_BASE": str(folder / "log"),
        "RABBITMQ_CONFIG_FILE": str(folder / "rabbitmq.conf"),
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1}",
        "ERL_EPMD_ADDRESS": "127.0.0.1",
        "ERL_EPMD_PORT": str(epmd),
    }
    return Program(f"amqp://guest:guest@127.0.0.1:{port}/%2F", [program], folder, port, environment)


def redis(folder: Path) -> Program:
    port = free_port()
    program = shutil.which("valkey-server") or shutil.which("redis-server")
    if program is None:
        raise FileNotFoundError("redis-server")
    options = ["--bind", "127.0.0.1", "--port", str(port), "--dir", str(folder), "--appendonly", "yes", "--appendfsync", "always"]
    return Program(f"redis://127.0.0.1:{port}/0", [program, *options], folder, port)


def nats(folder: Path) -> Program:
    port = free_port()
    program = shutil.which("nats-server") or "/usr/sbin/nats-server"
    return Program(f"nats://127.0.0.1:{port}", [program, "-js", "-a", "127.0.0.1", "-p", str(port), "-sd", str(folder)], folder, port)


ENGINES: dict[str, Callable[[Path], Any]] = {
    "table": our_postgres,
    "procrastinate": postgres,
    "procrastinate_fenced": postgres,
    "pgqueuer": postgres,
    "nats": nats,
    "rabbitmq": rabbitmq,
    "rabbitmq_classic": rabbitmq,
    "celery_rabbitmq": rabbitmq,
    "celery_redis": redis,
    "dramatiq_redis": redis,
}


class Way:
    """A way to the server over TCP that can fall silent without closing anything."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        folder = parse_qs(parts.query).get("host", [""])[0]
        self._target = f"{folder}/.s.PGSQL.5432" if folder else ("127.0.0.1", parts.port)
        self._is_open = threading.Event()
        self._is_open.set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        port = self._listener.getsockname()[1]
        self.url = (
            urlunsplit(parts._replace(netloc=f"postgres@127.0.0.1:{port}", query="")) if folder else url.replace(str(parts.port), str(port))
        )
        threading.Thread(target=self._accept, daemon=True).start()

    def silence(self) -> None:
        """Carry nothing more."""
        self._is_open.clear()

    def close(self) -> None:
        """Accept no further connections."""
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX if isinstance(self._target, str) else socket.AF_INET)
                server.connect(self._target)
                for pair in ((client, server), (server, client)):
                    threading.Thread(target=self._carry, args=pair, daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while part := source.recv(65536):
                self._is_open.wait()
                target.sendall(part)
        with suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)


class Trial:
    """Server of an engine, and a folder for the log of its workers."""

    def __init__(self, engine: str, server: Any, folder: Path) -> None:
        self.engine = engine
        self.server = server
        self.folder = folder
        self.patience_s = PATIENCE_S.get(engine, LIMIT_S)
        queue_workers.FOLDER = folder
        sender = engine.removesuffix("_fenced")
        self._send = getattr(queue_workers, f"send_{sender}")
        getattr(queue_workers, f"prepare_{sender}")(server.url)

    def send(self, count: int = 1) -> None:
        """Queue so many jobs."""
        self._send(self.server.url, count)

    @contextmanager
    def worker(self, url: str = "") -> Iterator["subprocess.Popen[bytes]"]:
        """Yield a worker in a process group of its own; kill it at the end."""
        command = [sys.executable, "-m", "research.queue_workers", self.engine, url or self.server.url, str(self.folder)]
        with (
            (self.folder / "errors").open("ab") as errors,
            subprocess.Popen(
                command, cwd=ROOT, env={**os.environ, "C_FORCE_ROOT": "1"}, stdout=errors, stderr=errors, start_new_session=True
            ) as process,
        ):
            try:
                yield process
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)

    def pids(self, word: str) -> list[int]:
        """Return the processes that began or ended a job, in order."""
        log = self.folder / "log"
        lines = log.read_text().splitlines() if log.exists() else []
        return [int(line.split()[1]) for line in lines if line.startswith(word)]

    def starts(self, count: int) -> Callable[[], bool]:
        """Return the condition that so many jobs were begun."""
        return lambda: len(self.pids("start")) >= count

    def end(self, pid: int) -> None:
        """Let the job of the process end."""
        (self.folder / f"end-{pid}").touch()


def late_end(trial: Trial) -> dict[str, Any]:
    trial.send()
    with trial.worker() as late:
        until(trial.starts(1))
        os.killpg(late.pid, signal.SIGSTOP)
        with trial.worker() as second:
            again_s = until(trial.starts(2), trial.patience_s)
            os.killpg(late.pid, signal.SIGCONT)
            if again_s is None:
                return {"again_s": None, "late_end": None}
            trial.end(trial.pids("start")[0])
            until(lambda: bool(trial.pids("end")), 2 * SETTLE_S)
            time.sleep(SETTLE_S)
            has_ended = bool(trial.pids("end"))
            os.killpg(late.pid, signal.SIGKILL)
            os.killpg(second.pid, signal.SIGKILL)
        before = len(trial.pids("start"))
        with trial.worker():
            until(trial.starts(before + 1), trial.patience_s)
    return {"again_s": round(again_s, 1), "late_worker_ended": has_ended, "late_end": len(trial.pids("start")) - before}


def cut_off(trial: Trial) -> dict[str, Any]:
    """Silence the way of a worker to the server: who begins its job then, and does it end its own?"""
    trial.send()
    way = Way(trial.server.url)
    with trial.worker(way.url):
        until(trial.starts(1))
        mine = trial.pids("start")[0]
        way.silence()
        with trial.worker():
            again_s = until(trial.starts(2), trial.patience_s)
            stops = until(lambda: mine in trial.pids("left") or not is_alive(mine))
    way.close()
    return {"cut_off_again_s": again_s and round(again_s, 1), "cut_off_stops": stops is not None}


def long_job(trial: Trial) -> dict[str, Any]:
    """Let two workers have a job each that does not end; a third one has nothing to do."""
    trial.send(JOBS)
    with trial.worker(), trial.worker():
        until(trial.starts(JOBS))
        with trial.worker():
            time.sleep(max(4 * queue_workers.SIGN_S, PATIENCE_S.get(trial.engine, 0)))
    begun = Counter(line.split()[2] for line in (trial.folder / "log").read_text().splitlines())
    return {"long_job": max(begun.values())}


def kill_9(trial: Trial) -> dict[str, Any]:
    time.sleep(SETTLE_S)  # the queue itself is older than its jobs
    trial.send()
    trial.server.kill_9()
    with trial.worker():
        until(trial.starts(1))
    return {"kill_9": len(trial.pids("start"))}


def cpu(trial: Trial) -> dict[str, Any]:
    (trial.folder / "empty").touch()
    memory = memory_mb(trial.server.pid)
    before_s, sent_s = cpu_s(trial.server.pid), own_cpu_s()
    trial.send(CPU_JOBS)
    sent_s = own_cpu_s() - sent_s
    with trial.worker() as worker:
        begun_s = time.monotonic()
        until(lambda: bool(trial.pids("end")))
        worker_s = cpu_s(worker.pid)
        until(lambda: len(trial.pids("end")) >= CPU_JOBS, 5 * LIMIT_S)
        took_s = time.monotonic() - begun_s
        worker_s, ended = cpu_s(worker.pid) - worker_s, len(trial.pids("end"))
    server_s = cpu_s(trial.server.pid) - before_s
    each = [round(1000 * seconds / CPU_JOBS, 2) for seconds in (sent_s, worker_s, server_s)]
    return {"cpu_ms": each, "jobs": ended, "seconds": round(took_s, 1), "server_mb": memory}


def own_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


SCENARIOS = (late_end, cut_off, long_job, kill_9, cpu)


def measure(engine: str, scenarios: tuple[Callable[[Trial], dict[str, Any]], ...] = SCENARIOS) -> dict[str, Any]:
    """Run the scenarios, each with a new server."""
    found: dict[str, Any] = {}
    for scenario in scenarios:
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="findable-queue-", ignore_cleanup_errors=True)))
            server = ENGINES[engine](folder)
            stack.callback(server.close)
            log = folder / "jobs"
            log.mkdir()
            found |= scenario(Trial(engine, server, log))
    return found


def main() -> None:
    wanted = sys.argv[1:] or list(ENGINES)
    if unknown := set(wanted) - set(ENGINES):
        raise SystemExit(f"{__doc__}\nunknown: {', '.join(sorted(unknown))}; known: {', '.join(ENGINES)}")
    for engine in wanted:
        try:
            print(engine, json.dumps(measure(engine)), flush=True)
        except (FileNotFoundError, ModuleNotFoundError) as error:
            print(engine, "is not installed:", error, flush=True)


if __name__ == "__main__":
    main()
