"""Test whether a job is lost if a worker believed dead returns and finishes it, and the worker that took it over is killed.

    python -m research.queue_engines procrastinate|pgqueuer|table

It needs a PostgreSQL server, as the tests do. `make setup` does not install the engines: pip install procrastinate pgqueuer 'psycopg[pool]'.
Prints how often the job is delivered again: 1 is correct, 0 is a lost job (docs/decisions/0024-no-engine-carries-jobs.md).
"""

import asyncio
import sys
import tempfile
import uuid
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.postgresql import Server, programs

LEASE_S = 30
AGO = "now() - interval '60 s'"


async def procrastinate(url: str) -> int:
    """Test Procrastinate: workers have heartbeats, and stalled jobs are queried and queued again, as documented."""
    from procrastinate import App, PsycopgConnector
    from procrastinate.jobs import Status

    app = App(connector=PsycopgConnector(conninfo=url))

    async def work() -> None:
        """Task that is never run."""

    task = app.task(name="work")(work)
    async with app.open_async():
        jobs = app.job_manager

        async def lose(worker: int) -> list[Any]:
            await app.connector.execute_query_async(f"UPDATE procrastinate_workers SET last_heartbeat = {AGO} WHERE id = {worker}")
            return list(await jobs.get_stalled_jobs(seconds_since_heartbeat=LEASE_S))

        await app.schema_manager.apply_schema_async()
        await task.defer_async()
        late, next_one = await jobs.register_worker(), await jobs.register_worker()
        job = await jobs.fetch_job(queues=None, worker_id=late)
        for stalled in await lose(late):
            await jobs.retry_job(stalled)
        await jobs.fetch_job(queues=None, worker_id=next_one)
        await jobs.finish_job(job, Status.SUCCEEDED, delete_job=True)
        return len(await lose(next_one))


async def pgqueuer(url: str) -> int:
    """Test PgQueuer: jobs have heartbeats, and workers also take jobs whose heartbeat has stopped."""
    import psycopg
    from pgqueuer import Queries
    from pgqueuer.adapters.persistence.queries import EntrypointExecutionParameter
    from pgqueuer.db import PsycopgDriver

    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        queries = Queries(PsycopgDriver(connection))

        async def take() -> list[Any]:
            return await queries.dequeue(
                batch_size=1,
                entrypoints={"work": EntrypointExecutionParameter(concurrency_limit=0)},
                queue_manager_id=uuid.uuid4(),
                global_concurrency_limit=None,
                heartbeat_timeout=timedelta(seconds=LEASE_S),
            )

        await queries.install()
        await queries.enqueue("work", b"")
        await asyncio.sleep(0.1)
        late = await take()
        await connection.execute(f"UPDATE pgqueuer SET heartbeat = {AGO}")
        await take()
        await queries.log_jobs([(late[0], "successful", None)])
        await connection.execute(f"UPDATE pgqueuer SET heartbeat = {AGO}")
        return len(await take())


async def table(url: str) -> int:
    """Test Findable's queue: leases in the table of jobs, and an attempt number that every later write must match."""
    import psycopg

    from findable.errors import PageErrorCode, PageUnavailable
    from findable.service.accounts import account_admin
    from findable.service.accounts.callers import authenticate_key
    from findable.service.reports import generation, reports
    from findable.service.runtime.service import Service
    from findable.service.values.report_values import NewReport
    from findable.settings import Settings

    service = Service.open(Settings(data_dir=Path(tempfile.mkdtemp()), secret_key="k" * 40, database_url=url))
    account_admin.create_account(service, "a@example.com")
    caller = authenticate_key(service, account_admin.create_key(service, "a@example.com").token)
    reports.create(service, caller, NewReport("https://a.example/"))

    def take() -> list[generation.ReportJob]:
        with psycopg.connect(url) as connection:
            connection.execute("UPDATE job SET lease_until = lease_until - 60, run_at = 0")
        generation.sweep(service)
        with psycopg.connect(url) as connection:
            connection.execute("UPDATE job SET run_at = 0")
        return generation.claim_some(service, "research", 1)

    late = take()
    take()
    generation.keep(service, [(late[0], PageUnavailable(PageErrorCode.INTERNAL_ERROR))])
    left = len(take())
    service.close()
    return left


def main() -> None:
    ways = {way.__name__: way for way in (procrastinate, pgqueuer, table)}
    place = programs()
    if len(sys.argv) != 2 or sys.argv[1] not in ways or place is None:
        raise SystemExit(__doc__)
    server = Server(place)
    try:
        url = server.database() if sys.argv[1] == "table" else server.empty_database()
        print(asyncio.run(ways[sys.argv[1]](url)))
    finally:
        server.remove()


if __name__ == "__main__":
    main()
