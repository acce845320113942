"""A service with a worker whose analyser fetches nothing: run in a process of its own, to be stopped and killed.

    python tests/worker/stub_service.py DATA_DIR [--seconds 0.01] [--score 93] [--database URL] [--lost-after 30] [--heartbeat 10] [--drain 25]
        [--real | --light] [--deliver] [--smtp URL]

With ``--real`` pages of 127.0.0.1 are fetched, crawled (``--slice`` URLs at a time), judged again
(``--judged`` pages at a time) and judged as always, with ``--light`` fetched and not judged. Writes a line to DATA_DIR/log for each start and end of a job, and "ready" when it works. Ends in order on SIGTERM.
"""

import argparse
import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

from findable.errors import FindableError
from findable.fetch.fetcher import Fetcher
from findable.jobs import heartbeats
from findable.service.crawls import crawl_rescoring
from findable.service.crawls.crawl_run import CrawlRun
from findable.service.reports.report_jobs import AnalysedPage, ReportJob, UnchangedPage
from findable.service.runtime.service import Service
from findable.worker import crawl_task
from findable.worker.crawl_task import CrawlTask
from findable.worker.delivery_task import DeliveryTask
from findable.worker.page_analyser import PageAnalyser
from findable.worker.report_task import Progress
from findable.worker.worker_loop import Worker
from tests.service import samples
from tests.sites.server import AUTHORITY


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("--seconds", type=float, default=0.01)
    parser.add_argument("--score", type=int, default=93)
    parser.add_argument("--database", default="")
    parser.add_argument("--lost-after", type=int, default=30)
    parser.add_argument("--heartbeat", type=float, default=10)
    parser.add_argument("--drain", type=float, default=25)
    parser.add_argument("--slice", type=int, default=200)
    parser.add_argument("--judged", type=int, default=32)
    parser.add_argument("--real", action="store_true")
    parser.add_argument("--light", action="store_true")
    parser.add_argument("--deliver", action="store_true")
    parser.add_argument("--smtp", default="")
    options = parser.parse_args()
    heartbeats.LOST_AFTER_S = options.lost_after
    CrawlRun.work.__defaults__ = (options.slice, 60.0)
    crawl_task.MIN_FREE_BYTES = 0
    crawl_rescoring.CHECKED_AT_ONCE = options.judged
    try:
        asyncio.run(serve(options))
    except FindableError as error:
        sys.exit(f"findable: {error}")


async def serve(options: argparse.Namespace) -> None:
    more: dict[str, Any] = (
        {"allow_targets": ("127.0.0.1",), "analysis_processes": 1} if options.real or options.light or options.deliver else {}
    )
    more |= {"smtp_url": options.smtp, "mail_from": "findable@service.example", "ca_file": AUTHORITY} if options.smtp else {}
    settings = samples.settings(options.data_dir, host_concurrency=1000, report_concurrency=8, database_url=options.database, **more)
    service = Service.open(settings, exclusive=True)
    log = os.open(options.data_dir / "log", os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def say(text: str) -> None:
        os.write(log, f"{text}\n".encode())

    real = PageAnalyser(service) if options.real else None
    fetcher = Fetcher(service.guard)

    async def analyser(job: ReportJob, progress: Progress) -> AnalysedPage | UnchangedPage:
        say(f"start {job.report_id} {job.attempt}")
        try:
            return await work(job, progress)
        except asyncio.CancelledError:
            say(f"left {job.report_id} {job.attempt}")
            raise

    async def work(job: ReportJob, progress: Progress) -> AnalysedPage | UnchangedPage:
        progress("fetch", 0, 1)
        if real is not None:
            seen = await real(job, progress)
        else:
            if options.light:
                await fetcher.fetch_page(job.url)
            else:
                await asyncio.sleep(options.seconds)
            seen = samples.seen(options.score)
        say(f"end {job.report_id} {job.attempt}")
        return seen

    crawling = CrawlTask(service, real.fetching) if real is not None else None
    deliver = DeliveryTask(service) if options.deliver else None
    worker = Worker(service, analyser, heartbeat_s=options.heartbeat, crawls=crawling, deliver=deliver)
    ending = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ending.set)
    await worker.start()
    say("ready")
    await ending.wait()
    await worker.stop(options.drain)
    await fetcher.close()
    if deliver is not None:
        await deliver.close()
    if real is not None and crawling is not None:
        await crawling.close()
        await real.close()
    service.close()
    say("over")


if __name__ == "__main__":
    main()
