"""More than half of the pages of the site are noindex.

In plain words: More than half of your pages do not appear in Google, because a setting tells Google to leave them out.

Why it matters: Search engines have to load each of these pages to learn that they must not show it. On a large site, this takes half of the
visits. A forgotten setting of a staging site looks the same.

How to fix: Nothing, if these folders are tags, filters or search results. Otherwise remove ``noindex`` from the pages that should be found,
or disallow pages in robots.txt that need not be loaded at all.

Sources: [Google: crawl budget of large sites](https://developers.google.com/search/docs/crawling-indexing/large-site-managing-crawl-budget)
(2025): noindex pages are still crawled.

Not judged: Whether a page should be found.
"""

from findable.capture.site_signals import CrawledNoindex
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import EVIDENCE_SHOWN, Finding, by_cause, check, inapplicable, url_evidence
from findable.vocabulary import EditPlace, Effort, Importance, Stage, Verdict

MANY_SHARE = 0.5
FOLDERS_SHOWN = 10


@check(
    question="Which pages are noindex?",
    importance=Importance.INFO,
    effort=Effort.HEAD,
    place=EditPlace.VISIBILITY,
    indexing_only=True,
    status=Stage.PREVIEW,
)
def site_noindex_share(noindex: CrawledNoindex) -> Finding:
    """Reports the folders with the most noindex pages if more than half of the site's pages are noindex."""
    if not noindex.pages_count:
        return inapplicable("The site has no HTML page")
    folders = noindex.by_folder[:FOLDERS_SHOWN] if noindex.noindex_count > MANY_SHARE * noindex.pages_count else ()
    causes = [
        CausedFinding(
            Cause(CauseKind.FOLDER, group.name, "{folder}", {"folder": group.name}),
            Verdict.INFO,
            "{found_count|page is|pages are} noindex",
            group.pages_count,
            tuple(url_evidence(url) for url in group.urls[:EVIDENCE_SHOWN]),
            {"found_count": group.pages_count},
        )
        for group in folders
    ]
    message = "{noindex_count} of {pages_count|page is|pages are} noindex"
    return by_cause(message, causes, noindex_count=noindex.noindex_count, pages_count=noindex.pages_count)
