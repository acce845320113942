"""Lists on several pages: later pages that declare the first one as canonical, and pages that nothing links to."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from findable.capture.crawl import Reason
from findable.capture.site_graph import URL_LIMIT
from findable.capture.site_urls import Pagination
from findable.capture.status_classes import OK
from findable.crawl.page_numbers import page_number

NEW_LINKS = 3
"""Number of links that a further page of a list must add to the first page, otherwise it is a copy (set by Findable)."""
MEMBERS_READ = 3
NEIGHBOURS_READ = 50
NEIGHBOURS_SHARE = 0.8
"""Share of the pages of a list that must link to a neighbouring page, so that the numbers count as page numbers (set by Findable)."""
MISSING_LISTED = 10


class PageOfList(Struct, frozen=True):
    """URL of a page of a list; ``status`` and ``reason`` are None if it was not requested, ``template`` if it belongs to none."""

    id: int
    url: str
    status: int | None
    reason: str | None
    canonical: int | None
    template: int | None = None


class LinksOfLists(Struct, frozen=True):
    """Readers of the links of pages, by their ids."""

    targets_of: Callable[[Sequence[int]], Sequence[frozenset[int]]]
    """Returns the URLs to which each of some pages links."""
    indexable_urls: Callable[[Iterable[int]], Iterable[str]]
    """Returns the URLs of the indexable pages among some."""

    def has_new(self, page: frozenset[int], known: frozenset[int]) -> bool:
        """Return whether a page of a list links to enough indexable pages, other than lists, that are not known."""
        return sum(page_number(url) is None for url in self.indexable_urls(page - known)) >= NEW_LINKS


def pages_by_number(urls: Iterable[tuple[int, str]]) -> dict[str, dict[int, int]]:
    """Return the ids of the pages of lists by page number, grouped by the URL of the list."""
    found: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for number, url in urls:
        numbered = page_number(url)
        if numbered is not None:
            found[numbered[0]].setdefault(numbered[1], number)
    return {base: members for base, members in found.items() if max(members) > 1}


def pagination(base: str, members: Mapping[int, PageOfList], of_base: Sequence[PageOfList], links: LinksOfLists) -> Pagination | None:
    """Return a list with a fault; None for one without.

    Args:
        base: URL of the list.
        members: its pages by number.
        of_base: pages at this URL, which have no number.
        links: reader of the links of the pages.
    """
    firsts = [*([members[1]] if 1 in members else []), *of_base]
    read = {number: page for number, page in members.items() if page.status == OK}
    further = [page for number, page in sorted(read.items()) if number > 1]
    declaring, missing = _declaring_first(firsts, further, links), _missing(members, read, links)
    if not declaring and not missing:
        return None
    return Pagination(
        url=firsts[-1].url if firsts else base,
        pages_count=len(read),
        last_number=max(members),
        template=further[0].template or 0 if further else 0,
        canonical_to_first=tuple(declaring[:URL_LIMIT]),
        canonical_to_first_count=len(declaring),
        missing=tuple(missing),
    )


def _declaring_first(firsts: Sequence[PageOfList], further: Sequence[PageOfList], links: LinksOfLists) -> list[str]:
    """Return later pages of a list that declare its first page as canonical; empty if they link to few new pages (reviews)."""
    numbers = {page.id for page in firsts}
    declaring = [page for page in further if page.reason == Reason.CANONICAL and page.canonical in numbers]
    known = frozenset().union(*links.targets_of([page.id for page in firsts]))
    targets = links.targets_of([page.id for page in declaring[:MEMBERS_READ]])
    return [page.url for page in declaring] if any(links.has_new(page, known) for page in targets) else []


def _missing(members: Mapping[int, PageOfList], read: Mapping[int, PageOfList], links: LinksOfLists) -> list[int]:
    """Return the page numbers in a list that no page links to although the previous page was fetched."""
    missing = [number for number in range(2, max(members)) if number not in members and number - 1 in read]
    if not missing:
        return []
    numbers = sorted(read)[:NEIGHBOURS_READ]
    linking_count = 0
    for number, targets in zip(numbers, links.targets_of([read[number].id for number in numbers]), strict=True):
        linking_count += any(members[other].id in targets for other in (number - 1, number + 1) if other in members)
    return missing[:MISSING_LISTED] if linking_count >= NEIGHBOURS_SHARE * len(numbers) else []
