"""Findings across all projects: the checks, the most harmful first, and the reports in which one check has a verdict."""

from collections import Counter
from collections.abc import Iterable
from typing import ClassVar
from urllib.parse import urlencode

from msgspec import Struct

from findable.checks.engine import all_checks
from findable.checks.removed_checks import REMOVED_CHECKS
from findable.errors import BadRequest, NotFound, ValidationFailed
from findable.reports.google_listing import listing_of_pages
from findable.reports.project_report import ProjectFinding, ProjectReport
from findable.reports.reported_finding import AGAINST, mark_of
from findable.reports.titles import FIXERS, VERDICTS, question_of, readable_url
from findable.service.projects import findings, project_reports
from findable.service.projects.findings import CheckCount, ReportsWithVerdict
from findable.service.values.report_values import ReportQuery
from findable.urls import project_name
from findable.vocabulary import Verdict
from findable.web.pages.project.project_pages import CheckGroup, check_groups
from findable.web.pages.project.project_sections import statement_of
from findable.web.pages.shared.form_fields import Choice
from findable.web.pages.shared.viewer import PersonPage, SignedInRequest, person_page
from findable.wording import Translator

LISTED = 25
SITES = 3
"""Maximum number of sites named per finding."""
OFFERED = tuple(verdict for verdict in VERDICTS if verdict is not Verdict.PASSED)


class TopCheck(Struct, frozen=True):
    """Check with the chosen verdict in at least one report."""

    href: str
    mark: str
    """Name of the icon."""
    words: str
    """Statement of a problem or warning; else the question of the check."""
    pages: str
    """Number of pages and of all pages, in words."""
    sites: str
    """Names of the first sites and number of the others, in words; empty if they are not known."""
    gain: str
    """Points that each page gains by the fix, in words; empty if it is not known, or for another verdict."""
    fixer: str
    """Person who usually fixes it, in words; empty for another verdict."""


class ChosenCheck(Struct, frozen=True):
    """Check chosen in the filter form, with the reports in which it has the chosen verdict."""

    id: str
    mark: str
    """Name of the icon."""
    question: str
    project: str
    """Project whose reports are listed; empty for all."""
    found: ReportsWithVerdict
    counted: int
    """Number of newest reports over which the projects were counted at most."""
    older: str
    newer: str


class FindingsPage(PersonPage, frozen=True):
    """Variables of findings.html."""

    entry: ClassVar[str] = ""
    verdict: str
    verdicts: tuple[Choice, ...]
    groups: tuple[CheckGroup, ...]
    """All checks to choose from."""
    top: tuple[TopCheck, ...]
    """Checks that have the verdict, the most harmful first."""
    selected_check: ChosenCheck | None
    total: str
    """Number of pages that Google can index, and their mean score, in words; empty for the reports of one check."""
    filter_words: str
    """Chosen filter, in words."""


@person_page("/findings")
def get_findings(request: SignedInRequest) -> FindingsPage:
    """Show reports for ``?check=ID&verdict=failed&project=NAME``; without ``check``, the checks with their numbers of reports."""
    say = request.say
    verdict = _verdict(request.query.get("verdict", ""))
    counts = {one.check: one for one in findings.checks(request.service, request.caller, verdict)}
    check = request.query.get("check", "")
    if check in REMOVED_CHECKS:
        check = ""
    if check and check not in all_checks():
        raise NotFound

    numbers = {one.check: _count(one, request) for one in counts.values()}
    chosen = _chosen_check(request, check, verdict) if check else None
    verdicts = tuple(
        Choice(one.value, say.text(VERDICTS[one]), one is verdict, f"/findings?{urlencode({'check': check, 'verdict': one.value})}")
        for one in OFFERED
    )
    report = None if check else project_reports.get_for_account(request.service, request.caller)
    shown = [one for one in counts.values() if one.check in all_checks()]
    if report is not None and verdict in AGAINST:
        shown = _by_harm(shown, verdict, report)
    top = tuple(_top_check(one, verdict, report, request) for one in shown) if report else ()
    total = _total(report, say) if report and report.pages else ""
    filter_words = f"{question_of(check, say) if check else say('All checks')} · {say.text(VERDICTS[verdict])}"
    return FindingsPage(verdict.value, verdicts, check_groups(check, say, numbers), top, chosen, total, filter_words)


def _by_harm(counts: Iterable[CheckCount], verdict: Verdict, report: ProjectReport) -> list[CheckCount]:
    """Return the checks sorted by the total harm of their findings over all pages, the most harmful first."""
    known = {finding.check: (report.total_harm(finding, verdict), -place) for place, finding in enumerate(report.findings)}
    rest = ((False, -1, 0.0), 0)
    return sorted(counts, key=lambda one: known.get(one.check, rest), reverse=True)


def _total(report: ProjectReport, say: Translator) -> str:
    """Return sentences with the number of pages that Google can index and the mean score."""
    mean = ""
    if report.score is not None and report.result is not None:
        words = f"{say.number(report.score)} {say(report.result.words)}"
        mean = say.plural(
            "Score of %(count)s page: %(score)s.", "Mean score of %(count)s pages: %(score)s.", report.scored_pages, score=words
        )
    part = say("Counted over the newest %(count)s pages.", count=say.number(len(report.pages))) if report.is_part else ""
    return " ".join(filter(None, (listing_of_pages(report.listings, say), mean, part)))


def _verdict(text: str) -> Verdict:
    if not text:
        return Verdict.FAILED
    found = next((verdict for verdict in OFFERED if verdict.value == text), None)
    if found is None:
        raise BadRequest("The verdict is not one of the choices.")
    return found


def _count(check_count: CheckCount, request: SignedInRequest) -> str:
    number = request.say.number(check_count.reports)
    return request.say("more than %(count)s", count=number) if check_count.is_more else number


def _top_check(check_count: CheckCount, verdict: Verdict, report: ProjectReport, request: SignedInRequest) -> TopCheck:
    say = request.say
    words = say.plural("%(count)s page", "%(count)s pages", check_count.reports)
    if not report.is_part and not check_count.is_more:
        found = say.number(check_count.reports)
        words = say.plural("%(found)s of %(count)s page", "%(found)s of %(count)s pages", len(report.pages), found=found)
    finding = next((one for one in report.findings if one.check == check_count.check), None) if verdict in AGAINST else None
    others = len(finding.pages) - sum(of_page is verdict for _, of_page in finding.verdicts) if finding and not report.is_part else 0
    if others and verdict is Verdict.FAILED:
        words = say.plural("%(pages)s, a warning on %(count)s more", "%(pages)s, a warning on %(count)s more", others, pages=words)
    elif others:
        words = say.plural("%(pages)s, a problem on %(count)s more", "%(pages)s, a problem on %(count)s more", others, pages=words)
    return TopCheck(
        href=f"/findings?{urlencode({'check': check_count.check, 'verdict': verdict.value})}",
        mark=mark_of(verdict, all_checks()[check_count.check].importance),
        words=statement_of(check_count.check, say) if verdict in AGAINST else question_of(check_count.check, say),
        pages=say("more than %(count)s", count=words) if check_count.is_more else words,
        sites=_sites(finding, verdict, say) if finding and not report.is_part else "",
        gain=report.gain_on_page(finding, verdict, say) if finding else "",
        fixer=say(FIXERS[all_checks()[check_count.check].fixer]) if verdict in AGAINST else "",
    )


def _sites(finding: ProjectFinding, verdict: Verdict, say: Translator) -> str:
    """Return the names of the first SITES sites with the verdict, most pages first, and the number of other sites."""
    pages = Counter(project_name(page.url) for page, of_page in finding.verdicts if of_page is verdict)
    names = [name for name, _ in sorted(pages.items(), key=lambda item: (-item[1], item[0]))]
    shown = ", ".join(readable_url(f"https://{name}/") for name in names[:SITES])
    more = len(names) - SITES
    return say.plural("%(shown)s and %(count)s more site", "%(shown)s and %(count)s more sites", more, shown=shown) if more > 0 else shown


def _chosen_check(request: SignedInRequest, check: str, verdict: Verdict) -> ChosenCheck:
    say = request.say
    project = request.query.get("project", "")
    query = ReportQuery(check=check, verdict=verdict, project=project, cursor=request.query.get("cursor", ""), per_page=LISTED)
    try:
        found = findings.find_reports(request.service, request.caller, query)
    except ValidationFailed:  # invalid cursor
        raise BadRequest from None

    def page_url(cursor: str | None) -> str:
        sent = {"check": check, "verdict": verdict.value, "project": project, "cursor": cursor}
        return f"/findings?{urlencode(sent)}" if cursor else ""

    return ChosenCheck(
        check,
        mark_of(verdict, all_checks()[check].importance if check in all_checks() else ""),
        question_of(check, say),
        project,
        found,
        findings.COUNTED_IN_PROJECTS,
        page_url(found.reports.next_cursor),
        page_url(found.reports.prev_cursor),
    )
