"""The service: what all use cases share."""

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from findable.clock import monotonic_s
from findable.errors import SettingError
from findable.fetch.guard import AllowedTarget, Guard
from findable.service.limits import Rates
from findable.service.news import News
from findable.service.passwords import Passwords
from findable.service.secret import load_secret
from findable.settings import Settings
from findable.store.errors import StoreDamaged
from findable.store.protocol import Store
from findable.store.sqlite import SqliteStore
from findable.urls import parse

P = ParamSpec("P")
T = TypeVar("T")

THREADS = 8
"""More would wait for each other: one connection writes, four read."""
POLL_S = 1.0
"""How often a waiting request looks into the database, in case another process made the report."""
EX_IOERR = 74
Rescore = Callable[[bytes, bool], bytes]
"""A saved page, and whether it is not meant for search, to the bytes of its analysis under the present ruleset; may raise anything."""


class Service:
    """Settings, store, guard, secrets and the news of finished reports, held together."""

    def __init__(self, settings: Settings, store: Store, guard: Guard, secret: bytes) -> None:
        self.settings = settings
        self.store = store
        self.guard = guard
        self.secret = secret
        self.news = News()
        self.rates = Rates(settings.rate_limit)
        self.passwords = Passwords()
        self.rescore: Rescore | None = None
        """Set by whoever can analyse safely; without it a change of ruleset is not told apart from a change of the page."""
        self._threads = ThreadPoolExecutor(THREADS, "service")
        self._draining = threading.Event()
        self._waiting = 0

    @classmethod
    def open(cls, settings: Settings, *, exclusive: bool = False) -> "Service":
        """Opens the store, migrated to the newest schema.

        Args:
            settings: all of them.
            exclusive: for `findable serve`: refuses a second server on the same SQLite file; idempotency keys that an earlier one
                held are free again.

        Raises:
            SettingError: a setting is wrong, the data directory cannot be written or the database is damaged or newer than we are.
        """
        guard = guard_of(settings)
        secret = load_secret(settings)
        path = Path(settings.database_url.removeprefix("sqlite:///"))
        try:
            store = SqliteStore(path, exclusive=exclusive, on_broken=_end_at_once if exclusive else lambda: None)
        except StoreDamaged as error:
            name = "database_url" if "database_url" in settings.sources else "data_dir"
            raise SettingError(settings.name_of(name), str(error)) from error
        if exclusive:
            with store.write() as session:
                session.kept.release_keys()
        return cls(settings, store, guard, secret)

    def close(self) -> None:
        """Ends threads and connections and gives the lock back."""
        self._threads.shutdown(wait=True)
        self.store.close()

    async def run(self, use_case: "Callable[Concatenate[Service, P], T]", *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs a use case in one of the bounded threads: ``await service.run(reports.get, caller, 7)``."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, partial(use_case, self, *args, **kwargs))

    async def wait_until_done(self, report_id: int, timeout_s: float) -> bool:
        """Waits until no generation of the report is queued or running. False when the time ended or no waiting slot was free."""
        if timeout_s <= 0 or self._waiting >= self.settings.waiting_slots:
            return await self.run(_is_settled, report_id)
        self._waiting += 1
        try:
            return await self._wait(report_id, monotonic_s() + timeout_s)
        finally:
            self._waiting -= 1

    async def _wait(self, report_id: int, deadline_s: float) -> bool:
        with self.news.listen(report_id) as settled:
            while not await self.run(_is_settled, report_id):
                left_s = deadline_s - monotonic_s()
                if left_s <= 0 or self.draining:
                    return False
                with suppress(TimeoutError):
                    async with asyncio.timeout(min(left_s, POLL_S)):
                        await settled.wait()
                settled.clear()
        return True

    @property
    def draining(self) -> bool:
        """Whether the service is ending: readiness is false, nothing new is accepted."""
        return self._draining.is_set()

    def drain(self) -> None:
        """From now on nothing new is accepted."""
        self._draining.set()

    def is_ready(self) -> bool:
        """Whether the database answers and the service is not draining (blocking: one statement)."""
        return not self.draining and self.store.ping()


def _is_settled(service: Service, report_id: int) -> bool:
    with service.store.read() as session:
        row = session.reports.by_id(report_id)
    return row is None or row.job_state is None


def guard_of(settings: Settings) -> Guard:
    """Which addresses may be analysed; never the service itself. Raises SettingError."""
    allowed = AllowedTarget.parse_all(",".join(settings.allow_targets), setting=settings.name_of("allow_targets"))
    published = parse(settings.base_url)
    own = [(settings.host, settings.port)]
    if published is not None:
        own.append((published.host, published.port))
    return Guard(allowed, own)


def _end_at_once() -> None:
    """The disk failed under a write: what is in memory may be a lie, what is on disk is told by the next start."""
    os._exit(EX_IOERR)
