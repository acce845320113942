"""Language versions of a stored crawl: first sets in order, then faults with one cause."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from findable.capture.crawl import Reason
from findable.capture.site_languages import ANY, CrawledLanguages, LanguageFault
from findable.crawl.language_causes import FaultyPages, language_faults
from tests.crawl.stored_crawl import Link, StoredPage, stored_crawl, url

LANGUAGES = ("de", "en", "es", "fr")
NAMES = ("", "lamps", "chairs", "tables")
Records = dict[str, dict[str, Any]]


def versions(name: str, codes: Iterable[str] = LANGUAGES) -> tuple[tuple[str, str], ...]:
    return tuple((code, url(f"/{code}/{name}")) for code in codes)


def whole_site(codes: Iterable[str] = LANGUAGES, names: Iterable[str] = NAMES) -> Records:
    """Pages in all languages, each with the whole set."""
    codes = tuple(codes)
    return {f"/{code}/{name}": {"lang": code, "alternates": versions(name, codes)} for code in codes for name in names}


def languages_of(path: Path, records: Mapping[str, Mapping[str, Any]]) -> CrawledLanguages:
    pages = {where: StoredPage((Link("/"),), record=record) for where, record in records.items()}
    start = StoredPage(tuple(Link(where) for where in records))
    found = stored_crawl(path, {"/": start, **pages})[CrawledLanguages]
    assert isinstance(found, CrawledLanguages)
    return found


def pairs(faults: Iterable[LanguageFault]) -> list[tuple[str, str, str, int]]:
    return [(fault.source, fault.target, fault.folder, fault.pages_count) for fault in faults]


def test_sets_in_order_have_no_faults(tmp_path: Path) -> None:
    records = whole_site()
    regions = (("en-GB", url("/uk")), ("en-US", url("/uk")), ("x-default", url("/uk")), ("no", url("/no")))
    records["/uk"] = {"alternates": regions}
    records["/no"] = {"alternates": (("nb", url("/no")), *regions[:3])}

    assert languages_of(tmp_path, records) == CrawledLanguages(18)


def test_a_site_without_versions(tmp_path: Path) -> None:
    assert languages_of(tmp_path, {"/a": {}, "/b": {}}) == CrawledLanguages(0)


def test_a_folder_without_sets_is_one_cause(tmp_path: Path) -> None:
    records = whole_site()
    for name in NAMES:
        records[f"/fr/{name}"]["alternates"] = ()
    (fault,) = languages_of(tmp_path, records).no_return

    assert (fault.source, fault.target, fault.folder, fault.pages_count) == (ANY, "fr", "/fr/*", 4)
    assert fault.pairs[0] == (url("/fr/"), url("/de/"), "de")


def test_a_new_language_that_the_others_leave_out_is_one_cause(tmp_path: Path) -> None:
    records = whole_site()
    for name in NAMES:
        records[f"/it/{name}"] = {"lang": "it", "alternates": versions(name, (*LANGUAGES, "it"))}

    assert pairs(languages_of(tmp_path, records).no_return) == [("it", ANY, "/*", 16)]


def test_a_pair_of_languages_is_named(tmp_path: Path) -> None:
    records = whole_site(("de", "en"))
    for name in NAMES:
        records[f"/en/{name}"]["alternates"] = versions(name, ("en",))

    assert pairs(languages_of(tmp_path, records).no_return) == [("de", "en", "/en/*", 4)]


@pytest.mark.parametrize(
    "record",
    [
        {"reason": Reason.CANONICAL, "canonical": url("/de/lamps")},
        {"reason": Reason.NOINDEX, "noindex": True},
    ],
)
def test_pages_that_are_not_indexable_ask_for_no_return(tmp_path: Path, record: dict[str, Any]) -> None:
    records = whole_site()
    records["/de/lamps?sort=price"] = {"alternates": versions("lamps"), **record}

    assert languages_of(tmp_path, records) == CrawledLanguages(16)


def test_versions_on_other_hosts_and_refused_ones_are_unknown(tmp_path: Path) -> None:
    records: Records = {
        "/a": {"alternates": (("en", url("/a")), ("fr", "https://shop.fr/a"), ("de", url("/de")))},
        "/de": {"status": 403, "reason": Reason.STATUS, "verdicts": b""},
    }
    assert languages_of(tmp_path, records) == CrawledLanguages(1, unknown_count=2)


def test_a_start_page_that_chooses_the_language_may_be_x_default(tmp_path: Path) -> None:
    records = whole_site()
    for record in records.values():
        record["alternates"] = (*record["alternates"], ("x-default", url("/choose")))
    records["/choose"] = {"status": 302, "location": url("/en/"), "reason": Reason.REDIRECT, "verdicts": b""}

    assert languages_of(tmp_path, records) == CrawledLanguages(16)


def test_a_missing_folder_is_one_cause_whatever_its_pages(tmp_path: Path) -> None:
    records = {where: record for where, record in whole_site().items() if not where.startswith("/fr/")}
    (fault,) = languages_of(tmp_path, records).bad_targets

    assert (fault.source, fault.target, fault.pages_count, fault.reason, fault.status) == (ANY, "fr", 12, Reason.STATUS, 404)
    assert fault.pairs[0] == (url("/de/"), url("/fr/"), "fr")


def test_versions_that_are_noindex_in_several_languages_are_one_cause(tmp_path: Path) -> None:
    records = whole_site()
    for code in ("es", "fr"):
        records[f"/{code}/lamps"] |= {"reason": Reason.NOINDEX, "noindex": True}
    (fault,) = languages_of(tmp_path, records).bad_targets

    assert (fault.target, fault.pages_count, fault.reason) == (ANY, 2, Reason.NOINDEX)


def test_http_versions_of_an_https_site_are_a_fault_of_the_origin(tmp_path: Path) -> None:
    records: Records = {"/a": {"alternates": (("en", url("/a")), ("de", url("/de").replace("https:", "http:")))}}

    assert languages_of(tmp_path, records) == CrawledLanguages(1, unknown_count=1)


def test_a_page_declared_in_two_languages_is_a_conflict(tmp_path: Path) -> None:
    records: Records = {
        "/de": {"alternates": (("de", url("/de")), ("en", url("/en")), ("fr", url("/en")))},
        "/en": {"alternates": (("de", url("/de")), ("en", url("/en")))},
    }
    found = languages_of(tmp_path, records)

    assert pairs(found.conflicts) == [("en", "fr", "/en", 1)]
    assert found.no_return == ()


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
