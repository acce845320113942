"""Crawls of a service that are worked here and now, in this process: what a worker does in slices, at once."""

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import msgspec
from msgspec.structs import replace

from findable.artifacts.registry import gather
from findable.capture.crawl import CrawlEnd
from findable.capture.page import PageCapture
from findable.capture.response import Headers, Hop, Response, Timing
from findable.checks.engine import runnable_checks
from findable.checks.runner import run
from findable.clock import now
from findable.compute import compute_here
from findable.crawl.found_by import FoundBy
from findable.crawl.indexability import reason_of
from findable.crawl.packed_verdicts import all_check_ids
from findable.crawl.record import record_of
from findable.crawl.settings import CrawlSettings
from findable.crawl.state import CrawlState, Phase
from findable.crawl.visits import Visit
from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.fetch.fetcher import Fetcher
from findable.reports.search_verdict import found_by_crawl
from findable.service.crawls import crawl_jobs
from findable.service.crawls.crawl_finishing import finish_crawl
from findable.service.crawls.crawl_jobs import SliceOutcome
from findable.service.crawls.crawl_questions import counts_of_watched
from findable.service.crawls.crawl_rescoring import rescore_crawl
from findable.service.crawls.crawl_run import CrawlRun, report_of_crawl, settle_crawl
from findable.service.crawls.crawl_views import verdict_columns
from findable.service.crawls.uploaded_metrics import uploaded_urls
from findable.service.runtime.service import Service
from findable.service.values.crawl_values import CrawlView
from findable.vocabulary import Source, Subject
from findable.worker.crawl_task import comparison_and_top_urls

FAST: dict[str, Any] = {"rate": 1000.0, "connections": 4, "confirm_after_s": 0.05}


def work_crawl(service: Service, **settings: Any) -> int:
    """Work the queued crawl until it is settled; return its id."""
    (job,) = crawl_jobs.claim_some(service, "here", 1)
    store = service.crawl_home.make(job.crawl_id, job.attempt)

    async def crawl() -> CrawlState:
        async with Fetcher(Guard(allow_targets=[AllowedTarget.parse("127.0.0.1")])) as fetcher:
            uploaded = await service.run(uploaded_urls, job.project_id, job.settings)
            run = CrawlRun(store, fetcher, compute_here, uploaded=uploaded, fallback_url=job.fallback_url, earlier=earlier)
            return await run.run(replace(job.settings, **{**FAST, **settings}))

    is_rolling = job.settings.rolling is not None and job.previous is not None
    earlier = service.crawl_home.open(job.previous or 0) if is_rolling else None

    with ThreadPoolExecutor(1) as thread:  # a browser of the tests keeps an event loop running in theirs
        thread.submit(lambda: asyncio.run(crawl())).result()
    ended = store.state()
    assert ended is not None
    state, report = finish_crawl(service.settings.database_url, job.crawl_id, job.attempt, crawl_jobs.base_of(service, job, ended))
    compared, _ = comparison_and_top_urls(store)
    questions = counts_of_watched(service, job.crawl_id, store, state)
    outcome = SliceOutcome(state, store.counts(), service.crawl_home.size_bytes(job.crawl_id), report, compared, questions)
    for opened in filter(None, (store, earlier)):
        opened.close()
    assert crawl_jobs.store_outcome(service, job, outcome)
    return job.crawl_id


def judge_crawl_again(service: Service) -> None:
    """Work the queued crawl that is to be judged again, until it is settled."""
    (job,) = crawl_jobs.claim_some(service, "here", 1)
    with closing(service.crawl_home.make(job.crawl_id, job.attempt)) as store:
        state = store.state()
        assert state is not None
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, rescore_crawl(store, state, job.settings, compute_here)).result()
        state, report = finish_crawl(service.settings.database_url, job.crawl_id, job.attempt, crawl_jobs.base_of(service, job, state))
        compared, _ = comparison_and_top_urls(store)
        questions = counts_of_watched(service, job.crawl_id, store, state)
    outcome = SliceOutcome(state, store.counts(), service.crawl_home.size_bytes(job.crawl_id), report, compared, questions)
    assert crawl_jobs.store_outcome(service, job, outcome)


def fill_crawl(service: Service, crawl_id: int, url: str, html: str) -> None:
    """Store a settled crawl of one made-up page, without a network; its row stays as it is."""
    store = service.crawl_home.make(crawl_id, 1)
    moment = "2026-11-22T10:00:00Z"
    begun = CrawlState(url, CrawlSettings(url), phase=Phase.DISCOVER, started_at=moment, checks=all_check_ids())
    state = replace(begun, ended_by=CrawlEnd.COMPLETE, ended_at=moment)
    store.save_state(state)
    store.add([url], FoundBy.START, 0)
    (waiting,) = store.take(1)
    hop = Hop(url, 200, Headers((("Content-Type", "text/html"),)), "1.1", Timing())
    response = Response(url, (hop,), html.encode())
    artifacts = gather(PageCapture("2026-11-22T10:00:00Z", response))
    results = run(artifacts, runnable_checks(frozenset({Source.PAGE}), Subject.PAGE))
    store.put([Visit(waiting, record_of(artifacts, response, results, reason=reason_of(artifacts, 200), score=80))])
    store.save_state(replace(state, phase=Phase.SETTLE))
    settle_crawl(store)
    store.close()


def end_crawl(service: Service, crawl_id: int, url: str, html: str, previous: int | None = None) -> str:
    """Store a crawl of one made-up page as one that has ended, with its report; return the key of its first finding."""
    fill_crawl(service, crawl_id, url, html)
    store = service.crawl_home.make(crawl_id, 1)
    state = store.state()
    assert state is not None
    report = report_of_crawl(store, state)
    store.close()
    if previous is not None:
        finish_crawl(service.settings.database_url, crawl_id, 1, previous)
    moment = int(now().timestamp())
    with service.store.write() as session:
        session.crawl_jobs.drop(crawl_id)
        session.crawls.save_report(crawl_id, msgspec.json.encode(report))
        ended = {"status": "done", "ended_by": "complete", "score": report.score, "result": report.result, "previous_crawl": previous}
        shown = verdict_columns(found_by_crawl(report.summary), moment)
        session.crawls.change(crawl_id, moment, finished_at=moment, counts='{"pages":1}', **ended, **shown)
    return report.findings[0].key


def counted(crawl: CrawlView) -> Mapping[str, Any]:
    """Return what a crawl counted by itself, without what it lost since the one before."""
    return {name: count for name, count in crawl.counts.items() if name != "lost"}
