"""Visits by the link of a site report or of a project. Guests without access get the password form or NotFound."""

from collections.abc import Callable, Mapping
from datetime import tzinfo
from typing import Any, Generic, Protocol, TypeVar
from urllib.parse import urlencode

from msgspec import Struct, field
from msgspec.structs import replace
from starlette.responses import Response

from findable.errors import NotFound
from findable.service.reports.guest_access import Decision, Viewer, cookie_name
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.presentation import Presentation
from findable.service_urls import ServiceUrls
from findable.web.auth import cookies, refuse_cross_site
from findable.web.bodies import ORDINARY, TEXTS, Bounds, Fields, Kinds
from findable.web.pages.report.owner_presentation import Brand, LanguageLink, brand_of
from findable.web.pages.report.run_history import require_still
from findable.web.pages.report.share import NOT_PUBLIC, UnlockPage, requested_language
from findable.web.pages.shared.page_templates import Bar, page_response, see_other
from findable.web.pages.shared.viewer import bar_of, signed_in, wording_of, zone_of
from findable.web.path_parts import without_nul
from findable.web.routing import Endpoint, Request
from findable.wording import LANGUAGES, Translator, wording


class LinkAccess(Protocol):
    """Access of a viewer to a shared object."""

    @property
    def is_owner(self) -> bool:
        """Whether the viewer is the owner."""

    @property
    def presentation(self) -> Presentation:
        """Owner's settings of the presentation to people with the link."""


AccessT = TypeVar("AccessT", bound=LinkAccess)


class LinkVisit(Struct, Generic[AccessT], frozen=True, kw_only=True):
    """Request of a viewer who may see the shared object."""

    service: Service
    access: AccessT
    path: str
    """Path of the page."""
    name: str
    """URL of the crawled site, or name of the project."""
    caller: Caller | None
    """Signed-in person; None for a guest."""
    say: Translator
    at: ServiceUrls
    headers: Mapping[str, str]
    query: Mapping[str, str]
    url_language: str
    """Language in the URL; empty if it has none."""
    fields: Fields = field(default_factory=dict)
    """Fields of the form."""

    @property
    def owner(self) -> Caller | None:
        """Signed-in owner; None for everyone else."""
        return self.caller if self.access.is_owner else None

    def require_owner(self) -> Caller:
        """Return the signed-in owner. Raises NotFound for everyone else."""
        if self.owner is None:
            raise NotFound
        return self.owner

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
        return wording(self.language) if self.language else self.say

    @property
    def again(self) -> str:
        """URL of the form that makes a new result with the same settings; empty if the viewer may not."""
        return ""

    def url(self, path: str = "", **query: str) -> str:
        """Return the URL of a page below the shared object, in the language of the current URL."""
        given = {name: value for name, value in {**query, "language": self.url_language}.items() if value}
        return f"{self.path}{path}{'?' if given else ''}{urlencode(given)}"

    def text(self, name: str) -> str:
        """Return a field of the form; empty if it was not sent or is not a text."""
        value = self.fields.get(name, "")
        return value if isinstance(value, str) else ""


VisitT = TypeVar("VisitT", bound=LinkVisit[Any])


class Sender(Struct, frozen=True):
    """Sender of a request for a link, before the link is looked up."""

    request: Request
    caller: Caller | None
    viewer: Viewer

    @classmethod
    def from_request(cls, request: Request, service: Service, public_id: str) -> "Sender":
        """Return the sender of a request (blocking). Raises NotFound for a NUL in ``public_id``."""
        caller = signed_in(service, request.headers)
        token = cookies(request.headers).get(cookie_name(service, without_nul(public_id)))
        return cls(request, caller, Viewer(caller, token))

    def fields(self, service: Service, access: LinkAccess, path: str, name: str) -> dict[str, Any]:
        """Return the fields of a `LinkVisit`: guests get the language of the project, owners their own."""
        request, url_language = self.request, requested_language(self.request)
        language = url_language if access.is_owner else access.presentation.language or url_language
        return {
            "service": service,
            "access": access,
            "path": path,
            "name": name,
            "caller": self.caller,
            "say": wording(language) if language else wording_of(request.headers, self.caller),
            "at": request.urls,
            "headers": request.headers,
            "query": {name: value for name, value in request.query.items() if isinstance(value, str)},
            "url_language": url_language,
        }


class LinkPages(Struct, Generic[VisitT], frozen=True):
    """Pages of one kind of shared object: site reports or projects.

    Args:
        prefix: beginning of their paths, such as ``/s/``.
        find: returns the visit, or the reason for a refusal (blocking). Raises NotFound.
    """

    prefix: str
    find: Callable[[Request, Service, str], VisitT | Decision]

    def is_allowed(self, request: Request, service: Service, public_id: str) -> bool:
        """Return whether the sender may see the page (blocking). Raises NotFound."""
        return not isinstance(self.find(request, service, public_id), Decision)

    def reply_to(
        self, request: Request, service: Service, public_id: str, work: Callable[[VisitT], Response], *, is_first: bool = False
    ) -> Response:
        """Return a page or file for viewers with access (blocking), see `for_viewer`."""
        visit = self.find(request, service, public_id)
        if not isinstance(visit, Decision):
            return work(visit)
        if visit is not Decision.PASSWORD_NEEDED:
            raise NotFound
        if not is_first:
            return see_other(f"{self.prefix}{public_id}")
        return page_response(UnlockPage(""), wording_of(request.headers), headers=NOT_PUBLIC)

    async def for_viewer(self, request: Request, public_id: str, work: Callable[[VisitT], Response], *, is_first: bool = False) -> Response:
        """Return a page or file for viewers with access. ``work`` runs in a thread.

        Guests of a locked report get the form for its password, on the first page.
        """
        return await request.service.run(lambda service: self.reply_to(request, service, public_id, work, is_first=is_first))

    def viewer_page(self, path: str, *, is_first: bool = False) -> Callable[[Callable[..., Response]], Endpoint]:
        """Declare a page or file for viewers with access: a function of the visit and further path parameters, see `for_viewer`."""

        def decorate(show: Callable[..., Response]) -> Endpoint:
            async def handle(request: Request, public_id: str, **values: str) -> Response:
                return await self.for_viewer(request, public_id, lambda visit: show(visit, **values), is_first=is_first)

            return Endpoint("GET", self._paths(path), handle)

        return decorate

    def owner_page(self, path: str) -> Callable[[Callable[[VisitT], Response]], Endpoint]:
        """Declare a page for the owner: a function of the visit. Everyone else gets NotFound."""

        def decorate(show: Callable[[VisitT], Response]) -> Endpoint:
            async def handle(request: Request, public_id: str) -> Response:
                return await request.service.run(lambda service: show(self._owned_visit(request, service, public_id)))

            return Endpoint("GET", self._paths(path), handle)

        return decorate

    def owner_form(self, path: str, bounds: Bounds = ORDINARY, kinds: Kinds = TEXTS) -> Callable[[Callable[..., Response]], Endpoint]:
        """Declare a form of the owner: a function of the visit and further path parameters.

        Raises Forbidden for a form of another site, NotFound for anyone but the owner.
        """

        def decorate(submit: Callable[..., Response]) -> Endpoint:
            async def handle(request: Request, public_id: str, **values: str) -> Response:
                service = request.service
                refuse_cross_site(request.headers, service.settings.base_url)
                owner = await service.run(lambda service: self._owned_visit(request, service, public_id).require_owner())
                fields = await request.fields(bounds, kinds)
                await service.run(require_still, owner, request.headers)

                def work(service: Service) -> Response:
                    return submit(replace(self._owned_visit(request, service, public_id), fields=fields), **values)

                return await service.run(work)

            return Endpoint("POST", self._paths(path), handle)

        return decorate

    def _paths(self, path: str) -> tuple[str, ...]:
        return (f"{self.prefix}{{public_id}}{path}",)

    def _owned_visit(self, request: Request, service: Service, public_id: str) -> VisitT:
        visit = self.find(request, service, public_id)
        if isinstance(visit, Decision) or visit.owner is None:
            raise NotFound
        return visit


class LinkFrame(Struct, frozen=True):
    """Common frame of all pages of a site report or shared project."""

    bar: Bar | None
    """Navigation bar; None for guests."""
    href: str
    """URL of the report."""
    url: str
    """URL of the crawled site, or name of the project."""
    brand: Brand | None
    languages: tuple[LanguageLink, ...]
    """Language links, for guests who can choose."""
    again: str
    """URL of the form that crawls the site again; empty if the viewer may not."""


def frame_of(visit: LinkVisit[Any], path: str = "") -> LinkFrame:
    """Return the common frame of a page; ``path`` is relative to the first page of the shared object."""
    presentation = visit.access.presentation
    can_choose = visit.owner is None and not presentation.language
    query = {key: value for key, value in visit.query.items() if key != "language"}

    def language_url(code: str) -> str:
        return f"{visit.path}{path}?{urlencode({**query, 'language': code})}"

    links = (LanguageLink(one.code, one.name, language_url(one.code), one.code == visit.say.code) for one in LANGUAGES.values())
    return LinkFrame(
        bar=bar_of(visit.caller, "projects") if visit.owner else None,
        href=visit.url(),
        url=visit.name,
        brand=brand_of(presentation.brand, visit.path),
        languages=tuple(links) if can_choose else (),
        again=visit.again,
    )
