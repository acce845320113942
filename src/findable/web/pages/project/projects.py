"""All sites as a table, with filters and what one does with many of them, and the form for a new one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar
from urllib.parse import parse_qsl, urlencode

from msgspec.structs import replace
from starlette.responses import Response

from findable.errors import RequestError, ValidationFailed
from findable.service.accounts.permissions import may
from findable.service.crawls import crawls
from findable.service.projects import project_links, project_lists, projects, watched_sites
from findable.service.projects.project_lists import MAX_ORDERED, ORDERS, ProjectSummary
from findable.service.projects.watched_sites import WatchOffer
from findable.service.results.share_links import TermChanges
from findable.service.runtime.service import Service
from findable.service.sites.url_input import without_login
from findable.service.values.caller import MEMBER, OWNER, Caller
from findable.service.values.crawl_values import NewCrawl
from findable.service.values.paging import Page
from findable.service.values.project_values import ProjectQuery, ProjectSort, ProjectView
from findable.service_urls import ServiceUrls
from findable.vocabulary import Privacy, Rating
from findable.web.api.project_routes import ProjectListQuery
from findable.web.api.validation import read
from findable.web.bodies import MANY, Kinds
from findable.web.pages.project.project_lists import total_words, without_parameters
from findable.web.pages.project.site_table import GROUPS, SiteTable, site_table
from findable.web.pages.result.findings_table import Facet
from findable.web.pages.shared.form_fields import Choice, FormView
from findable.web.pages.shared.lines import NO_SUCH_LIST, Pages, list_pages, project_title, project_url
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.viewer import PersonPage, SignedInRequest, person_form, person_page
from findable.web.path_parts import without_nul
from findable.web.query_strings import url_with
from findable.wording import later

LISTED = 100
"""Maximum number of sites on a page."""
ORDER: Mapping[str, str] = {"sort_by": ProjectSort.CHANGE.value, "sort": "asc"}
"""Default order: the worst change first."""
FILTERS = ("search", "tag", "client", "owner", "result", "watched")


class ProjectsPage(PersonPage, frozen=True, kw_only=True):
    """Variables of projects.html."""

    entry: ClassVar[str] = "projects"
    confirmations: ClassVar[Mapping[str, str]] = {
        "watch": later("The selected sites are watched."),
        "stop": later("The selected sites are no longer watched."),
        "crawl": later("Crawls of the selected sites were started."),
        "tag": later("The tag was added to the selected sites."),
        "untag": later("The tag was removed from the selected sites."),
    }
    search: str
    filters: tuple[Facet, ...]
    """Filters, and the grouping."""
    is_filtered: bool
    hidden: tuple[tuple[str, str], ...]
    """Parameters that the filters keep."""
    query: str
    """Parameters of the list, encoded, to which the actions return."""
    table: SiteTable
    pages: Pages
    problem: str
    """Error message about the URL; empty without an error."""
    part: str
    """Sentence about the sites that the order covers; empty for all."""
    new: FormView
    """Form for a site without reports, or for the selected sites."""
    shared: tuple[tuple[str, str], ...]
    """Title and URL of the sites that were just shared."""
    cost: WatchOffer | None
    """Costs and benefit of watching the selected sites, before they are watched; None without any."""
    cost_words: str
    chosen: tuple[str, ...]
    """Names of these sites."""
    may_create: bool
    """Whether the viewer may create projects."""


@person_page("/projects")
def get_projects(request: SignedInRequest) -> ProjectsPage:
    """Show all sites: ``?search=…&tag=…&sort_by=…&sort=…&cursor=…`` as in the API, and ``group``; the worst change first by default."""
    return _show(request)


def _show(request: SignedInRequest, shared: tuple[tuple[str, str], ...] = (), to_watch: Sequence[ProjectView] = ()) -> ProjectsPage:
    say = request.say
    page, wanted, problem = _find_projects(request)
    sent = {name: value for name, value in request.query.items() if name in (*FILTERS, "group") and value} if not problem else {}
    by = {"sort_by": wanted.sort_by.value, "sort": "desc" if wanted.descending else "asc"}
    kept = sent | (by if by != ORDER else {})
    new, may_create = request.form_with(), may(request.caller, MEMBER)
    order = wanted.sort_by, wanted.descending
    words = total_words(page, say, say.plural("%(count)s site", "%(count)s sites", page.total))
    part = later("This order covers the %(count)s sites with the lowest scores; the order by score lists all.")
    return ProjectsPage(
        search=wanted.search,
        filters=tuple(_filters(request, sent)),
        is_filtered=any(name in sent for name in FILTERS),
        hidden=tuple(by.items()) if by != ORDER else (),
        query=urlencode(kept),
        table=site_table(page.items, order, sent, say, may_select=may_create),
        pages=list_pages(page, "/projects", kept, words),
        problem=problem,
        part=say(part, count=say.number(MAX_ORDERED)) if wanted.sort_by in ORDERS and page.total > MAX_ORDERED else "",
        new=replace(new, values={name: without_login(value) for name, value in new.values.items()}),
        shared=shared,
        cost=watched_sites.cost_of(request.service, request.caller, to_watch) if to_watch else None,
        cost_words=say.plural("Watch %(count)s site", "Watch %(count)s sites", len(to_watch)),
        chosen=tuple(site.name for site in to_watch),
        may_create=may_create,
        status=422 if problem else 200,
    )


def _filters(request: SignedInRequest, sent: Mapping[str, str]) -> Iterator[Facet]:
    """Yield the filters that have a choice, and the grouping if there is something to group by."""
    say, labels = request.say, projects.labels(request.service, request.caller)
    ratings = {rating.value: say(rating.words) for rating in Rating}
    watched = {"1": say("watched"), "0": say("not watched")}
    groups = {name: say(words) for name, (words, _) in GROUPS.items() if getattr(labels, f"{name}s")}
    fields = (
        ("tag", say("Tag"), say("all tags"), {tag: tag for tag in labels.tags}),
        ("client", say("Client"), say("all clients"), {client: client for client in labels.clients}),
        ("owner", say("Owner"), say("all owners"), {owner: owner for owner in labels.owners}),
        ("result", say("Rating"), say("all ratings"), ratings),
        ("watched", say("Watched"), say("watched or not"), watched),
        ("group", say("Groups"), say("not grouped"), groups),
    )
    for name, title, every, words in fields:
        if words:
            choices = (Choice(value, text, value == sent.get(name, "")) for value, text in {"": every, **words}.items())
            yield Facet(name, title, tuple(choices))


@person_form("/projects", get_projects)
def post_project(request: SignedInRequest) -> Response:
    """Create a project for a site without reports and redirect to its settings, because staging sites may need an identity first."""
    made = projects.make(request.service, request.caller, request.text("project"))
    at = project_url(made.project.name)
    return see_other(f"{at}/settings" if may(request.caller, OWNER, made.project.id) else at)


def _crawl(service: Service, caller: Caller, names: Sequence[str]) -> None:
    for name in names:
        crawls.create(service, caller, NewCrawl(projects.get(service, caller, name).name, is_one_of_many=True))


ACTIONS = {"watch": watched_sites.watch, "stop": watched_sites.stop_watching, "crawl": _crawl}
"""Use cases for selected sites, by the value of the button."""


@person_form("/projects/selected", get_projects, errors=(RequestError,), bounds=MANY, kinds=Kinds(lists=frozenset({"site"})))
def post_selected(request: SignedInRequest) -> ProjectsPage | Response:
    """Watch, crawl, tag or share the selected sites, or stop watching them."""
    service, caller, action = request.service, request.caller, request.text("action")
    names = [*dict.fromkeys(without_nul(str(name)) for name in request.fields.get("site", ()))][:LISTED]
    if not names or action not in (*ACTIONS, "tag", "untag", "share"):
        raise ValidationFailed({"site": [later("Select at least one site.")]})
    query = {name: value for name, value in parse_qsl(request.text("query")) if name in (*FILTERS, "group", *ORDER)}
    here = replace(request, raw_query=query)
    if action in ("tag", "untag"):
        projects.tag(service, caller, names, request.text("tag"), removes=action == "untag")
    elif action == "share":
        return _show(here, tuple(_share(request, name) for name in names))
    elif action == "watch" and not request.text("seen"):
        return _show(here, to_watch=[projects.get(service, caller, name) for name in names])
    else:
        ACTIONS[action](service, caller, names)
    return see_other(url_with("/projects", {**query, "done": action}))


def _share(request: SignedInRequest, name: str) -> tuple[str, str]:
    """Let everybody with the link see the reports of a site, unless it has a password. Return its title and share link."""
    service, caller = request.service, request.caller
    link = project_links.state(service, caller, name)
    if link.privacy is Privacy.PRIVATE:
        link = project_links.set_access(service, caller, name, Privacy.PUBLIC, None, TermChanges())
    view = projects.get(service, caller, name)
    return project_title(view), ServiceUrls(service.settings.base_url).shared_project(link.public_id)


def _find_projects(request: SignedInRequest) -> tuple[Page[ProjectSummary], ProjectQuery, str]:
    """Return the projects, the parsed query, and an error message; for an invalid query, all projects."""
    sent = {name: value for name, value in without_parameters(request.raw_query).items() if value}
    try:
        wanted = replace(read(ProjectListQuery, {**ORDER, **sent}).to_query(), per_page=LISTED)
        return project_lists.find(request.service, request.caller, wanted), wanted, ""
    except ValidationFailed:
        plain = ProjectQuery(sort_by=ProjectSort.CHANGE, descending=False, per_page=LISTED)
        return project_lists.find(request.service, request.caller, plain), plain, request.say(NO_SUCH_LIST)
