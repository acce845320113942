"""Process of the service: HTTP server and background worker in one event loop, and their shutdown."""

import asyncio
import contextlib
import logging
import os
import resource
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import Protocol

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.server.embed import Server

from findable.malloc_arenas import share_malloc_arenas
from findable.service.runtime.service import Service
from findable.settings import Settings
from findable.web.app import create_app
from findable.web.listening import require_free
from findable.web.logs import keep_standard_streams, log_to_stderr, write_last_lines

HEADER_DEADLINE_MS = 10_000
"""Time limit for receiving request headers, and for an idle connection."""
HEADER_BYTES = 64 * 1024
BACKLOG = 1024
MAX_DESCRIPTORS = 65_536
MAX_CONNECTIONS = 8192
"""Maximum number of connections. Idle connections are closed after ten seconds; each takes a few kilobytes."""
FEWEST_CONNECTIONS = 16
OWN_DESCRIPTORS = 64
"""File descriptors for database, log, pool of processes, event loops."""
DESCRIPTORS_OF_A_REPORT = 12
"""File descriptors of one report: connections to the audited site and its links, and name look-ups."""
SHUTDOWN_S = 15.0
"""Time limit for running requests at shutdown; a body may take ten seconds to arrive."""
_PROBE_S = 0.02

log = logging.getLogger("findable.server")


class BackgroundWorker(Protocol):
    """Interface of the worker that generates reports in the process of the server."""

    async def start(self) -> None:
        """Start generating reports in background tasks."""

    async def stop(self, drain_s: float = ...) -> None:
        """Wait ``drain_s`` seconds for running reports, then return them to the queue; a second call stops immediately."""


MakeWorker = Callable[[Service], BackgroundWorker]
Begin = Callable[[Service], Awaitable[None]]


def serve(settings: Settings, make_worker: MakeWorker, begin: Begin | None = None) -> None:
    """Run the service until SIGTERM or SIGINT. ``begin`` runs once the service responds to requests.

    Raises SettingError if the service cannot start with these settings.
    """
    keep_standard_streams()
    share_malloc_arenas()
    log_to_stderr(as_json=settings.json_log)
    logging.getLogger("findable.access").setLevel(logging.INFO if settings.access_log else logging.WARNING)
    require_free(settings)
    service = Service.open(settings, exclusive=True)
    ended = False
    try:
        ended = asyncio.run(_serve(service, make_worker, begin))
    finally:
        service.close()
        write_last_lines()
    if not ended:
        # A request that never ends blocks server threads, which would crash the interpreter during a normal exit.
        with contextlib.suppress(OSError, ValueError, AttributeError):
            sys.stdout.flush()
        os._exit(0)


async def _serve(service: Service, make_worker: MakeWorker, begin: Begin | None) -> bool:
    """Run the server and the worker, and return whether all requests ended within the time limit for shutdown."""
    settings = service.settings
    worker = make_worker(service)
    await worker.start()
    server = Server(
        create_app(service),
        address=settings.host,
        port=settings.port,
        interface=Interfaces.ASGINL,
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=HEADER_DEADLINE_MS, max_buffer_size=HEADER_BYTES),
        websockets=False,
        backlog=BACKLOG,
        backpressure=connections(settings),
        log_enabled=False,
    )
    ending = _ShutdownSignals(service, server, worker)
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ending.on_signal)
    serving = asyncio.create_task(server.serve())
    await _until_listening(settings, serving)
    _print(f"Findable is ready at {settings.base_url} (listening on {settings.host}:{settings.port}).")
    if begin is not None:
        await begin(service)
    await asyncio.wait([serving, asyncio.create_task(ending.asked.wait())], return_when=asyncio.FIRST_COMPLETED)
    await ending.work_ended()
    done, _ = await asyncio.wait([serving], timeout=SHUTDOWN_S)
    return bool(done)


class _ShutdownSignals:
    """Handler of signals: the first one shuts the service down gracefully, the second stops running reports immediately."""

    def __init__(self, service: Service, server: Server, worker: BackgroundWorker) -> None:
        self._service, self._server, self._worker = service, server, worker
        self._signals_count = 0
        self._hurry: asyncio.Task[None] | None = None
        self.asked = asyncio.Event()

    def on_signal(self) -> None:
        self._signals_count += 1
        self._service.drain()
        self._server.stop()  # type: ignore[no-untyped-call]  # granian's
        self.asked.set()
        if self._signals_count > 1:
            self._hurry = asyncio.create_task(self._worker.stop(0))

    async def work_ended(self) -> None:
        await self._worker.stop()


def connections(settings: Settings) -> int:
    """Raise the limit of file descriptors and return the maximum number of connections that it allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = hard if hard != resource.RLIM_INFINITY else MAX_DESCRIPTORS
    limit = max(soft, min(wanted, MAX_DESCRIPTORS))
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    own = OWN_DESCRIPTORS + DESCRIPTORS_OF_A_REPORT * settings.report_concurrency
    return max(FEWEST_CONNECTIONS, min(MAX_CONNECTIONS, limit - own))


async def _until_listening(settings: Settings, serving: "asyncio.Task[None]") -> None:
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)  # noqa: S104 - compared, not bound
    while not serving.done():
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection(host, settings.port)
            writer.close()
            return
        await asyncio.sleep(_PROBE_S)
    await serving


def _print(text: str) -> None:
    """Print a line for the operator, and ignore a closed standard output."""
    with contextlib.suppress(OSError, ValueError):
        print(text, flush=True)  # noqa: T201 - the line that operators wait for
