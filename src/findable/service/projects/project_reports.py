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
from findable.service.accounts.callers import reading, require
from findable.service.crawls import crawls
from findable.service.crawls.crawl_access import is_open_to_guests, verdict_for_guests
from findable.service.crawls.uploaded_metrics import Weights, by_weight, weight_of
from findable.service.projects import projects
from findable.service.projects.project_site import ProjectSite, site_of
from findable.service.reports import batches
from findable.service.reports.batches import BatchView
from findable.service.reports.page_metrics import NO_METRICS, PageMetrics, metrics_of
from findable.service.reports.page_summaries import page_listings, scored_pages
from findable.service.reports.report_lists import owned_project
from findable.service.reports.report_views import ruleset_of
from findable.service.runtime.service import Service
from findable.service.values.caller import READ, Caller
from findable.service.values.crawl_values import CrawlQuery, CrawlStatus, CrawlView
from findable.service.values.presentation import client_of
from findable.service.values.project_values import ProjectView
from findable.service.values.views import moment, view_of
from findable.store.link_statements import SharedProject
from findable.store.project_report_queries import Guests, PageRow, PageRun
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
    """Newest finished crawl of a site, not of a list; None if there is none, or the viewer may not see it."""
    site: ProjectSite | None = None
    """Crawl that the score comes from; None if the score is that of pages, or if the viewer may not see it."""
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


def content_of(service: Service, reader: Caller, project: ProjectView, shared: SharedProject | None = None) -> ProjectContent:
    """Return the report on pages and crawls, after the use case has checked the viewer.

    With a shared link for its guests: pages, crawls and score are those of results that are public or have the password of that link,
    by a link that has not ended and shows the newest run. Changes are those between runs of one report.
    """
    is_for_guests = shared is not None
    ended_crawls = _ended_crawls(service, reader, project)
    with service.store.read() as session:
        guests = None if shared is None else _guests_of(session, shared)
        if shared is not None:
            ended_crawls = [crawl for crawl in ended_crawls if _shows_crawl(session, shared, crawl)]
            project = replace(project, verdict=verdict_for_guests(session, shared, project.id, project.verdict))
        rows = session.project_report.pages(project.id, MAX_PAGES + 1, guests)
        if is_for_guests:
            rows = [row if row.previous_report == row.report_id else _without_changes(row) for row in rows]
        pages, findings = _findings(session, rows)
        has_hidden = guests is not None and session.project_report.has_hidden_pages(project.id, guests)
        if is_for_guests:
            project = _as_guests_see(project, ended_crawls, rows[:MAX_PAGES], has_hidden=has_hidden)
        is_of_site = project.score_of is ScoreOf.SITE
        runs = session.project_report.runs(project.id, MAX_RUNS, guests)
        trend = (_trend_of_crawls(ended_crawls) if is_of_site else _trend_of_pages(session, project, runs, has_scores=not has_hidden))[
            -MAX_POINTS:
        ]
        rulesets = _rulesets_of_crawls(ended_crawls) if is_of_site else ()
        if len(rulesets) < 2:  # noqa: PLR2004 - a change of ruleset needs two scores
            rulesets = _rulesets_of_runs(runs)
        markers = _markers(session, project.id, rulesets, trend, with_labels=not is_for_guests)
    report = replace(_report_of(project, rows, pages, findings), trend=trend, markers=markers)
    last_crawl = next((crawl for crawl in ended_crawls if not crawl.is_list), None)
    return ProjectContent(project, report, last_crawl, site_of(service, project, ended_crawls))


def crawl_of_tabs(service: Service, caller: Caller, project: ProjectView) -> CrawlView | None:
    """Return the crawl that the score of a project comes from, else the last one of the site with results; None without one."""
    ended = _ended_crawls(service, caller, project)
    scored = next((crawl for crawl in ended if crawl.id == project.score_crawl), None)
    return scored or next((crawl for crawl in ended if crawl.has_results and not crawl.is_list), None)


def _ended_crawls(service: Service, reader: Caller, project: ProjectView) -> list[CrawlView]:
    found = crawls.find(service, reader, CrawlQuery(project=str(project.id), per_page=CRAWLS)).items
    return [crawl for crawl in found if crawl.status is CrawlStatus.DONE]


def _guests_of(session: Session, shared: SharedProject) -> Guests:
    linked = session.project_report.linked_runs(shared.id)
    pinned = tuple(one.report_id for one in linked if client_of(one.client_json).run not in (None, one.run))
    return Guests(shared.password_hash if shared.privacy == Privacy.PASSWORD else None, int(now().timestamp()), pinned)


def _without_changes(row: PageRow) -> PageRow:
    """Return a page without what changed since a run of another report, whose link guests may not be able to open."""
    return row._replace(new_json=None, fixed_json=None, previous_report=None, previous_run=None, previous_at=None)


def _shows_crawl(session: Session, shared: SharedProject, crawl: CrawlView) -> bool:
    row = session.crawls.by_id(crawl.id)
    return row is not None and is_open_to_guests(session, shared, row)


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


def _as_guests_see(project: ProjectView, shown: Sequence[CrawlView], rows: Sequence[PageRow], *, has_hidden: bool) -> ProjectView:
    """Return the project with a score and a verdict that are based only on the crawls and pages that are shown."""
    scored = next((crawl for crawl in shown if crawl.id == project.score_crawl), None)
    shows_score = not has_hidden if project.score_crawl is None else scored is not None
    shows_start = any(is_start_page(row.url, project.name) for row in rows)
    shows_verdict = any(one.public_id == project.verdict_crawl for one in shown) or (shows_start and not project.verdict_crawl)
    if shows_score and shows_verdict:
        return project
    verdict = project.verdict if shows_verdict else None
    if scored is None:
        project = _with_mean_score(project, rows)
        score, result = project.score, project.result
    else:
        score, result = scored.score, scored.result
        project = replace(project, score_of=None if score is None else ScoreOf.SITE)
    if verdict is not None and verdict.is_site:
        score, result = verdict.score(score), verdict.rating(result)
    return replace(project, score=score, result=result, verdict=verdict, verdict_crawl=project.verdict_crawl if verdict else "")


def _with_mean_score(project: ProjectView, rows: Iterable[PageRow]) -> ProjectView:
    """Return the project with the mean score of these pages, limited by the start page, like `project_scores` for all pages."""
    rated = [row for row in rows if row.score is not None]
    if not rated:
        return replace(project, score=None, result=None, score_of=None, scored_pages=0, crawled_at=None, score_crawl=None)
    mean = sum(row.score or 0 for row in rated) // len(rated)
    start = _start_page(project.name, rated)
    score = mean if start is None or start.cap is None else min(mean, start.cap)
    return replace(project, score=score, result=rating_of(score), score_of=ScoreOf.PAGES, scored_pages=len(rated), crawled_at=None)


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


def _trend_of_pages(session: Session, project: ProjectView, runs: Iterable[PageRun], *, has_scores: bool) -> tuple[TrendPoint, ...]:
    of_pages = [RunCounts(subject_key(one.url), moment(one.at), one.failed, one.warned) for one in runs]
    points = session.scores.history(project.id, MAX_POINTS, of_site=False) if has_scores else []
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
