"""Home page: an introduction for guests; sites, regressions, new reports and a URL form for signed-in people."""

import re
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, tzinfo
from http import HTTPStatus
from typing import ClassVar
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import replace
from starlette.responses import Response

from findable.clock import now
from findable.errors import BadRequest, RequestError, ValidationFailed
from findable.reports.earlier_score import WEEK
from findable.service.accounts.permissions import may_make
from findable.service.crawls import crawls
from findable.service.projects import home, projects, report_defaults, worse_reports
from findable.service.projects.home import Home
from findable.service.projects.worse_sites import worse_sites
from findable.service.reports import batch_sitemaps, batches, reports
from findable.service.reports.batches import NewBatch
from findable.service.runtime.service import Service
from findable.service.sites.url_input import without_login
from findable.service.values.caller import Caller
from findable.service.values.crawl_values import NewCrawl
from findable.service.values.paging import Page
from findable.service.values.project_values import ProjectSort
from findable.service.values.report_values import Existing, NewReport, ReportQuery, ReportView
from findable.service_urls import ServiceUrls
from findable.urls import split_urls
from findable.values import Discreet
from findable.vocabulary import Privacy
from findable.web.auth import refuse_cross_site
from findable.web.bodies import MANY
from findable.web.pages.project.crawl_overview import USUAL_SIZE
from findable.web.pages.project.site_table import SiteTable, site_table
from findable.web.pages.project.worse_lines import WorseSiteLine, lost_lines, outage_lines, worse_lines
from findable.web.pages.report.demonstration import DemonstrationPage, example
from findable.web.pages.result.sharing import privacy_of
from findable.web.pages.shared.browser_choices import report_browser_choices, report_browser_of
from findable.web.pages.shared.form_fields import Choice, retry_headers
from findable.web.pages.shared.lines import worse_words
from findable.web.pages.shared.look_form import ACCESSES
from findable.web.pages.shared.page_templates import Bar, PageContext, html, page_bytes, see_other
from findable.web.pages.shared.problem_words import all_errors
from findable.web.pages.shared.viewer import SESSION_ENDED, bar_of, proxied_identity, required_person, signed_in, wording_of, zone_of
from findable.web.query_strings import Query, text_of
from findable.web.routing import Request, get, post
from findable.wording import Translator, later

LISTED = 25
FIRST_WORSE = 8
WORSE = 50
"""Maximum number of sites with regressions, of which the first FIRST_WORSE are not collapsed."""
DETAILED = 10
"""Maximum number of sites with regressions whose newest result is read for the sentence about Google and the first fix."""
WORSE_CAUSES = 2
"""Maximum number of new problems per site."""
MAX_TEXT_CHARS = 2048
SITEMAP = re.compile(r"[^\s?#]+(?:\.xml(?:\.gz)?|sitemap[^/\s?#]*\.txt(?:\.gz)?)(?:\?\S*)?", re.IGNORECASE)
"""Pattern of URLs that look like sitemaps."""
PRIVACIES = {**ACCESSES, Privacy.PASSWORD: later("With a password")}


class NewForm(Struct, frozen=True):
    """Form for new reports, empty or with the submitted values."""

    url: str
    problem: str
    """Error message; empty without an error."""
    privacies: tuple[Choice, ...]
    external: bool = False
    """Whether a crawl requests links to other sites."""
    browsers: tuple[Choice, ...] = ()
    """Browser modes of reports; empty without a browser."""
    max_pages: int = USUAL_SIZE
    """Maximum number of pages of a site."""
    variant: ReportView | None = None
    """Existing report of the same page under another URL: with the other scheme, or with or without ``www.``."""


class HomePage(PageContext, frozen=True):
    """Variables of home.html."""

    bar: Bar
    new: NewForm
    may_create: bool
    """Whether the viewer may create reports; otherwise there is no form."""
    found: Home | None = None
    """Sites, reports, batches and changes of the account; None if reports are listed, or without any report."""
    table: SiteTable | None = None
    """Sites with the worst change first."""
    worse: tuple[WorseSiteLine, ...] = ()
    worse_words: str = ""
    """Number of all sites with regressions, in words."""
    first_worse: int = FIRST_WORSE
    """Number of sites with regressions that are not collapsed."""
    listing: Page[ReportView] | None = None
    """All reports, or those whose URL matches the search."""
    search: str = ""
    older: str = ""
    """URL of the next page of reports; empty if there is none."""
    zone: tzinfo = UTC
    """Time zone in which times are shown."""
    example: DemonstrationPage | None = None
    """Demonstration report for people without reports."""


class SignedOutPage(PageContext, frozen=True):
    """Variables of signed_out.html."""

    bar: Bar
    example: DemonstrationPage
    """Link to the demonstration report."""
    done: str
    """``deleted`` if the reader has just deleted an account, ``left`` if they have just left one."""


class _SubmittedForm(Discreet, frozen=True):
    """Values of the submitted form for new reports."""

    hidden: ClassVar[frozenset[str]] = frozenset({"password"})
    url: str = ""
    privacy: str = ""
    """Access; empty for the default of the project, or else public."""
    password: str = ""
    external: str = ""
    browser: str = ""
    """Browser mode; empty for the project's setting."""
    another: str = ""
    """Set if the page gets a report under this URL too."""

    @property
    def lines(self) -> list[str]:
        """URLs of the text field: one per line, or separated by commas or blanks."""
        return [url for line in self.url.splitlines() if line.strip() for url in split_urls(line)]


_Make = Callable[[Service, Caller, _SubmittedForm, Mapping[str, str]], Awaitable[str | ReportView]]
"""Function that returns the path of what it created, or the report that the page already has under another URL. Raises RequestError."""


@get("/")
def get_home(request: Request) -> Response:
    """Show the home page; with ``search``, ``cursor`` or ``reports=all`` a list of reports."""
    caller = signed_in(request.service, request.headers)
    say = wording_of(request.headers, caller)
    if caller is None and proxied_identity(request.service.settings, request.headers):
        return see_other("/sign-in")
    page: PageContext
    if caller is None:
        page = SignedOutPage(bar_of(None, "home"), example(request.service, say, request.urls), str(request.query.get("done", "")))
    else:
        form = _form(request.service, caller, _SubmittedForm(), "", say)
        page = _home(request.service, caller, request.urls, say, request.query, form)
    return html(page_bytes(page, say), headers={"Vary": "Cookie, Accept-Language"})


def _home(service: Service, caller: Caller, urls: ServiceUrls, say: Translator, query: Query, form: NewForm) -> HomePage:
    zone, bar = zone_of(caller), bar_of(caller, "home")
    if any(name in query for name in ("search", "cursor", "project", "reports")):
        listed, search, older = _listing(service, caller, query)
        return HomePage(bar, form, may_make(caller), listing=listed, search=search, older=older, zone=zone)
    found = home.get(service, caller)
    if not found.reports and not found.batches and not found.projects.total:
        return HomePage(bar, form, may_make(caller), example=example(service, say, urls))
    worse = worse_sites(found.changes.worse)
    with_row = {one.project for one in worse}
    losses = [one for one in found.losses if one.project not in with_row]
    titles = projects.titles(service, caller, [*(one.project for one in worse[:WORSE]), *(one.project for one in losses)])
    newest = worse_reports.newest_of(service, caller, worse[:DETAILED], now() - WEEK)
    outages = tuple(outage_lines(found.projects.items, say, zone))
    regressions = worse_lines(worse[:WORSE], newest, say, zone, titles, causes=WORSE_CAUSES)
    lines = (*outages, *lost_lines(losses, say, zone, titles), *regressions)
    words = worse_words(len(lines) + len(worse[WORSE:]), say, is_part=found.changes.is_part)
    table = site_table(found.projects.items, (ProjectSort.CHANGE, False), {}, say)
    return HomePage(bar, form, may_make(caller), found, table, lines, words, zone=zone)


def _listing(service: Service, caller: Caller, query: Query) -> tuple[Page[ReportView], str, str]:
    """Return a page of all reports, or of those whose URL matches the search, with the search and the URL of the next page."""
    search, project, cursor = (text_of(query, name)[:MAX_TEXT_CHARS] for name in ("search", "project", "cursor"))
    request = ReportQuery(search=search, project=project, cursor=cursor, per_page=LISTED, pages_only=True)
    try:
        found = reports.find(service, caller, request)
    except ValidationFailed:  # invalid cursor
        raise BadRequest from None
    older = f"/?{urlencode({'search': search, 'project': project, 'cursor': found.next_cursor})}" if found.next_cursor else ""
    return found, search, older


def _form(service: Service, caller: Caller, form: _SubmittedForm, problem: str, say: Translator) -> NewForm:
    words = {str(privacy.value): say(text) for privacy, text in PRIVACIES.items()}
    usual = str(projects.default_access(service, caller).value)
    if report_defaults.has_access_of_projects(service, caller):
        words, usual = {"": say("Project setting"), **words}, ""
    words = {usual: words.pop(usual), **words}  # the preselected choice comes first: a form with another one is shown open
    choices = tuple(Choice(value, text, (form.privacy or usual) == value) for value, text in words.items())
    return NewForm(
        "\n".join(without_login(line) for line in form.url.splitlines()),
        problem,
        choices,
        bool(form.external),
        report_browser_choices(service, form.browser, say),
    )


@post("/reports")
async def post_report(request: Request) -> Response:
    """Create a report of the URL in the form and redirect to it; for several URLs or a sitemap, a batch."""
    return await _reply(request, _create)


async def _reply(request: Request, make: _Make) -> Response:
    """Create a report, batch or crawl and redirect to it, or show the form again with an error; guests are redirected to sign in.

    Raises Forbidden.
    """
    service = request.service
    headers = request.headers
    refuse_cross_site(headers, service.settings.base_url)
    if await service.run(signed_in, headers) is None:  # before reading the body
        return see_other(SESSION_ENDED)
    fields = await request.fields(MANY)
    caller = await service.run(required_person, headers)
    form = _SubmittedForm(*(str(fields.get(name, "")) for name in ("url", "privacy", "password", "external", "browser", "another")))
    say = wording_of(headers, caller)
    at = request.urls

    def home_with_error(service: Service, problem: str, variant: ReportView | None) -> bytes:
        return page_bytes(_home(service, caller, at, say, {}, replace(_form(service, caller, form, problem, say), variant=variant)), say)

    try:
        made = await make(service, caller, form, headers)
    except RequestError as error:
        return html(await service.run(home_with_error, all_errors(error, say), None), error.status, retry_headers(error))
    if isinstance(made, ReportView):
        return html(await service.run(home_with_error, "", made), HTTPStatus.CONFLICT)
    return see_other(made)


@post("/crawls")
async def post_crawl(request: Request) -> Response:
    """Start a crawl of the site of the URL in the form and redirect to its report."""
    return await _reply(request, _create_crawl)


async def _create_crawl(service: Service, caller: Caller, form: _SubmittedForm, _headers: Mapping[str, str]) -> str:
    """Start a crawl and return its path. Raises RequestError."""
    password, external = form.password or None, bool(form.external)
    new = NewCrawl(form.url.strip(), pages=USUAL_SIZE, privacy=_privacy(form), password=password, external=external)
    return f"/s/{(await service.run(crawls.create, caller, new)).crawl.public_id}"


def _privacy(form: _SubmittedForm) -> Privacy | None:
    return privacy_of(form.privacy) if form.privacy else None


async def _create(service: Service, caller: Caller, form: _SubmittedForm, headers: Mapping[str, str]) -> str | ReportView:
    """Create a report or a batch and return its path, or the report of the page under another URL. Raises RequestError."""
    service.rates.count(caller)
    wanted, password, lines, browser = _privacy(form), form.password or None, form.lines, report_browser_of(form.browser)
    if len(lines) == 1 and SITEMAP.fullmatch(lines[0]):
        listed = await batch_sitemaps.read_sitemap(service, caller, lines[0])
        caller = await service.run(required_person, headers)  # the session may have ended while the sitemap was read
        new = NewBatch(listed.urls, wanted, password, listed.source, browser=browser)
    elif len(lines) > 1:
        new = NewBatch(lines, wanted, password, browser=browser)
    else:
        found = None if form.another else await service.run(reports.find_variant, caller, form.url.strip() or None)
        if found is not None:
            return found
        existing = Existing.NEW if form.another else Existing.RERUN
        one = NewReport(form.url.strip() or None, wanted, password, existing, browser=browser, is_from_form=True)
        return f"/r/{(await service.run(reports.create, caller, one)).report.public_id}"
    return f"/batches/{(await service.run(batches.create, caller, new)).batch.id}"
