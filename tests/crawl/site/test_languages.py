"""Language versions of a site: first sets in order, then faults with one cause."""

from collections.abc import Mapping
from typing import Any

import pytest

from findable.capture.crawl import Reason, Refusal
from findable.capture.site_languages import ANY, CrawledLanguages
from findable.crawl.record import MAX_ALTERNATES
from findable.crawl.site.languages import VersionFaults, VersionLists, VersionPage
from tests.crawl.language_versions import LANGUAGES, NAMES, Records, pairs, versions, whole_site
from tests.crawl.stored_crawl import SITE, url


def languages_of(records: Mapping[str, Mapping[str, Any]]) -> CrawledLanguages:
    """The result for pages that are given by their paths; other URLs of the site return 404, those of other sites are unknown."""
    declared = {url(where): tuple(record.get("alternates", ())) for where, record in records.items()}
    others = {other for versions in declared.values() for _, other in versions} - set(declared)
    pages = [
        VersionPage(number, url(where), status=record.get("status", 200), reason=record.get("reason", Reason.NONE).value)
        for number, (where, record) in enumerate(records.items())
    ]
    for number, other in enumerate(sorted(others), len(pages)):
        if other.startswith(f"{SITE}/"):
            pages.append(VersionPage(number, other, status=404, reason=Reason.STATUS.value))
        else:
            pages.append(VersionPage(number, other, refusal=Refusal.SCOPE.value, status=None))
    lists = VersionLists()
    for page in pages:
        if page.status == 200:
            lists.add(page.number, declared[page.url], is_indexable=not page.reason)
    faults = VersionFaults(lists, lambda number: declared.get(pages[number].url, ()))
    for members in lists.members.values():
        faults.compare(declared[pages[members[0]].url], [pages[number] for number in members], {page.url: page for page in pages})
    return faults.as_root()


def test_a_folder_without_sets_is_one_cause() -> None:
    records = whole_site()
    for name in NAMES:
        records[f"/fr/{name}"]["alternates"] = ()
    (fault,) = languages_of(records).no_return

    assert (fault.source, fault.target, fault.folder, fault.pages_count) == (ANY, "fr", "/fr/*", 4)
    assert fault.pairs[0] == (url("/fr/"), url("/de/"), "de")


def test_a_new_language_that_the_others_leave_out_is_one_cause() -> None:
    records = whole_site()
    for name in NAMES:
        records[f"/it/{name}"] = {"lang": "it", "alternates": versions(name, (*LANGUAGES, "it"))}

    assert pairs(languages_of(records).no_return) == [("it", ANY, "/*", 16)]


def test_a_pair_of_languages_is_named() -> None:
    records = whole_site(("de", "en"))
    for name in NAMES:
        records[f"/en/{name}"]["alternates"] = versions(name, ("en",))

    assert pairs(languages_of(records).no_return) == [("de", "en", "/en/*", 4)]


@pytest.mark.parametrize(
    "record",
    [
        {"reason": Reason.CANONICAL, "canonical": url("/de/lamps")},
        {"reason": Reason.NOINDEX, "noindex": True},
    ],
)
def test_pages_that_are_not_indexable_ask_for_no_return(record: dict[str, Any]) -> None:
    records = whole_site()
    records["/de/lamps?sort=price"] = {"alternates": versions("lamps"), **record}

    assert languages_of(records) == CrawledLanguages(16)


def test_a_start_page_that_chooses_the_language_may_be_x_default() -> None:
    records = whole_site()
    for record in records.values():
        record["alternates"] = (*record["alternates"], ("x-default", url("/choose")))
    records["/choose"] = {"status": 302, "location": url("/en/"), "reason": Reason.REDIRECT, "verdicts": b""}

    assert languages_of(records) == CrawledLanguages(16)


def test_versions_that_are_noindex_in_several_languages_are_one_cause() -> None:
    records = whole_site()
    for code in ("es", "fr"):
        records[f"/{code}/lamps"] |= {"reason": Reason.NOINDEX, "noindex": True}
    (fault,) = languages_of(records).bad_targets

    assert (fault.target, fault.pages_count, fault.reason) == (ANY, 2, Reason.NOINDEX)


def test_a_page_declared_in_two_languages_is_a_conflict() -> None:
    records: Records = {
        "/de": {"alternates": (("de", url("/de")), ("en", url("/en")), ("fr", url("/en")))},
        "/en": {"alternates": (("de", url("/de")), ("en", url("/en")))},
    }
    found = languages_of(records)

    assert pairs(found.conflicts) == [("en", "fr", "/en", 1)]
    assert found.no_return == ()


def test_a_list_that_is_cut_shows_no_missing_return() -> None:
    records = whole_site(("de", "en"), ("lamps",))
    records["/en/lamps"]["alternates"] = tuple(("en", url(f"/en/{number}")) for number in range(MAX_ALTERNATES))
    found = languages_of(records | {f"/en/{number}": {} for number in range(MAX_ALTERNATES)})

    assert [fault.source for fault in found.no_return if fault.pairs[0][0] == url("/en/lamps")] == []
