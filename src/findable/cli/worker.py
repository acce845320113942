"""`findable worker`: generate reports together with other workers, on any machine that can connect to the database."""

import asyncio
import logging
import os
import platform
import signal
import time
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from findable.cli.command_settings import load_settings
from findable.clock import monotonic_s
from findable.errors import DatabaseUnusable, SettingError, Unavailable

if TYPE_CHECKING:
    from findable.service.runtime.service import Service
    from findable.settings import Settings

START_PATIENCE_S = 300.0
"""Time that a starting worker waits for a database that cannot be reached; then it ends, and its supervisor restarts it."""
START_RETRY_S = 5.0
_log = logging.getLogger(__name__)
SCHEMA_EVERY_S = 10.0
"""Interval at which a worker checks whether a newer version has changed the tables."""


def work(*, concurrency: int | None = None, json_log: bool = False) -> int:
    """Generate reports of a service, also from another machine, through the PostgreSQL database that they share.

    After the first SIGTERM or Ctrl-C the worker starts no more reports and waits up to 25 seconds for running ones; the second signal
    returns them to the queue immediately.
    A worker ends in the same way, with an error, when a newer version has changed the tables.

    Args:
        concurrency: Reports generated concurrently; default: FINDABLE_REPORT_CONCURRENCY.
        json_log: Write the log as one JSON object on each line.
    """
    from findable.store.open_store import is_postgresql

    settings = load_settings({"report_concurrency": concurrency, "json_log": json_log}, flag_names={"report_concurrency": "--concurrency"})
    if not is_postgresql(settings.database_url):
        reason = "must name a PostgreSQL database; on SQLite only `findable serve` can generate reports"
        raise SettingError(settings.name_of("database_url"), reason)
    from findable.malloc_arenas import share_malloc_arenas
    from findable.web.logs import log_to_stderr

    share_malloc_arenas()
    log_to_stderr(as_json=settings.json_log)
    with closing(open_patiently(settings)) as service:
        asyncio.run(_work(service))
    return 0


def open_patiently(settings: "Settings") -> "Service":
    """Open the service; while its database cannot be reached, retry for START_PATIENCE_S. Raises SettingError."""
    from findable.service.runtime.service import Service

    ends_s = monotonic_s() + START_PATIENCE_S
    while True:
        try:
            return Service.open(settings, exclusive=True)
        except DatabaseUnusable as error:
            if not error.is_temporary or monotonic_s() >= ends_s:
                raise
            _log.warning("waiting for the database: %s", error)
        time.sleep(START_RETRY_S)


async def _work(service: "Service") -> None:
    from findable.worker.report_worker import ReportWorker

    worker = ReportWorker(service)
    ending = asyncio.Event()
    hurried: list[asyncio.Task[None]] = []

    def end() -> None:
        if ending.is_set():
            hurried.append(asyncio.create_task(worker.stop(0)))  # shortens the time of the other call
        ending.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, end)
    await worker.start()
    with suppress(OSError, ValueError):
        print(
            f"Generating reports as {platform.node()}, process {os.getpid()}, {service.settings.report_concurrency} concurrently.",
            flush=True,
        )
    outdated = asyncio.create_task(_end_if_outdated(service, ending))
    await ending.wait()
    await worker.stop()
    await asyncio.gather(*hurried)
    if outdated.done():
        raise outdated.result()
    outdated.cancel()


async def _end_if_outdated(service: "Service", ending: asyncio.Event) -> SettingError:
    """End the worker when a newer version of Findable has changed the tables, and return the error."""
    while True:
        await asyncio.sleep(SCHEMA_EVERY_S)
        try:
            await service.run(type(service).refuse_newer)
        except SettingError as error:
            ending.set()
            return error
        except Unavailable:
            continue
