"""Pages share the same main heading and title.

In plain words: Visitors do not notice that they are on another page, because several pages have the same heading.

Why it matters: Readers who come from one of these pages to another do not notice that they are on another page.

How to fix: Let the heading describe what is unique to the page.

Sources: [Google: title links](https://developers.google.com/search/docs/appearance/title-link) (2025): the main heading is one source of
the title of a search result.

Not judged: Pages with the same text, which are one finding of site-text-duplicate; headings that belong to a template.
"""

from findable.capture.site_graph import CrawledDuplicates
from findable.checks.engine import Finding, by_cause, check
from findable.checks.site_causes import duplicate_causes
from findable.vocabulary import EditPlace, Effort, Fixer, Importance, Verdict


@check(
    "Does each page have its own heading?",
    Importance.INFO,
    Effort.CONTENT,
    place=EditPlace.HEADING,
    fixer=Fixer.EDITOR,
    compares_texts=True,
)
def site_h1_duplicate(duplicates: CrawledDuplicates) -> Finding:
    """Lists indexable pages of one language with the same main heading and title, never as a fault: see site-title-duplicate."""
    message = "{group_count|page has|pages have} the heading “{text}” and one title"
    groups = [group for group in duplicates.headings if not group.same_text]
    causes = duplicate_causes(groups, verdict=Verdict.INFO, message=message)
    return by_cause("{groups_count|heading is|headings are} shared by several pages", causes, groups_count=len(causes))
