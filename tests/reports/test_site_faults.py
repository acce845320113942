"""Faults of a site: one line for one check, with a key for each of its groups."""

import msgspec
import pytest
from msgspec import structs

from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.evidence import url_evidence
from findable.export.crawl_documents import site_fault_json
from findable.reports.reported_finding import AcceptanceTerms
from findable.reports.site_difference import SiteDifference
from findable.reports.site_faults import SiteFault, faults_of
from findable.reports.site_report import ALL_PAGES, OF_TEMPLATE, ONE_PAGE, SITE, THE_SITE, SiteFinding
from findable.vocabulary import Verdict
from findable.web.pages.site.site_changes import changed_findings
from findable.wording import ENGLISH, wording

TITLES = "site-title-duplicate"
TERMS = AcceptanceTerms("Same shop in two towns", None)


def titles(
    text: str, pages_count: int, verdict: Verdict = Verdict.WARNED, kind: CauseKind = CauseKind.GROUP, check: str = TITLES
) -> SiteFinding:
    cause = Cause(kind, text, "“{text}”", {"text": text})
    key = CausedFinding(cause, verdict, "", pages_count, ()).key_of(check)
    return SiteFinding(
        cause,
        verdict,
        "{group_count|page has|pages have} the title “{text}”",
        pages_count,
        params={"text": text, "group_count": pages_count},
        id=check,
        key=key,
        share=pages_count / 100,
        gain=1,
    )


SEVEN = [titles(f"Title {number}", 4 + number) for number in range(7)]


def test_seven_groups_of_titles_are_one_fault_with_the_number_of_pages_first() -> None:
    (fault,) = faults_of(SEVEN)

    assert fault.headline() == "49 pages in 7 groups: Pages share the same title"
    assert fault.headline(wording("de")).startswith("49 Seiten in 7 Gruppen: ")
    assert (fault.pages_count, fault.share, fault.gain, fault.verdict) == (49, 0.49, 7, Verdict.WARNED)


def test_the_first_page_of_each_group_is_an_example_of_all_its_pages() -> None:
    def of_pages(*urls: str) -> int:
        groups = [structs.replace(one, evidence=(url_evidence(url),)) for one, url in zip(SEVEN, urls, strict=False)]
        (fault,) = faults_of(groups)
        return fault.as_reported.evidence_count

    assert of_pages("https://example.org/a", "https://example.org/b", "https://example.org/c") == 4 + 5 + 6
    assert of_pages("https://example.org/a", "https://example.org/a") == 2


def test_broken_links_are_counted_together_unless_a_part_is_accepted() -> None:
    total = {"sum_message": "{broken_count|linked URL returns|linked URLs return} 4xx", "sum_params": {"broken_count": 12}}
    groups = [structs.replace(titles(text, 1, kind=CauseKind.PAGE, check="site-links-broken"), **total) for text in "ab"]
    (fault,) = faults_of(groups)
    (accepted,) = faults_of([*groups, structs.replace(groups[0], key="c", accepted=TERMS)])

    assert fault.headline() == "2 pages: 12 linked URLs return 4xx"
    assert accepted.headline() == "2 pages: Internal links lead to pages that do not exist"


def test_groups_of_pages_with_one_sentence_keep_it() -> None:
    def of_template(pattern: str, message: str) -> SiteFinding:
        cause = Cause(CauseKind.TEMPLATE, pattern, OF_TEMPLATE, {"pattern": pattern})
        return SiteFinding(cause, Verdict.WARNED, message, 6, id="meta-description", key=pattern, share=0.1, templates=(1,))

    (fault,) = faults_of([of_template("/a/*", "The page has no meta description"), of_template("/b/*", "The page has no meta description")])
    (mixed,) = faults_of([of_template("/a/*", "The page has no meta description"), of_template("/b/*", "The meta description is empty")])

    assert fault.headline() == "12 pages in 2 groups: The page has no meta description"
    assert mixed.headline().startswith("12 pages in 2 groups: The page has no meta description, several that differ")


def test_a_single_group_keeps_its_sentence() -> None:
    (fault,) = faults_of([SEVEN[0]])

    assert fault.headline() == "4 pages have the title “Title 0”"
    assert fault.place() == ""
    assert fault.as_reported == SEVEN[0].as_reported


@pytest.mark.parametrize(
    ("pages_count", "cause", "headline", "place"),
    [
        (48, Cause(CauseKind.TEMPLATE, "/c/*", OF_TEMPLATE, {"pattern": "/c/*"}), "48 pages like /c/*: The page has little text", ""),
        (90, Cause(CauseKind.HOST, "all", ALL_PAGES), "All 90 pages: The page has little text", ""),
        (1, Cause(CauseKind.PAGE, "https://example.org/a", ONE_PAGE), "1 page: The page has little text", "example.org/a"),
    ],
)
def test_a_fault_of_pages_is_told_of_the_site(pages_count: int, cause: Cause, headline: str, place: str) -> None:
    finding = SiteFinding(
        cause, Verdict.WARNED, "The page has little text.", pages_count, id="content-length", key="key", share=0.1, templates=(1,)
    )

    assert (SiteFault((finding,)).headline(), SiteFault((finding,)).place()) == (headline, place)


def test_a_fault_of_the_whole_site_has_no_number_of_pages() -> None:
    robots = SiteFinding(
        Cause(CauseKind.HOST, SITE, THE_SITE), Verdict.FAILED, "robots.txt fails", 9, id="robots-txt-reachable", key="key", share=1.0
    )

    assert SiteFault((robots,)).headline() == "robots.txt fails"


def test_each_group_keeps_its_key_and_an_accepted_one_counts_nothing() -> None:
    accepted = msgspec.structs.replace(SEVEN[0], accepted=TERMS)
    (fault,) = faults_of([accepted, *SEVEN[1:]])
    made = site_fault_json(fault, for_owner=True)

    assert [group.key for group in made.groups] == [item.key for item in SEVEN]
    assert [group.accepted for group in made.groups] == [TERMS, *[None] * 6]
    assert (made.key, made.accepted, made.pages_count, made.gain) == (SEVEN[1].key, None, 45, 6)
    assert made.summary == "45 pages in 6 groups: Pages share the same title"


def test_accepting_every_known_group_does_not_hide_a_new_one() -> None:
    known = [msgspec.structs.replace(item, accepted=TERMS) for item in SEVEN]
    (fault,) = faults_of([*known, titles("New", 2)])

    assert [one.cause.key for one in fault.counted] == ["New"]
    assert fault.pages_count == 2
    (done,) = faults_of(known)
    assert done.first.accepted == TERMS


def test_guests_get_no_acceptances() -> None:
    made = site_fault_json(SiteFault((msgspec.structs.replace(SEVEN[0], accepted=TERMS),)))

    assert b"accepted" not in msgspec.json.encode(made)


def test_one_failed_group_makes_the_fault_a_problem() -> None:
    assert SiteFault((SEVEN[0], titles("Worse", 2, Verdict.FAILED))).verdict is Verdict.FAILED


@pytest.mark.parametrize(("kind", "words"), [(CauseKind.BLOCK, "9 pages or more, 2 causes"), (CauseKind.TEMPLATE, "14 pages in 2 groups")])
def test_pages_are_added_up_only_if_groups_share_none(kind: CauseKind, words: str) -> None:
    assert SiteFault((titles("a", 5, kind=kind), titles("b", 9, kind=kind))).extent() == words


def test_single_pages_are_told_as_pages() -> None:
    assert SiteFault(tuple(titles(f"/{number}", 1, kind=CauseKind.PAGE) for number in range(3))).extent() == "3 pages"


def test_notes_of_a_check_stay_apart_from_its_problems() -> None:
    assert [len(fault.groups) for fault in faults_of([SEVEN[0], titles("note", 3, Verdict.INFO), SEVEN[1]])] == [2, 1]


def test_changes_are_told_in_plain_words() -> None:
    (fault,) = faults_of([SEVEN[0]])
    changed = SiteDifference(returned=fault.groups, unchanged_count=8)

    assert changed.plain_words(ENGLISH) == "1 new warning; 8 findings are as before"
    assert SiteDifference(unchanged_count=1).plain_words(ENGLISH) == "No new and no fixed finding; 1 finding is as before"
    broken = structs.replace(titles("a", 1, check="site-links-broken"), cause=Cause(CauseKind.GROUP, "a", "a"))
    (group,) = changed_findings(SiteDifference(new=(broken,)), None, ENGLISH, is_plain=True)
    assert [(str(line.card.fact), line.groups) for line in group.lines] == [
        ("Visitors who click on some of your links get an error message.", ())
    ]
