"""The service: what all use cases share."""

import asyncio
import os
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar
from weakref import WeakValueDictionary

from findable.clock import monotonic_s
from findable.errors import SettingError, Unavailable
from findable.fetch.guard import AllowedTarget, Guard, nat64_prefixes
from findable.service.runtime.event_relay import Relay
from findable.service.runtime.events import News
from findable.service.runtime.passwords import Passwords
from findable.service.runtime.rate_limits import KEYS_OF_ACCOUNT, Rates
from findable.service.runtime.signing_secret import load_secret
from findable.service.runtime.slots import Places
from findable.settings import Settings
from findable.store.database_errors import StoreDamaged
from findable.store.open_store import is_postgresql, open_store
from findable.store.store_protocol import Store
from findable.urls import parse

if TYPE_CHECKING:
    from findable.store.notifications import Signals

P = ParamSpec("P")
T = TypeVar("T")

THREADS = 8
"""More would wait for each other: on SQLite one connection writes and four read."""
DRAWINGS = 2
"""PDFs that are set at once."""
SITEMAPS = 4
"""Sitemaps that are read at once to make batches of them."""
POLL_S = 1.0
"""How often a waiting request looks into the database, in case another process made the report."""
TOLD_POLL_S = 10.0
"""The same where other processes tell their news."""
LAST_WORDS_S = 5.0
"""For what is still told to the database when the service ends."""
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
        self.relay: Relay | None = None
        """Passes news on to other services on the same database."""
        self.rates = Rates(settings.rate_limit)
        self.account_rates = Rates(settings.rate_limit * KEYS_OF_ACCOUNT)
        self.passwords = Passwords()
        self.rescore: Rescore | None = None
        """Set by whoever can analyse safely; without it a change of ruleset is not told apart from a change of the page."""
        self.drawing = asyncio.Semaphore(DRAWINGS)
        """Whoever sets a PDF holds it: the threads are for everybody."""
        self.drawing_for: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """Network to what it holds besides: one PDF at a time for each, so that nobody waits for all those of another."""
        self.sitemaps = Places(SITEMAPS)
        """Of those who read the sitemap of a batch, by account."""
        self.streams = Places(settings.waiting_slots)
        """Of those who follow a report live, by network."""
        self._waiting = Places(settings.waiting_slots)
        """Of requests that wait for their report, by account."""
        self.saved_bytes: Counter[int] = Counter()
        """Account to the bytes of saved pages that came since it was last looked how many there are (`housekeeping.forget_much`)."""
        self._threads = ThreadPoolExecutor(THREADS, "service")
        self._draining = threading.Event()

    @classmethod
    def open(cls, settings: Settings, *, exclusive: bool = False) -> "Service":
        """Opens the store, migrated to the newest schema.

        Args:
            settings: all of them.
            exclusive: for what serves or works: refuses a second server on the same SQLite file; idempotency keys that an earlier one
                held are free again. On PostgreSQL others may be at work: keys end by their time, and news are exchanged.

        Raises:
            SettingError: a setting is wrong, the data directory cannot be written or the database is damaged or newer than we are.
        """
        guard = guard_of(settings)
        secret = load_secret(settings)
        on_broken = _end_at_once if exclusive else lambda: None
        try:
            store = open_store(settings.database_url, exclusive=exclusive, on_broken=on_broken)
        except StoreDamaged as error:
            named = "database_url" in settings.sources or is_postgresql(settings.database_url)
            name = "database_url" if named else "data_dir"
            raise SettingError(settings.name_of(name), str(error)) from error
        if exclusive and not store.shared:
            with store.write() as session:
                session.kept.release_keys()
        service = cls(settings, store, guard, secret)
        if exclusive and store.shared:
            service.relay = Relay(service.news, (service.rates, service.account_rates), partial(_words, settings.database_url))
        return service

    def close(self) -> None:
        """Ends threads and connections and gives the lock back. For a database that is silent nobody waits longer than seconds."""
        hang_up = threading.Timer(LAST_WORDS_S, self.store.hang_up)
        hang_up.start()
        self._threads.shutdown(wait=True)
        hang_up.cancel()
        if self.relay is not None:
            self.relay.close()
        self.store.close()

    async def run(self, use_case: "Callable[Concatenate[Service, P], T]", *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs a use case in one of the bounded threads: ``await service.run(reports.get, caller, 7)``."""
        work = partial(copy_context().run, use_case, self, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def wait_until_done(self, report_id: int, timeout_s: float, who: str = "") -> bool:
        """Waits until no generation of the report is queued or running. False when the time ended or no waiting slot was free for them."""
        if timeout_s <= 0 or not self._waiting.enter(who):
            return await self.run(_is_settled, report_id)
        try:
            return await self._wait(report_id, monotonic_s() + timeout_s)
        finally:
            self._waiting.leave(who)

    async def _wait(self, report_id: int, deadline_s: float) -> bool:
        with self.news.listen(report_id) as settled:
            while not await self.run(_is_settled, report_id):
                left_s = deadline_s - monotonic_s()
                if left_s <= 0 or self.draining:
                    return False
                with suppress(TimeoutError):
                    poll_s = TOLD_POLL_S if self.relay is not None and self.relay.alive else POLL_S
                    async with asyncio.timeout(min(left_s, poll_s)):
                        await settled.wait()
                settled.clear()
        return True

    @property
    def waiting_count(self) -> int:
        """Requests that wait for their report."""
        return self._waiting.taken_count

    @property
    def draining(self) -> bool:
        """Whether the service is ending: readiness is false, nothing new is accepted."""
        return self._draining.is_set()

    def drain(self) -> None:
        """From now on nothing new is accepted."""
        self._draining.set()

    def is_ready(self) -> bool:
        """Whether the database answers and the service is not draining (blocking: one statement)."""
        return self.why_not_ready() is None

    def why_not_ready(self) -> str | None:
        """What keeps requests from being sent here; None where nothing does (blocking: two statements at most)."""
        if self.draining:
            return "the service is ending"
        if self.store.ping():
            return None
        try:
            with self.store.read() as session:
                session.accounts.any()
        except Unavailable:
            return "the database does not answer"
        return "the database can be read, not written"


def _words(url: str, hear: Callable[[str], None], missed: Callable[[], None]) -> "Signals":
    """What carries news over PostgreSQL."""
    from findable.store.notifications import Signals  # noqa: PLC0415 - nor is it needed on SQLite

    return Signals(url, hear, missed)


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
    prefixes = nat64_prefixes(settings.nat64_prefixes, setting=settings.name_of("nat64_prefixes"))
    return Guard(allowed, own, nat64_prefixes=prefixes)


def _end_at_once() -> None:
    """The disk failed under a write: what is in memory may be a lie, what is on disk is told by the next start."""
    os._exit(EX_IOERR)
