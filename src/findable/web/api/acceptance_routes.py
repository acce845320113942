"""Routes to accept a finding, or withdraw the acceptance: `PUT` and `DELETE /reports/{id}/accepted/{check}`."""

from datetime import date
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.errors import Conflict
from findable.reports.acceptance import REASON_CHARS
from findable.reports.url_patterns import MAX_PATTERN_CHARS
from findable.service.reports import acceptances
from findable.service.values.report_values import NewAcceptance, Scope
from findable.web.api.operation import CONDITIONAL_WRITE, Call, Data, Reply, operation
from findable.web.api.report_routes import report_reply
from findable.web.api.report_shapes import Report
from findable.web.api.validation import value_or

PATH = "/reports/{id}/accepted/{check}"


class WithdrawQuery(Struct, frozen=True):
    """The query of `DELETE /reports/{id}/accepted/{check}`."""

    scope: Scope | UnsetType = UNSET
    """Withdraws only the acceptance of the report, or of the project. Default: both."""


class AcceptanceCreate(Struct, frozen=True):
    """Reason, end date and scope of an acceptance."""

    reason: Annotated[str, Meta(max_length=REASON_CHARS)]
    """Reason, shown with the finding."""
    until: date | UnsetType = UNSET
    """Last day (UTC) of the acceptance."""
    scope: Scope = Scope.REPORT
    """report: this report, until the evidence changes. project: the project's URLs that match pattern."""
    pattern: Annotated[str, Meta(max_length=MAX_PATTERN_CHARS)] | UnsetType = UNSET
    """Pattern for scope project; must match this report. Default: all URLs."""


@operation("PUT", PATH, {200: Data[Report]}, Conflict, **CONDITIONAL_WRITE, example={"reason": "agreed with legal", "until": "2027-01-31"})
def accept_finding(call: Call, report: int, check: str, *, body: AcceptanceCreate) -> Reply:
    """Accept a finding.

    The finding no longer counts in the current score and in later runs. Other reports of a project are updated at their next run.
    """
    new = NewAcceptance(body.reason, value_or(body.until), body.scope, value_or(body.pattern))
    return report_reply(call, acceptances.accept(call.service, call.caller, report, check, new, call.if_match))


@operation("DELETE", PATH, {200: Data[Report]}, Conflict, **CONDITIONAL_WRITE)
def withdraw_acceptance(call: Call, report: int, check: str, *, query: WithdrawQuery) -> Reply:
    """Withdraw the acceptance of a finding.

    The finding immediately counts again.
    """
    view = acceptances.withdraw(call.service, call.caller, report, check, value_or(query.scope), call.if_match)
    return report_reply(call, view)
