"""Explanation of a missing rating of a page: title, cause, and advice."""

from msgspec import Struct

from findable.errors import PageErrorCode
from findable.fetch.user_agent import PRODUCT_TOKEN
from findable.reports.page_error_text import sentences_of
from findable.reports.titles import HALF_MEASURED, measured_sentence
from findable.service.values.report_values import ReportView
from findable.wording import Translator, later

NEXT_STEPS = {
    "target_rate_limited": later("Wait some minutes, then run the report again."),
    "needs_browser": later("Serve the content in the HTML itself. Many crawlers also see an empty page."),
    "not_html": later("Report on the URL of an HTML page."),
    "target_refused": later("Report on a URL on the public internet, or ask the operator of this service to allow this one."),
    "identity_unreadable": later("Enter the credentials again in the settings of the project, then run the report again."),
    "imported": later("Run the report to get findings and a current rating."),
    "stopped": later("Ask the operator of this service why, then run the report again."),
    "not_permitted": later("Run the report again."),
    "worker_crashed": later("Run the report again. If it fails again, contact the operator of this service."),
    "internal_error": later("Run the report again. If it fails again, contact the operator of this service."),
}
"""Advice for pages that could not be loaded, by error code, where their verdict in search has none or a more general one."""
_TITLES = {
    PageErrorCode.NEEDS_BROWSER: later("No rating: the page could not be judged"),
    PageErrorCode.ROBOTS_UNREADABLE: later("No rating: robots.txt could not be read"),
    PageErrorCode.IMPORTED: later("No rating yet: this report was imported"),
}
_NOT_LOADED = later("No rating: the page could not be loaded")
_BY_AGENT = frozenset({PageErrorCode.ACCESS_DENIED, PageErrorCode.BOT_CHALLENGE})
"""Codes for which the owner allows the user agent."""
_OWN_REQUEST = later("Only the request of this service is known to have failed; search engines may see the page.")
_TRY_AGAIN = later("Trying again may help.")


class MissingRating(Struct, frozen=True):
    """Explanation of a missing rating."""

    title: str
    cause: str
    next_step: str
    note: str


def missing_rating_of(view: ReportView, say: Translator, *, for_owner: bool) -> MissingRating | None:
    """Return why a report has no rating; None if there is a rating or no run yet."""
    if view.error is None and view.score is None and view.run is not None and view.coverage is not None:
        return MissingRating(say.text(HALF_MEASURED), measured_sentence(view.coverage, say), "", "")
    if view.error is None or view.score is not None:
        return None
    code = view.error.code
    title = say.text(_TITLES.get(code, _NOT_LOADED))
    notes = [] if code is PageErrorCode.IMPORTED else [say.text(_OWN_REQUEST), *([say.text(_TRY_AGAIN)] if view.error.retryable else [])]
    steps = [say.text(NEXT_STEPS[code])] if code in NEXT_STEPS else [view.verdict.next_step(say)] if view.verdict else []
    if for_owner and code in _BY_AGENT:
        steps.append(say("The user agent contains “%(name)s”, unless the project sets another.", name=PRODUCT_TOKEN))
    return MissingRating(title, sentences_of(view.error, say), " ".join(filter(None, steps)), " ".join(notes))
