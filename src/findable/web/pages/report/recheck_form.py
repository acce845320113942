"""Result page of checking one finding again, for the owner; the result is not stored."""

from typing import ClassVar

from starlette.responses import Response

from findable.checks.engine import find_check
from findable.errors import NotFound, NotRecheckable, PageUnavailable
from findable.export import first_line
from findable.reports.page_error_text import sentences_of
from findable.service.reports.finding_rechecks import recheck_finding
from findable.service.runtime import rate_limits
from findable.vocabulary import Verdict
from findable.web.pages.report.report_visit import REPORT_PAGES
from findable.web.pages.shared.page_templates import Bar, PageContext, page_response
from findable.web.pages.shared.viewer import bar_of
from findable.web.routing import Request, post
from findable.wording import later

FIXED = later("Fixed")
STILL_THERE = later("Still there")
NOT_KNOWN = later("Not known")


class RecheckPage(PageContext, frozen=True):
    """Variables of recheck.html."""

    template: ClassVar[str] = "recheck.html"
    page: str
    """Path of the share page."""
    address: str
    """URL of the reported page."""
    check: str
    question: str
    mark: str
    """Icon of the verdict; empty if the verdict is unknown."""
    outcome: str
    fact: str
    evidence: tuple[str, ...]
    bar: Bar


@post("/r/{public_id}/recheck/{check}")
async def post_recheck(request: Request, public_id: str, check: str) -> Response:
    """Check one finding of a report again and show the result."""
    visit = await REPORT_PAGES.owned_form(request, public_id)
    owner, say = visit.require_owner(), visit.say
    rate_limits.count_request(visit.service, owner)
    known = find_check(check)
    if known is None:
        raise NotFound
    mark, outcome = "", NOT_KNOWN
    evidence: tuple[str, ...] = ()
    try:
        made = await recheck_finding(visit.service, owner, visit.report.id, check)
    except PageUnavailable as error:
        fact = sentences_of(error.error, say)
    except NotRecheckable as error:
        fact = say.text(error.message)
    else:
        finding = made.finding
        mark, fact = finding.mark, finding.summary(say)
        outcome = FIXED if made.is_fixed else NOT_KNOWN if finding.verdict is Verdict.UNKNOWN else STILL_THERE
        evidence = () if made.is_fixed else tuple(first_line(item, say) for item in finding.evidence)
    shown = RecheckPage(
        page=visit.path,
        address=visit.report.url,
        check=check,
        question=say.text(known.question),
        mark=mark,
        outcome=say(outcome),
        fact=fact,
        evidence=evidence,
        bar=bar_of(owner, ""),
    )
    return page_response(shown, say)
