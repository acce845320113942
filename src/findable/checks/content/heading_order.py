"""Headings skip a level on the way down, or are empty.

In plain words: Visitors who have the page read aloud lose their way, because its headings are in the wrong order or empty.

Why it matters: People who use screen readers move through a page by its headings and assume that a part is missing at a skipped level; an
empty heading is a stop with nothing to read. The order does not matter to search engines.

How to fix: Use the next level for a subsection, the same level for sections of equal rank, and CSS for the appearance; turn headings
without a section into paragraphs; remove empty headings.

    <h2>Sizes</h2>
    <h3>Small</h3>

Sources: WCAG 2.2, [1.3.1](https://www.w3.org/TR/WCAG22/#info-and-relationships) and
[2.4.6](https://www.w3.org/TR/WCAG22/#headings-and-labels); [Google: SEO Starter
Guide](https://developers.google.com/search/docs/fundamentals/seo-starter-guide) (2025): for Google "it doesn't matter if you're using them
out of order".

Not judged: headings that markup hides; empty ones with an id or data attributes, which scripts may fill; the level of the first heading;
going back up by any number of levels.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, pairwise

from findable.artifacts.html.document import Element
from findable.artifacts.page.headings import Heading, Headings
from findable.checks.engine import EVIDENCE_SHOWN, Evidence, Finding, check, element, inapplicable, passed, warned, with_fault
from findable.checks.page_fix import Fix, rename_fix
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import EditPlace, Effort, Fault, Importance, Verdict

SMALL_TYPE_LEVEL = 5
"""Level from which a heading that skips a level was probably chosen for its size (set by Findable)."""
MAX_HEADING_CHARS = 120
"""Length above which a heading is probably a paragraph in large type (set by Findable)."""
MAX_ANCESTORS = 6
_BESIDE = lazy_pattern(
    r"foot(?!note)|side-?bar|modal|pop-?up|widget|social|share|sharing|newsletter|related|promo|recommend", re.IGNORECASE
)
SKIP_ADVICE = (
    "Give each of these headings the level below that of its section, and sibling headings the same level. Use paragraphs for labels,"
    " bylines and texts of buttons."
)
EMPTY_ADVICE = "Fill in the empty headings, or remove them."
BOTH_ADVICE = (
    "Fill in the empty headings, or remove them. Give each of the others the level below that of its section, and sibling headings the same"
    " level; use paragraphs for labels, bylines and texts of buttons."
)
TOP_LEVEL = 2
"""Level of top-level sections in any landmark."""


@check(
    "Do heading levels nest?",
    Importance.LOW,
    Effort.CONTENT,
    place=EditPlace.HEADING,
    costs={Fault.EMPTY_HEADINGS: 35, Verdict.WARNED: 15},
)
def heading_order(headings: Headings) -> Finding:
    shown = headings.visible
    if not shown:
        return inapplicable("No visible heading on the page")
    empty = [heading for heading in shown if heading.is_empty]
    named = [heading for heading in shown if not heading.is_empty]
    skips = [(before, after) for before, after in pairwise(named) if after.level > before.level + 1]
    faults = list(_faults(empty, skips))
    if not faults:
        return passed("{count|heading|headings}, levels nest", count=len(shown), evidence=[heading.element for heading in shown[:3]])
    if not empty:
        fixes = _fixes(named)
        advice = "" if fixes else SKIP_ADVICE
        return warned("{count|heading skips|headings skip} a level", count=len(skips), evidence=faults, fixes=fixes, advice=advice)
    if not skips:
        return with_fault(
            warned("{count|heading is|headings are} empty", count=len(empty), evidence=faults, advice=EMPTY_ADVICE), Fault.EMPTY_HEADINGS
        )
    both = warned(
        "{skips_count|heading skips|headings skip} a level and {count|heading is|headings are} empty",
        skips_count=len(skips),
        count=len(empty),
        evidence=faults,
        advice=BOTH_ADVICE,
    )
    return with_fault(both, Fault.EMPTY_HEADINGS)


def _faults(empty: list[Heading], skips: list[tuple[Heading, Heading]]) -> Iterator[Evidence]:
    limit = 10
    for heading in empty[:limit]:
        yield element(heading.element, "empty")
    for before, after in skips[:limit]:
        yield element(after.element, "level {level} follows level {before}", level=after.level, before=before.level)


def _fixes(headings: list[Heading]) -> list[Fix]:
    """Return the headings whose level changes if each is one level below its section; empty if a section is uncertain."""
    changed: list[tuple[Heading, int]] = []
    outer: list[tuple[Heading, int]] = []  # the open sections, with their new levels
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
    fixes = [rename_fix(heading.element, f"h{level}") for heading, level in changed]
    whole = [fix for fix in fixes if fix is not None and fix.is_public]
    return whole if len(whole) == len(fixes) else []


def _is_uncertain(heading: Heading, outer: Heading, level: int) -> bool:
    """Return whether the heading may not belong to the previous one: it is in another landmark, or small and chosen for its appearance."""
    if heading.element.tag != f"h{heading.level}" or len(heading.name) > MAX_HEADING_CHARS:
        return True
    if heading.level >= SMALL_TYPE_LEVEL and heading.level - outer.level > 1:
        return True
    return _is_secondary(heading.element) or (level > TOP_LEVEL and heading.region is not outer.region)


def _is_secondary(element: Element) -> bool:
    """Return whether class names or ids mark the element as secondary: a footer, a dialog, a box of related links."""
    around = (element, *islice(element.ancestors, MAX_ANCESTORS))
    return any(_has_secondary_name(f"{node.attr('class') or ''} {node.attr('id') or ''}"[:500]) for node in around)


@lru_cache(maxsize=1024)
def _has_secondary_name(names: str) -> bool:
    return _BESIDE.search(names) is not None
