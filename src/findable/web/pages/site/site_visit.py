"""Viewer of the report of a site. The service decides who may see it; guests without access get the password form or NotFound."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime

from starlette.responses import Response

from findable.capture.status_classes import OK
from findable.clock import now
from findable.errors import NotFound
from findable.reports.reported_finding import ReportedFinding
from findable.reports.site_report import SiteReport
from findable.reports.titles import readable_url
from findable.service.crawls import crawl_access, site_hits
from findable.service.crawls.crawl_access import CRAWLS, CrawlAccess, OpenCrawl
from findable.service.projects import projects
from findable.service.results.guest_access import Decision, Viewer
from findable.service.runtime.service import Service
from findable.service.values.crawl_values import CrawlView
from findable.service.values.presentation import BOTS
from findable.service_urls import ServiceUrls
from findable.web.pages.result.link_pages import NOT_PUBLIC, LinkPages, LinkVisit, viewer_of, visit_fields
from findable.web.pages.shared.lines import project_url
from findable.web.pages.shared.page_templates import PageContext, page_bytes, page_response
from findable.web.pages.shared.project_tabs import CHANGES, CRAWL_LIST, ProjectHead, project_head
from findable.web.pages.shared.viewer import SignedInRequest
from findable.web.routing import Request

PREFIX = "/s/"


class SiteVisit(LinkVisit[CrawlAccess], frozen=True, kw_only=True):
    """Request of a viewer who may see the crawl."""

    target = CRAWLS
    kind = "site"
    crawl: CrawlView
    tab: str | None = None
    """Tab of the project that shows a part of the report; None for the page of the whole report."""

    @property
    def here(self) -> str:
        """Path of the page that shows the report."""
        return self.path if self.tab is None else f"{project_url(self.crawl.project)}{'/' if self.tab else ''}{self.tab}"

    def changes_url(self, **query: str) -> str:
        """Return the URL of the comparison with an earlier crawl: the tab of the project, or a page below the report."""
        at = f"{self.path}/changes" if self.tab is None else f"{project_url(self.crawl.project)}/{CHANGES}"
        return f"{at}{self.url(**query).removeprefix(self.path)}"

    @property
    def shared(self) -> CrawlView:
        """The crawl."""
        return self.crawl

    @property
    def title(self) -> str:
        """URL of the site as people write it."""
        return readable_url(self.crawl.url)

    @property
    def variant(self) -> str:
        """Suffix of the ETag; today's date decides on the validity of acceptances (blocking)."""
        logs = f"-{site_hits.version(self.service, self.crawl.project_id)}" if self.shows(BOTS) else ""
        return f"-{self.say.code}-{self.presentation.brand.digest}-{now().date()}{logs}{self.view_variant}"

    def report(self, *, for_client: bool = False) -> SiteReport | None:
        """Return the report of the crawl, with the requests of bots unless they are hidden from the viewer; None if it has none yet.

        ``for_client``: as guests see it, also for the owner.
        """
        if not self.crawl.has_results:
            return None
        is_shown = self.presentation.client.shows(BOTS) if for_client else self.shows(BOTS)
        read = site_hits.report if is_shown else crawl_access.report
        return read(self.service, self.crawl)

    @property
    def file_parts(self) -> tuple[str, datetime]:
        """Project of the site, and time of the crawl."""
        return self.crawl.project, self.crawl.ended

    @property
    def noted_findings(self) -> Sequence[ReportedFinding]:
        """Findings to write notes for (blocking)."""
        report = self.report()
        return tuple(item.as_reported for item in report.open) if report else ()

    @property
    def again(self) -> str:
        """URL of the form that crawls the site again, for members of the project once the crawl has ended."""
        return f"{self.path}/again" if self.is_member and self.crawl.is_finished else ""

    def head_of(self, place: str) -> ProjectHead | None:
        """Return the head of the project's pages, see `LinkVisit.head_of`. The whole report of a crawl belongs to the list of crawls."""
        owner, crawl = self.owner, self.crawl
        if owner is None:
            return None
        place = place or CRAWL_LIST if self.tab is None else self.tab
        return project_head(self.service, owner, projects.get(self.service, owner, str(crawl.project_id)), place, self.say)

    def require_still_allowed(self) -> None:
        """Raise NotFound if the viewer may no longer see the crawl, with the rights of this moment."""
        viewer = viewer_of(self.service, self.crawl.public_id, self.headers)
        if crawl_access.view(self.service, self.crawl.public_id, viewer).decision is not Decision.ALLOWED:
            raise NotFound

    def open_crawl(self) -> AbstractContextManager[OpenCrawl]:
        """Open the stored pages of the crawl. Raises NotFound if there are none."""
        return crawl_access.open_store_of(self.service, self.crawl)


def found_visit(request: Request, service: Service, public_id: str) -> SiteVisit | Decision:
    """Return the visit of a site report, or the reason why access is denied (blocking). Raises NotFound for a NUL."""
    viewer = viewer_of(service, public_id, request.headers)
    access = crawl_access.view(service, public_id, viewer)
    crawl = access.crawl
    if crawl is None:
        return access.decision
    return SiteVisit(crawl=crawl, **visit_fields(request, service, viewer, access, f"{PREFIX}{crawl.public_id}", crawl.url))


def visit_of_tab(request: SignedInRequest, crawl: CrawlView, tab: str) -> SiteVisit:
    """Return the visit of a person of the project who sees a part of the report of a crawl in a tab of the project."""
    viewer = Viewer(request.caller, None)
    return SiteVisit(
        crawl=crawl,
        tab=tab,
        service=request.service,
        access=crawl_access.view(request.service, crawl.public_id, viewer),
        path=f"{PREFIX}{crawl.public_id}",
        name=crawl.url,
        viewer=viewer,
        say=request.say,
        at=ServiceUrls(request.service.settings.base_url),
        headers=request.headers,
        query=request.query,
    )


SITES: LinkPages[SiteVisit] = LinkPages(PREFIX, CRAWLS, found_visit)


def visit_response(visit: SiteVisit, page: PageContext, status: int = 200) -> Response:
    """Return a rendered page of the site report as a response."""
    if status != OK:
        return page_response(page, visit.say, status=status, headers=NOT_PUBLIC)
    return visit.response(lambda: page_bytes(page, visit.say))
