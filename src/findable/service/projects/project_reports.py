"""Report of a project on all its pages, for members and for guests with its link."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from findable.checks.engine import all_checks
from findable.clock import now
from findable.reports.google_listing import Listing
from findable.reports.project_report import (
    PageFinding,
    PlotMarker,
    ProjectFinding,
    ProjectPage,
    ProjectReport,
    RunCounts,
    TrendPoint,
    aggregate_findings,
    by_day,
    fixed,
    ruleset_changes,
)
from findable.reports.report import Report
from findable.reports.reported_finding import ReportedFinding
from findable.reports.scoring import rating_of
from findable.reports.search_verdict import VerdictCode
from findable.reports.site_scoring import ScoredPages
from findable.service.accounts.owned_projects import owned_project
from findable.service.accounts.permissions import reading, require
from findable.service.crawls import crawls
from findable.service.crawls.uploaded_metrics import Weights, by_weight, weight_of
from findable.service.projects import projects
from findable.service.projects.project_site import ProjectSite, site_behind, site_of
from findable.service.reports import batches
from findable.service.reports.batches import BatchView
from findable.service.reports.page_metrics import NO_METRICS, PageMetrics, metrics_of
from findable.service.reports.page_summaries import page_listings, scored_pages
from findable.service.reports.report_views import ruleset_of
from findable.service.runtime.service import Service
from findable.service.values.caller import READ, Caller
from findable.service.values.crawl_values import CrawlQuery, CrawlStatus, CrawlView
from findable.service.values.project_values import ProjectView
from findable.service.values.views import moment, view_of
from findable.store.project_report_queries import PageRow, PageRun
from findable.store.store_protocol import Session
from findable.urls import is_start_page, subject_key
from findable.values import shape_of
from findable.vocabulary import Privacy, ScoreOf

MAX_PAGES = 1000
"""Maximum number of newest pages of a project that are counted."""
MAX_RUNS = 5000
"""Maximum number of newest runs in the trend."""
MAX_POINTS = 60
MAX_MARKERS = 20
MAX_PROJECTS = 5
"""Maximum number of projects listed for a batch."""
MAX_EXAMPLES = 5
"""Maximum number of new findings with an example in a list of projects."""
CRAWLS = 25
"""Number of newest crawls that are read."""


class ProjectContent(Struct, frozen=True):
    """Report of a project with its last crawl."""

    project: ProjectView
    report: ProjectReport
    crawl: CrawlView | None
    """Newest finished crawl of a site, not of a list; None if there is none."""
    site: ProjectSite | None = None
    """Crawl that the score comes from, for guests without any score the last one; None if the score is that of pages."""
    weights: Weights | None = None
    """Uploaded metrics of the pages of each check; None for guests, or without uploads."""
    metrics: PageMetrics = NO_METRICS
    """Uploaded metrics of the pages; empty for guests."""


class BatchContent(Struct, frozen=True):
    """Report over the pages of a batch, with the projects that they belong to."""

    report: ProjectReport
    """Report whose name is that of the project, empty if there are several."""
    projects: tuple[str, ...]
    has_more_projects: bool


def get(service: Service, caller: Caller, project: str) -> ProjectContent:
    """Return the report of a project with all its pages; equally harmful findings are sorted by the uploaded metrics of their pages.

    Raises NotFound.
    """
    require(caller, READ)
    content = content_of(service, caller, projects.get(service, caller, project))
    uploaded = metrics_of_pages(service, caller, project)
    weights = _weights(content, uploaded)
    findings = by_weight(content.report.findings, weights, lambda one: one.check, _harm)
    return replace(content, metrics=uploaded, weights=weights, report=replace(content.report, findings=findings))


def get_for_batch(service: Service, caller: Caller, batch: BatchView) -> BatchContent:
    """Return the report over the pages of a batch with their newest results; without pages as long as the batch runs. Raises NotFound."""
    batch_id = batches.get(service, caller, batch.id).id  # raises NotFound unless the caller may read the batch
    with service.store.read() as session:
        rows = session.project_report.pages_of_batch(batch_id, MAX_PAGES + 1) if batch.is_finished else []
        pages, findings = _findings(session, rows)
        names = tuple(session.project_report.projects_of_batch(batch_id, MAX_PROJECTS + 1))
    report = _report_of_pages(names[0] if len(names) == 1 else "", pages, findings, is_part=len(rows) > MAX_PAGES)
    return BatchContent(report, names[:MAX_PROJECTS], len(names) > MAX_PROJECTS)


def get_for_account(service: Service, caller: Caller) -> ProjectReport:
    """Return the report over the newest MAX_PAGES pages of all projects that the caller may read, without examples."""
    with reading(service, caller) as session:
        rows = session.project_report.pages_of_account(caller.account_id, MAX_PAGES + 1, caller.only_projects_of)
        pages, findings = _findings(session, rows, with_examples=False)
    return _report_of_pages("", pages, findings, is_part=len(rows) > MAX_PAGES)


def _report_of_pages(name: str, pages: tuple[ProjectPage, ...], findings: tuple[ProjectFinding, ...], *, is_part: bool) -> ProjectReport:
    """Return a report over pages that may belong to several projects, with their mean score."""
    scores = [page.score for page in pages if page.score is not None]
    mean = sum(scores) // len(scores) if scores else None
    return ProjectReport(
        name=name,
        pages=pages,
        findings=findings,
        score=mean,
        result=None if mean is None else rating_of(mean),
        scored_pages=len(scores),
        is_part=is_part,
    )


def _findings(
    session: Session, rows: Sequence[PageRow], *, with_examples: bool = True
) -> tuple[tuple[ProjectPage, ...], tuple[ProjectFinding, ...]]:
    """Return the first MAX_PAGES of these pages with their findings."""
    listings = page_listings(rows[:MAX_PAGES])
    against = session.project_report.findings(listings)
    scored = scored_pages(rows[:MAX_PAGES], against)
    pages = {row.report_id: _page(row, listings[row.report_id], scored.get(row.report_id)) for row in rows[:MAX_PAGES]}
    findings = aggregate_findings(PageFinding(pages[one.report_id], one.check, one.verdict) for one in against)
    by_id = {row.report_id: row for row in rows}
    return tuple(pages.values()), _with_examples(session, findings, by_id) if with_examples else findings


def metrics_of_pages(service: Service, caller: Caller, project: str) -> PageMetrics:
    """Return the uploaded metrics of the pages of a project. Raises NotFound."""
    with reading(service, caller) as session:
        return metrics_of(service, session, owned_project(session, caller, project).id)


def _weights(content: ProjectContent, metrics: PageMetrics) -> Weights | None:
    column = weight_of(metrics.columns)
    if column is None:
        return None
    of_page = {page.url: metrics.value(page.url, column) or 0 for page in content.report.pages}
    return Weights(column, {one.check: sum(of_page[page.url] for page in one.pages) for one in content.report.findings})


def _harm(finding: ProjectFinding) -> object:
    """Return the sort key of harm: verdict, importance, and the harm in whole points, of which two digits count."""
    return finding.verdict, all_checks()[finding.check].importance, f"{round(finding.harm):.2g}"


def report_with_first_fix(service: Service, project: ProjectView) -> ProjectReport:
    """Return the report of the pages of a project that the caller may read, without its history.

    Only its first fix and new findings of one page have examples.
    """
    with service.store.read() as session:
        rows = session.project_report.pages(project.id, MAX_PAGES + 1)
        pages, findings = _findings(session, rows, with_examples=False)
        report = _report_of(project, rows, pages, findings)
        wanted = {one.check for one in (*report.first_fixes[:1], *[one for one in report.new if len(one.pages) == 1][:MAX_EXAMPLES])}
        by_id = {row.report_id: row for row in rows}
        shown = {one.check: one for one in _with_examples(session, [one for one in findings if one.check in wanted], by_id)}
    return replace(report, findings=tuple(shown.get(one.check, one) for one in findings))


def content_of(service: Service, reader: Caller, project: ProjectView, *, is_for_guests: bool = False) -> ProjectContent:
    """Return the report on pages and crawls, after the use case has checked the viewer.

    Guests of the project's link see the results that its score comes from, whatever their own links allow: page reports only without a
    crawl, with the URLs of their own pages only if those are public, and no events that people marked.
    """
    ended = ended_crawls(service, reader, project)
    is_of_site = project.score_of is ScoreOf.SITE
    with service.store.read() as session:
        rows = [] if is_for_guests and is_of_site else session.project_report.pages(project.id, MAX_PAGES + 1)
        if is_for_guests:
            rows = [_without_closed_link(row) for row in rows]
        pages, findings = _findings(session, rows)
        runs = session.project_report.runs(project.id, MAX_RUNS)
        trend = (_trend_of_crawls(ended) if is_of_site else _trend_of_pages(session, project, runs))[-MAX_POINTS:]
        rulesets = _rulesets_of_crawls(ended) if is_of_site else ()
        if len(rulesets) < 2:  # noqa: PLR2004 - a change of ruleset needs two scores
            rulesets = _rulesets_of_runs(runs)
        markers = _markers(session, project.id, rulesets, trend, with_labels=not is_for_guests)
    report = replace(_report_of(project, rows, pages, findings), trend=trend, markers=markers)
    last_crawl = next((crawl for crawl in ended if not crawl.is_list), None)
    site = site_of(service, project, ended)
    if is_for_guests and site is None and not rows and last_crawl is not None:  # without a score, like the tabs of the project
        site = site_behind(service, last_crawl, ended)
    return ProjectContent(project, report, last_crawl, site)


def crawl_of_tabs(service: Service, caller: Caller, project: ProjectView) -> CrawlView | None:
    """Return the crawl that the score of a project comes from, else the last one of the site with results; None without one."""
    ended = ended_crawls(service, caller, project)
    scored = next((crawl for crawl in ended if crawl.id == project.score_crawl), None)
    return scored or next((crawl for crawl in ended if crawl.has_results and not crawl.is_list), None)


def ended_crawls(service: Service, reader: Caller, project: ProjectView) -> list[CrawlView]:
    """Return the newest crawls of a project that have ended, newest first."""
    found = crawls.find(service, reader, CrawlQuery(project=str(project.id), per_page=CRAWLS)).items
    return [crawl for crawl in found if crawl.status is CrawlStatus.DONE]


def _without_closed_link(row: PageRow) -> PageRow:
    """Return a page without its public id unless everybody may open it."""
    return row if _is_open(row) else row._replace(public_id="")


def _is_open(row: PageRow) -> bool:
    return row.privacy == Privacy.PUBLIC and (row.link_expires_at is None or row.link_expires_at > now().timestamp())


def open_start_report(service: Service, project: ProjectView) -> int | None:
    """Return the report of the start page of a project if everybody may open it; else None. The caller has checked the access."""
    with service.store.read() as session:
        rows = session.project_report.pages(project.id, MAX_PAGES)
    start = _start_page(project.name, [row for row in rows if _is_open(row)])
    return start.report_id if start else None


def _report_of(
    project: ProjectView, rows: Sequence[PageRow], pages: tuple[ProjectPage, ...], findings: tuple[ProjectFinding, ...]
) -> ProjectReport:
    start = _start_page(project.name, rows[:MAX_PAGES])
    return shape_of(
        ProjectReport,
        project,
        pages=pages,
        findings=findings,
        fixed=fixed(pages),
        is_part=len(rows) > MAX_PAGES,
        start=start.report_id if start else None,
        start_limit=start.cap if start else None,
    )


def _start_page(name: str, rows: Iterable[PageRow]) -> PageRow | None:
    """Return the start page with the newest rating, which limits the mean score of the pages."""
    return next((row for row in rows if row.score is not None and is_start_page(row.url, name)), None)


def _page(row: PageRow, listing: Listing, scored: ScoredPages | None) -> ProjectPage:
    compare = ""
    if row.previous_run is not None and row.previous_report is not None:
        before = str(row.previous_run) if row.previous_report == row.report_id else f"{row.previous_report}.{row.previous_run}"
        compare = f"from={before}&to={row.run}"
    return view_of(
        ProjectPage,
        row,
        report=row.report_id,
        compare=compare,
        compared_at=None if row.previous_at is None else moment(row.previous_at),
        listing=listing,
        scored=scored,
    )


def _with_examples(session: Session, findings: Iterable[ProjectFinding], rows: dict[int, PageRow]) -> tuple[ProjectFinding, ...]:
    """Add the finding of one page to each finding as an example. Each report is read once."""
    read: dict[int, dict[str, ReportedFinding]] = {}

    def with_example(finding: ProjectFinding) -> ProjectFinding:
        page = next((page for page in finding.pages if page.report in read), finding.pages[0])
        if page.report not in read:
            stored = session.runs.analysis(rows[page.report].runs_id)
            read[page.report] = {one.id: one for one in Report.from_bytes(stored).findings} if stored is not None else {}
        example = read[page.report].get(finding.check)
        return replace(finding, example=example, example_page=page if example else None)

    return tuple(with_example(finding) for finding in findings)


def _trend_of_pages(session: Session, project: ProjectView, runs: Iterable[PageRun]) -> tuple[TrendPoint, ...]:
    of_pages = [RunCounts(subject_key(one.url), moment(one.at), one.failed, one.warned) for one in runs]
    points = session.scores.history(project.id, MAX_POINTS, of_site=False)
    days = {_day(moment(point.at)): point for point in points}
    return by_day(of_pages, {day: point.score for day, point in days.items()}, {day: point.ruleset for day, point in days.items()})


def _markers(
    session: Session, project_id: int, events: Sequence[tuple[datetime, str]], trend: Sequence[TrendPoint], *, with_labels: bool
) -> tuple[PlotMarker, ...]:
    """Return the events within the period of the trend. Labels are for members of the project only.

    Args:
        session: transaction that reads.
        project_id: id of the project.
        events: times and rulesets of results, oldest first.
        trend: points of the plot.
        with_labels: whether to include events that people marked.
    """
    if not trend:
        return ()
    found = list(ruleset_changes(events))
    if with_labels:
        found += [PlotMarker(moment(at), label) for _, at, label in session.markers.of_project(project_id, MAX_MARKERS)]
    return tuple(sorted((one for one in found if one.at >= trend[0].at), key=lambda one: one.at)[-MAX_MARKERS:])


def _rulesets_of_runs(runs: Sequence[PageRun]) -> Sequence[tuple[datetime, str]]:
    rulesets = {json: ruleset_of(json) or "" for json in {one.engine_json for one in runs}}
    return [(moment(one.at), rulesets[one.engine_json]) for one in runs]


def _rulesets_of_crawls(ended_crawls: Iterable[CrawlView]) -> Sequence[tuple[datetime, str]]:
    return sorted((one.finished_at, one.ruleset) for one in ended_crawls if one.finished_at is not None and one.ruleset)


def _day(at: datetime) -> datetime:
    return datetime(at.year, at.month, at.day, tzinfo=UTC)


_UNCOUNTED = frozenset({VerdictCode.NARROWER, VerdictCode.UNREACHABLE, VerdictCode.BLOCKED_FOR_US, VerdictCode.NEEDS_BROWSER})
"""Verdicts of crawls whose findings are not those of the whole site."""


def _counts(crawl: CrawlView) -> bool:
    return crawl.verdict is not None and crawl.verdict.code not in _UNCOUNTED


def _trend_of_crawls(ended_crawls: Iterable[CrawlView]) -> tuple[TrendPoint, ...]:
    points = [
        TrendPoint(
            crawl.finished_at, found.get("failed", 0), found.get("warned", 0), crawl.counts.get("pages", 0), crawl.score, crawl.ruleset
        )
        for crawl in ended_crawls
        if crawl.finished_at is not None and crawl.score is not None and _counts(crawl) and (found := crawl.findings) is not None
    ]
    return tuple(sorted(points, key=lambda point: point.at))
