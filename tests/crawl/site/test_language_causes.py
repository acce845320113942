"""Names of the faults of language versions."""

from findable.crawl.site.language_causes import FaultyPages, language_faults
from tests.crawl.stored_crawl import url


def test_a_fault_is_named_after_most_of_its_pages_and_not_after_the_first() -> None:
    pages = FaultyPages()
    for number in range(2000):
        name = f"/en/about/{number}" if number < 300 else f"/shop/{number % 7}/{number}"
        pages.add(number, url(name), url(f"/de/{number}"), "de")

    (fault,) = language_faults({("de", "en", 1): pages})
    assert (fault.folder, fault.pages_count) == ("/shop/*", 2000)


def test_a_fault_of_one_page_is_named_after_it() -> None:
    pages = FaultyPages()
    pages.add(7, url("/en/lamps"), url("/de/lamps"), "de")

    assert [fault.folder for fault in language_faults({("de", "en", 1): pages})] == ["/en/lamps"]
