"""Result page of checking one finding again, for the owner; the result is not stored."""

from starlette.responses import Response

from findable.checks.engine import Check, find_check
from findable.errors import NotFound, NotRecheckable, PageUnavailable
from findable.recheck import RecheckResult
from findable.reports.page_error_text import sentences_of
from findable.service.reports.finding_rechecks import recheck_finding
from findable.service.values.report_values import ReportView
from findable.web.pages.report.report_visit import REPORT_PAGES
from findable.web.pages.shared.page_templates import Bar, PageContext, page_response
from findable.web.pages.shared.viewer import bar_of
from findable.web.routing import Request, post


class RecheckPage(PageContext, frozen=True):
    """Variables of recheck.html."""

    view: ReportView
    check: Check
    result: RecheckResult | None
    """New result of the check; None if there is none."""
    fact: str
    """The new finding, or the reason why there is none."""
    bar: Bar


@post("/r/{public_id}/recheck/{check}")
async def post_recheck(request: Request, public_id: str, check: str) -> Response:
    """Check one finding of a report again and show the result."""
    visit = await REPORT_PAGES.owned_form(request, public_id)
    owner, say = visit.require_owner(), visit.say
    visit.service.rates.count(owner)
    known = find_check(check)
    if known is None:
        raise NotFound
    made = None
    try:
        made = await recheck_finding(visit.service, owner, visit.report.id, check)
    except PageUnavailable as error:
        fact = sentences_of(error.error, say)
    except NotRecheckable as error:
        fact = say.text(error.message)
    else:
        fact = made.finding.summary(say)
    shown = RecheckPage(visit.report, known, made, fact, bar_of(owner, ""))
    return page_response(shown, say)
