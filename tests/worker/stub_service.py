"""A service with a worker whose analyser fetches nothing: run in a process of its own, to be stopped and killed.

    python tests/worker/stub_service.py DATA_DIR [--seconds 0.01] [--score 93] [--shared] [--lease 30] [--heartbeat 10] [--drain 25]

Writes a line to DATA_DIR/log for each start and end of a job, and "ready" when it works. Ends in order on SIGTERM.
"""

import argparse
import asyncio
import os
import signal
import sys
from pathlib import Path

from findable.errors import FindableError
from findable.service import generation
from findable.service.app import Service
from findable.service.generation import ReportJob, Seen
from findable.worker.loop import Worker
from findable.worker.tasks import Progress
from tests.service import samples


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("--seconds", type=float, default=0.01)
    parser.add_argument("--score", type=int, default=93)
    parser.add_argument("--shared", action="store_true")
    parser.add_argument("--lease", type=int, default=30)
    parser.add_argument("--heartbeat", type=float, default=10)
    parser.add_argument("--drain", type=float, default=25)
    options = parser.parse_args()
    generation.LEASE_S = options.lease
    try:
        asyncio.run(serve(options))
    except FindableError as error:
        sys.exit(f"findable: {error}")


async def serve(options: argparse.Namespace) -> None:
    settings = samples.settings(options.data_dir, host_concurrency=1000, report_concurrency=8)
    service = Service.open(settings, exclusive=not options.shared)
    log = os.open(options.data_dir / "log", os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def say(text: str) -> None:
        os.write(log, f"{text}\n".encode())

    async def analyser(job: ReportJob, progress: Progress) -> Seen:
        say(f"start {job.report_id} {job.attempt}")
        progress("fetch", 0, 1)
        await asyncio.sleep(options.seconds)
        say(f"end {job.report_id} {job.attempt}")
        return samples.seen(options.score)

    worker = Worker(service, analyser, alone=not options.shared, heartbeat_s=options.heartbeat)
    ending = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ending.set)
    await worker.start()
    say("ready")
    await ending.wait()
    await worker.stop(options.drain)
    service.close()
    say("over")


if __name__ == "__main__":
    main()
