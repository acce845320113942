"""Pages have no unique content.

In plain words: Google finds many pages without content of their own, such as empty categories, and values the site less.

Why it matters: Categories without products, tags without articles and profiles without words are many pages with the same content. Search
engines rarely show them, and treat such pages as soft errors or duplicates.

How to fix: Do not link to pages without content, return 404 for them, or mark them with ``noindex`` until they have some.

Sources: [Google: soft 404 errors](https://developers.google.com/search/docs/crawling-indexing/http-network-errors) (2025): empty result
pages may be treated as such.

Not judged: Fewer than three such pages; pages with 50 words or with their own images, videos or forms; pages that scripts build.
"""

from findable.capture.site_templates import CrawledMarkup
from findable.checks.engine import Finding, by_cause, check, inapplicable
from findable.checks.site_causes import group_cause
from findable.vocabulary import Effort, Fixer, Importance, Stage, Verdict


@check(
    "Do all pages have content?",
    Importance.MEDIUM,
    Effort.CONTENT,
    fixer=Fixer.EDITOR,
    status=Stage.PREVIEW,
    compares_texts=True,
    names_sections=True,
)
def site_empty_template(markup: CrawledMarkup) -> Finding:
    """Warns about three or more indexable pages that differ only in their heading."""
    if not markup.pages_count:
        return inapplicable("the site has no indexable pages")
    causes = [
        group_cause(
            group.name,
            group,
            name="pages like {pattern}",
            verdict=Verdict.WARNED,
            message="{found_count|page has|pages have} the same text apart from the heading",
            pattern=group.name,
            found_count=group.pages_count,
        )
        for group in markup.empty
    ]
    return by_cause("{groups_count|group|groups} of pages without unique content", causes, groups_count=len(causes))
