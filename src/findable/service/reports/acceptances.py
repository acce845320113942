"""Accepted findings: they do not count in the score of the current and later runs until they are withdrawn or expire."""

from datetime import UTC, datetime
from typing import Any

from findable.checks.engine import all_checks
from findable.errors import NotFound, ValidationFailed, require_valid
from findable.reports.acceptance import REASON_CHARS
from findable.reports.analysis import can_be_rescored
from findable.reports.reported_finding import AGAINST, ReportedFinding
from findable.reports.url_patterns import matches, problem_of
from findable.service.accounts.permissions import require
from findable.service.reports.compared_run import report_of_run, shown_run
from findable.service.reports.owned_reports import list_view, owned_report, require_match, view_with_results
from findable.service.reports.save_run import rescore_shown_run
from findable.service.runtime import audit_log
from findable.service.runtime.service import Service
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import WRITE, Caller
from findable.service.values.report_values import NewAcceptance, ReportView, Scope
from findable.store.rows import ReportRow
from findable.store.store_protocol import Session
from findable.wording import Message, later

MAX_FOR_PROJECT = 500
"""Maximum number of acceptances by pattern; each is compared with every finding of a report."""
EVERYWHERE = "*"


def accept(service: Service, caller: Caller, report_id: int, check: str, new: NewAcceptance, if_match: str | None = None) -> ReportView:
    """Accept a finding of the current run, or change its reason and end date.

    For a single report, the evidence is stored: with other evidence the finding is reported again. Raises NotFound (report, check),
    ValidationFailed (all fields at once), PreconditionFailed.
    """
    require(caller, WRITE)
    _require_check(check)
    with service.store.write() as session:
        row = owned_report(session, caller, report_id)
        require_match(list_view(service, session, row).etag, if_match)
        held = _stored_finding(session, row, check)
        values = acceptance_columns(new, session.moment)
        if new.scope is Scope.PROJECT:
            if not matches(values["pattern"], _final_url(session, row)):
                raise ValidationFailed({"pattern": [later("The pattern must match the URL of this report.")]})
            values |= {"report_id": None, "finding_key": ""}
        else:
            values |= {"report_id": row.id, "finding_key": held.key}
        # there is at most one per check and report, or per check and pattern
        place = (values["report_id"], check, values["pattern"])
        known = session.acceptances.of_report(row)
        session.acceptances.remove([one.id for one in known if (one.report_id, one.check_name, one.pattern) == place])
        if new.scope is Scope.PROJECT and session.acceptances.count_for_project(row.project_id) >= MAX_FOR_PROJECT:
            raise ValidationFailed(
                {"scope": [Message(later("A project has at most %(most)s accepted findings by pattern."), most=MAX_FOR_PROJECT)]}
            )
        who = accepted_by(session, caller)
        session.acceptances.add(values | who | {"project_id": row.project_id, "check_name": check})
        audit_log.record(session, caller, AuditAction.FINDING_ACCEPTED, row.url, check=check, pattern=values["pattern"])
        rescore_shown_run(session, row)
        return view_with_results(service, session, owned_report(session, caller, report_id))


def withdraw(
    service: Service, caller: Caller, report_id: int, check: str, scope: Scope | None = None, if_match: str | None = None
) -> ReportView:
    """Withdraw acceptances for this report, for patterns that match its URL, or both.

    Raises NotFound (report, check, nothing accepted), PreconditionFailed.
    """
    require(caller, WRITE)
    _require_check(check)
    with service.store.write() as session:
        row = owned_report(session, caller, report_id)
        require_match(list_view(service, session, row).etag, if_match)
        address = _final_url(session, row)
        found = [one for one in session.acceptances.of_report(row) if one.check_name == check and matches(one.pattern, address)]
        if scope is not None:
            found = [one for one in found if (one.report_id is None) is (scope is Scope.PROJECT)]
        if not found:
            raise NotFound("There is no accepted finding.")
        session.acceptances.remove([one.id for one in found])
        audit_log.record(session, caller, AuditAction.FINDING_REOPENED, row.url, check=check)
        rescore_shown_run(session, row)
        return view_with_results(service, session, owned_report(session, caller, report_id))


def _require_check(check: str) -> None:
    if check not in all_checks():
        raise NotFound("There is no such check.")


def _final_url(session: Session, row: ReportRow) -> str:
    """Return the final URL of the shown run, to compare patterns with."""
    report = report_of_run(session, shown_run(session, row))
    return row.url if report is None else report.url


def _stored_finding(session: Session, row: ReportRow, check: str) -> ReportedFinding:
    """Return the stored finding. Raises ValidationFailed if there is nothing to accept."""
    report = report_of_run(session, shown_run(session, row))
    if report is None:
        raise ValidationFailed({"check": [later("The report has no result yet.")]})
    if not can_be_rescored(report):
        ruleset = report.engine.ruleset
        told = Message(later("The report was scored under the older ruleset %(ruleset)s: regenerate it first."), ruleset=ruleset)
        raise ValidationFailed({"check": [told]})
    finding = report.finding(check)
    if finding is not None and finding.verdict in AGAINST:
        return finding
    raise ValidationFailed({"check": [Message(later("%(check)s reports no problem."), check=check)]})


def acceptance_columns(new: NewAcceptance, moment: int) -> dict[str, Any]:
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


def accepted_by(session: Session, caller: Caller) -> dict[str, Any]:
    """Return the columns about the accepting person: the name shown to readers, or the local part of the email address."""
    person = session.accounts.person(caller.user_id)
    name = "" if person is None else person.name or person.email.partition("@")[0]
    return {"accepted_by": name, "person_id": caller.user_id, "created_at": session.moment}
