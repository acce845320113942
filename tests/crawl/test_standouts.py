"""What stands out of a site: lost pages by folder and reason, new findings, sections that are far away or thin."""

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from findable.capture.crawl import CrawlSummary
from findable.checks.causes import Cause, CauseKind
from findable.crawl.changes import MAX_LOST, ChangeCounter, ChangeKind, CrawlComparison, LostPages, PageChange
from findable.crawl.site_sections import MAX_SECTIONS, Sections, section_of
from findable.crawl.standouts import Standouts, lost_by_folder, section_notes, standouts
from findable.reports.reported_finding import AcceptanceTerms
from findable.reports.site_areas import SiteArea, UrlState
from findable.reports.site_difference import SiteDifference
from findable.reports.site_report import SiteFinding, SiteReport
from findable.reports.site_structure import SiteStructure
from findable.vocabulary import Verdict
from findable.web.pages.site.filtered_list_urls import PagesLinks
from findable.web.pages.site.standout_lines import sound_words, standout_lines
from findable.wording import ENGLISH

SITE = "https://shop.example"
SUMMARY = CrawlSummary(f"{SITE}/", "2026-11-24T12:00:00Z", pages_count=5000, indexable_count=4900)
AREAS = (SiteArea("/p/", {UrlState.INDEXABLE: 3861, UrlState.EXCLUDED: 39}), SiteArea("/magazine/", {UrlState.INDEXABLE: 500}))
EMPTY = SiteReport(SUMMARY, (), 96, 96.0, 96.0, None, provisional=False, counts={}, structure=SiteStructure(areas=AREAS))
SINCE = CrawlComparison(since="2026-11-17T12:00:00Z")


def lost(*found: tuple[str, str, int]) -> CrawlComparison:
    return replace(SINCE, lost=tuple(LostPages(*one) for one in found))


def item(check: str, key: str, verdict: Verdict = Verdict.WARNED, kind: CauseKind = CauseKind.TEMPLATE, **params: object) -> SiteFinding:
    cause = Cause(kind, key, "folder {folder}", {"folder": key})
    message = "{found_count|page has|pages have} little text" if check == "site-thin" else "A finding of {found_count|page|pages}"
    return SiteFinding(cause, verdict, message, 7, (), {"found_count": 7, **params}, id=check, key=f"{check}:{key}", share=0.1)


THIN = item("site-thin", "/brands/", kind=CauseKind.FOLDER)
FAR = item("site-depth", "/guides/", kind=CauseKind.FOLDER, clicks_count=5)
UNDESCRIBED, ERRORS = item("meta-description", "/p/*"), item("site-server-errors", "/magazine/", Verdict.FAILED)


def told(found: Standouts) -> list[str]:
    return [group.words("17 November 2026", ENGLISH) for group in found.lost]


def lines(report: SiteReport, comparison: CrawlComparison | None = None) -> list[tuple[str, str, str]]:
    found = standout_lines(report, comparison, "17 November 2026", "/findings", PagesLinks("/pages"), ENGLISH)
    return [(one.mark, f"{one.change} {one.words}".strip(), one.href) for one in found]


def test_a_sound_site_has_nothing_that_stands_out() -> None:
    assert standouts(EMPTY, SINCE) == standouts(EMPTY, None) == Standouts()
    assert sound_words(EMPTY, "17 November 2026", ENGLISH).startswith("No page was lost since 17 November 2026")
    assert sound_words(replace(EMPTY, summary=replace(SUMMARY, is_limited=True)), "", ENGLISH) == ""


def test_one_percent_of_a_folder_that_became_noindex_comes_first_with_its_share() -> None:
    found = lines(replace(EMPTY, findings=(THIN,)), lost(("/p/", "noindex", 39)))
    assert found[0] == (
        "failed",
        "39 of 3,900 pages in /p/: no longer indexable since 17 November 2026 (noindex).",
        "/pages?reason=noindex&folder=%2Fp%2F",
    )
    assert len(found) == 2


def test_pages_with_one_text_for_all_are_named_in_the_first_crawl() -> None:
    alike = item("site-empty-template", "/brands/*", kind=CauseKind.GROUP)
    (line,) = lines(replace(EMPTY, findings=(alike,)))
    assert "/brands/*" in line[1]
    assert section_notes(replace(EMPTY, findings=(alike,)), ENGLISH) == {"/brands/*": "little text"}


def test_lost_pages_are_named_by_reason_and_the_smallest_folder_with_most_of_them() -> None:
    found = standouts(
        EMPTY, lost(("/magazine/a/", "status", 90), ("/magazine/b/", "status", 300), ("/p/", "status", 10), ("/p/", "404", 3))
    )
    assert told(found) == [
        "390 of 890 pages in /magazine/: no longer indexable since 17 November 2026 (error)",
        "3 of 3,874 pages in /p/: no longer indexable since 17 November 2026 (404)",
    ]


def test_pages_lost_all_over_the_site_are_counted_together() -> None:
    found = standouts(EMPTY, lost(("/p/", "canonical", 50), ("/magazine/", "canonical", 50)))
    assert told(found) == ["100 of 4,461 pages: no longer indexable since 17 November 2026 (canonical elsewhere)"]


def test_the_share_of_a_folder_that_the_picture_does_not_show_is_left_out() -> None:
    assert told(standouts(EMPTY, lost(("/tiny/", "robots", 1)))) == [
        "1 page in /tiny/: no longer indexable since 17 November 2026 (disallowed by robots.txt)"
    ]


def test_new_problems_come_before_sections_and_these_before_new_and_worse_warnings() -> None:
    broken = item("canonical-valid", "/c/*", Verdict.FAILED)
    worse = item("h1-present", "/c/*")
    report = replace(EMPTY, findings=(UNDESCRIBED, broken, FAR, worse))
    changed = replace(SINCE, findings=SiteDifference(new=(UNDESCRIBED, broken, FAR), worse=(worse,)))
    assert [words.partition(" ")[0] + " " + href for _, words, href in lines(report, changed)] == [
        "New: /findings#canonical-valid%3A/c/%2A",
        "New: /findings#site-depth%3A/guides/",
        "New: /findings#meta-description%3A/p/%2A",
        "Worse: /findings#h1-present%3A/c/%2A",
    ]
    assert [words.partition(":")[0] for _, words, _ in lines(report)] == ["Folder /guides/"]


def test_a_finding_that_only_repeats_lost_pages_is_left_out() -> None:
    report = replace(EMPTY, findings=(ERRORS,))
    changed = SiteDifference(new=(ERRORS,))
    assert len(lines(report, replace(SINCE, findings=changed))) == 1
    assert len(lines(report, replace(lost(("/magazine/", "status", 3)), findings=changed))) == 1


def test_accepted_findings_do_not_stand_out() -> None:
    accepted = replace(THIN, accepted=AcceptanceTerms("meant", ""))
    assert not standouts(replace(EMPTY, findings=(accepted,)), None).sections


def test_sections_are_noted_in_the_picture() -> None:
    assert section_notes(replace(EMPTY, findings=(THIN, FAR)), ENGLISH) == {"/brands/": "little text", "/guides/": "5 clicks"}


def test_lost_pages_count_for_all_folders_above() -> None:
    found = lost_by_folder((LostPages("/a/b/", "noindex", 2), LostPages("/a/", "404", 1), LostPages("/", "404", 4)))
    assert found == {"/": 7, "/a/": 3, "/a/b/": 2}


def counted(urls: Iterable[str]) -> CrawlComparison:
    counter = ChangeCounter(SINCE)
    for number, url in enumerate(urls):
        counter.add(PageChange(ChangeKind.BECAME_NON_INDEXABLE, url, "", "noindex", number))
    counter.add(PageChange(ChangeKind.TITLE, f"{SITE}/x/y", "a", "b", 1))
    return counter.comparison()


def test_a_comparison_counts_lost_pages_by_folder() -> None:
    found = counted([f"{SITE}/", f"{SITE}/p/1", f"{SITE}/p/2?a=/b/", f"{SITE}/a/b/c/d/e"])
    assert [(one.folder, one.pages_count) for one in found.lost] == [("/", 1), ("/a/b/c/", 1), ("/p/", 2)]
    again = ChangeCounter(found)
    again.add(PageChange(ChangeKind.GONE, f"{SITE}/p/3", "200", "404", 9))
    assert [(one.folder, one.reason, one.pages_count) for one in again.comparison().lost][2:] == [("/p/", "404", 1), ("/p/", "noindex", 2)]


def test_folders_of_one_page_each_are_joined() -> None:
    found = counted(f"{SITE}/p/{number}/x" for number in range(MAX_LOST + 1))
    assert found.lost == (LostPages("/p/", "noindex", MAX_LOST + 1),)
    assert counted(f"{SITE}/{number}/x" for number in range(MAX_LOST + 1)).lost == (LostPages("/", "noindex", MAX_LOST + 1),)


@pytest.mark.parametrize(
    ("path", "section"),
    [
        ("/", "/"),
        ("/about", "/"),
        ("/guides/", "/"),
        ("/guides/a", "/guides/"),
        ("/guides/a/b?c=/d/", "/guides/"),
        ("/de/a/b", "/de/a/"),
        ("/de/a", "/de/"),
    ],
)
def test_a_section_is_the_first_folder(path: str, section: str) -> None:
    assert section_of(f"{SITE}{path}") == section


def far(*found: tuple[str, int, int]) -> list[tuple[str, int, int]]:
    sections = Sections()
    for folder, clicks, count in found:
        for number in range(count):
            sections.add(f"{SITE}{folder}{number}", clicks, is_listed=True)
    return [(one.folder, one.clicks_median, one.others_median) for one in sections.far()]


def test_a_section_three_clicks_deeper_than_the_rest_is_named() -> None:
    assert far(("/p/", 2, 3900), ("/magazine/", 2, 500), ("/guides/", 5, 200), ("/", 1, 5)) == [("/guides/", 5, 2)]
    assert far(("/p/", 2, 8), ("/guides/", 5, 3)) == [("/guides/", 5, 2)]


@pytest.mark.parametrize(
    "found",
    [
        [("/p/", 2, 3900), ("/guides/", 4, 200)],
        [("/p/", 3, 3900), ("/p/", 7, 500)],
        [("/p/", 2, 3900), ("/guides/", 9, 2)],
        [("/guides/", 9, 200)],
        [("/", 1, 10), ("/", 6, 20)],
        [(f"/page-{number}/", number % 9, 1) for number in range(MAX_SECTIONS + 2)],
    ],
    ids=["two deeper", "one section", "too small", "alone", "no folders", "a folder for each page"],
)
def test_other_sites_have_no_far_section(found: list[tuple[str, int, int]]) -> None:
    assert far(*found) == []
