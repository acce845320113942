"""How findings of pages become findings of a site: one for each check and template, and what the text says of them."""

from msgspec.structs import replace

from findable.capture.crawl import CrawlEnd, CrawlSummary
from findable.capture.site_graph import CrawledTemplates, Template
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import Result, all_checks, by_cause
from findable.checks.evidence import Evidence
from findable.checks.page_fix import Fix, FixPlace
from findable.cli.crawl_text import crawl_lines
from findable.cli.terminal import Terminal
from findable.crawl.settings import CrawlSettings
from findable.crawl.state import CrawlState
from findable.crawl.visits import CrawlCounts
from findable.reports.reported_finding import ReportedFinding
from findable.reports.site_report import FindingGroup, PageFindings, SiteFinding, SiteReport, site_report
from findable.reports.site_scoring import ScoredPages
from findable.vocabulary import Verdict

URL = "https://example.org/"
TEMPLATES = CrawledTemplates((Template(1, "/products/*", 40, 40), Template(2, "/*", 20, 20), Template(3, "/*", 20, 20)))


def group(
    template: int, count: int, verdict: Verdict = Verdict.WARNED, message: str = "No heading", check: str = "h1-present"
) -> FindingGroup:
    finding = ReportedFinding(id=check, verdict=verdict, message=message)
    return FindingGroup(check, template, finding, count, (f"{URL}{template}/{message}",))


def report_of(*groups: FindingGroup, pages: int = 100, concerned: int = 100) -> SiteReport:
    summary = CrawlSummary(URL, "2026-11-22T10:00:00Z", pages, pages, ended_by=CrawlEnd.COMPLETE)
    return site_report(summary, TEMPLATES, PageFindings(groups, {one.check: concerned for one in groups}, {ScoredPages(0, ()): 1.0}), [])


def text_of(report: SiteReport) -> list[str]:
    state = CrawlState(URL, CrawlSettings(URL), started_at="2026-11-22T10:00:00Z", ended_by=CrawlEnd.COMPLETE)
    return crawl_lines(report, state, CrawlCounts(0, 100, 0, 0, 100, 100, 1.0), Terminal(80))


def test_verdicts_and_messages_of_a_template_are_one_finding() -> None:
    (found,) = report_of(group(1, 30), group(1, 5, Verdict.FAILED, "No heading in 300 words")).findings

    assert (found.cause, found.pages_count, found.failed_count) == (
        Cause(CauseKind.TEMPLATE, "/products/*", "template {pattern}", {"pattern": "/products/*"}),
        35,
        5,
    )
    assert (found.verdict, found.message) == (Verdict.FAILED, found.check.documentation.summary)
    assert [one.url for one in found.evidence] == [f"{URL}1/No heading in 300 words", f"{URL}1/No heading"]


def test_elements_of_one_page_are_shown_with_its_url() -> None:
    one = group(1, 1)
    heading = Evidence("element", text="<h2>…</h2>", line=7)

    (found,) = report_of(replace(one, finding=replace(one.finding, evidence=(heading,)))).findings

    assert [(shown.url, shown.line) for shown in found.evidence] == [(one.urls[0], 7)]


def test_pages_that_a_check_concerns_are_not_called_all_pages() -> None:
    all_names = {count: report_of(group(1, count), concerned=count).findings[0].cause.name for count in (4, 30, 60, 90)}

    assert all_names == {4: "template {pattern}", 30: "all pages that it concerns", 60: "all pages that it concerns", 90: "all pages"}


def test_a_site_that_scripts_build_has_no_rating() -> None:
    summary = CrawlSummary(URL, "2026-11-22T10:00:00Z", 10, 10, ended_by=CrawlEnd.NEEDS_BROWSER)

    report = site_report(summary, TEMPLATES, PageFindings(scored={ScoredPages(0, ()): 1.0}), [])

    assert (report.score, report.result, report.provisional) == (None, None, True)


def test_code_is_that_of_the_page_and_never_of_a_made_up_one() -> None:
    one, many = group(1, 1), group(1, 30)
    code = Fix("<h1>Lanterns</h1>", FixPlace.ELEMENT)

    (of_page,) = report_of(replace(one, finding=replace(one.finding, fixes=(code,)))).findings
    (of_template,) = report_of(replace(many, finding=replace(many.finding, fixes=(code,)))).findings

    assert code.code in of_page.as_reported.how_to_fix()
    assert "<h1>" not in of_template.as_reported.how_to_fix()


def test_templates_of_one_name_are_one_cause() -> None:
    (found,) = report_of(group(2, 12), group(3, 15)).findings

    assert (found.cause.key, found.pages_count) == ("/*", 27)


def test_single_pages_of_many_templates_are_one_finding() -> None:
    (found,) = report_of(group(0, 2), group(1, 1), group(2, 3)).findings

    assert (found.cause.kind, found.pages_count) == (CauseKind.GROUP, 6)


def test_some_pages_of_one_template_are_named_by_it() -> None:
    (found,) = report_of(group(1, 4)).findings

    assert (found.cause.key, found.pages_count) == ("/products/*", 4)


def test_one_page_is_its_own_cause() -> None:
    (found,) = report_of(group(1, 1)).findings

    assert (found.cause.kind, found.cause.key) == (CauseKind.PAGE, f"{URL}1/No heading")


def test_the_text_counts_failed_pages_and_says_no_number_for_one() -> None:
    mixed = "\n".join(text_of(report_of(group(1, 30), group(1, 5, Verdict.FAILED))))
    single = "\n".join(text_of(report_of(group(1, 1))))

    assert "35 pages (5 failed) like /products/*: " in mixed
    assert "1 page: No heading" in single


def test_the_text_lists_three_causes_of_a_check() -> None:
    def cause(number: int) -> SiteFinding:
        name = f"{URL}{number}"
        cause = Cause(CauseKind.PAGE, name, name)
        return SiteFinding(cause, Verdict.WARNED, f"link {number}", 1, id="site-links-broken", key=name, share=0.01)

    report = report_of(group(1, 30))
    lines = text_of(SiteReport(report.summary, (*report.findings, *map(cause, range(9))), 80, 80.0, None, report.result, False, {}))

    assert [f"link {number} –" in "\n".join(lines) for number in range(4)] == [True, True, True, False]
    assert any("9 pages: Internal links lead to pages that do not exist" in line for line in lines)
    assert "       and 6 more causes" in lines
    assert not [line for line in lines if "--format json" in line]


def test_the_text_says_what_groups_share_once_and_each_page_once() -> None:
    def of_template(pattern: str, pages_count: int) -> SiteFinding:
        cause = Cause(CauseKind.TEMPLATE, pattern, "template {pattern}", {"pattern": pattern})
        shown = (Evidence("url", url=f"{URL}a"), Evidence("url", url=f"{URL}a"))
        return SiteFinding(cause, Verdict.WARNED, "No heading", pages_count, shown, id="h1-present", key=pattern, share=0.1, templates=(1,))

    report = report_of(group(1, 30))
    two, one = [of_template("/a/*", 6), of_template("/b/*", 3)], [of_template("/a/*", 6)]
    lines = {
        len(found): text_of(SiteReport(report.summary, tuple(found), 80, 80.0, None, report.result, False, {})) for found in (two, one)
    }

    assert [line for line in lines[2] if "No heading" in line or "/*" in line] == [
        "  1 ! 9 pages in 2 groups: No heading",
        "       6 pages like /a/*",
        "       3 pages like /b/*",
    ]
    assert [line.strip() for line in lines[1] if "like /a/*" in line or line.strip() == f"{URL}a"] == [
        "1 ! 6 pages like /a/*: No heading",
        f"{URL}a",
    ]


def test_notes_stand_below_the_findings_and_cost_nothing() -> None:
    summary = CrawlSummary(URL, "2026-11-22T10:00:00Z", 100, 100, ended_by=CrawlEnd.COMPLETE)
    caused = CausedFinding(Cause(CauseKind.GROUP, "orders", "links to orders"), Verdict.INFO, "robots.txt disallows them", 7, ())
    result = Result(all_checks()["site-robots-linked"], by_cause("fine", [caused]))
    report = site_report(summary, TEMPLATES, PageFindings(scored={ScoredPages(0, ()): 1.0}), [result])

    assert (report.findings, report.counts) == ((), {"failed": 0, "warned": 0})
    assert [note.id for note in report.notes] == ["site-robots-linked"]
    assert text_of(report)[-2:] == ["Notes", "    · robots.txt disallows them – 7 pages, links to orders"]
