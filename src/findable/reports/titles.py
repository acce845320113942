"""Titles of the parts of a report, and counts of its findings in words, for pages, lists and PDF."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from findable.checks.documentation import Documentation
from findable.checks.engine import find_check
from findable.urls import display_host, parse
from findable.vocabulary import Effort, Fixer, Importance, Rating, Source, Verdict
from findable.wording import ENGLISH, Translator, later

if TYPE_CHECKING:
    from findable.reports.report import Report

HALF_MEASURED = later("No rating: less than half could be measured")
RATINGS: Mapping[str, str] = {Rating.GOOD: later("Good"), Rating.DECENT: later("Decent"), Rating.BAD: later("Bad")}
VERDICTS: Mapping[Verdict, str] = {
    Verdict.FAILED: later("Problem"),
    Verdict.WARNED: later("Warning"),
    Verdict.UNKNOWN: later("Not known"),
    Verdict.INFO: later("Fact"),
    Verdict.INAPPLICABLE: later("Not applicable"),
    Verdict.PASSED: later("Passed"),
}
"""Titles of verdicts in list order."""
EFFORTS: Mapping[Effort, str] = {
    Effort.HEAD: later("one line"),
    Effort.SERVER: later("a server setting"),
    Effort.CONTENT: later("work on pages"),
}
FIXERS: Mapping[Fixer, str] = {Fixer.EDITOR: later("editor"), Fixer.DEVELOPER: later("developer"), Fixer.SERVER: later("administrator")}
IMPORTANCES: Mapping[str, str] = {
    Importance.HIGH: later("high importance"),
    Importance.MEDIUM: later("medium importance"),
    Importance.LOW: later("low importance"),
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
"""Checks about indexing, most important first: order and short names in this section only."""


def parts_of_check(text: Documentation) -> tuple[tuple[str, str], ...]:
    """Return titles and texts of the sections that follow the first line of a check's documentation, without empty ones."""
    named = (
        (later("In plain words"), text.plain),
        (later("Why it matters"), text.why),
        (later("How to fix"), text.how),
        (later("Not judged"), text.not_judged),
        (later("Sources"), text.sources),
    )
    return tuple((title, part) for title, part in named if part)


def question_of(check_id: str, say: Translator) -> str:
    """Return the question of a check; its id if it no longer exists."""
    check = find_check(check_id)
    return say.text(check.question) if check else check_id


def summary_of(check_id: str, say: Translator) -> str:
    """Return the problem that a check looks for, without values of a page; its id if it no longer exists."""
    check = find_check(check_id)
    return say.text(check.documentation.summary) if check else check_id


def readable_url(url: str) -> str:
    """Return a URL without its scheme, with the host in Unicode."""
    parsed = parse(url)
    if parsed is None:
        return url
    return f"{display_host(parsed.host)}{parsed.port_part}{'' if parsed.path_and_query == '/' else parsed.path_and_query}"


def measured_sentence(coverage: float, say: Translator) -> str:
    """Return how much of the checks that apply could be measured, in a sentence."""
    return say("Only %(percent)s%% of the applicable checks (by weight) could be measured.", percent=round(coverage * 100))


def needs_words(report: "Report", count: int, say: Translator) -> str:
    """Return what a number of checks that were not run need."""
    if Source.BROWSER in report.engine.sources:
        return say.plural("%(count)s needs a crawl", "%(count)s need a crawl", count)
    return say.plural("%(count)s needs a browser or a crawl", "%(count)s need a browser or a crawl", count)


def counts_sentence(counts: Mapping[str, int] | Mapping[Verdict, int], say: Translator = ENGLISH, accepted: int = 0) -> str:
    """Return the number of findings by verdict: ``1 problem, 6 warnings, 88 passed, 20 not applicable``; empty without a finding."""

    def plural(one: str, many: str, count: int) -> str:
        return say.plural(one, many, count) if count else ""

    parts = (
        plural("%(count)s problem", "%(count)s problems", counts.get(Verdict.FAILED, 0)),
        plural("%(count)s warning", "%(count)s warnings", counts.get(Verdict.WARNED, 0)),
        plural("%(count)s passed", "%(count)s passed", counts.get(Verdict.PASSED, 0)),
        plural("%(count)s not applicable", "%(count)s not applicable", counts.get(Verdict.INAPPLICABLE, 0)),
        plural("%(count)s could not be measured", "%(count)s could not be measured", counts.get(Verdict.UNKNOWN, 0)),
        plural("%(count)s fact", "%(count)s facts", counts.get(Verdict.INFO, 0)),
        plural("%(count)s accepted", "%(count)s accepted", accepted),
    )
    return ", ".join(filter(None, parts))
