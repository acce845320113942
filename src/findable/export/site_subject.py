"""Crawled site as the input of CI formats."""

from collections.abc import Iterator

from findable.checks.causes import CauseKind
from findable.crawl.changes import CrawlComparison
from findable.export.ci_subject import DOCUMENTS, PLACES_SHOWN, CiSubject, Place, Problem
from findable.export.short_texts import first_line
from findable.lazy_pattern import lazy_pattern
from findable.reports.search_verdict import crawl_end_words
from findable.reports.site_report import SiteFinding, SiteReport
from findable.wording import ENGLISH, Translator

CRAWL_NOT_COMPLETE = "crawl_not_complete"
_NOTE_WITH_PAGE = lazy_pattern(r"\b(?:by|in|from) \{page\}$")
"""Notes of evidence whose URL is declared by a page: its place is that page."""


def site_subject(report: SiteReport, comparison: CrawlComparison | None = None, duration_s: float = 0) -> CiSubject:
    """Return a crawled site as the input of CI formats: a problem for each cause, with its examples as places."""
    appeared = None
    if comparison is not None and comparison.not_comparable is None:
        appeared = {finding.key for finding in comparison.findings.risen}
    is_complete = report.summary.is_finished
    return CiSubject(
        url=report.summary.start_url,
        captured_at=report.summary.captured_at,
        duration_s=duration_s,
        goal="crawl complete",
        score=report.score,
        result=report.result,
        is_site=True,
        error="" if is_complete else f"The crawl is not complete: {ended_by(report)}",
        error_code="" if is_complete else CRAWL_NOT_COMPLETE,
        problems=tuple(
            Problem(
                finding.as_reported,
                f"{finding.id}: {finding.cause_name()}",
                site_sentence(finding),
                finding.key,
                tuple(_site_places(finding, report.summary.start_url)),
                None if appeared is None else finding.key in appeared,
                finding.cause_name() if finding.cause.kind is CauseKind.TEMPLATE else "",
            )
            for finding in report.open
        ),
    )


def _site_places(finding: SiteFinding, start_url: str) -> Iterator[Place]:
    page = finding.cause.key if finding.cause.kind is CauseKind.PAGE else ""
    for item in finding.evidence[:PLACES_SHOWN]:
        is_in_page = item.kind not in ("url", *DOCUMENTS)
        if page and item.kind == "url":  # the place is the page, not the URL of its link
            yield Place(page, words=first_line(item))
        elif not is_in_page and _NOTE_WITH_PAGE.search(item.note) and item.params.get("page"):
            yield Place(str(item.params["page"]), words=f"{item.url}: {first_line(item)}")
        else:
            url = page if page and is_in_page and item.line else item.url or start_url
            yield Place(url, item.line, item.column, item.text if item.line else "", first_line(item))
    if not finding.evidence:
        yield Place(start_url)


def site_sentence(finding: SiteFinding, say: Translator = ENGLISH) -> str:
    """Return the summary of a site finding with the number of its pages."""
    return f"{finding.summary(say).removesuffix('.')} – {finding.where(say)}"


def ended_by(report: SiteReport, say: Translator = ENGLISH) -> str:
    """Return the reason why the crawl of a report ended, as text."""
    return crawl_end_words(report.summary.ended_by, report.summary.start, say)
