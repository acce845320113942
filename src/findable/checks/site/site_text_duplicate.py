"""Indexable pages have the same main text.

In plain words: Several of your pages have the same text, and Google shows only one of them.

Why it matters: Google indexes one of them, and the choice is left to chance. Links and crawling are split between all.

How to fix: Keep one URL: redirect the others to it or let them declare it as canonical.

Sources: [Google: consolidate duplicate URLs](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)
(2025).

Not judged: Main texts below 50 words; pages that declare one of the group as canonical; language versions of one page; a folder and its
index file, which search engines treat as one (site-index-variants reports if both are linked).
"""

from findable.artifacts.page.page_url import INDEX_FILES
from findable.capture.site_graph import CrawledDuplicates, DuplicateGroup
from findable.checks.engine import Finding, by_cause, check
from findable.checks.site_causes import duplicate_causes, mirror_causes
from findable.vocabulary import EditPlace, Effort, Fixer, Importance, Verdict


@check(
    "Does each page have its own text?",
    Importance.HIGH,
    Effort.CONTENT,
    place=EditPlace.TEXT,
    failed=400,
    fixer=Fixer.EDITOR,
    compares_texts=True,
)
def site_text_duplicate(duplicates: CrawledDuplicates) -> Finding:
    """Fails for indexable pages of one language with the same main text."""
    mirrors, groups = mirror_causes(
        duplicates.texts, verdict=Verdict.FAILED, message="{groups_count|page has|pages have} the same main text in each of these folders"
    )
    pairs = (group for group in groups if not is_only_index(group))
    causes = mirrors + duplicate_causes(pairs, verdict=Verdict.FAILED, message="{group_count|page has|pages have} the same main text")
    return by_cause("{groups_count|group|groups} of pages with the same main text", causes, groups_count=len(causes))


def is_only_index(group: DuplicateGroup) -> bool:
    """Return whether the pages are only a folder and its index file, like ``/`` and ``/index.html``, which search engines treat as one."""
    if len(group.urls) < group.pages_count:
        return False
    folders = {url.rpartition("/")[0] for url in group.urls}
    return len(folders) == 1 and all(url.rpartition("/")[2].lower() in INDEX_FILES for url in group.urls)
