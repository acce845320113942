"""Conversion of rows to views of crawls for their owners."""

import math
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct, structs

from findable.capture.crawl import CrawlEnd
from findable.crawl.scope import CrawlSettings
from findable.crawl.visits import CrawlProgress
from findable.reports.scoring import rating_of
from findable.service.reports.report_views import PROGRAM, moment
from findable.service.runtime.events import EventBus
from findable.service.values.crawl_values import CrawlFailure, CrawlStatus, CrawlView, CrawlWait, Expected, PreviousCrawl
from findable.store.crawl_row import CrawlRow
from findable.urls import move_to_origin, origin_part
from findable.vocabulary import Privacy, Rating

BYTES_PER_PAGE = 10_000
"""Estimated bytes per page in the store of a crawl, with its links (measured: 2.5 to 10 kB)."""
_MEGABYTE = 1_000_000
RULESET = "ruleset"
"""Name of the ruleset among the stored counts of a crawl."""


def expected_of(settings: CrawlSettings) -> Expected:
    """Return the upper limits of time and space of a crawl."""
    seconds = math.ceil(settings.max_requests / settings.rate)
    return Expected(settings.max_requests, seconds, math.ceil(settings.pages * BYTES_PER_PAGE / _MEGABYTE))


def settings_of(row: CrawlRow) -> CrawlSettings:
    """Return the settings of a crawl, except the URLs of a list."""
    return msgspec.json.decode(row.settings_json, type=CrawlSettings)


def settings_json(settings: CrawlSettings) -> str:
    """Return the settings in stored form: a list has a separate column."""
    return msgspec.json.encode(structs.replace(settings, urls=(), expected=())).decode()


class StoredList(Struct, frozen=True):
    """List of URLs in stored form."""

    urls: tuple[str, ...]
    expected: tuple[tuple[str, str], ...] = ()


def url_list_json(settings: CrawlSettings) -> bytes | None:
    """Return the list of a crawl in stored form; None if links are followed."""
    return msgspec.json.encode(StoredList(settings.urls, settings.expected)) if settings.urls else None


def with_list(settings: CrawlSettings, url_list: bytes | None) -> CrawlSettings:
    """Return the settings with their stored list."""
    if url_list is None:
        return settings
    listed = msgspec.json.decode(url_list, type=StoredList)
    return structs.replace(settings, urls=listed.urls, expected=listed.expected)


def crawl_view(row: CrawlRow, events: EventBus[CrawlProgress]) -> CrawlView:
    """Return a crawl without its findings."""
    settings = settings_of(row)
    counts: dict[str, Any] = msgspec.json.decode(row.counts_json) if row.counts_json else {}
    ruleset = str(counts.pop(RULESET, ""))
    progress = _progress(row, events)
    told = f".{progress.counts.done}" if progress is not None else ""
    return CrawlView(
        id=row.id,
        public_id=row.public_id,
        account_id=row.account_id,
        project_id=row.project_id,
        project=row.project,
        url=row.url,
        scheme_guessed=bool(row.scheme_guessed),
        final_url=_final_url(row, settings, counts),
        status=CrawlStatus(row.status),
        settings=settings,
        is_list=bool(row.is_list),
        privacy=Privacy(row.privacy),
        has_password=row.password_hash is not None,
        created_at=moment(row.created_at),
        updated_at=moment(row.updated_at),
        etag=f"{row.version}.{PROGRAM}{told}",
        expected=expected_of(settings),
        is_stopping=bool(row.is_stopping),
        started_at=None if row.started_at is None else moment(row.started_at),
        finished_at=None if row.finished_at is None else moment(row.finished_at),
        ended_by=CrawlEnd(row.ended_by) if row.ended_by else None,
        failure=CrawlFailure(row.error_code) if row.error_code else None,
        waits_for=CrawlWait(row.job_reason) if row.job_reason else None,
        result=Rating(row.result) if row.result else None,
        score=row.score,
        provisional=bool(row.provisional),
        coverage=None if row.coverage is None else row.coverage / 100,
        counts=counts,
        ruleset=ruleset,
        findings=msgspec.json.decode(row.findings_json) if row.findings_json else {},
        size_bytes=row.size_bytes,
        progress=progress,
        previous=_previous(row),
    )


def _final_url(row: CrawlRow, settings: CrawlSettings, counts: Mapping[str, Any]) -> str | None:
    if row.is_list or row.scheme_guessed or not counts or row.error_code == CrawlFailure.SITE_UNREACHABLE:
        return None
    start = settings.start_url
    return move_to_origin(start, origin_part(start), settings.preview_origin) if settings.preview_origin else start


def _previous(row: CrawlRow) -> PreviousCrawl | None:
    if row.previous_crawl is None or row.previous_score is None or row.score is None:
        return None
    rating = Rating(row.previous_result or rating_of(row.previous_score))
    return PreviousCrawl(row.previous_crawl, rating, row.previous_score, row.score - row.previous_score)


def _progress(row: CrawlRow, events: EventBus[CrawlProgress]) -> CrawlProgress | None:
    if row.job_state is None:
        return None
    known = events.progress(row.id)
    if known is not None:
        return known
    return msgspec.json.decode(row.job_progress_json, type=CrawlProgress) if row.job_progress_json else None
