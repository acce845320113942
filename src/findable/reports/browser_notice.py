"""Sentence about the browser that was used for a report."""

from collections.abc import Mapping

from findable.reports.report import Report
from findable.wording import Translator, later

_WHY_NOT: Mapping[str, str] = {
    "no_browser": later("The service has no working browser: the HTML as sent was checked."),
    "crashed": later("The browser stopped on this page: the HTML as sent was checked."),
    "timeout": later("The browser did not finish in time: the HTML as sent was checked."),
    "refused": later("The browser may not request this page: the HTML as sent was checked."),
    "unreachable": later("The browser could not load the page%(reason)s. The HTML as sent was checked."),
    "certificate": later(
        "The browser could not load the page: it does not trust the certificate%(reason)s. The HTML as sent was checked. "
        "The operator of this service can add the authority of the certificate to FINDABLE_CA_FILE."
    ),
    "too_large": later("After its scripts ran, the page has too many elements: the HTML as sent was checked."),
    "loading": later("The page was still loading when its time limit ended: the HTML as sent was checked."),
    "leads_away": later("In a browser this page leads to %(url)s: the HTML as sent was checked."),
}
_SCRIPTS_BUILD = later("Scripts build this page. It was checked as %(browser)s shows it; crawlers that run no scripts see an empty page.")
_AFTER_SCRIPTS = later("Checked in %(browser)s, after the scripts of the page ran.")


def browser_notice(report: Report, say: Translator) -> str:
    """Return the sentence about the browser; empty if none was used or the page had no content to check."""
    facts = report.facts.browser
    if not facts:
        return ""
    if facts.after_scripts:
        return say(_SCRIPTS_BUILD if facts.scripts_build else _AFTER_SCRIPTS, browser=_name(facts.browser))
    reason = f" ({facts.failure_detail})" if facts.failure_detail else ""
    return say(_WHY_NOT[facts.failure], url=facts.leads_to, reason=reason) if facts.failure in _WHY_NOT else ""


def _name(product: str) -> str:
    """Return name and version for readers: ``Chromium 156``."""
    name, _, version = product.partition("/")
    return f"{name.replace('HeadlessChrome', 'Chromium')} {version.partition('.')[0]}".strip()
