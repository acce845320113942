"""Viewer of the report of a site. The service decides who may see it; a guest without access learns nothing."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date, tzinfo
from urllib.parse import urlencode

from msgspec import Struct, field
from starlette.responses import Response

from findable.clock import now
from findable.errors import NotFound
from findable.service.crawls import crawl_access
from findable.service.crawls.crawl_access import CrawlAccess, OpenCrawl
from findable.service.reports.guest_access import Decision, Viewer, cookie_name
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.crawl_values import CrawlView
from findable.vocabulary import Privacy
from findable.web.auth import cookies, refuse_cross_site
from findable.web.bodies import ORDINARY, TEXTS, Bounds, Fields, Kinds
from findable.web.pages.report.owner_presentation import Brand, LanguageLink, brand_of
from findable.web.pages.report.run_history import require_still
from findable.web.pages.report.share import NOT_PUBLIC, PageReply, UnlockPage, answered, language_asked_for
from findable.web.pages.shared.page_templates import Bar, PageContext, html, see_other, shown_bytes
from findable.web.pages.shared.viewer import bar_of, signed_in, wording_of, zone_of
from findable.web.routing import Request
from findable.web.service_urls import ServiceUrls
from findable.wording import ENGLISH, LANGUAGES, Wording, wording


class SiteVisit(Struct, frozen=True):
    """Viewer of a crawl who may see it, with the request."""

    service: Service
    access: CrawlAccess
    crawl: CrawlView
    caller: Caller | None
    """Signed-in person; None for a guest."""
    say: Wording
    at: ServiceUrls
    headers: Mapping[str, str]
    query: Mapping[str, str]
    asked: str = ""
    """Language in the URL; empty for none."""
    fields: Fields = field(default_factory=dict)
    """Fields of the form."""

    @property
    def owner(self) -> Caller | None:
        """The signed-in owner; None for everyone else."""
        return self.caller if self.access.is_owner else None

    @property
    def path(self) -> str:
        """Path of the page."""
        return f"/s/{self.crawl.public_id}"

    @property
    def zone(self) -> tzinfo:
        """Time zone of shown times."""
        return zone_of(self.caller)

    @property
    def language(self) -> str:
        """Language of the project or the URL; empty if neither sets one."""
        return self.access.presentation.language or self.asked

    @property
    def file_say(self) -> Wording:
        """Language of a PDF."""
        return wording(self.language) if self.language else self.say

    @property
    def data_say(self) -> Wording:
        """Language of files for programs: English by default."""
        return wording(self.language) if self.language else ENGLISH

    @property
    def is_listed(self) -> bool:
        """Whether search engines may list the page."""
        return self.crawl.privacy is Privacy.PUBLIC and self.access.presentation.is_listed and not self.access.is_owner

    def shows(self, section: str) -> bool:
        """Return whether the viewer sees a section."""
        return self.access.is_owner or self.access.presentation.client.shows(section)

    def require(self, section: str) -> None:
        """Raise NotFound if the viewer does not see a section."""
        if not self.shows(section):
            raise NotFound

    def to(self, path: str = "", **query: str) -> str:
        """Return the URL of a page of the report in the language of this one."""
        given = {name: value for name, value in {**query, "language": self.asked}.items() if value}
        return f"{self.path}{path}{'?' if given else ''}{urlencode(given)}"

    def text(self, name: str) -> str:
        """Return a field of the form; empty if it was not sent or is not a text."""
        value = self.fields.get(name, "")
        return value if isinstance(value, str) else ""

    @contextmanager
    def opened(self) -> Iterator[OpenCrawl]:
        """Open the pages of the crawl. Raises NotFound if none is stored."""
        with crawl_access.open_store_of(self.service, self.crawl) as opened:
            yield opened


class SiteFrame(Struct, frozen=True):
    """Beginning of every page of the report of a site."""

    bar: Bar | None
    """Bar at the top; None for guests."""
    href: str
    """URL of the report."""
    url: str
    brand: Brand | None
    languages: tuple[LanguageLink, ...]
    """Languages, for guests who can choose."""


def frame_of(visit: SiteVisit, path: str = "") -> SiteFrame:
    """Return the frame of a page; ``path`` is that of the page below the report."""
    presented = visit.access.presentation
    can_choose = visit.owner is None and not presented.language
    query = {name: value for name, value in visit.query.items() if name != "language"}

    def to(code: str) -> str:
        return f"{visit.path}{path}?{urlencode({**query, 'language': code})}"

    return SiteFrame(
        bar=bar_of(visit.caller, "projects") if visit.owner else None,
        href=visit.to(),
        url=visit.crawl.url,
        brand=brand_of(presented.brand, visit.path),
        languages=tuple(LanguageLink(one.code, one.name, to(one.code), one.code == visit.say.code) for one in LANGUAGES.values())
        if can_choose
        else (),
    )


Work = Callable[[SiteVisit], Response]


def found_visit(request: Request, service: Service, public_id: str) -> SiteVisit | Decision:
    """Return the visit, or why there is none (blocking)."""
    if "\0" in public_id:
        return Decision.NOT_FOUND
    headers = request.headers
    caller = signed_in(service, headers)
    access = crawl_access.view(service, public_id, Viewer(caller, cookies(headers).get(cookie_name(service, public_id))))
    if access.crawl is None:
        return access.decision
    asked = language_asked_for(request)
    language = asked if access.is_owner else access.presentation.language or asked
    say = wording(language) if language else wording_of(headers, caller)
    query = {name: value for name, value in request.query.items() if isinstance(value, str)}
    return SiteVisit(service, access, access.crawl, caller, say, request.urls, headers, query, asked)


async def for_viewer(request: Request, public_id: str, work: Work, *, is_first: bool = False) -> Response:
    """Return a page or file of the report for people who may see it. ``work`` runs in a thread.

    Guests of a locked report get the form for its password, on the first page.
    """
    return await request.service.run(lambda service: reply_to(request, service, public_id, work, is_first=is_first))


def reply_to(request: Request, service: Service, public_id: str, work: Work, *, is_first: bool = False) -> Response:
    """Return the response of `for_viewer` (blocking)."""
    visit = found_visit(request, service, public_id)
    if isinstance(visit, SiteVisit):
        return work(visit)
    if visit is not Decision.PASSWORD_NEEDED:
        raise NotFound
    if not is_first:
        return see_other(f"/s/{public_id}")
    return html(shown_bytes(UnlockPage(""), wording_of(request.headers)), 200, dict(NOT_PUBLIC))


async def for_owner(request: Request, public_id: str, work: Work) -> Response:
    """Return a page for the owner; for everyone else it does not exist."""

    def answer(service: Service) -> Response:
        visit = found_visit(request, service, public_id)
        if not isinstance(visit, SiteVisit) or visit.owner is None:
            raise NotFound
        return work(visit)

    return await request.service.run(answer)


async def from_owner(request: Request, public_id: str, work: Work, bounds: Bounds = ORDINARY, kinds: Kinds = TEXTS) -> Response:
    """Handle a form of the owner. Raises Forbidden for a form of another site, NotFound for anyone but the owner."""
    service = request.service
    refuse_cross_site(request.headers, service.settings.base_url)
    visit = await service.run(lambda service: found_visit(request, service, public_id))
    if not isinstance(visit, SiteVisit) or visit.owner is None:
        raise NotFound
    fields = await request.fields(bounds, kinds)
    await service.run(require_still, visit.owner, request.headers)
    return await for_owner(request, public_id, lambda visit: work(_with_fields(visit, fields)))


def _with_fields(visit: SiteVisit, fields: Fields) -> SiteVisit:
    return SiteVisit(
        visit.service, visit.access, visit.crawl, visit.caller, visit.say, visit.at, visit.headers, visit.query, visit.asked, fields
    )


def replied(visit: SiteVisit, make: Callable[[], bytes], media_type: str, more: Mapping[str, str] | None = None) -> Response:
    """Return a page or file. Public ones may be cached with an ETag, others are for this reader only."""
    variant = f"-{visit.say.code}-{visit.access.presentation.brand.digest}-{_today()}"
    made: PageReply = answered(visit.access, visit.crawl, visit.headers, make, more, variant)
    if visit.is_listed and not more:
        made.headers.pop("X-Robots-Tag", None)
    return Response(made.body, made.status, made.headers, media_type)


def _today() -> date:
    """Return the day, on which accepted findings depend."""
    return now().date()


def shown(visit: SiteVisit, page: PageContext, status: int = 200) -> Response:
    """Return a page of the report."""
    if status != 200:  # noqa: PLR2004 - not to be cached
        return html(shown_bytes(page, visit.say), status, dict(NOT_PUBLIC))
    return replied(visit, lambda: shown_bytes(page, visit.say), "text/html")
