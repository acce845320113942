"""Viewer of the report of a site. The service decides who may see it; guests without access get the password form or NotFound."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date

from starlette.responses import Response

from findable.capture.status_classes import OK
from findable.clock import now
from findable.errors import NotFound
from findable.service.accounts.callers import may
from findable.service.crawls import crawl_access
from findable.service.crawls.crawl_access import CrawlAccess, OpenCrawl
from findable.service.reports.guest_access import Decision, Viewer, cookie_name
from findable.service.runtime.service import Service
from findable.service.values.caller import MEMBER
from findable.service.values.crawl_values import CrawlView
from findable.vocabulary import Privacy
from findable.web.auth import cookies
from findable.web.pages.report.link_visit import LinkPages, LinkVisit, Sender
from findable.web.pages.report.share import NOT_PUBLIC, cached_response
from findable.web.pages.shared.page_templates import PageContext, page_bytes, page_response
from findable.web.pages.shared.viewer import signed_in
from findable.web.routing import Request
from findable.wording import ENGLISH, Translator, wording

PREFIX = "/s/"


class SiteVisit(LinkVisit[CrawlAccess], frozen=True, kw_only=True):
    """Request of a viewer who may see the crawl."""

    crawl: CrawlView

    @property
    def data_say(self) -> Translator:
        """Translator for files that programs read: in the language of project or URL, else English."""
        return wording(self.language) if self.language else ENGLISH

    @property
    def again(self) -> str:
        """URL of the form that crawls the site again, for members of the project once the crawl has ended."""
        is_member = self.owner is not None and may(self.owner, MEMBER, self.crawl.project_id)
        return f"{self.path}/again" if is_member and self.crawl.is_finished else ""

    @property
    def is_listed(self) -> bool:
        """Whether search engines may index the report of the site."""
        return self.crawl.privacy is Privacy.PUBLIC and self.access.presentation.is_listed and not self.access.is_owner

    def shows(self, section: str) -> bool:
        """Return whether a section of the report is visible to the viewer."""
        return self.access.is_owner or self.access.presentation.client.shows(section)

    def require(self, section: str) -> None:
        """Raise NotFound if a section of the report is hidden from the viewer."""
        if not self.shows(section):
            raise NotFound

    def require_still_allowed(self) -> None:
        """Raise NotFound if the viewer may no longer see the crawl, with the rights of this moment."""
        token = cookies(self.headers).get(cookie_name(self.service, self.crawl.public_id))
        viewer = Viewer(signed_in(self.service, self.headers), token)
        if crawl_access.view(self.service, self.crawl.public_id, viewer).decision is not Decision.ALLOWED:
            raise NotFound

    @contextmanager
    def open_crawl(self) -> Iterator[OpenCrawl]:
        """Open the stored pages of the crawl. Raises NotFound if there are none."""
        with crawl_access.open_store_of(self.service, self.crawl) as handle:
            yield handle


def found_visit(request: Request, service: Service, public_id: str) -> SiteVisit | Decision:
    """Return the visit of a site report, or the reason why access is denied (blocking). Raises NotFound for a NUL."""
    sender = Sender.from_request(request, service, public_id)
    access = crawl_access.view(service, public_id, sender.viewer)
    crawl = access.crawl
    if crawl is None:
        return access.decision
    return SiteVisit(crawl=crawl, **sender.fields(service, access, f"{PREFIX}{crawl.public_id}", crawl.url))


SITES: LinkPages[SiteVisit] = LinkPages(PREFIX, found_visit)


def cached_file(visit: SiteVisit, make: Callable[[], bytes], media_type: str, more: Mapping[str, str] | None = None) -> Response:
    """Return a page or file of a site report. Public responses may be cached with an ETag, others are for this reader only."""
    variant = f"-{visit.say.code}-{visit.access.presentation.brand.digest}-{_today()}"
    response = cached_response(visit.access, visit.crawl, visit.headers, make, more, variant, media_type)
    if visit.is_listed and not more:
        del response.headers["X-Robots-Tag"]
    return response


def _today() -> date:
    """Return today's date, which decides on the validity of acceptances."""
    return now().date()


def visit_response(visit: SiteVisit, page: PageContext, status: int = 200) -> Response:
    """Return a rendered page of the site report as a response."""
    if status != OK:
        return page_response(page, visit.say, status=status, headers=NOT_PUBLIC)
    return cached_file(visit, lambda: page_bytes(page, visit.say), "text/html")
