"""The report of a project over its pages: what costs most first, what changed, what guests of its link see."""

from datetime import UTC, datetime

import pytest
from msgspec import structs

from findable.errors import NotFound
from findable.reports.fixes import fixes_in_order, is_unchecked
from findable.reports.gain_words import outlook, short_gain
from findable.reports.google_listing import Listing
from findable.reports.project_report import (
    PageFinding,
    ProjectPage,
    ProjectReport,
    RunCounts,
    aggregate_findings,
    by_day,
    ruleset_changes,
    short_url,
)
from findable.reports.report import Report
from findable.reports.totals import with_totals
from findable.service.crawls import crawl_access, crawls
from findable.service.projects import project_links, project_reports, projects
from findable.service.projects.project_links import PROJECTS
from findable.service.reports import acceptances, batches, report_access, reports
from findable.service.reports.batches import NewBatch
from findable.service.reports.report_jobs import AnalysedPage
from findable.service.results import share_links, unlocking
from findable.service.results.guest_access import Decision, Viewer
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.crawl_values import NewCrawl
from findable.service.values.report_values import Existing, NewAcceptance, NewReport
from findable.vocabulary import Privacy, Verdict
from findable.wording import ENGLISH
from tests.service import samples
from tests.worked_crawls import end_crawl

GUEST = Viewer()
PASSED = (
    *(
        "title-present",
        "noindex",
        "image-alt",
        "https",
        "http-status",
        "viewport",
        "html-lang",
        "charset",
        "meta-description",
        "h1-present",
    ),
    *("title-length", "favicon", "canonical-valid"),
)
"""Checks of a page in the tests of gains."""


def page(name: str, score: int = 90) -> ProjectPage:
    return ProjectPage(1, name, f"https://example.com/{name}", score, datetime(2026, 11, 23, tzinfo=UTC))


def test_the_worst_pages_come_first_and_those_without_a_score_last() -> None:
    pages = (page("new", 90), structs.replace(page("unrated"), score=None), page("bad", 20), page("old", 90))
    report = ProjectReport("example.com", pages, ())
    assert [one.public_id for one in report.worst_pages] == ["bad", "new", "old", "unrated"]


def made(service: Service, caller: Caller, path: str, privacy: Privacy = Privacy.PUBLIC, **verdicts: str) -> int:
    told = {**samples.VERDICTS, **{name.replace("_", "-"): verdict for name, verdict in verdicts.items()}}
    password = "correct horse" if privacy is Privacy.PASSWORD else None
    return samples.made(service, caller, f"https://example.com/{path}", samples.seen(verdicts=told), privacy=privacy, password=password)


def seen_again(service: Service, caller: Caller, path: str, **verdicts: str) -> None:
    reports.create(service, caller, NewReport(f"https://example.com/{path}", existing=Existing.RERUN))
    told = {**samples.VERDICTS, **{name.replace("_", "-"): verdict for name, verdict in verdicts.items()}}
    samples.work(service, samples.seen(verdicts=told))


def test_noindex_on_a_few_pages_stands_before_a_favicon_on_all() -> None:
    pages = [page(str(number)) for number in range(40)]
    rows = [PageFinding(one, "favicon", Verdict.FAILED) for one in pages]
    rows += [PageFinding(one, "csp", Verdict.WARNED) for one in pages]
    rows += [PageFinding(one, "meta-description", Verdict.WARNED) for one in pages[:14]]
    rows += [PageFinding(one, "noindex", Verdict.FAILED) for one in pages[:3]]
    rows.append(PageFinding(pages[0], "no-such-check", Verdict.FAILED))
    found = aggregate_findings(rows)
    assert [one.check for one in found][:2] == ["noindex", "meta-description"]
    assert {one.check for one in found} == {"noindex", "meta-description", "favicon", "csp"}
    assert (len(found[0].pages), found[0].verdict) == (3, Verdict.FAILED)


def test_noindex_on_one_page_comes_before_cheaper_problems_of_many_pages() -> None:
    pages = [page(str(number)) for number in range(40)]
    rows = [PageFinding(one, "image-alt", Verdict.FAILED) for one in pages]
    found = aggregate_findings([*rows, PageFinding(pages[0], "noindex", Verdict.FAILED)])

    assert found[0].harm < found[1].harm
    assert [one.check for one in found] == ["noindex", "image-alt"]


def test_the_pages_of_a_finding_begin_with_the_worst() -> None:
    good, bad, warned = page("good", 95), page("bad", 40), page("warned", 10)
    rows = [PageFinding(good, "image-alt", Verdict.FAILED), PageFinding(bad, "image-alt", Verdict.FAILED)]
    (found,) = aggregate_findings([PageFinding(warned, "image-alt", Verdict.WARNED), *rows])
    assert (found.verdict, found.worst_count, len(found.pages)) == (Verdict.FAILED, len(rows), len(rows) + 1)
    by_page = [(one.public_id, verdict) for one, verdict in found.verdicts]
    assert by_page == [("bad", Verdict.FAILED), ("good", Verdict.FAILED), ("warned", Verdict.WARNED)]
    assert found.split(ENGLISH) == "2 problems, 1 warning"
    assert aggregate_findings(rows)[0].split(ENGLISH) == ""


def test_the_trend_carries_pages_on_that_were_not_run_that_day() -> None:
    def run(url: str, day: int, failed: int, warned: int) -> RunCounts:
        return RunCounts(url, datetime(2026, 11, day, 12, tzinfo=UTC), failed, warned)

    scores = {datetime(2026, 11, 2, tzinfo=UTC): 80}
    found = by_day([run("a", 1, 3, 5), run("b", 1, 1, 1), run("a", 2, 0, 4), run("a", 2, 1, 4)], scores, {})
    assert [(one.at.day, one.failed, one.warned, one.pages, one.score) for one in found] == [(1, 4, 6, 2, None), (2, 2, 5, 2, 80)]


def test_urls_of_the_project_are_shown_by_their_path() -> None:
    cases = {
        "https://example.com/a?b=c": "/a?b=c",
        "https://www.example.com/a": "/a",
        "https://example.com/": "example.com",
        "https://example.com.elsewhere.example/a": "example.com.elsewhere.example/a",
        "https://shop.example.com/a": "shop.example.com/a",
    }
    assert {url: short_url(url, "example.com") for url in cases} == cases


def test_new_and_fixed_findings_are_told_by_page(service: Service, caller: Caller) -> None:
    made(service, caller, "a", title_length="failed")
    made(service, caller, "b")
    first = project_reports.get(service, caller, "example.com").report
    assert (first.new, first.fixed, [page.compare for page in first.pages]) == ((), (), ["", ""])
    seen_again(service, caller, "a", noindex="failed", title_length="passed")
    seen_again(service, caller, "b")
    report = project_reports.get(service, caller, "example.com").report
    assert [(one.check, one.new_on, [page.url for page in one.pages]) for one in report.new] == [("noindex", 1, ["https://example.com/a"])]
    assert [(one.check, len(one.pages)) for one in report.fixed] == [("title-length", 1)]
    assert {page.url: page.compare for page in report.pages}["https://example.com/a"] == "from=1&to=2"
    assert report.findings[0].check == "noindex"
    assert report.findings[0].example is not None
    assert (report.trend[-1].failed, report.trend[-1].pages) == (1, 2) or report.trend[-1].warned


def test_accepted_findings_and_older_reports_of_a_page_are_left_out(service: Service, caller: Caller) -> None:
    made(service, caller, "a", noindex="failed")
    number = made(service, caller, "a")
    report = project_reports.get(service, caller, "example.com").report
    assert [one.check for one in report.findings] == ["image-alt"]
    assert len(report.pages) == 1
    acceptances.accept(service, caller, number, "image-alt", NewAcceptance("Decoration."))
    assert project_reports.get(service, caller, "example.com").report.findings == ()


def test_the_link_of_a_project_is_enough_to_see_the_pages_of_its_score(service: Service, caller: Caller) -> None:
    made(service, caller, "open")
    made(service, caller, "locked", Privacy.PASSWORD, title_length="failed")
    made(service, caller, "hidden", Privacy.PRIVATE, noindex="failed")
    number = projects.get(service, caller, "example.com").id
    link = project_links.state(service, caller, "example.com")
    assert link.privacy is Privacy.PRIVATE
    stranger = samples.owner(service, "other@example.com")
    for viewer in (GUEST, Viewer(stranger)):
        assert project_links.view(service, link.public_id, viewer).decision is Decision.NOT_FOUND
    for use in (project_links.state, project_reports.get):
        with pytest.raises(NotFound):
            use(service, stranger, "example.com")
    own = project_reports.get(service, caller, "example.com").report
    preview = project_links.view(service, link.public_id, Viewer(caller))
    assert preview.is_owner

    share_links.set_access(service, caller, PROJECTS, number, Privacy.PUBLIC, None)
    shown = project_links.view(service, link.public_id, GUEST)
    assert shown.content is not None
    assert not shown.is_owner
    assert shown.content == preview.content, "members see what guests see, also before it is shared"
    seen = shown.content.report
    assert (seen.score, seen.trend, len(seen.pages)) == (own.score, own.trend, 3)
    assert {page.url.rpartition("/")[2]: bool(page.public_id) for page in seen.pages} == {"open": True, "locked": False, "hidden": False}
    for page in own.pages:
        expected = {"open": Decision.ALLOWED, "locked": Decision.PASSWORD_NEEDED, "hidden": Decision.NOT_FOUND}
        assert report_access.view(service, page.public_id, GUEST).decision is expected[page.url.rpartition("/")[2]]

    share_links.set_access(service, caller, PROJECTS, number, Privacy.PASSWORD, "correct horse")
    assert project_links.view(service, link.public_id, GUEST).decision is Decision.PASSWORD_NEEDED
    assert unlocking.unlock(service, PROJECTS, link.public_id, "wrong", "192.0.2.1") is None
    cookie = unlocking.unlock(service, PROJECTS, link.public_id, "correct horse", "192.0.2.1")
    assert cookie is not None
    unlocked = project_links.view(service, link.public_id, Viewer(unlock_token=cookie.token))
    assert unlocked.content is not None
    assert len(unlocked.content.report.pages) == len(own.pages)

    renewed = share_links.renew(service, caller, PROJECTS, number)
    assert project_links.view(service, link.public_id, Viewer(caller)).decision is Decision.NOT_FOUND
    assert project_links.view(service, renewed.public_id, Viewer(unlock_token=cookie.token)).decision is Decision.PASSWORD_NEEDED
    share_links.set_access(service, caller, PROJECTS, number, Privacy.PRIVATE, None)
    assert project_links.view(service, renewed.public_id, Viewer(unlock_token=cookie.token)).decision is Decision.NOT_FOUND
    projects.delete(service, caller, "example.com")
    assert project_links.view(service, renewed.public_id, Viewer(caller)).decision is Decision.NOT_FOUND


def test_guests_of_a_project_see_its_newest_crawl_and_no_page_report(service: Service, caller: Caller) -> None:
    made(service, caller, "hidden", Privacy.PRIVATE)
    first = _crawled(service, caller)
    project = projects.get(service, caller, "example.com").id
    share_links.set_access(service, caller, PROJECTS, project, Privacy.PUBLIC, None)
    public_id = project_links.state(service, caller, "example.com").public_id
    seen = [project_links.view(service, public_id, GUEST).content]
    newest = _crawled(service, caller)
    seen.append(project_links.view(service, public_id, GUEST).content)
    assert [(one.site.crawl.id, one.report.pages) for one in seen if one and one.site] == [(first, ()), (newest, ())]
    shown = seen[1]
    assert shown is not None
    assert shown.site is not None
    assert shown.project.score == projects.get(service, caller, "example.com").score
    assert crawl_access.view(service, shown.site.crawl.public_id, GUEST).decision is Decision.NOT_FOUND
    share_links.set_access(service, caller, PROJECTS, project, Privacy.PRIVATE, None)
    assert project_links.view(service, public_id, GUEST).decision is Decision.NOT_FOUND


def _crawled(service: Service, caller: Caller) -> int:
    number = crawls.create(service, caller, NewCrawl("https://example.com/", privacy=Privacy.PRIVATE)).crawl.id
    end_crawl(service, number, "https://example.com/", "<title>Bread</title>")
    return number


def test_the_first_run_with_a_newer_ruleset_is_marked() -> None:
    days = [datetime(2026, 11, day, tzinfo=UTC) for day in range(1, 6)]
    runs = list(zip(days, ("2026-01", "2026-01", "2026-02", "2026-01", "2026-02"), strict=True))
    assert [(one.at.day, one.ruleset) for one in ruleset_changes(runs)] == [(3, "2026-02")]
    assert ruleset_changes([]) == ()


def judged(**verdicts: str) -> Report:
    """A report whose numbers are those of its findings, all other checks passed."""
    told = {**dict.fromkeys(PASSED, "passed"), **{name.replace("_", "-"): verdict for name, verdict in verdicts.items()}}
    return with_totals(structs.replace(samples.report(verdicts=told), score=None, result=None))


def kept(service: Service, caller: Caller, path: str, report: Report) -> None:
    samples.made(service, caller, f"https://example.com/{path}", AnalysedPage(b"{}", report, None))


FAULTS = {
    "healthy": {"meta_description": "warned"},
    "noindex": {"noindex": "failed", "image_alt": "failed", "viewport": "warned", "favicon": "failed"},
    "three of high importance": {"title_present": "failed", "image_alt": "failed", "https": "failed", "viewport": "failed"},
    "two limits": {"noindex": "failed", "title_present": "failed", "html_lang": "failed", "meta_description": "failed"},
    "small ones": {"html_lang": "warned", "meta_description": "warned", "charset": "warned", "viewport": "warned"},
    "error": {"http_status": "failed", "html_lang": "warned"},
}


@pytest.mark.parametrize("faults", FAULTS.values(), ids=FAULTS)
def test_a_project_with_one_page_promises_what_its_page_report_promises(service: Service, caller: Caller, faults: dict[str, str]) -> None:
    page = judged(**faults)
    kept(service, caller, "only", page)
    report = project_reports.get(service, caller, "example.com").report
    fixes = fixes_in_order(page)
    assert report.score == page.score
    assert [one.check for one in report.first_fixes] == [one.id for one in fixes]
    if is_unchecked(page):
        assert report.gain_words(report.first_fixes[0], ENGLISH) == "then the content can be checked"
        assert set(report.gains) == {None}
    else:
        assert [one.gain if one else None for one in report.gains] == [one.gain for one in fixes]
        words = [short_gain(one, ENGLISH) for one in fixes]
        assert [report.gain_words(one, ENGLISH) for one in report.first_fixes] == words
    assert report.outlook(ENGLISH) == outlook(page, ENGLISH)


def test_the_sentence_about_an_only_page_has_its_status(service: Service, caller: Caller) -> None:
    page = judged(http_status="failed")
    failing = tuple(structs.replace(one, params={"status": 503}) if one.id == "http-status" else one for one in page.findings)
    kept(service, caller, "only", structs.replace(page, findings=failing))
    report = project_reports.get(service, caller, "example.com").report
    assert report.listing_sentence(ENGLISH) == "Google cannot index this page: it returns 503."


def test_gains_of_a_batch_are_those_of_its_pages_by_their_number(service: Service, caller: Caller) -> None:
    batch = batches.create(service, caller, NewBatch(tuple(f"https://example.com/{number}" for number in range(4)))).batch
    assert batches.feed(service)
    one, two = judged(noindex="failed", image_alt="failed"), judged(noindex="failed", title_present="failed")
    pages = (one, two, judged(http_status="failed"), judged())
    for page in pages:
        samples.work(service, AnalysedPage(b"{}", page, None))
    report = project_reports.get_for_batch(service, caller, batches.get(service, caller, batch.id)).report
    before = sum(page.score or 0 for page in pages)
    of_noindex = sum(one.gain or 0 for page in (one, two) for one in page.findings if one.id == "noindex")
    words = {finding.check: report.gain_words(finding, ENGLISH) for finding in report.first_fixes}
    assert report.score == before // 4
    assert words["noindex"] == f"+{(before + of_noindex) // 4 - before // 4} points"
    assert words["http-status"] == "then the content can be checked"
    after, count = report.after_first
    assert after == report.score + sum(one.gain if one else 0 for one in report.gains[:count])
    assert after <= (before + sum(100 - (page.score or 0) for page in pages if not is_unchecked(page))) // 4


def test_fixes_that_lift_the_limit_of_the_start_page_come_first(service: Service, caller: Caller) -> None:
    start, other = judged(noindex="failed"), judged(image_alt="failed", viewport="failed")
    kept(service, caller, "", start)
    kept(service, caller, "other", other)
    report = project_reports.get(service, caller, "example.com").report
    mean = ((start.score or 0) + (other.score or 0)) // 2
    assert (report.score, report.is_limited_by_start) == (start.score, True)
    assert (report.first_fixes[0].check, report.gains[0] and report.gains[0].gain) == ("noindex", (100 + (other.score or 0)) // 2 - 15)
    after, count = report.after_first
    assert mean < after == 15 + sum(one.gain if one else 0 for one in report.gains[:count])


def test_a_result_of_an_older_ruleset_promises_no_points(service: Service, caller: Caller) -> None:
    kept(service, caller, "old", structs.replace(judged(image_alt="failed"), score=12))
    report = project_reports.get(service, caller, "example.com").report
    assert ([*report.gains], report.after_first) == ([None], (0, 0))
    assert report.gain_words(report.first_fixes[0], ENGLISH) == ""


def test_whether_google_can_list_a_page_comes_from_its_newest_result(service: Service, caller: Caller) -> None:
    made(service, caller, "gone", http_status="failed")
    made(service, caller, "empty", soft_404="failed")
    made(service, caller, "unread")
    report = project_reports.get(service, caller, "example.com").report
    assert [(one.url.rpartition("/")[2], one.listing) for one in report.unlisted_pages] == [
        ("empty", Listing.NO_CONTENT),
        ("gone", Listing.STATUS),
    ]
    assert report.listings[Listing.UNKNOWN] == 1
