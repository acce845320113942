"""Visits of a report, a site report or a project by its link. Guests without access get the password form or NotFound."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any, ClassVar, Generic, TypeVar
from urllib.parse import urlencode

from msgspec import Struct, field
from msgspec.structs import replace
from starlette.responses import Response

from findable import __version__
from findable.errors import NotFound, RequestError
from findable.export.client_words import ClientTexts
from findable.reports.reported_finding import ReportedFinding
from findable.service.accounts.permissions import may
from findable.service.projects.project_links import LinkState
from findable.service.results.guest_access import Decision, LinkAccess, Viewer
from findable.service.results.shareable import Shareable, Shared
from findable.service.results.unlocking import cookie_name
from findable.service.runtime.service import Service
from findable.service.values.caller import MEMBER, VIEWER, Caller
from findable.service.values.crawl_values import CrawlView
from findable.service.values.presentation import Presentation, client_wording
from findable.service.values.report_values import ReportView, RunView
from findable.service_urls import ServiceUrls
from findable.vocabulary import Privacy
from findable.web.api.report_routes import matches
from findable.web.auth import cookies, refuse_cross_site, set_cookie
from findable.web.bodies import ORDINARY, TEXTS, Bounds, Fields, Kinds
from findable.web.pages.result.presentation import Brand, brand_of, language_links, site_icon_url
from findable.web.pages.shared.form_fields import Choice
from findable.web.pages.shared.page_templates import Bar, PageContext, page_response, see_other
from findable.web.pages.shared.project_tabs import ProjectHead
from findable.web.pages.shared.viewer import SESSION_ENDED, bar_of, has_ended, signed_in, wording_of, zone_of
from findable.web.path_parts import without_nul
from findable.web.query_strings import text_of, url_with
from findable.web.routing import Endpoint, Request
from findable.wording import ENGLISH, LANGUAGES, Translator, wording

NOT_LISTED = {"X-Robots-Tag": "noindex"}
NOT_PUBLIC = {**NOT_LISTED, "Referrer-Policy": "no-referrer"}
PLAIN, FULL = "plain", "full"
"""Values of the parameter ``view``: findings in plain words for owners of a site, or with all details."""
VIEW_COOKIE = "findable-view"
_VIEW_LIFE_S = 365 * 24 * 3600


class UnlockPage(PageContext, frozen=True):
    """Variables of unlock.html."""

    problem: str
    """Reason why the last attempt failed; empty before the first."""


SharedView = ReportView | CrawlView | LinkState
"""Report, crawl or project with its link."""
AccessT = TypeVar("AccessT", bound=LinkAccess)


class LinkVisit(Struct, Generic[AccessT], frozen=True, kw_only=True):
    """Request of a viewer who may see the shared object."""

    target: ClassVar[Shareable[Shared]]
    kind: ClassVar[str] = ""
    """Word in the names of files: ``site`` or ``project``; empty for a page."""
    service: Service
    access: AccessT
    path: str
    """Path of the page."""
    name: str = ""
    """Title or URL of the page, URL of the crawled site, or name of the project."""
    viewer: Viewer = Viewer()
    say: Translator
    at: ServiceUrls
    headers: Mapping[str, str] = {}
    query: Mapping[str, str]
    url_language: str = ""
    """Language in the URL; empty if it has none."""
    fields: Fields = field(default_factory=dict)
    """Fields of the form."""

    @property
    def shared(self) -> SharedView:
        """The shared object."""
        raise NotImplementedError  # each kind of visit has its own

    @property
    def title(self) -> str:
        """Name that people read."""
        return self.name

    @property
    def here(self) -> str:
        """Path of the page that shows the findings."""
        return self.path

    @property
    def address(self) -> str:
        """URL of the page, to copy."""
        return f"{self.at.base_url}{self.path}"

    @property
    def caller(self) -> Caller | None:
        """Signed-in person; None for a guest."""
        return self.viewer.caller

    @property
    def owner(self) -> Caller | None:
        """Signed-in owner; None for everyone else."""
        return self.caller if self.access.is_owner else None

    @property
    def is_member(self) -> bool:
        """Whether the viewer is a member of the project, who may change what guests see."""
        return self.owner is not None and may(self.owner, MEMBER, self.shared.project_id)

    def require_owner(self) -> Caller:
        """Return the signed-in owner. Raises NotFound for everyone else."""
        if self.owner is None:
            raise NotFound
        return self.owner

    @property
    def presentation(self) -> Presentation:
        """Owner's settings of the presentation to people with the link."""
        return self.access.presentation

    @property
    def is_public(self) -> bool:
        """Whether everybody with the link sees it."""
        return self.shared.privacy is Privacy.PUBLIC

    @property
    def client(self) -> ClientTexts | None:
        """Owner's texts for the client; None if all but the notes are empty."""
        client = self.presentation.client
        return client if client.summary or client.prepared_by or client.prepared_for else None

    @property
    def hidden(self) -> frozenset[str]:
        """Sections hidden from guests, for the owner, who sees them."""
        return frozenset(name for name in self.target.sections if self.owner and not self.presentation.client.shows(name))

    @property
    def brand(self) -> Brand | None:
        """Branding of the pages; None if the project has none."""
        return brand_of(self.presentation.brand, self.path)

    @property
    def icon(self) -> str:
        """Path of the icon of the site; empty without one."""
        return site_icon_url(self.presentation.icon, self.path)

    @property
    def figures(self) -> Mapping[str, str | None]:
        """Figures that the owner's summary may contain, by name (blocking); only projects have some."""
        return {}

    @property
    def zone(self) -> tzinfo:
        """Time zone in which times are shown to the viewer."""
        return zone_of(self.caller)

    @property
    def language(self) -> str:
        """Language code set by the project or the URL; empty if neither sets one."""
        return self.access.presentation.language or self.url_language

    @property
    def file_say(self) -> Translator:
        """Translator for PDFs: in the language of project or URL, else in the viewer's."""
        return client_wording(self.language or self.say.code, self.access.presentation.brand.rating_words)

    @property
    def data_say(self) -> Translator:
        """Translator for files that programs read: in the language of project or URL, else English."""
        return client_wording(self.language or ENGLISH.code, "" if self.access.is_owner else self.presentation.brand.rating_words)

    @property
    def is_listed(self) -> bool:
        """Whether search engines may index the page."""
        return self.is_public and self.presentation.is_listed and not self.access.is_owner

    @property
    def variant(self) -> str:
        """Suffix of the ETag: inputs of the page besides the shared object."""
        return f"-{self.say.code}-{self.presentation.brand.digest}{self.view_variant}"

    @property
    def view_variant(self) -> str:
        """Part of the ETag for findings in plain words."""
        return f"-{PLAIN}" if self.is_plain else ""

    @property
    def is_plain(self) -> bool:
        """Whether findings are shown in plain words: as the viewer chose, else for everyone who is no member of the project."""
        chosen = self._chosen_view or cookies(self.headers).get(VIEW_COOKIE)
        if chosen in (PLAIN, FULL):
            return chosen == PLAIN
        return not self.is_member

    @property
    def view_cookie(self) -> Mapping[str, str]:
        """Header that stores the view in the URL for the next pages; empty if the URL has none."""
        is_secure = self.at.base_url.startswith("https:")
        chosen = self._chosen_view
        return {"Set-Cookie": set_cookie(VIEW_COOKIE, chosen, _VIEW_LIFE_S, secure=is_secure)} if chosen else {}

    @property
    def _chosen_view(self) -> str:
        """View in the URL; empty if it has none."""
        view = self.query.get("view", "")
        return view if view in (PLAIN, FULL) else ""

    @property
    def again(self) -> str:
        """URL of the form that makes a new result with the same settings; empty if the viewer may not."""
        return ""

    def head_of(self, place: str) -> ProjectHead | None:
        """Return the head of the project's pages on the page at this path below the shared object (blocking); None for guests."""
        del place
        return None

    def shows(self, section: str) -> bool:
        """Return whether a section is visible to the viewer."""
        return self.access.is_owner or self.presentation.client.shows(section)

    def require(self, section: str) -> None:
        """Raise NotFound if a section is hidden from the viewer."""
        if not self.shows(section):
            raise NotFound

    def url(self, path: str = "", **query: str) -> str:
        """Return the URL of a page below the shared object, in the language of the current URL."""
        return url_with(f"{self.path}{path}", {**query, "language": self.url_language})

    def text(self, name: str) -> str:
        """Return a field of the form; empty if it was not sent or is not a text."""
        return text_of(self.fields, name)

    def response(
        self,
        make: Callable[[], bytes],
        media_type: str = "text/html",
        more: Mapping[str, str] | None = None,
        variant: str | None = None,
    ) -> Response:
        """Return a page or file. Public responses may be cached with an ETag, others are for this reader only.

        ``more`` are further headers of a file, ``variant`` contains further inputs of the response in place of those of the page.
        """
        suffix = self.variant if variant is None else variant
        if self.caller is not None and self.caller.preview_of is not None:
            suffix += "-preview"
        # The owner's page contains forms, whose origin check needs a referrer between pages of this service.
        headers = {**(NOT_LISTED if self.is_public or self.access.is_owner else NOT_PUBLIC), **(more or {})}
        if self.is_listed and more is None:
            del headers["X-Robots-Tag"]
        headers |= self.view_cookie
        if self.is_public and not self.access.is_owner:
            tag = f"{self.shared.etag}-{__version__}{suffix}"  # a new version may show the same report differently
            headers |= {"Cache-Control": "no-cache", "ETag": f'W/"{tag}"', "Vary": "Cookie, Accept-Language" if suffix else "Cookie"}
            if matches(self.headers.get("if-none-match", ""), tag):
                return Response(b"", 304, headers, media_type)
        return Response(make(), 200, headers, media_type)

    # --- what files and the owner's forms need to know

    @property
    def file_parts(self) -> tuple[str, datetime | None]:
        """Host and time in the names of files."""
        raise NotImplementedError  # each kind of visit has its own

    @property
    def noted_findings(self) -> Sequence[ReportedFinding]:
        """Findings to write notes for (blocking)."""
        raise NotImplementedError  # each kind of visit has its own

    @property
    def runs(self) -> Sequence[RunView]:
        """Runs that the link can show (blocking); only reports have some."""
        return ()

    @property
    def run(self) -> int | None:
        """Number of the newest run."""
        return None

    def manage_url(self, public_id: str, done: str = "") -> str:
        """Return the URL of the owner's forms after one was saved: with the confirmation ``done``, if the page has one."""
        return f"{self.path.rpartition('/')[0]}/{public_id}#share"


VisitT = TypeVar("VisitT", bound=LinkVisit[Any])


def visit_fields(request: Request, service: Service, viewer: Viewer, access: LinkAccess, path: str, name: str) -> dict[str, Any]:
    """Return the fields of a `LinkVisit`: guests get the language of the project, owners their own."""
    url_language = requested_language(request)
    language = url_language if access.is_owner else access.presentation.language or url_language
    return {
        "service": service,
        "access": access,
        "path": path,
        "name": name,
        "viewer": viewer,
        "say": _say(language or wording_of(request.headers, viewer.caller).code, access, viewer.caller),
        "at": request.urls,
        "headers": request.headers,
        "query": {name: value for name, value in request.query.items() if isinstance(value, str)},
        "url_language": url_language,
    }


def _say(code: str, access: LinkAccess, caller: Caller | None) -> Translator:
    """Return the translator of a page: guests and clients read the ratings in the words of the brand."""
    is_client = caller is None or not access.is_owner or not may(caller, VIEWER)
    return client_wording(code, access.presentation.brand.rating_words if is_client else "")


def viewer_of(service: Service, public_id: str, headers: Mapping[str, str]) -> Viewer:
    """Return the viewer with the rights of this moment (blocking). Raises NotFound for a NUL in ``public_id``."""
    return Viewer(signed_in(service, headers), cookies(headers).get(cookie_name(service, without_nul(public_id))))


def requested_language(request: Request) -> str:
    """Return the ``language`` of the query; empty if it is missing or not supported."""
    text = request.query.get("language")
    return text if isinstance(text, str) and text in LANGUAGES else ""


class LinkPages(Struct, Generic[VisitT], frozen=True):
    """Pages of one kind of shared object: reports, site reports or projects.

    Args:
        prefix: beginning of their paths, such as ``/s/``.
        target: kind of shared object.
        find: returns the visit, or the reason for a refusal (blocking). Raises NotFound.
    """

    prefix: str
    target: Shareable[Shared]
    find: Callable[[Request, Service, str], VisitT | Decision]

    def is_allowed(self, request: Request, service: Service, public_id: str) -> bool:
        """Return whether the sender may see the page (blocking). Raises NotFound."""
        return not isinstance(self.find(request, service, public_id), Decision)

    async def for_viewer(self, request: Request, public_id: str, work: Callable[[VisitT], Response], *, is_first: bool = False) -> Response:
        """Return a page or file for viewers with access. ``work`` runs in a thread.

        Guests of a locked report get the form for its password, on the first page.
        """

        def respond(service: Service) -> Response:
            visit = self.find(request, service, public_id)
            if not isinstance(visit, Decision):
                return work(visit)
            if visit is not Decision.PASSWORD_NEEDED:
                raise NotFound
            if not is_first:
                return see_other(f"{self.prefix}{public_id}")
            language = requested_language(request)
            say = wording(language) if language else wording_of(request.headers, signed_in(service, request.headers))
            return page_response(UnlockPage(""), say, headers=NOT_PUBLIC)

        return await request.service.run(respond)

    def viewer_page(self, path: str, *, is_first: bool = False) -> Callable[[Callable[..., Response]], Endpoint]:
        """Declare a page or file for viewers with access: a function of the visit and further path parameters, see `for_viewer`."""

        def decorate(show: Callable[..., Response]) -> Endpoint:
            async def handle(request: Request, public_id: str, **values: str) -> Response:
                return await self.for_viewer(request, public_id, lambda visit: show(visit, **values), is_first=is_first)

            return Endpoint("GET", (f"{self.prefix}{{public_id}}{path}",), handle)

        return decorate

    def owner_page(self, path: str) -> Callable[[Callable[[VisitT], Response]], Endpoint]:
        """Declare a page for the owner: a function of the visit. Everyone else gets NotFound."""

        def decorate(show: Callable[[VisitT], Response]) -> Endpoint:
            async def handle(request: Request, public_id: str) -> Response:
                return await request.service.run(lambda service: show(self.owned_visit(request, service, public_id)))

            return Endpoint("GET", (f"{self.prefix}{{public_id}}{path}",), handle)

        return decorate

    def owner_form(
        self, path: str, bounds: Bounds = ORDINARY, kinds: Kinds = TEXTS, *, again: Callable[[VisitT, RequestError], Response] | None = None
    ) -> Callable[[Callable[..., Response]], Endpoint]:
        """Declare a form of the owner: a function of the visit and further path parameters, see `owned_form`.

        ``again`` returns the page with the form if it is rejected; without it, errors have their own page.
        """

        def decorate(submit: Callable[..., Response]) -> Endpoint:
            async def handle(request: Request, public_id: str, **values: str) -> Response:
                try:
                    visit = await self.owned_form(request, public_id, bounds, kinds)
                except NotFound:
                    if await request.service.run(has_ended, request.headers):
                        return see_other(SESSION_ENDED)
                    raise

                def work(_service: Service) -> Response:
                    try:
                        return submit(visit, **values)
                    except RequestError as error:
                        if again is None or isinstance(error, NotFound):
                            raise
                        return again(visit, error)

                return await request.service.run(work)

            return Endpoint("POST", (f"{self.prefix}{{public_id}}{path}",), handle)

        return decorate

    async def owned_form(self, request: Request, public_id: str, bounds: Bounds = ORDINARY, kinds: Kinds = TEXTS) -> VisitT:
        """Return the visit of the owner with the fields of the form.

        Raises Forbidden for a form of another site, NotFound for anyone but the owner, also if the session or the right ended while the
        form arrived, which may take seconds.
        """
        service = request.service
        refuse_cross_site(request.headers, service.settings.base_url)
        await service.run(lambda service: self.owned_visit(request, service, public_id))
        fields = await request.fields(bounds, kinds)
        return replace(await service.run(lambda service: self.owned_visit(request, service, public_id)), fields=fields)

    def owned_visit(self, request: Request, service: Service, public_id: str) -> VisitT:
        """Return the visit of the owner (blocking). Raises NotFound for everyone else, including guests with access."""
        visit = self.find(request, service, public_id)
        if isinstance(visit, Decision) or visit.owner is None:
            raise NotFound
        return visit


class LinkPageContext(PageContext, frozen=True, kw_only=True):
    """Template variables of every page of a report, site report or shared project, see `page_fields`."""

    visit: LinkVisit[Any]
    bar: Bar | None
    """Navigation bar; None for guests."""
    head: ProjectHead | None
    """Name and tabs of the project, for its people; None for guests."""
    languages: tuple[Choice, ...]
    """Language links, for guests who can choose."""


def page_fields(visit: LinkVisit[Any], path: str = "") -> dict[str, Any]:
    """Return the fields of a `LinkPageContext`; ``path`` is relative to the first page of the shared object."""
    can_choose = visit.owner is None and not visit.presentation.language
    query = {key: value for key, value in visit.query.items() if key != "language"}

    def language_url(code: str) -> str:
        return f"{visit.path}{path}?{urlencode({**query, 'language': code})}"

    return {
        "visit": visit,
        "bar": bar_of(visit.caller, "projects") if visit.owner else None,
        "head": visit.head_of(path.split("/")[1] if path else ""),
        "languages": language_links(visit.say, language_url) if can_choose else (),
    }
