"""Headings skip a level on the way down, or are empty.

Why it matters: People who use screen readers move through a page by its headings and take a skipped level for a missing part;
an empty heading is a stop with nothing to read. Search engines do not mind the order.

How to fix: Use the next level for a part of the part above, the same level for its equals, and CSS for the looks; make a paragraph of
what heads no part; remove headings that hold nothing.

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
from findable.checks.engine import EVIDENCE_SHOWN, Evidence, Finding, check, element, inapplicable, passed, warned
from findable.checks.page_fix import Fix, retagged
from findable.vocabulary import Effort, Importance

MAX_JUMP = 3
"""Levels between a heading and its part, above which it was chosen for its size (ours)."""
TOP_LEVEL = 2
"""Level of the parts of a page, in whichever landmark they stand."""


@check(question="Do heading levels nest?", importance=Importance.LOW, effort=Effort.CONTENT)
def heading_order(headings: Headings) -> Finding:
    shown = headings.shown
    if not shown:
        return inapplicable("No visible heading on the page")
    empty = [heading for heading in shown if heading.is_empty]
    named = [heading for heading in shown if not heading.is_empty]
    skips = [(before, after) for before, after in pairwise(named) if after.level > before.level + 1]
    faults = list(_faults(empty, skips))
    if not faults:
        return passed("{count|heading|headings}, levels nest", count=len(shown), evidence=[heading.element for heading in shown[:3]])
    if not empty:
        return warned("{count|heading skips|headings skip} a level", count=len(skips), evidence=faults, fixes=_fixes(named))
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


def _fixes(headings: list[Heading]) -> list[Fix]:
    """Return every heading whose level changes if each is put one below the part it stands in; nothing where that part is not certain."""
    changed: list[tuple[Heading, int]] = []
    outer: list[tuple[Heading, int]] = []  # the parts that are open, with their new levels
    for heading in headings:
        while outer and outer[-1][0].level >= heading.level:
            outer.pop()
        level = outer[-1][1] + 1 if outer else heading.level
        if level != heading.level:
            if _is_uncertain(heading, outer[-1][0], level):
                return []
            changed.append((heading, level))
        outer.append((heading, level))
    if len(changed) > EVIDENCE_SHOWN:
        return []
    fixes = [retagged(heading.element, f"h{level}") for heading, level in changed]
    whole = [fix for fix in fixes if fix is not None and fix.is_public]
    return whole if len(whole) == len(fixes) else []


def _is_uncertain(heading: Heading, outer: Heading, level: int) -> bool:
    """Return whether it may be no part of the heading before it: small type used for its looks, or a heading of another landmark."""
    if heading.element.tag != f"h{heading.level}":
        return True
    if heading.level - outer.level > MAX_JUMP:
        return True
    return level > TOP_LEVEL and heading.region is not outer.region
