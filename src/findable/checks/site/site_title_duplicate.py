"""Pages share the same title.

In plain words: In Google, several of your pages have the same title, so people cannot tell which one they need.

Why it matters: The title is the heading of a search result. Readers cannot tell the pages apart, and Google may generate other titles.

How to fix: Give each page a title that describes what is unique to it. If a template creates the titles, let it use the name of the page.

Sources: [Google: title links](https://developers.google.com/search/docs/appearance/title-link) (2025): avoid repeated text.

Not judged: Pages in different languages; pages with the same text, which are one finding of site-text-duplicate.
"""

from findable.capture.site_graph import CrawledDuplicates
from findable.checks.engine import Finding, by_cause, check
from findable.checks.site_causes import duplicate_causes
from findable.vocabulary import EditPlace, Effort, Fixer, Importance, Verdict


@check(
    "Does each page have its own title?",
    Importance.MEDIUM,
    Effort.CONTENT,
    place=EditPlace.TITLE,
    warned=220,
    fixer=Fixer.EDITOR,
    compares_texts=True,
)
def site_title_duplicate(duplicates: CrawledDuplicates) -> Finding:
    """Warns about indexable pages of one language with the same title but different texts."""
    message = "{group_count|page has|pages have} the title “{text}”"
    groups = [group for group in duplicates.titles if not group.same_text]
    causes = duplicate_causes(groups, verdict=Verdict.WARNED, message=message)
    return by_cause("{groups_count|title is|titles are} shared by several pages", causes, groups_count=len(causes))
