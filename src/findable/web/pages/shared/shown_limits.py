"""Limits and durations of the service that templates name, so that each number is written once."""

from collections.abc import Mapping
from typing import Any

from findable.crawl.settings import CONNECTIONS, DEFAULT_RATE
from findable.formats.site_tables import MAX_SITES
from findable.limits import MAX_CONNECTIONS, MAX_EXTERNAL, MAX_NUMBER_ROWS
from findable.monitor.retention_rules import ALL_DAYS, WEEKLY_DAYS
from findable.monitor.schedule_rules import MAX_JITTER_S
from findable.notify.retry_delays import DELAYS_S, FAILING_S
from findable.service.accounts.invitations import INVITATION_LIFE
from findable.service.crawls import crawl_comparing, crawl_questions, crawls, imported_crawls
from findable.service.delivery import deliveries
from findable.service.projects import log_uploads, report_defaults, site_imports, url_data
from findable.service.reports import hit_results
from findable.service.results import fix_links
from findable.service.results.client_texts import NOTE_CHARS, PERSON_CHARS, SUMMARY_CHARS
from findable.service.runtime.passwords import MIN_PASSWORD_CHARS
from findable.web.agent_tools import AGENT_DAYS

_DAY_S = 86_400
SHOWN_LIMITS: Mapping[str, Any] = {
    "agent_days": AGENT_DAYS,
    "changes_of_kind": crawl_comparing.EXAMPLES,
    "client_chars": {"summary": SUMMARY_CHARS, "note": NOTE_CHARS, "person": PERSON_CHARS},
    "connections": (CONNECTIONS, MAX_CONNECTIONS),
    "external": MAX_EXTERNAL,
    "failing_days": FAILING_S // _DAY_S,
    "fix_link_days": fix_links.LIFE_DAYS,
    "hit_days": hit_results.DAYS,
    "invitation_days": INVITATION_LIFE.days,
    "jitter_minutes": MAX_JITTER_S // 60,
    "logo_bytes": report_defaults.MAX_LOGO_BYTES,
    "log_gigabytes": log_uploads.MAX_UPLOAD_BYTES // 1_000_000_000,
    "message_days": deliveries.STORED_S // _DAY_S,
    "min_password_chars": MIN_PASSWORD_CHARS,
    "number_table": (url_data.MAX_BYTES, MAX_NUMBER_ROWS),
    "question": crawl_questions.LIMITS,
    "quota_days": crawls.MONTH_S // _DAY_S,
    "rate": DEFAULT_RATE,
    "retention_days": (ALL_DAYS, WEEKLY_DAYS),
    "retry_days": sum(DELAYS_S) // _DAY_S,
    "retry_delays_s": DELAYS_S,
    "site_table": (site_imports.MAX_BYTES, MAX_SITES),
    "url_table_bytes": imported_crawls.MAX_BYTES,
}
