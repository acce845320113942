"""Links to a place on another page of the site find no such place.

In plain words: Visitors who follow a link to a section arrive at the top of the page and have to search.

Why it matters: Readers who follow a link to a section arrive at the top of a long page instead, and search for the section themselves.

How to fix: Give the target the id of the fragment again, or link to its present id.

    <a href="/prices#delivery">Delivery</a>
    <h2 id="delivery">Delivery</h2>

Sources: [HTML Standard: Scrolling to a fragment](https://html.spec.whatwg.org/multipage/browsing-the-web.html#scrolling-to-a-fragment).

Not judged: ``#top``, text fragments, routes such as ``#/shop``, and fragments by which scripts recognize a link; links to pages that were
not crawled, that redirect, or whose ids scripts add; names that stand in attributes for scripts. Links within a page are judged on the
page.
"""

from collections import defaultdict
from collections.abc import Iterable

from findable.capture.site_places import CrawledPlaces, MissingPlace
from findable.checks.causes import CausedFinding
from findable.checks.engine import Finding, by_cause, check, inapplicable, url_evidence
from findable.checks.site_causes import page_cause
from findable.vocabulary import EditPlace, Effort, Fixer, Importance, Stage, Verdict

MANY_PAGES = 3
"""Number of pages with a link to a missing place from which that place is the cause (set by Findable)."""


@check(
    "Do links to places on other pages find them?",
    Importance.LOW,
    Effort.CONTENT,
    place=EditPlace.LINKS,
    fixer=Fixer.EDITOR,
    status=Stage.PREVIEW,
)
def site_links_fragment(places: CrawledPlaces) -> Finding:
    """Warns about fragments that no element of the linked page has: by place if many pages link to it, else by page."""
    if not places.links_count:
        return inapplicable("No link leads to a place on another page")
    message = "{broken_count} of {links_count|link|links} to places on other pages find no such place"
    causes = [_place_cause(place) for place in places.missing if place.pages_count >= MANY_PAGES]
    causes += _page_causes(place for place in places.missing if place.pages_count < MANY_PAGES)
    return by_cause(message, causes, sums_up=True, broken_count=places.broken_links_count, links_count=places.links_count)


def _place_cause(place: MissingPlace) -> CausedFinding:
    return page_cause(
        place.url,
        verdict=Verdict.WARNED,
        message="{found_count|page links|pages link} to {target}, a place that the page does not have",
        evidence=[url_evidence(url, None, "links to {target}", target=place.url) for url in place.pages],
        pages_count=place.pages_count,
        found_count=place.pages_count,
        target=place.url,
    )


def _page_causes(places: Iterable[MissingPlace]) -> list[CausedFinding]:
    """Return a cause for each page with links to missing places."""
    held: defaultdict[str, list[str]] = defaultdict(list)
    for place in places:
        for page in place.pages:
            held[page].append(place.url)
    return [
        page_cause(
            page,
            verdict=Verdict.WARNED,
            message="{targets_count|link leads|links lead} to places that other pages do not have",
            evidence=[url_evidence(page, None, "links to {target}", target=target) for target in targets],
            targets_count=len(targets),
        )
        for page, targets in sorted(held.items())
    ]
