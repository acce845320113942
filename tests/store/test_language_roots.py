"""Language versions of a stored crawl: first sets in order, then faults with one cause."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from findable.capture.crawl import Reason
from findable.capture.site_languages import ANY, CrawledLanguages
from tests.crawl.language_versions import Records, whole_site
from tests.crawl.stored_crawl import Link, StoredPage, stored_crawl, url


def languages_of(path: Path, records: Mapping[str, Mapping[str, Any]]) -> CrawledLanguages:
    pages = {where: StoredPage((Link("/"),), record=record) for where, record in records.items()}
    start = StoredPage(tuple(Link(where) for where in records))
    found = stored_crawl(path, {"/": start, **pages})[CrawledLanguages]
    assert isinstance(found, CrawledLanguages)
    return found


def test_sets_in_order_have_no_faults(tmp_path: Path) -> None:
    records = whole_site()
    regions = (("en-GB", url("/uk")), ("en-US", url("/uk")), ("x-default", url("/uk")), ("no", url("/no")))
    records["/uk"] = {"alternates": regions}
    records["/no"] = {"alternates": (("nb", url("/no")), *regions[:3])}

    assert languages_of(tmp_path, records) == CrawledLanguages(18)


def test_a_site_without_versions(tmp_path: Path) -> None:
    assert languages_of(tmp_path, {"/a": {}, "/b": {}}) == CrawledLanguages(0)


def test_versions_on_other_hosts_and_refused_ones_are_unknown(tmp_path: Path) -> None:
    records: Records = {
        "/a": {"alternates": (("en", url("/a")), ("fr", "https://shop.fr/a"), ("de", url("/de")))},
        "/de": {"status": 403, "reason": Reason.STATUS, "verdicts": b""},
    }
    assert languages_of(tmp_path, records) == CrawledLanguages(1, unknown_count=2)


def test_a_missing_folder_is_one_cause_whatever_its_pages(tmp_path: Path) -> None:
    records = {where: record for where, record in whole_site().items() if not where.startswith("/fr/")}
    (fault,) = languages_of(tmp_path, records).bad_targets

    assert (fault.source, fault.target, fault.pages_count, fault.reason, fault.status) == (ANY, "fr", 12, Reason.STATUS, 404)
    assert fault.pairs[0] == (url("/de/"), url("/fr/"), "fr")


def test_http_versions_of_an_https_site_are_a_fault_of_the_origin(tmp_path: Path) -> None:
    records: Records = {"/a": {"alternates": (("en", url("/a")), ("de", url("/de").replace("https:", "http:")))}}

    assert languages_of(tmp_path, records) == CrawledLanguages(1, unknown_count=1)
