"""Conversion of rows to views of crawls for their owners."""

import math
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct, structs

from findable.clock import now
from findable.crawl.progress import CrawlProgress
from findable.crawl.settings import CrawlSettings
from findable.reports.scoring import rating_of
from findable.reports.search_verdict import SearchVerdict, VerdictCause, VerdictCode, for_intent, is_for_search, over_time
from findable.service.crawls.crawl_reports import counts_of
from findable.service.reports.report_views import PROGRAM
from findable.service.runtime.events import EventBus
from findable.service.values.crawl_values import CrawlFailure, CrawlView, CrawlWait, Expected, PreviousCrawl
from findable.service.values.stored_settings import patterns_of
from findable.service.values.views import moment, view_of
from findable.store.crawl_row import RULESET, CrawlRow
from findable.store.store_protocol import Session
from findable.urls import move_to_origin, origin_part
from findable.vocabulary import Rating

BYTES_PER_PAGE = 10_000
"""Estimated bytes per page in the store of a crawl, with its links (measured: 2.5 to 10 kB)."""
_MEGABYTE = 1_000_000


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


def listed_settings_of(session: Session, row: CrawlRow) -> CrawlSettings:
    """Return the settings of a crawl with the URLs of a list."""
    settings = settings_of(row)
    url_list = session.crawls.url_list(row.id) if row.is_list else None
    if url_list is None:
        return settings
    listed = msgspec.json.decode(url_list, type=StoredList)
    return structs.replace(settings, urls=listed.urls, expected=listed.expected)


class StoredVerdict(Struct, frozen=True):
    """Cause and values of a verdict in stored form; code and time have separate columns."""

    cause: VerdictCause = VerdictCause.NONE
    values: Mapping[str, str | int] = {}


def verdict_columns(verdict: SearchVerdict, since: int) -> dict[str, Any]:
    """Return the columns of a crawl with its verdict."""
    stored = StoredVerdict(verdict.cause, verdict.values)
    return {"verdict": verdict.code.value, "verdict_since": since, "verdict_values": msgspec.json.encode(stored).decode()}


def stored_verdict(
    code: str | None, since: int | None, values_json: str | None, looked_at: int | None, not_for_search_json: str | None
) -> SearchVerdict | None:
    """Return the verdict in these columns at present; None if there is none. ``looked_at``: end of the crawl."""
    if code is None or since is None:
        return None
    stored = msgspec.json.decode(values_json, type=StoredVerdict) if values_json else StoredVerdict()
    found = SearchVerdict(VerdictCode(code), stored.cause, values=stored.values)
    found = over_time(found, moment(since), moment(since if looked_at is None else looked_at), now())
    return for_intent(found, is_for_search=is_for_search(patterns_of(not_for_search_json)))


def verdict_of(row: CrawlRow) -> SearchVerdict | None:
    """Return the verdict of a crawl at present; None if there is none."""
    return stored_verdict(row.verdict, row.verdict_since, row.verdict_values_json, row.finished_at, row.not_for_search_json)


def crawl_view(row: CrawlRow, events: EventBus[CrawlProgress]) -> CrawlView:
    """Return a crawl without its findings."""
    settings = settings_of(row)
    counts: dict[str, Any] = msgspec.json.decode(row.counts_json) if row.counts_json else {}
    ruleset = str(counts.pop(RULESET, ""))
    progress = _progress(row, events)
    if progress is not None:
        counts |= progress.counts.numbers
    progress_tag = f".{progress.stage}{progress.done}" if progress is not None else ""
    verdict = verdict_of(row)
    result = Rating(row.result) if row.result else None
    return view_of(
        CrawlView,
        row,
        final_url=_final_url(row, settings, counts),
        settings=settings,
        has_password=row.password_hash is not None,
        etag=f"{row.version}.{PROGRAM}{progress_tag}{_tag_of(verdict)}",
        expected=expected_of(settings),
        failure=CrawlFailure(row.error_code) if row.error_code else None,
        waits_for=CrawlWait(row.job_reason) if row.job_reason else None,
        result=result if verdict is None else verdict.rating(result),
        score=row.score if verdict is None else verdict.score(row.score),
        verdict=verdict,
        coverage=None if row.coverage is None else row.coverage / 100,
        counts=counts,
        ruleset=ruleset,
        findings=counts_of(row.findings_json, verdict),
        progress=progress,
        previous=_previous(row),
    )


def _tag_of(verdict: SearchVerdict | None) -> str:
    """Return the part of the ETag for a verdict, which changes with the time and the settings of the project."""
    return "" if verdict is None else f".{verdict.code.value}{'.bad' if verdict.is_bad else ''}"


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
