"""Reports of pages, one after another: what `findable audit` and `findable.api.audit` run."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from findable.analyze import Options, report_page
from findable.api.options import MAX_CONCURRENCY, MAX_RETRIES, PAGES_AT_ONCE, AuditOptions, AuditPace, AuditProgress
from findable.api.targets import (
    AuditTarget,
    browser_for,
    browser_options_of,
    fetcher_for,
    first_loaded,
    identity_of,
    number_in_range,
    preview_origin_of,
    valid_patterns,
)
from findable.clock import monotonic_s, now, rfc3339
from findable.errors import PageUnavailable
from findable.fetch.identity import NOBODY
from findable.fetch.site_cache import MemorySiteCache
from findable.reports.acceptance import Acceptance
from findable.reports.report import Report, unloaded_report
from findable.settings import Settings
from findable.urls import Url

if TYPE_CHECKING:
    from findable.fetch.browser.browser_pool import BrowserPool

PAGES_WAITING = 8
RETRY_AFTER_S = 1.0
"""Pause before the second attempt; it doubles with each attempt."""


def options_of(
    request: AuditOptions,
    settings: Settings,
    url: Url,
    acceptances: Sequence[Acceptance] = (),
    *,
    browser: "BrowserPool | None" = None,
    sends_along: bool = True,
) -> Options:
    """Return the options for the report of a URL. ``sends_along``: whether to send the identity."""
    return Options(
        judged_as=preview_origin_of(request),
        identity=identity_of(request, url) if sends_along else NOBODY,
        not_for_search=valid_patterns("--not-for-search", request.not_for_search),
        acceptances=tuple(acceptances),
        visit=browser.visit if browser else None,
        measure=browser.measure if browser and request.browser == "lab" else None,
        browser=browser_options_of(request),
        ask_as_crawlers=request.ask_as_crawlers or settings.ask_as_crawlers,
    )


class TimedReport(Struct, frozen=True):
    """Report of a page, with the time in seconds that it took to fetch and check the page."""

    report: Report
    duration_s: float


async def reports_of(
    pages: Sequence[AuditTarget],
    request: AuditOptions,
    pace: AuditPace,
    settings: Settings,
    *,
    acceptances: Sequence[Acceptance] = (),
    progress: Callable[[AuditProgress], None] | None = None,
) -> AsyncIterator[TimedReport]:
    """Yield one report for each page, in the order of the pages; a page that could not be loaded gets a report with its error.

    Raises SettingError for a wrong option. At most PAGES_WAITING finished reports wait for an earlier one, so that memory does not grow
    with the number of pages.
    """
    concurrency = number_in_range("--concurrency", PAGES_AT_ONCE if pace.concurrency is None else pace.concurrency, 1, MAX_CONCURRENCY)
    retries = number_in_range("--retries", pace.retries or 0, 0, MAX_RETRIES)
    at_once = asyncio.Semaphore(concurrency)
    cache = MemorySiteCache()
    done = 0

    def show(url: Url, stage: str, step: int, count: int) -> None:
        if progress is not None:
            progress(AuditProgress(url.href, done, len(pages), stage, step, count))

    own = [url for page in pages if page.is_own for url in (page.url, page.fallback) if url]
    async with fetcher_for(request, settings, own) as fetcher, browser_for(request, settings, fetcher) as browser:

        async def make(url: Url, *, is_own: bool) -> Report:
            options = options_of(request, settings, url, acceptances, browser=browser, sends_along=is_own)
            _, judged = await report_page(url.href, fetcher, options=options, site_cache=cache, progress=partial(show, url))
            return judged.report

        async def load_one(page: AuditTarget) -> Report:
            try:
                return await first_loaded(page.url, page.fallback, partial(make, is_own=page.is_own))
            except PageUnavailable as error:
                return unloaded_report(page.url.href, error.error, rfc3339(now()))

        async def timed_report(page: AuditTarget) -> TimedReport:
            nonlocal done
            async with at_once:
                started_s = monotonic_s()
                made = await load_one(page)
                for attempt in range(retries):
                    if made.was_loaded or made.error is None or not made.error.retryable:
                        break
                    await asyncio.sleep(RETRY_AFTER_S * 2**attempt)
                    made = await load_one(page)
                done += 1
                return TimedReport(made, monotonic_s() - started_s)

        waiting: deque[asyncio.Task[TimedReport]] = deque()
        try:
            for page in pages:
                waiting.append(asyncio.create_task(timed_report(page)))
                if len(waiting) > concurrency + PAGES_WAITING:
                    yield await waiting.popleft()
            while waiting:
                yield await waiting.popleft()
        finally:
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
