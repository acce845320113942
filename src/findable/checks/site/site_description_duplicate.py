"""Pages share the same meta description.

In plain words: In Google, several of your pages may have the same short text under their titles, so people cannot tell them apart.

Why it matters: A description that fits every page tells readers of search results nothing, and Google takes text of the page instead.

How to fix: Write a description for each important page, or leave it out where the template would repeat one.

Sources: [Google: snippets](https://developers.google.com/search/docs/appearance/snippet) (2025): identical descriptions on every page are
not helpful.

Not judged: Pages without a description; pages with the same text.
"""

from findable.capture.site_graph import CrawledDuplicates
from findable.checks.engine import Finding, by_cause, check
from findable.checks.site_causes import duplicate_causes
from findable.vocabulary import EditPlace, Effort, Fixer, Importance, Verdict


@check(
    "Does each page have its own meta description?",
    Importance.LOW,
    Effort.CONTENT,
    place=EditPlace.DESCRIPTION,
    warned=110,
    fixer=Fixer.EDITOR,
    compares_texts=True,
)
def site_description_duplicate(duplicates: CrawledDuplicates) -> Finding:
    """Warns about indexable pages of one language with the same meta description but different texts."""
    message = "{group_count|page has|pages have} the meta description “{text}”"
    groups = [group for group in duplicates.descriptions if not group.same_text]
    causes = duplicate_causes(groups, verdict=Verdict.WARNED, message=message)
    return by_cause("{groups_count|meta description is|meta descriptions are} shared by several pages", causes, groups_count=len(causes))
