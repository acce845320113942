"""List of the crawls of a project, and the form that starts a crawl."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace
from starlette.responses import Response

from findable.crawl.settings import DEFAULT_RATE, Extent, Render, RobotsRules
from findable.errors import RequestError
from findable.service.crawls import crawls
from findable.service.crawls.crawl_views import BYTES_PER_PAGE
from findable.service.projects import projects, url_data
from findable.service.runtime.browsers import has_browser, has_usable_browser
from findable.service.sites.url_input import without_login
from findable.service.values.crawl_values import CrawlFailure, CrawlQuery, CrawlView
from findable.service.values.project_values import ProjectView
from findable.vocabulary import Code
from findable.web.api.crawl_routes import CrawlCreate, new_crawl
from findable.web.api.validation import kinds_of, read
from findable.web.bodies import MANY
from findable.web.pages.project.project_context import ProjectPageContext, project_form, project_page
from findable.web.pages.shared.form_fields import Choice, FormView
from findable.web.pages.shared.lines import Pages, list_pages, project_url
from findable.web.pages.shared.look_form import ACCESSES
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.project_tabs import CRAWL_LIST
from findable.web.pages.shared.viewer import PersonEndpoint, SignedInRequest
from findable.web.routing import Endpoint
from findable.wording import Translator

LISTED = 25
MEGABYTE = 1_000_000
SIZES = (100, 500, 1_000, 5_000, 10_000, 50_000, 100_000)
"""Maximum numbers of pages to choose from."""
USUAL_SIZE = 1_000
FURTHER = ("list", "include", "exclude", "hosts", "rolling", "depth", "rate", "connections", "seconds", "as")
"""Fields behind *More* that are usually empty."""


class CrawlsPage(ProjectPageContext, frozen=True, kw_only=True):
    """Variables of crawls.html."""

    place: ClassVar[str] = CRAWL_LIST
    crawls: tuple[CrawlView, ...]
    pages: Pages
    sizes: tuple[Choice, ...]
    extents: tuple[Choice, ...]
    renders: tuple[Choice, ...]
    """Pages to render; empty without a browser."""
    privacies: tuple[Choice, ...]
    robots: tuple[Choice, ...]
    most_rate: str
    """Highest rate that the service allows."""
    is_more_open: bool
    """Whether the further fields are shown, because one of them is filled in."""
    extractors: tuple[str, ...]
    """Names of the extractors of the project."""
    has_uploads: bool
    """Whether the project has uploaded metrics."""


@project_page("/crawls")
def get_project_crawls(request: SignedInRequest, view: ProjectView) -> CrawlsPage | Response:
    """Show the crawls of a project, and the form for a new one."""
    query = CrawlQuery(project=str(view.id), per_page=LISTED, cursor=request.query.get("cursor", ""))
    found = crawls.find(request.service, request.caller, query)
    say = request.say
    total = say.plural("%(count)s crawl", "%(count)s crawls", found.total)

    url = _usual_url(found.items, view.name)
    form = request.form_with({"url": url})
    form = replace(form, values={**form.values, "url": without_login(form.values.get("url", ""))})
    usual = projects.default_access(request.service, request.caller, view.name)

    return CrawlsPage(
        crawls=tuple(found.items),
        pages=list_pages(found, f"{project_url(view.name)}/crawls", {}, total, "crawls"),
        form=form,
        sizes=_choices({size: _size_words(size, say) for size in SIZES}, form, "pages", str(USUAL_SIZE), say),
        extents=_choices(_words(Extent), form, "scope", Extent.ORIGIN, say),
        renders=_choices(_words(Render), form, "render", _usual_render(request), say) if has_browser(request.service) else (),
        privacies=_choices({one.value: words for one, words in ACCESSES.items()}, form, "privacy", str(usual.value), say),
        robots=_choices(_words(RobotsRules), form, "robots", RobotsRules.FINDABLE, say),
        most_rate=say.number(request.service.settings.crawl_rate),
        is_more_open=any(form.values.get(name) or form.errors.get(name) for name in FURTHER),
        extractors=tuple(one.name for one in view.extractors),
        has_uploads=bool(url_data.find(request.service, request.caller, str(view.id))),
    )


def crawl_form(path: str, page: PersonEndpoint) -> Callable[[Callable[..., Response]], Endpoint]:
    """Declare a form that starts a crawl of the project; ``page`` shows it again if it is rejected."""
    return project_form(f"/{path}", page, errors=(RequestError,), bounds=MANY, kinds=kinds_of(CrawlCreate))


@crawl_form(CRAWL_LIST, get_project_crawls)
def post_project_crawl(request: SignedInRequest, _view: ProjectView) -> Response:
    """Start a crawl of the project and redirect to its report."""
    return start_crawl(request)


def start_crawl(request: SignedInRequest) -> Response:
    """Start the crawl that a form describes, and redirect to its report."""
    created = crawls.create(request.service, request.caller, new_crawl(read(CrawlCreate, request.fields)))
    return see_other(f"/s/{created.crawl.public_id}")


def _usual_url(items: Sequence[CrawlView], project: str) -> str:
    """Return the URL to offer for the next crawl: that of the last one that reached the site, else the host, for both schemes."""
    return next((one.url for one in items if not one.scheme_guessed and one.failure is not CrawlFailure.SITE_UNREACHABLE), project)


def _usual_render(request: SignedInRequest) -> Render:
    return Render.SAMPLE if has_usable_browser(request.service) else Render.NEVER


def _words(kinds: Iterable[Code]) -> dict[str, str]:
    return {one.value: one.words for one in kinds}


def _choices(choices: Mapping[Any, str], form: FormView, name: str, usual: str, say: Translator) -> tuple[Choice, ...]:
    chosen = form.values.get(name) or usual
    return tuple(Choice(str(value), say.text(words), chosen == str(value)) for value, words in choices.items())


def _size_words(size: int, say: Translator) -> str:
    """Return a maximum number of pages with the expected duration and size of a crawl."""
    megabytes, time = say.number(math.ceil(size * BYTES_PER_PAGE / MEGABYTE)), say.duration(size / DEFAULT_RATE)
    return say("%(count)s pages: about %(time)s, %(megabytes)s MB", count=say.number(size), time=time, megabytes=megabytes)
