"""The page has more than one first-level heading.

In plain words: The page has more than one main heading; visitors and Google usually miss nothing.

Why it matters: It hardly matters. Several first-level headings are allowed and harmless to search; the count is shown because many tools
report it. An outline with a single one is easier for people who navigate by headings.

How to fix: If one heading is the name of the page and the others are sections, lower the level of the others.

    <h1>Blue widgets</h1>
    <h2>Sizes</h2>

Sources: [Google: SEO Starter Guide](https://developers.google.com/search/docs/fundamentals/seo-starter-guide) (2025): "there's also no
magical, ideal amount of headings a given page should have".
"""

from findable.artifacts.page.headings import Headings
from findable.checks.engine import Finding, check, inapplicable, info
from findable.vocabulary import Effort, Importance

TEXTS_SHOWN = 5


@check("How many main headings are there?", Importance.INFO, Effort.CONTENT)
def h1_multiple(headings: Headings) -> Finding:
    if not headings.main:
        return inapplicable("No main heading (h1) on the page")
    return info(
        "{count|main heading|main headings}: {texts}",
        count=len(headings.main),
        texts=[heading.name for heading in headings.main[:TEXTS_SHOWN]],
        evidence=[heading.element for heading in headings.main],
    )
