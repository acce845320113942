"""Accepted findings: they do not count in the score of the current and later results until they are withdrawn or expire.

Acceptances for one report, for a project's pages by a pattern, and for the crawls of a project are stored alike. The use cases
(`reports/acceptances.py`, `crawls/crawl_acceptances.py`) say which one a new one replaces, and rate the result again.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from findable.errors import NotFound, ValidationFailed, require_valid
from findable.reports.acceptance import REASON_CHARS
from findable.reports.url_patterns import problem_of
from findable.service.runtime import audit_log
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import Caller
from findable.service.values.report_values import NewAcceptance, Scope
from findable.store.crawl_row import CrawlRow
from findable.store.rows import AcceptanceRow, ReportRow
from findable.store.store_protocol import Session
from findable.wording import Message, later

MAX_FOR_PROJECT = 500
"""Maximum number of acceptances by pattern, and of those of crawls; each is compared with every finding of a result."""
EVERYWHERE = "*"


def accept_finding(
    session: Session, caller: Caller, row: ReportRow | CrawlRow, columns: dict[str, Any], replaced: Iterable[AcceptanceRow], too_many: str
) -> None:
    """Store an acceptance in place of others. Raises ValidationFailed if the project has too many, see ``too_many``."""
    session.acceptances.remove([one.id for one in replaced])
    of_crawls = isinstance(row, CrawlRow)
    count = session.acceptances.count_for_project(row.project_id, of_crawls=of_crawls) if columns["report_id"] is None else 0
    if count >= MAX_FOR_PROJECT:
        raise ValidationFailed({"reason" if of_crawls else "scope": [Message(too_many, most=MAX_FOR_PROJECT)]})
    person = session.people.by_id(caller.user_id)
    name = "" if person is None else person.name or person.email.partition("@")[0]
    who = {"accepted_by": name, "person_id": caller.user_id, "created_at": session.moment}
    session.acceptances.add(columns | who | {"project_id": row.project_id, "of_crawls": int(of_crawls)})
    pattern = None if of_crawls else columns["pattern"]
    audit_log.record(session, caller, AuditAction.FINDING_ACCEPTED, row.url, check=columns["check_name"], pattern=pattern)


def reopen_finding(session: Session, caller: Caller, row: ReportRow | CrawlRow, found: list[AcceptanceRow], **told: str) -> None:
    """Withdraw acceptances; ``told`` names the finding in the audit log. Raises NotFound if there are none."""
    if not found:
        raise NotFound("There is no accepted finding.")
    session.acceptances.remove([one.id for one in found])
    audit_log.record(session, caller, AuditAction.FINDING_REOPENED, row.url, **told)


def valid_columns(new: NewAcceptance, moment: int) -> dict[str, Any]:
    """Return the columns of an acceptance after validation. Raises ValidationFailed for all invalid fields at once."""
    errors: dict[str, list[str]] = {}
    reason = new.reason.strip()
    pattern = (new.pattern or "").strip() or EVERYWHERE
    if not reason:
        errors["reason"] = [later("The reason field is required.")]
    elif len(reason) > REASON_CHARS:
        errors["reason"] = [Message(later("The reason field must not be longer than %(most)s characters."), most=REASON_CHARS)]
    if new.until is not None and new.until < datetime.fromtimestamp(moment, UTC).date():
        errors["until"] = [later("The until field must not be in the past.")]
    if new.scope is Scope.REPORT and pattern != EVERYWHERE:
        errors["pattern"] = [later("The pattern field requires scope project.")]
    elif wrong := problem_of(pattern):
        errors["pattern"] = [wrong]
    require_valid(errors)
    return {"reason": reason, "until": "" if new.until is None else new.until.isoformat(), "pattern": pattern}
