"""Run jobs of PostgreSQL on the engine Procrastinate, whose tables are in the same database.

Jobs are claimed for all workers under one lock, in turns by account and within the limits per host, and sent as messages in the same
transaction (``StoredJobs.dispatch``). The engine distributes the messages, wakes workers, stores their heartbeats and detects lost ones.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from findable.clock import monotonic_s
from findable.errors import Unavailable
from findable.jobs.carrier import POLL_S, Carrier, InThread, Work
from findable.jobs.protocol import Handler, JobT, Queues, StoredJobs

if TYPE_CHECKING:
    from psycopg import AsyncConnection
    from psycopg_pool import AsyncConnectionPool

CONNECTIONS = 2
"""Maximum number of connections of a process to the engine's tables; each queue that is listened to has one more."""
SILENCE = 6
"""The engine's statements time out after this part of `lost_after_s`: then the process stops its jobs before others get them."""
RETRY_S = 2.0
"""Pause before a worker that could not reach the database starts again."""
_log = logging.getLogger(__name__)


class Engine:
    """Connection of this process to Procrastinate, the engine.

    Args:
        url: ``postgresql://…`` of the database of the service.
        heartbeat_s: interval of the heartbeats of its workers.
        lost_after_s: time without a heartbeat after which a worker is lost.
    """

    def __init__(self, url: str, *, heartbeat_s: float, lost_after_s: float) -> None:
        from procrastinate import App, PsycopgConnector  # the extra `postgresql`, which SQLite does not need

        for name in ("procrastinate", "psycopg.pool"):  # they log a traceback for every attempt to reach an unavailable database
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self.heartbeat_s = heartbeat_s
        self.lost_after_s = lost_after_s
        self._url = url
        self._app = App(connector=PsycopgConnector())
        self._pool: AsyncConnectionPool | None = None
        self._opening = asyncio.Lock()

    def add_kind(self, kind: str, process: Callable[[int, int, str], Awaitable[None]]) -> None:
        """Run ``process(job_id, attempt, queue)`` for each message of the kind."""

        async def run(context: Any, job_id: int, attempt: int) -> None:
            await process(job_id, attempt, context.job.queue)

        self._app.task(name=kind, pass_context=True)(run)

    async def open(self) -> None:
        """Connect to the database. Raises PoolTimeout if it is unreachable."""
        from psycopg_pool import AsyncConnectionPool

        timeout_s = self.lost_after_s / SILENCE
        async with self._opening:
            if self._pool is None:
                limit_s = max(2, round(timeout_s))
                pool = AsyncConnectionPool(
                    self._url,
                    connection_class=_timed_connection(timeout_s),
                    kwargs={"application_name": "findable engine", "client_encoding": "utf8", "connect_timeout": limit_s},
                    configure=_configure,
                    timeout=timeout_s,
                    open=False,
                    min_size=1,
                    max_size=CONNECTIONS,
                )
                try:
                    await pool.open(wait=True, timeout=timeout_s)
                except BaseException:
                    await pool.close(timeout_s)
                    raise
                self._pool = pool
                await self._app.open_async(pool)

    async def close(self) -> None:
        """Close the connections."""
        if self._pool is not None:
            await self._pool.close(self.lost_after_s / SILENCE)

    def worker(self, queue: str, concurrency: int, *, listens: bool) -> Any:
        """Return a worker of the engine for one queue; without ``listens`` it polls for messages."""
        from procrastinate.worker import Worker

        return Worker(
            self._app,
            queues=[queue],
            name=queue,
            concurrency=concurrency,
            fetch_job_polling_interval=POLL_S,
            abort_job_polling_interval=POLL_S,
            shutdown_graceful_timeout=self.lost_after_s / 3,
            listen_notify=listens,
            delete_jobs="always",
            install_signal_handlers=False,
            update_heartbeat_interval=self.heartbeat_s,
            stalled_worker_timeout=self.lost_after_s,
        )

    async def beat(self, worker: Any) -> None:
        """Send a heartbeat for a worker that is stopping, whose own heartbeats have ended."""
        if worker.worker_id is not None:
            await self._app.job_manager.update_heartbeat(worker.worker_id)


async def _configure(connection: "AsyncConnection[Any]") -> None:
    """Commit without waiting for the disk: if the server fails, at most the start or end of a message is lost, and its job is fenced."""
    await connection.execute("SET synchronous_commit = off")
    await connection.commit()


def _timed_connection(timeout_s: float) -> type["AsyncConnection[Any]"]:
    """Return a class of connections that close with OperationalError if the server does not respond in time."""
    from psycopg import AsyncConnection, OperationalError

    class TimedConnection(AsyncConnection[Any]):
        is_listening = False

        async def notifies(self, **limits: Any) -> Any:
            self.is_listening = True  # a notification may take any time
            try:
                async for one in super().notifies(**limits):
                    yield one
            finally:
                self.is_listening = False

        async def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:  # noqa: ASYNC109 - as in psycopg
            may_wait = timeout is not None or self.is_listening
            return await super().wait(gen if may_wait else self._with_timeout(gen), interval, timeout)

        def _with_timeout(self, gen: Any) -> Any:
            until_s = monotonic_s() + timeout_s
            try:
                wanted = next(gen)
                while True:
                    ready = yield wanted
                    if not ready and monotonic_s() > until_s:
                        break
                    wanted = gen.send(ready)
            except StopIteration as end:
                return end.value
            self.pgconn.finish()
            raise OperationalError("the server does not respond")

    return TimedConnection


class EngineCarrier(Carrier[JobT]):
    """Sends jobs for the free slots of this process, and runs the messages that the engine distributes.

    Any worker may get any message: this process claims as many jobs as it has free slots, and the first free worker runs them.

    Args:
        engine: connection of this process.
        kind: name of the kind of jobs.
        jobs: the jobs in the store.
        handle: processes one job.
        in_thread: runs the functions of ``jobs``.
        worker: name of this process.
        at_once: maximum number of concurrent jobs.
        spare: extra slots for accounts without a running job, with a separate queue.
        listens: whether PostgreSQL notifies this process of messages; otherwise it polls for them.
    """

    def __init__(  # noqa: PLR0913 - each is given once, where the worker is made
        self,
        engine: Engine,
        kind: str,
        jobs: StoredJobs[JobT],
        handle: Handler[JobT],
        in_thread: InThread,
        worker: str,
        *,
        at_once: int,
        spare: int = 0,
        listens: bool = True,
    ) -> None:
        super().__init__(jobs, handle, in_thread, worker, at_once=at_once, spare=spare, heartbeat_s=engine.heartbeat_s)
        self._engine = engine
        self._queues = Queues(kind, f"{kind}-spare" if spare else "")
        self._listens = listens
        self._workers: dict[str, Any] = {}
        engine.add_kind(kind, self._process)

    async def _work(self) -> None:
        lanes = [asyncio.create_task(self._run_worker(self._queues.normal, self.at_once, listens=self._listens))]
        if self._queues.spare:
            lanes.append(asyncio.create_task(self._run_worker(self._queues.spare, self.spare, listens=False)))
        try:
            while not self._stopping.is_set():
                self._woken.clear()
                spare_running = sum(work.is_spare for work in self._at_work.values())
                free, spare = self.at_once - len(self._at_work) + spare_running, self.spare - spare_running
                if free + spare <= 0 or not await self._try_store(self.jobs.dispatch, self._queues, free, spare):
                    await self._wait(POLL_S)
            for worker in self._workers.values():
                worker.shutdown_graceful_timeout = None  # `drain` ends them in time
                worker.stop()
            self._loops.append(asyncio.create_task(self._beat_to_the_end()))
            await self._wait_for_jobs()
        finally:
            self._stopping.set()
            for worker in self._workers.values():
                worker.stop()
            for work in self._at_work.values():
                work.task.cancel()
            _, stuck = await asyncio.wait(lanes, timeout=self._engine.lost_after_s / 3)
            if stuck:  # their tasks are cancelled when the process ends
                _log.warning("a worker of the queue engine does not end; its jobs have ended")

    async def _run_worker(self, queue: str, concurrency: int, *, listens: bool) -> None:
        """Run a worker of the engine, and another one whenever it ends because the database was unreachable."""
        while not self._stopping.is_set():
            try:
                await self._engine.open()
                worker = self._workers[queue] = self._engine.worker(queue, concurrency, listens=listens)
                if not self._stopping.is_set():
                    await worker.run()
                if not self._stopping.is_set():
                    _log.warning("the worker of queue %s starts again: the connection to the database was lost", queue)
            except Exception as error:  # noqa: BLE001 - after any error of the engine or its driver the worker starts again
                _log.warning("the worker of queue %s starts again: %s", queue, error)
            if not self._stopping.is_set():
                await asyncio.sleep(RETRY_S)

    async def _beat_to_the_end(self) -> None:
        """Send the heartbeats of workers that are stopping."""
        while True:
            for worker in self._workers.values():
                with suppress(Exception):  # while the database is unreachable, the jobs are lost anyway
                    await self._engine.beat(worker)
            await asyncio.sleep(self.heartbeat_s)

    async def _process(self, job_id: int, attempt: int, queue: str) -> None:
        """Run the job of a message."""
        job = await self._load(job_id, attempt)
        task = asyncio.current_task()
        if job is None or task is None:
            return  # the job was deleted, or belongs to another attempt
        if self._stopping.is_set():  # the engine took it while this process began to drain
            await self._hand_back(job)
            return
        number = next(self._begun)
        self._at_work[number] = Work(job, task, is_spare=queue == self._queues.spare)
        try:
            await self.handle(job)
        except asyncio.CancelledError:
            await asyncio.shield(self._hand_back(job))
            raise
        finally:
            self._at_work.pop(number, None)
            self._woken.set()

    async def _load(self, job_id: int, attempt: int) -> JobT | None:
        """Return the job of a message; None if it no longer exists, or if the process stops while the database is unreachable."""
        while True:
            try:
                return await self.in_thread(self.jobs.load, self.worker, job_id, attempt)
            except Unavailable as error:
                _log.warning("job %d cannot be read yet: %s", job_id, error)
                if self._stopping.is_set():
                    return None
                await asyncio.sleep(RETRY_S)

    async def _hand_back(self, job: JobT) -> None:
        await self._try_store(self.jobs.hand_back, job)
