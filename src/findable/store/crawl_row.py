"""Row types of crawls and their jobs."""

import json
from typing import NamedTuple

RULESET = "ruleset"
"""Member of the stored counts of a crawl that names the ruleset of its score."""


class CrawlRow(NamedTuple):
    """Crawl with the project's name and its queued or running job, without its report."""

    id: int
    public_id: str
    account_id: int
    project_id: int
    project: str
    url: str
    scheme_guessed: int
    is_list: bool
    privacy: int
    password_hash: str | None
    password_version: int
    status: str
    version: int
    is_stopping: int
    created_at: int
    updated_at: int
    started_at: int | None
    finished_at: int | None
    settings_json: str
    ended_by: str | None
    error_code: str | None
    result: str | None
    score: int | None
    provisional: int
    coverage: int | None
    requests: int
    size_bytes: int
    verdict: str | None
    verdict_since: int | None
    verdict_values_json: str | None
    not_for_search_json: str | None
    """Patterns of the project."""
    counts_json: str | None
    findings_json: str | None
    previous_crawl: int | None
    previous_result: str | None
    previous_score: int | None
    job_state: str | None
    job_progress_json: str | None
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


class CrawlJobRow(NamedTuple):
    """Claimed slice of a crawl. `attempt` is the fencing token: writes are accepted only while it is unchanged."""

    id: int
    crawl_id: int
    account_id: int
    host: str
    attempt: int
    failures: int
    started_at: int
    person_id: int | None


def ruleset_in(counts_json: str | None) -> str:
    """Return the ruleset among the stored counts of a crawl; empty before it has one."""
    return str(json.loads(counts_json).get(RULESET, "")) if counts_json else ""
