"""Routes to accept a finding, or withdraw the acceptance: `PUT` and `DELETE /reports/{id}/accepted/{check}`."""

from findable.errors import Conflict
from findable.service.reports import acceptances
from findable.service.values.report_values import NewAcceptance
from findable.web.api.operation import Call, Data, Reply, operation
from findable.web.api.report_routes import report_reply
from findable.web.api.report_shapes import Report
from findable.web.api.request_models import AcceptanceCreate, WithdrawQuery
from findable.web.api.validation import value_or

PATH = "/reports/{id}/accepted/{check}"


@operation(
    "PUT",
    PATH,
    {200: Data[Report]},
    Conflict,
    header_parameters=("If-Match",),
    reply_headers=("ETag",),
    example={"reason": "agreed with legal", "until": "2027-01-31"},
)
def accept_finding(call: Call, report: int, check: str, *, body: AcceptanceCreate) -> Reply:
    """Accept a finding.

    The finding no longer counts in the current score and in later runs. Other reports of a project are updated at their next run.
    """
    new = NewAcceptance(body.reason, value_or(body.until), body.scope, value_or(body.pattern))
    return report_reply(call, acceptances.accept(call.service, call.caller, report, check, new, call.if_match))


@operation("DELETE", PATH, {200: Data[Report]}, Conflict, header_parameters=("If-Match",), reply_headers=("ETag",))
def withdraw_acceptance(call: Call, report: int, check: str, *, query: WithdrawQuery) -> Reply:
    """Withdraw the acceptance of a finding.

    The finding immediately counts again.
    """
    view = acceptances.withdraw(call.service, call.caller, report, check, value_or(query.scope), call.if_match)
    return report_reply(call, view)
