"""Findings about requests of bots: each is a group of URLs with their numbers of requests."""

from typing import Any

from findable.capture.site_hits import HitList, HitUrl, SiteHits
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import EVIDENCE_SHOWN, Evidence, Finding, by_cause, inapplicable, unknown, url_evidence
from findable.vocabulary import Verdict

MIN_DAYS = 14
"""Days with logs from which something that did not happen is a finding (set by Findable)."""
_NOTE = "{hits_count|request|requests}"
_NOTE_OF_BOT = "{hits_count|request|requests} of {bot}"


def hit_evidence(item: HitUrl) -> Evidence:
    """Return a URL with its number of requests as evidence."""
    if item.bot:
        return url_evidence(item.url, None, _NOTE_OF_BOT, hits_count=item.hits_count, bot=item.bot)
    return url_evidence(item.url, None, _NOTE, hits_count=item.hits_count) if item.hits_count else url_evidence(item.url)


def hits_finding(
    found: HitList, *, key: str, name: str, message: str, without: str, verdict: Verdict = Verdict.INFO, **more: Any
) -> Finding:
    """Return the finding about the URLs of a list, which passes with the message ``without`` if it is empty.

    ``message`` may use ``hits_count`` and ``urls_count``, and both may use what is in ``more``.
    """
    if not found.urls_count:
        return by_cause(without, (), **more)
    params: dict[str, Any] = {"hits_count": found.hits_count, "urls_count": found.urls_count, **more}
    evidence = tuple(map(hit_evidence, found.items[:EVIDENCE_SHOWN]))
    cause = Cause(CauseKind.GROUP, key, name)
    return by_cause(message, [CausedFinding(cause, verdict, message, found.urls_count, evidence, params)], **params)


def held_back(hits: SiteHits, *, needs_crawl: bool = True, needs_days: int = 0) -> Finding | None:
    """Return why requests of search bots cannot be judged; None if they can."""
    if needs_crawl and not hits.is_joined:
        return unknown("not known: the logs are from another time than the crawl")
    if not hits.hits_count:
        return inapplicable("the logs contain no request of a verified search bot")
    if hits.coverage.days_count < needs_days:
        return unknown(
            "not known: the logs cover {days_count|day|days}, {needed_count} are needed",
            days_count=hits.coverage.days_count,
            needed_count=needs_days,
        )
    return None
