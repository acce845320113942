"""Row types of crawls and their jobs."""

import json
from typing import NamedTuple

from findable.store.rows import ClaimedJob, ResultRow

RULESET = "ruleset"
"""Member of the stored counts of a crawl that names the ruleset of its score."""


class CrawlRow(ResultRow, frozen=True):
    """Crawl with the project's name and its queued or running job, without its report."""

    is_list: bool
    is_stopping: int
    started_at: int | None
    finished_at: int | None
    settings_json: str
    ended_by: str | None
    error_code: str | None
    provisional: int
    requests: int
    size_bytes: int
    verdict: str | None
    verdict_values_json: str | None
    not_for_search_json: str | None
    """Patterns of the project."""
    counts_json: str | None
    findings_json: str | None
    previous_crawl: int | None
    job_reason: str | None


class CrawlSelection(NamedTuple):
    """Filter and sort order of a list of crawls."""

    account_id: int
    project_id: int | None = None
    person_id: int | None = None
    """Person for whom only granted projects are listed; None for all."""
    status: str | None = None
    sort: str = "id"
    """Sort key: ``id``, ``url``, ``finished_at`` or ``score``."""
    descending: bool = True


class CrawlJobRow(ClaimedJob, frozen=True):
    """Claimed slice of a crawl."""

    crawl_id: int


def ruleset_in(counts_json: str | None) -> str:
    """Return the ruleset among the stored counts of a crawl; empty before it has one."""
    return str(json.loads(counts_json).get(RULESET, "")) if counts_json else ""
