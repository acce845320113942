"""The sentence about the pages of a project or batch that Google can index."""

import pytest

from findable.reports.google_listing import Listing, listing_of_pages
from findable.wording import ENGLISH

CASES: tuple[tuple[dict[Listing, int], str], ...] = (
    ({}, ""),
    ({Listing.CAN: 1}, "Google can index this page."),
    ({Listing.CAN: 3}, "Google can index all 3 pages."),
    ({Listing.TOLD_NOT: 1}, "The page tells Google not to index it."),
    ({Listing.STATUS: 1}, "Google cannot index this page: it returns an error."),
    ({Listing.UNKNOWN: 1}, "It is not known whether Google can index this page."),
    ({Listing.STATUS: 1, Listing.BLOCKED: 1}, "Google can index none of the 2 pages."),
    ({Listing.CAN: 28, Listing.BLOCKED: 2}, "Google can index 28 of 30 pages."),
    ({Listing.CAN: 28, Listing.STATUS: 2}, "Google can index all 28 pages. 2 more URLs return an error."),
    ({Listing.CAN: 7, Listing.TOLD_NOT: 2, Listing.STATUS: 1}, "Google can index 7 of 9 pages. 1 more URL returns an error."),
    ({Listing.CAN: 28, Listing.UNKNOWN: 2}, "Google can index 28 of 30 pages. 2 are not known."),
    ({Listing.UNKNOWN: 2}, "It is not known whether Google can index these pages."),
    ({Listing.STATUS: 1, Listing.UNKNOWN: 1}, "It is not known whether Google can index this page. 1 more URL returns an error."),
)


@pytest.mark.parametrize(("counts", "words"), CASES)
def test_pages_that_google_can_list_are_counted(counts: dict[Listing, int], words: str) -> None:
    assert listing_of_pages(counts, ENGLISH) == words
