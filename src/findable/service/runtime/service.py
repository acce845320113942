"""The service: shared state of all use cases."""

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, TypeVar, cast

from msgspec import Struct

from findable.clock import monotonic_s
from findable.crawl.progress import CrawlProgress
from findable.errors import SettingError, Unavailable
from findable.fetch.egress_guard import AllowedTarget, Guard, denied_hosts, nat64_prefixes
from findable.recheck import RecheckResult
from findable.reports.report import Report
from findable.service.runtime.event_relay import Relay
from findable.service.runtime.events import EventBus
from findable.service.runtime.passwords import Passwords
from findable.service.runtime.rate_limits import rate_limits
from findable.service.runtime.signing_secret import make_secret, stored_secret
from findable.service.runtime.slots import Slots
from findable.service.runtime.table_files import TableFiles
from findable.service.runtime.use_case_threads import UseCaseThreads
from findable.service.values.report_values import Progress
from findable.settings import Settings
from findable.store.crawl_homes import crawl_home
from findable.store.database_errors import DiskFull, StoreDamaged
from findable.store.open_store import is_postgresql, open_store
from findable.store.schema_versions import require_known
from findable.store.store_protocol import Store
from findable.urls import parse
from findable.wording import later

if TYPE_CHECKING:
    from findable.store.postgres_messages import Signals

P = ParamSpec("P")
T = TypeVar("T")

THREADS = 8
"""Maximum number of threads. More would block each other: on SQLite one connection writes and four read."""
POLL_S = 1.0
"""Interval at which a waiting request polls the database, in case another process generated the report."""
EVENT_POLL_S = 10.0
"""Polling interval if other processes publish events."""
LAST_WRITES_S = 5.0
"""Time limit for the last writes to the database at shutdown."""
EX_IOERR = 74
DRAINING_RETRY_S = 5
RESTARTED = later("The service is being restarted.")


class Analysis(Struct, frozen=True):
    """Services of a process that can fetch and analyse to use cases."""

    rescore: Callable[[bytes, bool], Report]
    """Rescores a saved page under the current ruleset. Its second argument: whether the page is excluded from search on purpose.
    It may raise any exception.
    """
    recheck: Callable[[Any], Awaitable[RecheckResult]]
    """Handles a `service.results.rechecks.RecheckJob`."""


class Service:
    """Settings, store, guard, secrets and events in one object."""

    def __init__(self, settings: Settings, store: Store, guard: Guard, secret: bytes) -> None:
        self.settings = settings
        self.store = store
        self.guard = guard
        self.secret = secret
        self.events: EventBus[Progress] = EventBus()
        self.crawl_events: EventBus[CrawlProgress] = EventBus()
        """Events of crawls by their ids, within this process."""
        self.crawl_home = crawl_home(settings.database_url)
        """Stores of the crawls."""
        self.relay: Relay | None = None
        """Publishes events to other services on the same database."""
        self.table_files = TableFiles()
        """Tables of crawls for questions."""
        self.rates = rate_limits(settings.rate_limit)
        self.passwords = Passwords()
        self.analysis: Analysis | None = None
        """Set by a process that can fetch and analyse; without it, changes of ruleset and of page cannot be separated."""
        self.streams = Slots(settings.waiting_slots)
        """Slots for following a report live, by network."""
        self._waiting = Slots(settings.waiting_slots)
        """Slots for requests that wait for their report, by account."""
        self._memories: dict[type, Any] = {}
        self._threads = UseCaseThreads(THREADS if store.is_shared else 1, THREADS)
        self._draining = threading.Event()

    @classmethod
    def open(cls, settings: Settings, *, exclusive: bool = False) -> "Service":
        """Open the store, migrated to the newest schema.

        Args:
            settings: all settings.
            exclusive: whether this process serves or works: it refuses a second server on the same SQLite file and releases the idempotency
                keys of an earlier one. On PostgreSQL several may work: keys expire by time, and events are exchanged.

        Raises:
            SettingError: a setting is wrong, or the database is damaged or too new.
            DatabaseUnusable: the database is locked, full, not writable or unreachable.
        """
        guard = guard_of(settings)
        secret = stored_secret(settings)
        on_broken = _end_at_once if exclusive else lambda: None
        try:
            store = open_store(settings.database_url, exclusive=exclusive, on_storage_broken=on_broken, accept_loss=settings.accept_loss)
        except StoreDamaged as error:
            raise error.as_setting_error(_database_setting(settings)) from error
        try:
            secret = secret or make_secret(settings)  # created after the database, so that a killed first start can be repeated
        except SettingError:
            store.close()
            raise
        service = cls(settings, store, guard, secret)
        if exclusive and store.is_shared:
            service.relay = Relay(
                service.events, (service.rates.by_owner, service.rates.by_account), partial(_transport, settings.database_url)
            )
        return service

    def memory(self, kind: type[T]) -> T:
        """Return the one object of a class, without arguments, in which a use case of this service keeps something between its calls."""
        if kind not in self._memories:
            self._memories.setdefault(kind, kind())
        return cast("T", self._memories[kind])

    def refuse_newer(self) -> None:
        """Raise SettingError if a newer version has changed the tables since they were opened."""
        with self.store.read() as session:
            schema = session.instance.schema()
        try:
            require_known(schema, "the database", "start that one")
        except StoreDamaged as error:
            raise error.as_setting_error(_database_setting(self.settings)) from error

    def close(self) -> None:
        """End threads and connections and release the lock. An unresponsive database delays this by seconds at most."""
        hang_up = threading.Timer(LAST_WRITES_S, self.store.hang_up)
        hang_up.start()
        self._threads.close()
        self.table_files.close()
        hang_up.cancel()
        if self.relay is not None:
            self.relay.close()
        self.crawl_home.close()
        self.store.close()

    async def run(self, use_case: "Callable[Concatenate[Service, P], T]", *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a use case in one of the bounded threads: ``await service.run(reports.get, caller, 7)``."""
        return await self._threads.run(partial(copy_context().run, use_case, self, *args, **kwargs))

    async def wait_until_done(self, report_id: int, timeout_s: float, slot_owner: str = "") -> bool:
        """Wait until no generation of the report is queued or running. Returns False at timeout or without a free slot."""
        poll_s = EVENT_POLL_S if self.relay is not None and self.relay.alive else POLL_S
        return await self._wait_in_slot(self.events, "reports", report_id, timeout_s, slot_owner, poll_s)

    async def wait_until_crawled(self, crawl_id: int, timeout_s: float, slot_owner: str = "") -> bool:
        """Wait until the crawl has ended. Returns False at timeout or without a free slot."""
        return await self._wait_in_slot(self.crawl_events, "crawls", crawl_id, timeout_s, slot_owner, POLL_S)

    async def _wait_in_slot(
        self,
        events: EventBus[Any],
        topic: Literal["reports", "crawls"],
        number: int,
        timeout_s: float,
        slot_owner: str,
        poll_s: float,
    ) -> bool:
        if timeout_s <= 0 or not self._waiting.acquire(slot_owner):
            return await self.run(_has_ended, topic, number)
        deadline_s = monotonic_s() + timeout_s
        try:
            with events.listen(number) as ended:
                while not await self.run(_has_ended, topic, number):
                    left_s = deadline_s - monotonic_s()
                    if left_s <= 0 or self.draining:
                        return False
                    with suppress(TimeoutError):
                        async with asyncio.timeout(min(left_s, poll_s)):
                            await ended.wait()
                    ended.clear()
        finally:
            self._waiting.release(slot_owner)
        return True

    @property
    def waiting_count(self) -> int:
        """Number of requests that wait for their report."""
        return self._waiting.taken_count

    @property
    def draining(self) -> bool:
        """Whether the service is shutting down: it is not ready and accepts nothing new."""
        return self._draining.is_set()

    def require_accepting(self) -> None:
        """Raise Unavailable if the service is shutting down."""
        if self.draining:
            raise Unavailable(RESTARTED, retry_after_s=DRAINING_RETRY_S)

    def run_deletion(self, delete: Callable[[], None]) -> None:
        """Run a deletion; if the disk is full, free the reserve and run it again."""
        try:
            delete()
        except DiskFull:
            if not self.store.use_reserve():
                raise
            delete()

    def drain(self) -> None:
        """Stop accepting work."""
        self._draining.set()

    def is_ready(self) -> bool:
        """Return whether the database responds and the service is not shutting down (blocking: one statement)."""
        return self.readiness_problem() is None

    def readiness_problem(self) -> str | None:
        """Return the reason why requests should not be sent here; None if there is none (blocking: at most two statements)."""
        if self.draining:
            return "the service is shutting down"
        if self.store.ping():
            return None
        try:
            with self.store.read() as session:
                session.accounts.any()
        except Unavailable:
            return "the database does not respond"
        return "the database is read-only"


def _database_setting(settings: Settings) -> str:
    """Return the name of the setting that chose the database."""
    named = "database_url" in settings.sources or is_postgresql(settings.database_url)
    return settings.name_of("database_url" if named else "data_dir")


def _transport(url: str, on_message: Callable[[str], None], on_missed: Callable[[], None]) -> "Signals":
    """Return the transport of events over PostgreSQL."""
    from findable.store.postgres_messages import Signals  # noqa: PLC0415 - not needed on SQLite

    return Signals(url, on_message, on_missed)


def _has_ended(service: Service, topic: Literal["reports", "crawls"], number: int) -> bool:
    with service.store.read() as session:
        row = session.reports.by_id(number) if topic == "reports" else session.crawls.by_id(number)
    return row is None or row.job_state is None


def guard_of(settings: Settings, *more: AllowedTarget) -> Guard:
    """Return the guard for allowed targets and ``more``; the service itself is never allowed. Raises SettingError."""
    allowed = AllowedTarget.parse_all(",".join(settings.allow_targets), setting=settings.name_of("allow_targets"))
    published = parse(settings.base_url)
    own = [(settings.host, settings.port)]
    if published is not None:
        own.append((published.host, published.port))
    prefixes = nat64_prefixes(settings.nat64_prefixes, setting=settings.name_of("nat64_prefixes"))
    denied = denied_hosts(settings.deny_hosts, setting=settings.name_of("deny_hosts"))
    return Guard((*allowed, *more), own, nat64_prefixes=prefixes, deny_hosts=denied)


def _end_at_once() -> None:
    """End the process: after a failed disk write memory cannot be trusted, and the next start reads the data from disk."""
    os._exit(EX_IOERR)
