"""Crawl that a project's score comes from, with its report and its changes."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from findable.crawl.changes import CrawlComparison
from findable.reports.site_report import SiteReport
from findable.service.crawls import crawl_access, crawl_changes
from findable.service.crawls.crawl_access import ScoreChange, last_score_change
from findable.service.runtime.service import Service
from findable.service.values.crawl_values import CrawlView
from findable.service.values.project_values import ProjectView


class ProjectSite(Struct, frozen=True):
    """Last complete crawl of a project's site."""

    crawl: CrawlView
    report: SiteReport
    comparison: CrawlComparison | None
    """Changes since the earlier crawl; None if there is none."""
    earlier: CrawlView | None
    """Crawl of the comparison; None if there is none."""
    base: CrawlView | None
    """Crawl of the comparison, if its score can be compared too."""
    moved: ScoreChange | None = None
    """Last change of the score; None if it never changed."""


def site_of(service: Service, project: ProjectView, shown: Iterable[CrawlView]) -> ProjectSite | None:
    """Return the crawl that the project's score comes from; None if it is not among those ``shown``, or if the score is that of pages."""
    crawls = tuple(shown)
    crawl = next((one for one in crawls if one.id == project.score_crawl), None)
    return None if crawl is None else site_behind(service, crawl, crawls)


def site_behind(service: Service, crawl: CrawlView, crawls: Sequence[CrawlView]) -> ProjectSite | None:
    """Return a crawl with its report and its changes; None without a report. ``crawls``: those that the viewer may see, newest first."""
    report = crawl_access.report(service, crawl)
    if report is None:
        return None
    comparison = crawl_changes.summary(service, crawl)
    earlier = next((one for one in crawls if comparison is not None and one.id == comparison.earlier), None)
    shown = frozenset(one.id for one in crawls)
    before = tuple(one for one in crawl_access.scored_before(service, crawl) if one.id in shown)
    base = next((one for one in before if earlier is not None and one.id == earlier.id), None)
    return ProjectSite(crawl, report, None if earlier is None else comparison, earlier, base, last_score_change(crawl, before))
