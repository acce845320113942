"""Worker of each engine, in a process of its own: python -m research.queue_workers ENGINE URL FOLDER (started by `research.queue_engines`).

Its job writes "start PID" into FOLDER/log, goes on until FOLDER/end-PID exists, and writes "end PID". Where FOLDER/empty exists, jobs are empty.
Settings are those that the documentation of the engine recommends against lost jobs.
"""

import asyncio
import os
import sys
import threading
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

SIGN_S = 5
"""Time without a sign of life after which a worker is lost, or the setting of the engine that comes nearest."""
NAME = "work"
FOLDER = Path()


def say(word: str, number: int) -> None:
    with (FOLDER / "log").open("a") as log:
        log.write(f"{word} {os.getpid()} {number}\n")


def starts(number: int) -> int:
    """Return how often the job was begun: the attempt that our row would count."""
    return sum(line.startswith("start") and line.endswith(f" {number}") for line in (FOLDER / "log").read_text().splitlines())


def is_ended() -> bool:
    return (FOLDER / f"end-{os.getpid()}").exists()


def job(number: int, is_cancelled: Callable[[], bool] = lambda: False) -> None:
    if not (FOLDER / "empty").exists():
        say("start", number)
        while not is_ended():
            time.sleep(0.05)
            if is_cancelled():
                say("left", number)
                return
    say("end", number)


async def job_async(number: int) -> int:
    """Return the attempt."""
    attempt = 0
    if not (FOLDER / "empty").exists():
        say("start", number)
        attempt = starts(number)
        try:
            while not is_ended():  # noqa: ASYNC110 - the other process writes a file
                await asyncio.sleep(0.05)
        except asyncio.CancelledError:
            say("left", number)
            raise
    say("end", number)
    return attempt


# --- Procrastinate -----------------------------------------------------------------------------------------------------


def procrastinate_app(url: str, *, fenced: bool = False) -> Any:
    from procrastinate import App, PsycopgConnector

    async def work(number: int) -> None:
        attempt = await job_async(number)
        if fenced and attempt and starts(number) != attempt:
            os._exit(1)  # our row refused the result: the process ends without ending the job of its successor

    app = App(connector=PsycopgConnector(conninfo=url))
    app.task(name=NAME)(work)
    return app


def prepare_procrastinate(url: str) -> None:
    async def apply() -> None:
        app = procrastinate_app(url)
        async with app.open_async():
            await app.schema_manager.apply_schema_async()

    asyncio.run(apply())


def send_procrastinate(url: str, count: int) -> None:
    async def defer() -> None:
        app = procrastinate_app(url)
        async with app.open_async():
            for number in range(count):
                await app.tasks[NAME].defer_async(number=number)

    asyncio.run(defer())


def work_procrastinate(url: str, *, fenced: bool = False) -> None:
    async def run() -> None:
        app = procrastinate_app(url, fenced=fenced)
        async with app.open_async():
            worker = asyncio.create_task(
                app.run_worker_async(
                    fetch_job_polling_interval=0.5,
                    update_heartbeat_interval=1.0,
                    stalled_worker_timeout=float(SIGN_S),
                    delete_jobs="successful",
                )
            )
            while not worker.done():  # the recipe of its documentation, which runs it as a periodic task
                for stalled in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=SIGN_S):
                    await app.job_manager.retry_job(stalled)
                await asyncio.sleep(1)

    asyncio.run(run())


def work_procrastinate_fenced(url: str) -> None:
    work_procrastinate(url, fenced=True)


# --- PgQueuer ----------------------------------------------------------------------------------------------------------


async def pgqueuer_queries(url: str) -> Any:
    import psycopg
    from pgqueuer import Queries
    from pgqueuer.db import PsycopgDriver

    return Queries(PsycopgDriver(await psycopg.AsyncConnection.connect(url, autocommit=True)))


def prepare_pgqueuer(url: str) -> None:
    async def install() -> None:
        await (await pgqueuer_queries(url)).install()

    asyncio.run(install())


def send_pgqueuer(url: str, count: int) -> None:
    async def enqueue() -> None:
        queries = await pgqueuer_queries(url)
        for number in range(count):
            await queries.enqueue(NAME, b"%d" % number)

    asyncio.run(enqueue())


def work_pgqueuer(url: str) -> None:
    async def run() -> None:
        import psycopg
        from pgqueuer import PgQueuer
        from pgqueuer.db import PsycopgDriver

        worker = PgQueuer(PsycopgDriver(await psycopg.AsyncConnection.connect(url, autocommit=True)))

        @worker.entrypoint(NAME)
        async def work(taken: Any) -> None:
            await job_async(int(taken.payload))

        await worker.run(dequeue_timeout=timedelta(seconds=0.5), batch_size=1, heartbeat_timeout=timedelta(seconds=SIGN_S))

    asyncio.run(run())


# --- RabbitMQ by its own protocol: manual acknowledgement, heartbeats, confirmed publishing, a durable queue --------------


QUEUES = {"quorum": {"x-queue-type": "quorum"}, "classic": {}}


def rabbit_channel(url: str, kind: str) -> tuple[Any, Any]:
    import pika

    parameters = pika.URLParameters(url)
    parameters.heartbeat = SIGN_S
    connection = pika.BlockingConnection(parameters)
    channel = connection.channel()
    channel.queue_declare(NAME, durable=True, arguments=QUEUES[kind])
    return connection, channel


def prepare_rabbitmq(url: str, kind: str = "quorum") -> None:
    rabbit_channel(url, kind)[0].close()


def send_rabbitmq(url: str, count: int, kind: str = "quorum") -> None:
    import pika

    connection, channel = rabbit_channel(url, kind)
    channel.confirm_delivery()
    for number in range(count):
        channel.basic_publish("", NAME, b"%d" % number, pika.BasicProperties(delivery_mode=2))
    with suppress(pika.exceptions.AMQPError):  # the server may be killed by now
        connection.close()


def work_rabbitmq(url: str, kind: str = "quorum") -> None:
    import pika

    while True:
        try:
            connection, channel = rabbit_channel(url, kind)
        except pika.exceptions.AMQPError:
            time.sleep(0.5)
            continue

        def done(tag: int, number: int, connection: Any = connection, channel: Any = channel) -> None:
            job(number, lambda: bool(connection.is_closed))
            with suppress(pika.exceptions.AMQPError):
                connection.add_callback_threadsafe(lambda: channel.basic_ack(tag))

        def begin(_channel: Any, method: Any, _properties: Any, body: bytes, done: Callable[[int, int], None] = done) -> None:
            threading.Thread(target=done, args=(method.delivery_tag, int(body)), daemon=True).start()

        channel.basic_qos(prefetch_count=1)
        channel.basic_consume(NAME, begin)
        with suppress(pika.exceptions.AMQPError):
            channel.start_consuming()


def prepare_rabbitmq_classic(url: str) -> None:
    prepare_rabbitmq(url, "classic")


def send_rabbitmq_classic(url: str, count: int) -> None:
    send_rabbitmq(url, count, "classic")


def work_rabbitmq_classic(url: str) -> None:
    work_rabbitmq(url, "classic")


# --- Celery ------------------------------------------------------------------------------------------------------------


def celery_app(url: str) -> Any:
    from celery import Celery

    app = Celery(NAME, broker=url)
    app.conf.update(
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        worker_cancel_long_running_tasks_on_connection_loss=True,
        broker_heartbeat=SIGN_S,
        broker_connection_retry_on_startup=True,
        task_ignore_result=True,
        broker_transport_options={"confirm_publish": True} if url.startswith("amqp") else {"visibility_timeout": SIGN_S},
    )
    app.task(name=NAME)(job)
    return app


def prepare_celery(url: str) -> None:
    """Queues are made by the worker and by the sender."""


def send_celery(url: str, count: int) -> None:
    app = celery_app(url)
    for number in range(count):
        app.tasks[NAME].apply_async((number,))


def work_celery(url: str) -> None:
    name = f"--hostname={os.getpid()}@localhost"
    celery_app(url).worker_main(["worker", name, "--concurrency=1", "--without-gossip", "--without-mingle", "--loglevel=CRITICAL"])


prepare_celery_rabbitmq = prepare_celery_redis = prepare_celery
send_celery_rabbitmq = send_celery_redis = send_celery
work_celery_rabbitmq = work_celery_redis = work_celery


# --- Dramatiq ----------------------------------------------------------------------------------------------------------


def dramatiq_broker(url: str) -> tuple[Any, Any]:
    import dramatiq
    from dramatiq.brokers.redis import RedisBroker

    broker = RedisBroker(url=url, heartbeat_timeout=SIGN_S * 1000, maintenance_chance=1_000_000)
    dramatiq.set_broker(broker)
    return broker, dramatiq.actor(job, actor_name=NAME, broker=broker, max_retries=10)


def prepare_dramatiq_redis(url: str) -> None:
    """Queues are made by the worker and by the sender."""


def send_dramatiq_redis(url: str, count: int) -> None:
    _, actor = dramatiq_broker(url)
    for number in range(count):
        actor.send(number)


def work_dramatiq_redis(url: str) -> None:
    os.environ["dramatiq_queue_prefetch"] = "1"  # noqa: SIM112 - its name; a worker holds no job that it cannot begin
    from dramatiq import Worker

    Worker(dramatiq_broker(url)[0], worker_threads=1).start()
    threading.Event().wait()


# --- NATS JetStream ----------------------------------------------------------------------------------------------------


def send_nats(url: str, count: int) -> None:
    async def publish() -> None:
        import nats

        client = await nats.connect(url, allow_reconnect=False)
        for number in range(count):
            await client.jetstream().publish(NAME, b"%d" % number)
        with suppress(Exception):  # the server may be killed by now
            await client.close()

    asyncio.run(publish())


def prepare_nats(url: str) -> None:
    async def add() -> None:
        import nats
        from nats.js.api import ConsumerConfig, RetentionPolicy, StreamConfig

        client = await nats.connect(url)
        await client.jetstream().add_stream(StreamConfig(NAME, subjects=[NAME], retention=RetentionPolicy.WORK_QUEUE))
        await client.jetstream().add_consumer(NAME, ConsumerConfig(durable_name=NAME, ack_wait=SIGN_S, ack_policy="explicit"))
        await client.close()

    asyncio.run(add())


def work_nats(url: str) -> None:
    async def run() -> None:
        import nats

        client = await nats.connect(url, max_reconnect_attempts=-1)
        queue = await client.jetstream().pull_subscribe(NAME, NAME, stream=NAME)
        while True:
            with suppress(TimeoutError, nats.errors.TimeoutError):
                for message in await queue.fetch(1, timeout=5):
                    working = asyncio.create_task(job_async(int(message.data)))
                    while not working.done():
                        await message.in_progress()
                        await asyncio.wait([working], timeout=1)
                    await message.ack()

    asyncio.run(run())


# --- Findable ----------------------------------------------------------------------------------------------------------


def _service(url: str) -> Any:
    from findable.service.runtime.service import Service
    from findable.settings import Settings

    settings = Settings(data_dir=FOLDER, secret_key="k" * 40, database_url=url, rate_limit=0, report_concurrency=1, queue_limit=10_000)
    return Service.open(settings)


def prepare_table(url: str) -> None:
    from findable.service.accounts import account_admin

    service = _service(url)
    account_admin.create_account(service, "a@example.com")
    service.close()


def send_table(url: str, count: int) -> None:
    from findable.service.accounts import account_admin
    from findable.service.accounts.callers import authenticate_key
    from findable.service.reports import reports
    from findable.service.values.report_values import NewReport

    service = _service(url)
    caller = authenticate_key(service, account_admin.create_key(service, "a@example.com").token)
    for _ in range(count):
        reports.create(service, caller, NewReport(f"https://{uuid.uuid4()}.example/"))
    service.close()


def work_table(url: str) -> None:
    from findable.errors import PageErrorCode, PageUnavailable
    from findable.jobs import protocol
    from findable.worker.worker_loop import Worker

    protocol.LOST_AFTER_S = SIGN_S

    async def analyse(taken: Any, _progress: Any) -> Any:
        await job_async(taken.report_id)
        raise PageUnavailable(PageErrorCode.TARGET_TIMEOUT)

    async def run() -> None:
        await Worker(_service(url), analyse, heartbeat_s=1).start()
        await asyncio.Event().wait()

    asyncio.run(run())


if __name__ == "__main__":
    FOLDER = Path(sys.argv[3])
    globals()[f"work_{sys.argv[1]}"](sys.argv[2])
