"""Indexable pages have nearly the same main text.

In plain words: Several of your pages have almost the same text, and Google shows only one of them.

Why it matters: Search engines treat such pages as one and show only one of them.

How to fix: Merge the pages, or describe what makes each of them different. Variants of one product can declare one canonical URL.

Sources: [Google: consolidate duplicate URLs](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)
(2025).

Not judged: Main texts below 100 words; pages that declare one of the group as canonical.
"""

from findable.capture.site_graph import CrawledDuplicates
from findable.checks.engine import Finding, by_cause, check
from findable.checks.site_causes import duplicate_causes, mirror_causes
from findable.formats.sketches import SIMILAR_FROM
from findable.vocabulary import EditPlace, Effort, Fixer, Importance, Verdict


@check(
    "Are the texts of pages different enough?",
    Importance.MEDIUM,
    Effort.CONTENT,
    place=EditPlace.TEXT,
    warned=150,
    fixer=Fixer.EDITOR,
    compares_texts=True,
)
def site_text_near(duplicates: CrawledDuplicates) -> Finding:
    """Warns about indexable pages of one language with nearly the same main text."""
    mirrors, groups = mirror_causes(
        duplicates.similar,
        verdict=Verdict.WARNED,
        message="{groups_count|page has|pages have} nearly the same main text in each of these folders",
    )
    message = (
        "{group_count|page has|pages have} nearly the same main text: at least {least_percent} of all three-word sequences are in common"
    )
    causes = mirrors + duplicate_causes(groups, verdict=Verdict.WARNED, message=message, least_percent=round(100 * SIMILAR_FROM))
    return by_cause("{groups_count|group|groups} of pages with nearly the same main text", causes, groups_count=len(causes))
