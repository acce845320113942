"""Headings skip a level on the way down, or are empty.

Why it matters: People who use screen readers move through a page by its headings and take a skipped level for a missing part;
an empty heading is a stop with nothing to read. Search engines do not mind the order.

How to fix: Use the next level for a part of the part above, and style it by CSS; remove headings that hold nothing.

    <h2>Sizes</h2>
    <h3>Small</h3>

Sources: WCAG 2.2, [1.3.1](https://www.w3.org/TR/WCAG22/#info-and-relationships) and
[2.4.6](https://www.w3.org/TR/WCAG22/#headings-and-labels); [Google: SEO Starter
Guide](https://developers.google.com/search/docs/fundamentals/seo-starter-guide) (2025): for Google "it doesn't matter if you're using
them out of order".

Not judged: headings that markup hides; empty ones with an id or data attributes, which scripts may fill; the level of the first
heading; going back up by any number of levels.
"""

from collections.abc import Iterator
from itertools import pairwise

from findable.artifacts.page.headings import Heading, Headings
from findable.checks.engine import Evidence, Finding, check, element, inapplicable, passed, warned
from findable.checks.page_fix import Fix, retagged
from findable.vocabulary import Effort, Importance


@check(question="Do heading levels nest?", importance=Importance.LOW, effort=Effort.CONTENT)
def heading_order(headings: Headings) -> Finding:
    shown = headings.shown
    if not shown:
        return inapplicable("No visible heading on the page")
    empty = [heading for heading in shown if heading.is_empty]
    skips = [
        (before, after)
        for before, after in pairwise(heading for heading in shown if not heading.is_empty)
        if after.level > before.level + 1
    ]
    faults = list(_faults(empty, skips))
    if not faults:
        return passed("{count|heading|headings}, levels nest", count=len(shown), evidence=[heading.element for heading in shown[:3]])
    if not empty:
        return warned("{count|heading skips|headings skip} a level", count=len(skips), evidence=faults, fixes=_fixes(skips))
    if not skips:
        return warned("{count|heading is|headings are} empty", count=len(empty), evidence=faults)
    return warned(
        "{skips_count|heading skips|headings skip} a level and {count|heading is|headings are} empty",
        skips_count=len(skips),
        count=len(empty),
        evidence=faults,
    )


def _faults(empty: list[Heading], skips: list[tuple[Heading, Heading]]) -> Iterator[Evidence]:
    limit = 10
    for heading in empty[:limit]:
        yield element(heading.element, "empty")
    for before, after in skips[:limit]:
        yield element(after.element, "level {level} follows level {before}", level=after.level, before=before.level)


def _fixes(skips: list[tuple[Heading, Heading]]) -> Iterator[Fix | None]:
    """Yield the headings one level below the one before them."""
    for before, after in skips:
        yield retagged(after.element, f"h{before.level + 1}") if after.element.tag == f"h{after.level}" else None
