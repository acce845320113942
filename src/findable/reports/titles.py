"""Names of a report's parts for page, lists and PDF, to be translated."""

from collections.abc import Mapping

from findable.reports.cheapest_fixes import NextRating
from findable.urls import display_host, parse
from findable.vocabulary import Effort, Rating, Verdict
from findable.wording import Wording, later

RATINGS: Mapping[str, str] = {
    Rating.GOOD: later("Good"),
    Rating.DECENT: later("Decent"),
    Rating.BAD: later("Bad"),
}
VERDICTS: Mapping[Verdict, str] = {
    Verdict.FAILED: later("Problem"),
    Verdict.WARNED: later("Warning"),
    Verdict.UNKNOWN: later("Not known"),
    Verdict.INFO: later("Fact"),
    Verdict.INAPPLICABLE: later("Not applicable"),
    Verdict.PASSED: later("Passed"),
}
"""Verdicts in the order of lists."""
EFFORTS: Mapping[Effort, str] = {
    Effort.HEAD: later("one line"),
    Effort.SERVER: later("a server setting"),
    Effort.CONTENT: later("content or code"),
}
SEARCH_ROWS = (
    ("http-status", later("Status")),
    ("robots-txt-allows", later("robots.txt")),
    ("noindex", later("Indexing")),
    ("canonical-valid", later("Canonical URL")),
    ("canonical-self", later("Canonical is this page")),
    ("sitemap-lists-page", later("Sitemap")),
    ("html-lang", later("Language")),
)
"""Checks about indexing, most important first."""


def points(number: float, say: Wording) -> str:
    """``+4.5 points``, ``−1 point``; empty for none."""
    if not number:
        return ""
    signed = say.signed(float(number))
    return say("%(number)s point", number=signed) if abs(number) == 1 else say("%(number)s points", number=signed)


def score_span(way: NextRating, say: Wording) -> str:
    """The score that a way to the next rating leads to: ``72``, or ``72 to 75``."""
    low, high = way.score_from, way.score_to
    return str(high) if low == high else say("%(low)s to %(high)s", low=low, high=high)


def readable_address(url: str) -> str:
    """An address without its scheme, IDN hosts in their own script."""
    parsed = parse(url)
    if parsed is None:
        return url
    return f"{display_host(parsed.host)}{parsed.port_part}{'' if parsed.path_and_query == '/' else parsed.path_and_query}"
