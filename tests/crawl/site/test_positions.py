"""Positions of pages in a crawl."""

from findable.capture.crawl import Reason
from findable.crawl.found_by import FoundBy
from findable.crawl.link_graph import NOWHERE
from findable.crawl.site.positions import RelatedRecord, Standing, declared_url, found_by_name, plain_page
from tests.crawl.stored_crawl import url

END = RelatedRecord(title="End")


def test_a_link_takes_precedence_over_other_ways() -> None:
    assert found_by_name(int(FoundBy.SITEMAP | FoundBy.LINK)) == "link"
    assert found_by_name(int(FoundBy.SITEMAP | FoundBy.CANONICAL)) == "sitemap"
    assert found_by_name(0) == "link"


def test_a_plain_page_has_a_path_of_the_right_length_or_none() -> None:
    near = plain_page(Standing(2, "link", is_linked=True, has_description=False), 5, is_complete=True)
    lost = plain_page(Standing(NOWHERE, "sitemap", is_linked=False, has_description=True), 5, is_complete=False)

    assert (len(near.path_from_home), near.inlinks_count, near.description) == (3, 1, "")
    assert (lost.path_from_home, lost.inlinks_count, lost.is_complete) == ((), 0, False)


def test_an_unrequested_or_failed_end_is_not_known() -> None:
    assert not declared_url([(url("/a"), 301), (url("/b"), None)], None, RelatedRecord()).is_known
    assert not declared_url([(url("/a"), 200)], Reason.CHALLENGE.value, END).is_known
    assert declared_url([(url("/a"), 301), (url("/b"), 404)], Reason.STATUS.value, RelatedRecord()).is_known


def test_hops_of_a_declared_url_have_numbers_as_status() -> None:
    found = declared_url([(url("/a"), 301), (url("/b"), None)], None, END)

    assert (found.hops, found.end) == (((url("/a"), 301), (url("/b"), 0)), END)
