"""Newest result of each site that got worse: what is new in it, and what to fix first, as in the report of the site or project."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from msgspec import Struct, structs

from findable.clock import now
from findable.errors import NotFound
from findable.reports.earlier_score import by_ruleset, score_base
from findable.reports.project_report import ProjectReport
from findable.reports.search_verdict import SearchVerdict
from findable.reports.site_difference import SiteDifference
from findable.reports.site_report import SiteFinding
from findable.service.crawls import crawl_changes
from findable.service.projects import project_reports, projects
from findable.service.projects.project_site import ProjectSite, site_behind, site_of
from findable.service.projects.worse_sites import WorseSite
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.crawl_values import CrawlView
from findable.service.values.project_values import ProjectView, ScorePoint
from findable.service.values.views import moment
from findable.vocabulary import ScoreOf, Verdict

MAX_PAGES = 1000
"""Maximum number of pages whose reports are read for all sites together."""
POINTS = 12
"""Number of earlier scores among which the one to compare with is searched."""


class WorseReport(Struct, frozen=True):
    """Newest result of a site that got worse."""

    site: ProjectSite | None = None
    """Crawl of the site; None if the score is that of pages."""
    pages: ProjectReport | None = None
    """Report of the pages; None for a site."""
    new: tuple[SiteFinding, ...] = ()
    """Findings of the crawl that are new since the earlier one, the most harmful first."""
    before: CrawlView | None = None
    """Crawl that the new findings are compared with; None for pages."""
    compared: SiteDifference | None = None
    """Findings of the comparison at `changes`; None if it is not stored, and for pages."""
    changes: str = ""
    """Path of the comparison of the crawl with `before`; empty for pages."""
    score_before: ScorePoint | None = None
    """Mean score of the pages that the current one is compared with; None for a site, and if there is none."""
    verdict: SearchVerdict | None = None
    """Verdict of the project."""
    new_warnings: tuple[str, ...] = ()
    """Checks that only warn and are new on a page since its previous result; empty for a site."""


def newest_of(service: Service, caller: Caller, worse: Iterable[WorseSite], since: datetime) -> tuple[WorseReport, ...]:
    """Return the newest result of each site, with the changes since that time; an empty one after MAX_PAGES pages.

    The number of queries depends on the sites only.
    """
    found = []
    left = MAX_PAGES
    for one in worse:
        pages = 0 if one.site is not None else one.pages[0].scored_pages
        found.append(_newest(service, caller, one, since) if pages <= left else WorseReport())
        left -= pages if pages <= left else 0
    return tuple(found)


def _newest(service: Service, caller: Caller, worse: WorseSite, since: datetime) -> WorseReport:
    try:
        project = projects.get(service, caller, worse.project)
    except NotFound:  # deleted meanwhile
        return WorseReport()
    return structs.replace(_newest_of_project(service, caller, worse, project, since), verdict=project.verdict)


def _newest_of_project(service: Service, caller: Caller, worse: WorseSite, project: ProjectView, since: datetime) -> WorseReport:
    if worse.site is None and project.score_of is not ScoreOf.SITE:
        return _of_pages(service, project)
    ended = project_reports.ended_crawls(service, caller, project)
    if worse.site is None:
        return WorseReport(site=site_of(service, project, ended))
    crawl = next((one for one in ended if worse.site.path == f"/s/{one.public_id}"), None)
    site = site_behind(service, crawl, ended) if crawl is not None else None
    if site is None:
        return WorseReport()
    return _since(service, site, ended, since)


def _of_pages(service: Service, project: ProjectView) -> WorseReport:
    report = project_reports.report_with_first_fix(service, project)
    with service.store.read() as session:
        history = session.scores.history(project.id, POINTS, of_site=False)
    comparable = by_ruleset(history)[-1] if history else []
    points = [ScorePoint(moment(point.at), point.score, point.ruleset) for point in reversed(comparable)]
    before = score_base(points[1:], lambda point: point.at, points[0].at, now()) if points else None
    warned = tuple(finding.check for finding in report.new if finding.verdict is Verdict.WARNED)
    return WorseReport(pages=report, score_before=before, new_warnings=warned)


def _since(service: Service, site: ProjectSite, ended: Sequence[CrawlView], since: datetime) -> WorseReport:
    """Return a crawl with its findings that were new in it or in the crawls before it since that time."""
    by_id = {crawl.id: crawl for crawl in ended}
    found: list[tuple[CrawlView, SiteDifference]] = []
    before: CrawlView | None = site.crawl
    while before is not None and (before is site.crawl or (before.finished_at or before.created_at) > since):
        comparison = crawl_changes.summary(service, before)
        if comparison is None or comparison.not_comparable is not None:
            break
        found.append((before, comparison.findings))
        before = by_id.get(comparison.earlier or 0)
    keys = {item.key for _, one in found for item in one.risen}
    new = tuple(item for item in site.report.open if item.key in keys)
    if before is None or before is site.crawl:
        return WorseReport(site=site, new=new, changes=f"/s/{site.crawl.public_id}/changes")
    for place, (crawl, one) in enumerate(found):
        earlier = found[place + 1][0] if place + 1 < len(found) else before
        is_whole = keys == {item.key for item in one.risen}
        if is_whole and (earlier.score, crawl.score) == (before.score, site.crawl.score):
            return WorseReport(site=site, new=new, before=earlier, compared=one, changes=f"/s/{crawl.public_id}/changes")
    return WorseReport(site=site, new=new, before=before, changes=f"/s/{site.crawl.public_id}/changes?since={before.id}")
