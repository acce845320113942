"""Requests of a crawl for URLs without an indexable page."""

from findable.capture.crawl import Reason
from findable.crawl.site.useless_requests import useless_requests

SITE = "https://shop.example"


def test_requests_for_indexable_pages_and_after_failures_are_not_useless() -> None:
    assert useless_requests([(f"{SITE}/", ""), (f"{SITE}/a", Reason.FAILURE), (f"{SITE}/b", Reason.ROBOTS)]) == (3, 0, ())


def test_useless_requests_are_grouped_by_parameters_or_folder() -> None:
    sorts = [(f"{SITE}/shoes?sort={number}", Reason.CANONICAL) for number in range(3)]
    tags = [(f"{SITE}/tag/{number}", Reason.NOINDEX if number else Reason.STATUS) for number in range(4)]
    requests_count, useless_count, shares = useless_requests([*sorts, *tags])

    assert (requests_count, useless_count) == (7, 7)
    assert [(share.pattern, share.requests_count, share.reason) for share in shares] == [
        ("/tag/*", 4, Reason.NOINDEX),
        ("?sort=", 3, Reason.CANONICAL),
    ]
