"""All sites as a table, with what one does with many of them, and the form for a new one."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace
from starlette.responses import Response

from findable.errors import RequestError, ValidationFailed
from findable.service.accounts.callers import may
from findable.service.crawls import crawls
from findable.service.delivery.watched_sites import stop_watching, watch
from findable.service.projects import overview, projects
from findable.service.projects.overview import ProjectSummary
from findable.service.runtime.service import Service
from findable.service.sites.url_input import without_login
from findable.service.values.caller import MEMBER, OWNER, Caller
from findable.service.values.crawl_values import NewCrawl
from findable.service.values.paging import Page
from findable.service.values.project_values import ProjectQuery, ProjectSort, ProjectView
from findable.web.api.request_models import ProjectListQuery
from findable.web.api.validation import read
from findable.web.bodies import Kinds
from findable.web.pages.project.project_lists import LISTED, list_pages, list_url, total_words, without_parameters
from findable.web.pages.shared.form_fields import Choice, FormView
from findable.web.pages.shared.lines import (
    NO_SUCH_LIST,
    Pages,
    project_url,
)
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.viewer import PersonPage, SignedInRequest, person_form, person_page, person_response
from findable.web.path_parts import without_nul
from findable.wording import later

PROJECT_SORTS = (
    (ProjectSort.SCORE, False, later("Worst first")),
    (ProjectSort.PROJECT, False, later("Name")),
    (ProjectSort.CREATED_AT, True, later("Newest first")),
    (ProjectSort.CREATED_AT, False, later("Oldest first")),
)


class ProjectsPage(PersonPage, frozen=True, kw_only=True):
    """Variables of projects.html."""

    template: ClassVar[str] = "projects.html"
    entry: ClassVar[str] = "projects"
    confirmations: ClassVar[Mapping[str, str]] = {
        "watch": later("The selected sites are watched. You get their alerts by e-mail if the service sends e-mails."),
        "stop": later("The selected sites are no longer watched."),
        "crawl": later("Crawls of the selected sites were started."),
    }
    search: str
    hidden: tuple[tuple[str, str], ...]
    """Parameters that the search keeps."""
    sorts: tuple[Choice, ...]
    projects: tuple[ProjectSummary, ...]
    pages: Pages
    problem: str
    """Error message about the URL; empty without an error."""
    new: FormView
    """Form for a site without reports."""
    may_create: bool
    """Whether the viewer may create projects."""


@person_page("/projects")
def get_projects(request: SignedInRequest) -> Response:
    """Show all projects: ``?search=…&sort_by=…&sort=…&cursor=…`` as in the API; worst first by default."""
    say = request.say
    page, wanted, problem = _find_projects(request)
    new = request.form_with()
    by = {"sort_by": wanted.sort_by.value, "sort": "desc" if wanted.descending else "asc"}

    def sorted_by(sort: ProjectSort, descending: bool, words: str) -> Choice:  # noqa: FBT001 - a row of the table
        href = list_url("/projects", {"search": wanted.search, "sort_by": sort.value, "sort": "desc" if descending else "asc"})
        return Choice(sort.value, say(words), (wanted.sort_by, wanted.descending) == (sort, descending), href)

    shown = ProjectsPage(
        search=wanted.search,
        hidden=tuple(by.items()),
        sorts=tuple(sorted_by(*row) for row in PROJECT_SORTS),
        projects=overview.summaries(request.service, request.caller, page.items),
        pages=list_pages(
            page,
            "/projects",
            {"search": wanted.search, **by},
            total_words(page, say, say.plural("%(count)s project", "%(count)s projects", page.total)),
        ),
        problem=problem,
        new=replace(new, values={name: without_login(value) for name, value in new.values.items()}),
        may_create=may(request.caller, MEMBER),
    )
    return person_response(request, shown, 422 if problem else 200)


@person_form("/projects", get_projects)
def post_project(request: SignedInRequest) -> Response:
    """Create a project for a site without reports and redirect to its settings, because staging sites may need an identity first."""
    made = projects.make(request.service, request.caller, request.text("project"))
    at = project_url(made.project.name)
    return see_other(f"{at}/settings" if may(request.caller, OWNER, made.project.id) else at)


def _crawl(service: Service, caller: Caller, names: Sequence[str]) -> None:
    for name in names:
        crawls.create(service, caller, NewCrawl(projects.get(service, caller, name).name))


ACTIONS = {"watch": watch, "stop": stop_watching, "crawl": _crawl}
"""Use cases for selected sites, by the value of the button."""


@person_form("/projects/selected", get_projects, errors=(RequestError,), kinds=Kinds(lists=frozenset({"site"})))
def post_selected(request: SignedInRequest) -> Response:
    """Watch or crawl the selected sites, or stop watching them."""
    action, names = request.text("action"), [without_nul(str(name)) for name in request.fields.get("site", ())][:LISTED]
    if not names or action not in ACTIONS:
        raise ValidationFailed({"site": [later("Select at least one site.")]})
    ACTIONS[action](request.service, request.caller, names)
    return see_other(f"/projects?done={action}")


def _find_projects(request: SignedInRequest) -> tuple[Page[ProjectView], ProjectQuery, str]:
    """Return the projects, the parsed query, and an error message; for an invalid query, all projects."""
    plain = ProjectQuery(sort_by=ProjectSort.SCORE, descending=False, per_page=LISTED)
    try:
        sent = read(ProjectListQuery, {"sort_by": ProjectSort.SCORE.value, "sort": "asc", **without_parameters(request.raw_query)})
        wanted = replace(sent.to_query(), per_page=LISTED)
        return projects.find(request.service, request.caller, wanted), wanted, ""
    except ValidationFailed:
        return projects.find(request.service, request.caller, plain), plain, request.say(NO_SUCH_LIST)
