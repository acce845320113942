"""Crawls of a project: the list, and the form that starts one."""

import math
from typing import ClassVar
from urllib.parse import quote

from starlette.responses import Response

from findable.crawl.scope import DEFAULT_RATE, MAX_EXTERNAL, Extent, Render
from findable.errors import RequestError
from findable.service.accounts.callers import may
from findable.service.crawls import crawls
from findable.service.crawls.crawl_views import BYTES_PER_PAGE
from findable.service.projects import projects, url_data
from findable.service.runtime.browsers import has_browser, has_usable_browser
from findable.service.sites.url_input import without_login
from findable.service.values.caller import MEMBER
from findable.service.values.crawl_values import CrawlQuery, NewCrawl
from findable.vocabulary import Privacy
from findable.web.pages.project.crawl_lines import CrawlLine, crawl_line
from findable.web.pages.shared.durations import duration
from findable.web.pages.shared.form_fields import Choice, FormView, refused
from findable.web.pages.shared.lines import Pages, project_address
from findable.web.pages.shared.page_templates import Bar, PageContext, page_response, see_other
from findable.web.pages.shared.viewer import SignedInRequest, bar_of, for_person, from_person
from findable.web.pages.site.site_settings import EXTENTS, RENDERS
from findable.web.path_parts import without_nul
from findable.web.routing import Request, get, post
from findable.wording import Translator, later

LISTED = 25
MEGABYTE = 1_000_000
SIZES = (100, 500, 1_000, 5_000, 10_000, 50_000, 100_000)
"""Maximum numbers of pages to choose from."""
USUAL_SIZE = 1_000
PRIVACIES = ((Privacy.PRIVATE, later("Only you")), (Privacy.PUBLIC, later("Anyone with the link")))


class CrawlsPage(PageContext, frozen=True):
    """Variables of crawls.html."""

    template: ClassVar[str] = "crawls.html"
    bar: Bar
    name: str
    href: str
    """URL of the project."""
    lines: tuple[CrawlLine, ...]
    pages: Pages
    form: FormView
    sizes: tuple[Choice, ...]
    extents: tuple[Choice, ...]
    renders: tuple[Choice, ...]
    """Pages to render; empty without a browser."""
    privacies: tuple[Choice, ...]
    rate: str
    external: str
    """Maximum number of requested links to other sites."""
    has_uploads: bool
    """Whether the project has uploaded metrics."""
    may_change: bool


@get("/projects/{project}/crawls")
async def get_project_crawls(request: Request, project: str) -> Response:
    """Show the crawls of a project, and the form for a new one."""
    return await for_person(request, lambda signed_in_request: _crawls(signed_in_request, project))


@post("/projects/{project}/crawls")
async def post_project_crawl(request: Request, project: str) -> Response:
    """Start a crawl and show it."""
    return await from_person(request, lambda signed_in_request: _start(signed_in_request, project))


def _start(signed_in_request: SignedInRequest, project: str) -> Response:
    projects.get(signed_in_request.service, signed_in_request.caller, without_nul(project))
    pages, scope, privacy = signed_in_request.text("pages"), signed_in_request.text("scope"), signed_in_request.text("privacy")
    new = NewCrawl(
        url=signed_in_request.text("url") or None,
        pages=int(pages) if pages in map(str, SIZES) else USUAL_SIZE,
        scope=Extent(scope) if scope in set(Extent) else Extent.ORIGIN,
        privacy=Privacy.PUBLIC if privacy == str(Privacy.PUBLIC.value) else Privacy.PRIVATE,
        render=Render(render) if (render := signed_in_request.text("render")) in set(Render) else None,
        external=bool(signed_in_request.text("external")),
        uploaded=bool(signed_in_request.text("uploaded")),
    )
    try:
        created = crawls.create(signed_in_request.service, signed_in_request.caller, new)
    except RequestError as error:
        typed = {**signed_in_request.fields, "url": without_login(signed_in_request.text("url"))}
        return _crawls(signed_in_request, project, refused(typed, error, signed_in_request.say), error.status)
    return see_other(f"/s/{created.crawl.public_id}")


def _crawls(signed_in_request: SignedInRequest, project: str, form: FormView | None = None, status: int = 200) -> Response:
    view = projects.get(signed_in_request.service, signed_in_request.caller, without_nul(project))
    query = CrawlQuery(project=str(view.id), per_page=LISTED, cursor=signed_in_request.query.get("cursor", ""))
    found = crawls.find(signed_in_request.service, signed_in_request.caller, query)
    say = signed_in_request.say
    own = project_address(view.name)
    total = say.plural("%(count)s crawl", "%(count)s crawls", found.total)

    usual = projects.default_privacy(signed_in_request.service, signed_in_request.caller, view.name, Privacy.PRIVATE)

    def url_for(cursor: str | None) -> str:
        return f"{own}/crawls?cursor={quote(cursor)}#list" if cursor else ""

    shown = CrawlsPage(
        bar=bar_of(signed_in_request.caller, "projects"),
        name=view.name,
        href=own,
        lines=tuple(crawl_line(item, signed_in_request) for item in found.items),
        pages=Pages(url_for(found.prev_cursor), url_for(found.next_cursor), total),
        form=form or FormView({"url": found.items[0].url if found.items else f"https://{view.name}/"}),
        sizes=tuple(_sizes(form, say)),
        extents=_choices(EXTENTS, form, "scope", Extent.ORIGIN.value, say),
        renders=_choices(RENDERS, form, "render", _usual_render(signed_in_request).value, say)
        if has_browser(signed_in_request.service)
        else (),
        privacies=_choices(PRIVACIES, form, "privacy", str(usual.value), say),
        rate=say.number(DEFAULT_RATE),
        external=say.number(MAX_EXTERNAL),
        has_uploads=bool(url_data.find(signed_in_request.service, signed_in_request.caller, str(view.id))),
        may_change=may(signed_in_request.caller, MEMBER, view.id),
    )
    return page_response(shown, say, status=status)


def _usual_render(signed_in_request: SignedInRequest) -> Render:
    return Render.SAMPLE if has_usable_browser(signed_in_request.service) else Render.NEVER


def _choices(
    choices: tuple[tuple[Extent | Privacy | Render, str], ...], form: FormView | None, name: str, usual: str, say: Translator
) -> tuple[Choice, ...]:
    chosen = form.values.get(name, usual) if form else usual
    return tuple(Choice(str(one.value), say.text(words), chosen == str(one.value)) for one, words in choices)


def _sizes(form: FormView | None, say: Translator) -> list[Choice]:
    """Return the choices of the maximum number of pages, each with its expected duration and size."""
    chosen = form.values.get("pages", "") if form else str(USUAL_SIZE)
    return [
        Choice(
            str(size),
            say(
                "%(count)s pages: about %(time)s, %(megabytes)s MB",
                count=say.number(size),
                time=duration(size / DEFAULT_RATE, say),
                megabytes=say.number(math.ceil(size * BYTES_PER_PAGE / MEGABYTE)),
            ),
            str(size) == (chosen or str(USUAL_SIZE)),
        )
        for size in SIZES
    ]
