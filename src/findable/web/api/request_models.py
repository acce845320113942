"""Queries and bodies of requests to the API, one Struct each, documented in the OpenAPI document."""

from datetime import date, datetime
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from findable.checks.engine import REMOVED_CHECKS, all_checks
from findable.crawl.page_selection import DataText, data_of
from findable.crawl.scope import Extent, Render, RobotsRules
from findable.limits import MAX_CONNECTIONS, MAX_PAGES, MAX_SECONDS
from findable.reports.acceptance import REASON_CHARS
from findable.reports.url_patterns import MAX_PATTERN_CHARS
from findable.service.reports.batches import MAX_URLS
from findable.service.results.share_links import NOTE_CHARS, PERSON_CHARS, SUMMARY_CHARS
from findable.service.values.crawl_values import CrawlQuery, CrawlSort, CrawlStatus
from findable.service.values.paging import MAX_SEARCH_CHARS, PerPage
from findable.service.values.project_values import ProjectQuery, ProjectSettingsUpdate, ProjectSort
from findable.service.values.report_values import Existing, ReportQuery, ReportSort, Scope
from findable.store.question_process import MAX_SQL_BYTES
from findable.urls import MAX_URL_CHARS
from findable.values import MESSAGE, NEEDED
from findable.vocabulary import BrowserUse, Privacy, Rating, Status, Verdict
from findable.web.api.validation import input_of, value_or
from findable.wording import LANGUAGES

MAX_PAGE = 100_000
MAX_WAIT_S = 60
CHECK_IDS = tuple(sorted(all_checks().keys() | REMOVED_CHECKS))
"""Checks that a filter may name."""

PageNumber = Annotated[int, Meta(ge=1, le=MAX_PAGE)]
Search = Annotated[str, Meta(max_length=MAX_SEARCH_CHARS)]
Cursor = Annotated[str, Meta(max_length=512)]
RunNumber = Annotated[int, Meta(ge=1, le=10**9)]
Wait = Annotated[int, Meta(ge=0, le=MAX_WAIT_S)]
CHECK_ID = Meta(extra={MESSAGE: "The {field} field must be the id of a check, like title-present."})


class NoQuery(Struct, frozen=True):
    """Query without parameters."""


class WaitQuery(Struct, frozen=True):
    """Query of requests that can wait for the result of a report."""

    wait: Wait | UnsetType = UNSET
    """Seconds to wait for the report. Overrides Prefer: wait=N."""


class FieldsQuery(Struct, frozen=True):
    """Query of requests that can select members of the returned objects."""

    fields: str = ""
    """Members to return, separated by commas, like id,url,score. Others are omitted even if the schema requires them. Default: all."""


class RunQuery(FieldsQuery, frozen=True):
    """The query of `GET /reports/{id}/runs/{run}`."""

    verdict: str = ""
    """Verdicts, separated by commas, like failed,warned: only findings with one of these verdicts."""
    texts: Literal["all", "none"] = "all"
    """none omits plain, why, how_to_fix, source and question of each finding: they are available at GET /checks."""


class ReadQuery(RunQuery, frozen=True):
    """The query of `GET /reports/{id}`."""

    wait: Wait | UnsetType = UNSET
    """Seconds to wait for the report. Overrides Prefer: wait=N."""


class PagedFieldsQuery(FieldsQuery, frozen=True):
    """Base of the queries of lists without a sort order: page and cursor."""

    per_page: PerPage = 10
    """Rows per page."""
    page: PageNumber = 1
    """Page number from 1. For deep lists follow the cursors."""
    cursor: Cursor = ""
    """Opaque: follow links.next_cursor. Overrides page."""


class ListQuery(PagedFieldsQuery, frozen=True):
    """Base of the queries of lists: sort order, page and cursor."""

    sort: Literal["desc", "asc"] = "desc"
    """Order of the rows."""


class ProjectListQuery(ListQuery, frozen=True):
    """The query of `GET /projects`."""

    search: Search = ""
    """Part of the host, of the display name or of the client, case-insensitive."""
    search_by: Literal["project"] = "project"
    """Member to search."""
    sort_by: ProjectSort = ProjectSort.CREATED_AT
    """Ties are broken by id. change: change of the score within a week, the worst first with sort=asc."""
    tag: Search = ""
    client: Search = ""
    owner: Search = ""
    """Email address of the person responsible for the site."""
    result: Rating | UnsetType = UNSET
    """Rating of the score."""
    watched: Literal[0, 1] | UnsetType = UNSET

    def to_query(self) -> ProjectQuery:
        """Convert to the query of the service."""
        is_watched = None if self.watched is UNSET else bool(self.watched)
        return input_of(ProjectQuery, self, descending=self.sort == "desc", result=value_or(self.result), is_watched=is_watched)


class ReportListQuery(ListQuery, frozen=True):
    """The query of `GET /reports`."""

    search: Search = ""
    """Part of the URL, case-insensitive."""
    search_by: Literal["url"] = "url"
    """Member to search."""
    project: Search = ""
    """Name or id of a project; an unknown project gives an empty list."""
    result: Rating | UnsetType = UNSET
    """Rating of the report."""
    status: Status | UnsetType = UNSET
    """Status of the report."""
    check: Annotated[Literal[CHECK_IDS], CHECK_ID] | UnsetType = UNSET  # type: ignore[valid-type]  # the type is created from a table
    """Id of a check; use with verdict to list reports by the verdict of their current run."""
    verdict: Verdict | UnsetType = UNSET
    """Verdict on the check; needs check."""
    since: datetime | UnsetType = UNSET
    """Earliest update time of the reports."""
    data: DataText | UnsetType = UNSET
    """Column of uploaded metrics of the project, like clicks: with a range, like clicks:100.., reports of pages whose value is in it. Needs
    project; only the newest 10,000 reports count.
    """
    sort_by: ReportSort = ReportSort.ID
    """id sorts by creation; result orders bad, decent, good, and by score within a rating; data orders by the column in data."""

    def to_query(self) -> ReportQuery:
        """Convert to the query of the service."""
        data, span = data_of(self.data)
        return input_of(ReportQuery, self, data=data, data_span=span, descending=self.sort == "desc")


class ChangesQuery(Struct, frozen=True):
    """The query of `GET /reports/{id}/changes`."""

    since: RunNumber | UnsetType = UNSET
    """Number of the run to compare with. Default: the previous run."""


class BatchListQuery(Struct, frozen=True):
    """The query of `GET /batches`."""

    before: Annotated[int, Meta(ge=1, le=2**62)] | UnsetType = UNSET
    """Lists only batches with smaller numbers."""
    per_page: PerPage = 10
    """Rows per page."""


class CrawlReadQuery(FieldsQuery, frozen=True):
    """The query of `GET /crawls/{id}`."""

    wait: Wait | UnsetType = UNSET
    """Seconds to wait for the end of the crawl. Overrides Prefer: wait=N."""


class CrawlListQuery(ListQuery, frozen=True):
    """The query of `GET /crawls`."""

    project: Search = ""
    """Name or id of a project; an unknown project gives an empty list."""
    status: CrawlStatus | UnsetType = UNSET
    """Status of the crawl."""
    sort_by: CrawlSort = "id"
    """Ties are broken by id."""

    def to_query(self) -> CrawlQuery:
        """Convert to the query of the service."""
        status, descending = value_or(self.status), self.sort == "desc"
        return CrawlQuery(self.project, status, self.sort_by, descending, per_page=self.per_page, page=self.page, cursor=self.cursor)


class WithdrawQuery(Struct, frozen=True):
    """The query of `DELETE /reports/{id}/accepted/{check}`."""

    scope: Scope | UnsetType = UNSET
    """Withdraws only the acceptance of the report, or of the project. Default: both."""


class ChecksQuery(Struct, frozen=True):
    """The query of `GET /checks`."""

    language: Literal[tuple(LANGUAGES)] | UnsetType = UNSET  # type: ignore[valid-type]  # the type is created from a table
    """Language of the texts. Default: the language of Accept-Language."""


# --- bodies -----------------------------------------------------------------------------------------------------------


class ReportCreate(Struct, frozen=True):
    """Page of a new report, and access to the report."""

    url: Annotated[str, NEEDED] | UnsetType = UNSET
    """URL of the page. Without a scheme https is tried first, then http. At most 2,048 characters."""
    privacy: Privacy | UnsetType = UNSET
    """0 public: anyone with the link. 1 private: you. 2 password: anyone with the link and the password. Default: the setting of the
    project, else of the account, else 0.
    """
    password: str | UnsetType = UNSET
    """Password, required with privacy 2; never returned."""
    browser: BrowserUse | UnsetType | None = UNSET
    """Browser mode of its runs: view loads the page once in the Chromium of the service, as visitors see it. Absent or null: the project's
    setting.
    """


class ReportUpdate(Struct, frozen=True):
    """Changes of a report. Only fields that are sent change."""

    privacy: Privacy | UnsetType = UNSET
    """Access, as for a new report. Anything but 2 erases the stored password."""
    password: str | UnsetType = UNSET
    """Password for privacy 2, sent or stored."""
    results: Literal[0, 1] = 0
    """1: regenerate the results."""
    browser: BrowserUse | UnsetType | None = UNSET
    """Browser mode from the next run on; null: the project's setting."""


_URLS = Meta(description=f"URLs, at most {MAX_URLS:,}. In a form: repeat the field, or one URL per line.")


class BatchCreate(Struct, frozen=True):
    """URLs of the new reports of a batch: either `urls` or `sitemap`."""

    urls: Annotated[list[str], _URLS] | UnsetType = UNSET
    sitemap: Annotated[str, Meta(max_length=MAX_URL_CHARS)] | UnsetType = UNSET
    """URL of a sitemap or of an index of sitemaps, optionally gzipped, instead of urls."""
    privacy: Privacy | UnsetType = UNSET
    """Access to every new report, as for a single report. Default: the strictest default of their projects."""
    password: str | UnsetType = UNSET
    """Password, required with privacy 2; never returned."""
    existing: Existing = Existing.RERUN
    """rerun: the newest report of a URL gets a new run; its link, access, notes and accepted findings stay. new: every URL gets a new
    report."""
    browser: BrowserUse | UnsetType | None = UNSET
    """Browser mode of these reports from now on; null: the setting of the report or its project."""


_HOSTS = Meta(description="Further hosts of the same site, like www.example.de. In a form: repeat the field, or one host per line.")
_LIST = Meta(
    description="URLs to request instead of following links. In a form: repeat the field, or one URL per line. "
    "A URL may be followed by its expected redirect target, after a space, tab, comma, semicolon or arrow: a redirect map."
)
_INCLUDED = Meta(
    description="Patterns of URLs to crawl, like /shop/*. Default: all URLs. In a form: repeat the field, or one pattern per line."
)
_EXCLUDED = Meta(description="Patterns of URLs not to crawl. In a form: repeat the field, or one pattern per line.")


class CrawlCreate(Struct, frozen=True):
    """Site to crawl, either as `url` or as `list`, with the limits of the crawl."""

    url: str | UnsetType = UNSET
    """URL where the crawl begins. Without a scheme https is tried first, then http. Default: the first URL of the list."""
    hosts: Annotated[list[str], _HOSTS] = []
    pages: Annotated[int, Meta(ge=1, le=MAX_PAGES)] | UnsetType = UNSET
    """Maximum number of URLs to request; default: 10,000. In a rolling crawl, of all its pages; default: ten times rolling, 10,000 or more.
    """
    rolling: Annotated[int, Meta(ge=1, le=MAX_PAGES)] | UnsetType = UNSET
    """Rolling crawl: number of URLs to request now, those that are important, new or longest unread. All other pages are carried over from
    the last comparable crawl. Default: request all. Ignored with list.
    """
    depth: Annotated[int, Meta(ge=0, le=1000)] | UnsetType = UNSET
    """Maximum number of clicks from the start page."""
    scope: Extent = Extent.ORIGIN
    """origin: scheme, host and port; host: also http and www; domain: all subdomains."""
    list_: Annotated[list[str], _LIST] = field(name="list", default_factory=list)
    include: Annotated[list[str], _INCLUDED] = []
    exclude: Annotated[list[str], _EXCLUDED] = []
    robots: RobotsRules = RobotsRules.FINDABLE
    """Rules of robots.txt to obey: those for Findable, those for Googlebot, or none (for your own sites)."""
    render: Render | UnsetType = UNSET
    """Pages to render in a browser: never; needed: pages built by scripts; sample: three of each template, and all pages of a template that
    scripts change, up to 5 % of the pages; all: up to 5,000 pages. Default: sample where the service has a browser that works, never
    where it has none and where the project is set to use none.
    """
    rate: Annotated[float, Meta(gt=0)] | UnsetType = UNSET
    """Maximum number of requests per second; default: 5."""
    connections: Annotated[int, Meta(ge=1, le=MAX_CONNECTIONS)] | UnsetType = UNSET
    """Maximum number of requests at the same time; default: 2."""
    seconds: Annotated[int, Meta(ge=1, le=MAX_SECONDS)] | UnsetType = UNSET
    """Maximum duration without the pauses between slices. Default: no limit."""
    as_: Annotated[str, Meta(max_length=MAX_URL_CHARS)] = field(name="as", default="")
    """Origin that url is a preview of, like https://www.example.com: its pages are checked as if they were served there."""
    external: Literal[0, 1] = 0
    """1: request the links to other sites too, without following them: up to 2,000, and 100 to one host."""
    uploaded: Literal[0, 1] = 0
    """1: also request URLs with uploaded metrics of the project that no links lead to. Ignored with list."""
    privacy: Privacy | UnsetType = UNSET
    """0 public: anyone with the link. 1 private: you. 2 password: anyone with the link and the password. Default: the setting of the
    project, else of the account, else 0.
    """
    password: str | UnsetType = UNSET
    """Password, required with privacy 2; never returned."""


class CrawlQuestion(Struct, frozen=True):
    """Question about a crawl: a statement, or a name."""

    sql: Annotated[str, Meta(max_length=MAX_SQL_BYTES)] = ""
    """SELECT statement over the tables of the crawl."""
    question: Annotated[str, Meta(max_length=100)] = ""
    """Name of a question, instead of sql."""
    params: dict[str, str] | UnsetType = UNSET
    """Values of parameters by name; texts that look like numbers are numbers."""


class Identity(Struct, frozen=True, forbid_unknown_fields=True):
    """Login, headers, cookies and user agent for requests to the site of a project. They are never returned."""

    user: str | UnsetType = UNSET
    """User name for Basic authentication."""
    password: str | UnsetType = UNSET
    """Password for Basic authentication."""
    headers: dict[str, str] = {}
    """Header values by name."""
    cookies: dict[str, str] = {}
    """Cookie values by name."""
    user_agent: str | UnsetType = UNSET
    """User agent in place of the default one."""


class ProjectCreate(Struct, frozen=True):
    """New project: its site and settings."""

    project: Annotated[str, NEEDED] | UnsetType = UNSET
    """Host of the site, or any URL of the site."""


class SummaryUpdate(Struct, frozen=True):
    """Summary of a project."""

    text: str | UnsetType = UNSET
    """Plain text with names of figures in braces, like {score}; empty for the suggested sentences."""


class ProjectUpdate(ProjectSettingsUpdate, frozen=True):
    """Changes of a project; only fields that are sent change."""

    identity: Identity | UnsetType = UNSET
    """Identity for the project's own site, for example a staging site. It is sent only to the scheme, host and port of a report's URL.
    Replaces the whole identity; {} removes it. Stored encrypted, never returned.
    """


_NOTES = Meta(
    description=f"Notes by check id, each of at most {NOTE_CHARS:,} characters; in a form: notes[title-present]=…",
    extra_json_schema={"propertyNames": {"enum": sorted(all_checks())}},
)


class ClientUpdate(Struct, frozen=True):
    """Texts and choices of a report's owner for the client; fields that are not sent are removed."""

    summary: Annotated[str, Meta(max_length=SUMMARY_CHARS)] = ""
    """Plain text; line breaks are preserved."""
    notes: Annotated[dict[str, str], _NOTES] = {}
    sections: list[Literal["search", "fixes", "outside", "findings", "counted", "facts", "evidence"]] | UnsetType = UNSET
    """Sections of page and files that guests see. Default: all except `evidence`, the saved page, which requires all other sections."""
    prepared_by: Annotated[str, Meta(max_length=PERSON_CHARS)] = ""
    """Author of the report."""
    prepared_for: Annotated[str, Meta(max_length=PERSON_CHARS)] = ""
    """Recipient of the report."""
    run: RunNumber | UnsetType = UNSET
    """Run that the link always shows. Default: the newest result."""


class LinkUpdate(Struct, frozen=True):
    """Changes of a report's link; only fields that are sent change."""

    until: date | UnsetType | None = UNSET
    """Last day (UTC) of guest access, today or later; empty or null: no end."""
    listed: Literal[0, 1] | UnsetType = UNSET
    """1: search engines may index this public report."""


class ProjectLinkUpdate(Struct, frozen=True):
    """Changes of a project's link; only fields that are sent change."""

    privacy: Privacy | UnsetType = UNSET
    """0 public: anyone with the link. 1 private: people of the account. 2 password: anyone with the link and the password."""
    password: str | UnsetType = UNSET
    """Password for privacy 2, required if none is stored; never returned."""
    until: date | UnsetType | None = UNSET
    """Last day (UTC) of guest access, today or later; empty or null: no end."""
    listed: Literal[0, 1] | UnsetType = UNSET
    """1: search engines may index this public page."""


_Day = date


class UrlDataCreate(Struct, frozen=True):
    """Table of metrics by URL to upload, as text or file."""

    csv: str | UnsetType = UNSET
    """Text of the table: columns separated by commas, semicolons or tabs, with their names in the first line."""
    file: bytes | UnsetType = UNSET
    """File in place of csv: UTF-8 or UTF-16 in a multipart form, base64 elsewhere."""
    source: Annotated[str, Meta(max_length=40)] | UnsetType = UNSET
    """Name of the source: search-console, ga4, ahrefs, log or upload. Default: detected automatically."""
    date: _Day | UnsetType = UNSET
    """Day of the metrics, or last day of their period."""


class SitesUpload(Struct, frozen=True):
    """Table of sites with their settings, as text or file."""

    csv: str | UnsetType = UNSET
    """Text of the table: columns separated by commas, semicolons or tabs, with their names in the first line."""
    file: bytes | UnsetType = UNSET
    """File in place of csv: UTF-8 or UTF-16 in a multipart form, base64 elsewhere."""
    dry_run: Literal[0, 1] = 0
    """1: return what would be changed, and change nothing."""


class CrawlTableUpload(Struct, frozen=True):
    """Table of the URLs of a site, exported from Screaming Frog or Sitebulb, as text or file."""

    csv: str | UnsetType = UNSET
    """Text of the table."""
    file: bytes | UnsetType = UNSET
    """File in place of csv: UTF-8 or UTF-16 in a multipart form, base64 elsewhere."""


class RoleGrant(Struct, frozen=True):
    """Role to give a person in a project."""

    role: Literal["viewer", "member", "owner"]
    """viewer: reads. member: also creates, changes and deletes reports, crawls and schedules. owner: also settings, roles and deletion."""


class AcceptanceCreate(Struct, frozen=True):
    """Reason, end date and scope of an acceptance."""

    reason: Annotated[str, Meta(max_length=REASON_CHARS)]
    """Reason, shown with the finding."""
    until: date | UnsetType = UNSET
    """Last day (UTC) of the acceptance."""
    scope: Scope = Scope.REPORT
    """report: this report, until the evidence changes. project: the project's URLs that match pattern."""
    pattern: Annotated[str, Meta(max_length=MAX_PATTERN_CHARS)] | UnsetType = UNSET
    """Pattern for scope project; must match this report. Default: all URLs."""


def password_warning(password: str | None, privacy: Privacy) -> list[str]:
    """Return a warning if a request sets a password without password privacy; empty if it does not."""
    if not password or privacy is Privacy.PASSWORD:
        return []
    return [f"The password was ignored: it goes with privacy 2, and privacy is {privacy.value}."]
