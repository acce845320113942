"""Pages that the sitemap lists are many clicks away from the start page.

In plain words: Visitors and Google rarely get to some pages, because they are many clicks away from your home page.

Why it matters: Pages near the start page are crawled more often and get more link score. Pages many clicks away are found late, by crawlers
and by readers.

How to fix: Link to these pages from a page nearer to the start page: a category, a list of topics, related pages.

Sources: [Google: make links crawlable](https://developers.google.com/search/docs/crawling-indexing/links-crawlable) (2025): every page
should have a link from at least one other page of the site. Google has no limit on clicks: the one that the finding states, 10 % of the
pages beyond it, and three clicks more than to the other pages for half of a folder, are limits set by this report.

Not judged: Crawls that ended early; later pages of lists (``?page=2``); deep pages that no sitemap lists are a note.
"""

from typing import Any

from findable.capture.crawl import CrawlSummary, Group
from findable.capture.site_reach import CrawledReach, FarSection
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import EVIDENCE_SHOWN, Finding, by_cause, check, inapplicable, passed, unknown, url_evidence
from findable.checks.links.click_depth import MAX_CLICKS
from findable.vocabulary import Effort, Importance, Stage, Verdict

DEEP_FROM_CLICKS = MAX_CLICKS + 1
"""Clicks from the start page from which a page counts as deep."""
FAR_CLICKS = 3
"""Clicks by which a section must be deeper than the other pages to be named (set by Findable)."""
WARN_SHARE = 0.1
"""Share of deep indexable pages from which the check warns (set by Findable)."""


@check("Are pages a few clicks from the start page?", Importance.LOW, Effort.CONTENT, names_sections=True, status=Stage.PREVIEW)
def site_depth(reach: CrawledReach, summary: CrawlSummary) -> Finding:
    """Checks the share of indexable pages that are many clicks away, and whether a folder is much deeper than the rest."""
    pages_count = sum(count for _, count in reach.by_clicks)
    if not summary.is_complete:
        return unknown("Not known: the crawl did not cover the whole site")
    if not pages_count:
        return inapplicable("No links lead to an indexable page of the site")
    deep_count = reach.deep.pages_count if reach.deep else 0
    numbers: dict[str, Any] = {
        "deep_count": deep_count,
        "pages_count": pages_count,
        "clicks_count": max(reach.by_clicks)[0],
        "limit_count": DEEP_FROM_CLICKS - 1,
    }
    message = "{deep_count} of {pages_count|page is|pages are} more than {limit_count} clicks from the start page"
    if reach.far:
        return by_cause(message, [_section_cause(section) for section in reach.far], **numbers)
    if reach.deep is None or deep_count <= WARN_SHARE * pages_count:
        return passed(message, **numbers)
    listed_count = reach.deep_listed.pages_count if reach.deep_listed else 0
    is_fault = listed_count > WARN_SHARE * pages_count
    group = reach.deep_listed if is_fault and reach.deep_listed is not None else reach.deep
    return by_cause(message, [_cause(group, reach, Verdict.WARNED if is_fault else Verdict.INFO, numbers)], **numbers)


def _section_cause(section: FarSection) -> CausedFinding:
    return CausedFinding(
        Cause(CauseKind.FOLDER, section.folder, "folder {folder}", {"folder": section.folder}),
        Verdict.WARNED if section.listed_count > section.pages_count / 2 else Verdict.INFO,
        "{found_count|page is|pages are} {clicks_count|click|clicks} from the start page (median), the other pages {others_count}",
        section.pages_count,
        tuple(url_evidence(url) for url in section.urls[:EVIDENCE_SHOWN]),
        {"found_count": section.pages_count, "clicks_count": section.clicks_median, "others_count": section.others_median},
    )


def _cause(group: Group, reach: CrawledReach, verdict: Verdict, numbers: dict[str, Any]) -> CausedFinding:
    """Return the cause, with the click path to one of the deepest pages as evidence."""
    path = [
        url_evidence(url, None, "{clicks_count|click|clicks} from the start page", clicks_count=at) for at, url in enumerate(reach.deepest)
    ]
    shown = path[-EVIDENCE_SHOWN:] or [url_evidence(url) for url in group.urls]
    listed = (
        "{deep_count} of {pages_count|page is|pages are} more than {limit_count} clicks from the start page, the deepest {clicks_count}"
    )
    return CausedFinding(
        Cause(CauseKind.HOST, "depth", "the structure of the site"), verdict, listed, group.pages_count, tuple(shown), numbers
    )
