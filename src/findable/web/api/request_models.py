"""What endpoints take: one Struct each, read from queries, forms and JSON alike, and shown in the OpenAPI document."""

from datetime import date, datetime
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.checks.engine import all_checks
from findable.reports.acceptance import REASON_CHARS
from findable.reports.url_patterns import MAX_PATTERN_CHARS, MAX_PATTERNS
from findable.service.projects.projects import MAX_BRAND_CHARS
from findable.service.reports.batches import MAX_ADDRESSES
from findable.service.reports.report_links import NOTE_CHARS, PERSON_CHARS, SUMMARY_CHARS
from findable.service.values.use_cases import MAX_SEARCH_CHARS, ProjectQuery, ProjectSort, ReportQuery, ReportSort, Scope
from findable.urls import MAX_URL_CHARS
from findable.vocabulary import Privacy, Rating, Status, Verdict
from findable.web.api.validation import MESSAGE, REQUIRED, sent_or
from findable.wording import LANGUAGES

MAX_PAGE = 100_000
MAX_WAIT_S = 60
_CHECK_IDS = sorted(all_checks())


def about(description: str, *examples: Any) -> Meta:
    """Return what the document says of a field."""
    return Meta(description=description, examples=list(examples) or None)


PerPage = Annotated[Literal[10, 25, 50, 100], about("Rows on a page.")]
PageNumber = Annotated[int, Meta(ge=1, le=MAX_PAGE), about("From 1. For deep lists follow the cursors.")]
Search = Annotated[str, Meta(max_length=MAX_SEARCH_CHARS)]
Cursor = Annotated[str, Meta(max_length=512), about("Opaque: follow links.next_cursor. Wins over page.")]
Direction = Annotated[Literal["desc", "asc"], about("Order of the rows.")]
RunNumber = Annotated[int, Meta(ge=1, le=10**9)]
Password = Annotated[str, about("Needed with privacy 2; never returned.", "correct horse")]
Members = Annotated[
    str,
    about(
        "Members of the object, comma-separated. The rest is left out, also where the schema says that it is required; all where absent.",
        "id,url,score",
    ),
]
Verdicts = Annotated[str, about("Verdicts, separated by commas: only findings with one of them.", "failed,warned")]
Texts = Annotated[
    Literal["all", "none"], about("none leaves out why, how_to_fix, source and question of each finding: they are at GET /checks.")
]
Language = Annotated[
    str, about(f"Language of the texts: {', '.join(LANGUAGES)}; where absent, what Accept-Language asks for.", *list(LANGUAGES)[:1])
]


class NoQuery(Struct, frozen=True):
    """No parameters."""


class WaitQuery(Struct, frozen=True):
    """How long a request may wait for the report."""

    wait: (
        Annotated[
            int, Meta(ge=0, le=MAX_WAIT_S), about(f"Seconds to wait for the report, 0 to {MAX_WAIT_S}. Wins over Prefer: wait=N.", 20)
        ]
        | UnsetType
    ) = UNSET


class ReadQuery(WaitQuery, frozen=True):
    """The query of `GET /reports/{id}`."""

    fields: Members = ""
    verdict: Verdicts = ""
    texts: Texts = "all"


class RunQuery(Struct, frozen=True):
    """The query of `GET /reports/{id}/runs/{run}`."""

    fields: Members = ""
    verdict: Verdicts = ""
    texts: Texts = "all"


class FieldsQuery(Struct, frozen=True):
    """The query of what may be read in part."""

    fields: Members = ""


class ProjectListQuery(Struct, frozen=True):
    """The query of `GET /projects`."""

    search: Annotated[Search, about("Part of the name, in any case.", "example")] = ""
    search_by: Annotated[Literal["project"], about("What is searched.")] = "project"
    sort_by: Annotated[ProjectSort, about("Ties are broken by id.")] = ProjectSort.CREATED_AT
    sort: Direction = "desc"
    per_page: PerPage = 10
    page: PageNumber = 1
    cursor: Cursor = ""
    fields: Members = ""

    def wanted(self) -> ProjectQuery:
        """Return it for the service."""
        return ProjectQuery(self.search, self.sort_by, self.sort == "desc", self.per_page, self.page, self.cursor)


class ReportListQuery(Struct, frozen=True):
    """The query of `GET /reports`."""

    search: Annotated[Search, about("Part of the URL, in any case.", "/blog/")] = ""
    search_by: Annotated[Literal["url"], about("What is searched.")] = "url"
    project: Annotated[Search, about("Name or id of a project; an unknown one gives an empty list.", "example.com")] = ""
    result: Annotated[Rating, about("The rating.")] | UnsetType = UNSET
    status: Annotated[Status, about("How far the report is.")] | UnsetType = UNSET
    check: (
        Annotated[
            Literal[tuple(_CHECK_IDS)],  # type: ignore[valid-type]
            about("Id of a check; with verdict: reports whose current run has that verdict on it.", "noindex"),
            Meta(extra={MESSAGE: "The {field} field must be the id of a check, like title-present."}),
        ]
        | UnsetType
    ) = UNSET
    verdict: Annotated[Verdict, about("With check.")] | UnsetType = UNSET
    since: Annotated[datetime, about("Reports updated then or later.", "2026-11-21T10:00:04Z")] | UnsetType = UNSET
    sort_by: Annotated[ReportSort, about("id is the date created; result orders bad, decent, good.")] = ReportSort.ID
    sort: Direction = "desc"
    per_page: PerPage = 10
    page: PageNumber = 1
    cursor: Cursor = ""
    fields: Members = ""

    def wanted(self) -> ReportQuery:
        """Return it for the service."""
        return ReportQuery(
            search=self.search,
            project=self.project,
            result=sent_or(self.result),
            status=sent_or(self.status),
            check=sent_or(self.check, ""),
            verdict=sent_or(self.verdict),
            since=sent_or(self.since),
            sort_by=self.sort_by,
            descending=self.sort == "desc",
            per_page=self.per_page,
            page=self.page,
            cursor=self.cursor,
        )


class ChangesQuery(Struct, frozen=True):
    """The query of `GET /reports/{id}/changes`."""

    since: Annotated[RunNumber, about("Number of the run to compare with; the one before the current where absent.")] | UnsetType = UNSET


class BatchListQuery(Struct, frozen=True):
    """The query of `GET /batches`."""

    before: Annotated[int, Meta(ge=1, le=2**62), about("Batches with smaller numbers only.")] | UnsetType = UNSET
    per_page: PerPage = 10


class WithdrawQuery(Struct, frozen=True):
    """The query of `DELETE /reports/{id}/accepted/{check}`."""

    scope: Annotated[Scope, about("Only what was accepted for the report, or for the project; both where absent.")] | UnsetType = UNSET


class ChecksQuery(Struct, frozen=True):
    """The query of `GET /checks`."""

    language: Language = ""


# --- bodies -----------------------------------------------------------------------------------------------------------


class ReportCreate(Struct, frozen=True):
    """The page to report on, and who may see the report."""

    url: (
        Annotated[
            str,
            about("URL of the page. Without a scheme https is tried first, then http. At most 2,048 characters.", "https://example.com/"),
            Meta(extra=REQUIRED),
        ]
        | UnsetType
    ) = UNSET
    privacy: Annotated[
        Privacy, about("0 public: anyone with the link. 1 private: you. 2 password: anyone with the link and the password.")
    ] = Privacy.PUBLIC
    password: Password | UnsetType = UNSET


class ReportUpdate(Struct, frozen=True):
    """What to change of a report; only fields that are sent change."""

    privacy: Annotated[Privacy, about("As for a new report. Anything but 2 erases the stored password.")] | UnsetType = UNSET
    password: Annotated[str, about("With privacy 2, sent or stored.", "correct horse")] | UnsetType = UNSET
    results: Annotated[Literal[0, 1], about("1: generate the results again.")] = 0


class BatchCreate(Struct, frozen=True):
    """The URLs to report on: `urls` or `sitemap`."""

    urls: (
        Annotated[
            list[str],
            about(
                f"URLs, at most {MAX_ADDRESSES:,}. In a form repeated, or a text with one on a line.",
                ["https://example.com/", "https://example.com/about"],
            ),
        ]
        | UnsetType
    ) = UNSET
    sitemap: (
        Annotated[
            str,
            Meta(max_length=MAX_URL_CHARS),
            about("URL of a sitemap or of an index of sitemaps, gzip or not, instead of urls.", "https://example.com/sitemap.xml"),
        ]
        | UnsetType
    ) = UNSET
    privacy: Annotated[Privacy, about("Of every report, as for a single one.")] = Privacy.PUBLIC
    password: Password | UnsetType = UNSET


class Identity(Struct, frozen=True, forbid_unknown_fields=True):
    """What is sent to a project's own site. It is never returned."""

    user: Annotated[str, about("For Basic authentication.", "reviewer")] | UnsetType = UNSET
    password: Annotated[str, about("For Basic authentication.", "correct horse")] | UnsetType = UNSET
    headers: Annotated[dict[str, str], about("Name to value.", {"X-Preview": "5f3a9c1e"})] = {}
    cookies: Annotated[dict[str, str], about("Name to value.", {"preview": "5f3a9c1e"})] = {}
    user_agent: Annotated[str, about("Instead of ours.", "Example-Preview/1.0")] | UnsetType = UNSET


class ProjectCreate(Struct, frozen=True):
    """The site to make a project of."""

    project: Annotated[str, about("Host of the site, or any URL there.", "staging.example.com"), Meta(extra=REQUIRED)] | UnsetType = UNSET


class ProjectUpdate(Struct, frozen=True):
    """What to change of a project; only fields that are sent change."""

    not_for_search: (
        Annotated[
            list[str],
            about(
                f"Patterns of URLs not meant to be found: at most {MAX_PATTERNS}, of at most {MAX_PATTERN_CHARS} characters; in a form "
                "repeated or one on a line, sent empty for none. * stands for anything. One that begins with / is compared with the path, "
                "with and without its query, any other with the whole URL.",
                ["/thanks*", "https://example.com/cart/*"],
            ),
        ]
        | UnsetType
    ) = UNSET
    brand_name: (
        Annotated[str, about(f"Whose reports these are, at most {MAX_BRAND_CHARS} characters; empty or null for none.", "Example Ltd")]
        | UnsetType
        | None
    ) = UNSET
    brand_color: Annotated[str, about("Their accent; empty or null for ours.", "#1a5442")] | UnsetType | None = UNSET
    brand_logo: (
        Annotated[bytes, about("PNG, JPEG or WebP of at most 1 MB: a file in a multipart form, base64 elsewhere; empty or null for none.")]
        | UnsetType
        | None
    ) = UNSET
    language: (
        Annotated[str, about(f"In which the reports are shown: {', '.join(LANGUAGES)}; empty or null for what the reader asks for.", "de")]
        | UnsetType
        | None
    ) = UNSET
    identity: (
        Annotated[
            Identity,
            about(
                "What is sent to the project's own site, for a staging site: to the scheme, host and port of a report's URL and "
                "nowhere else. Replaces what was there; {} removes it. Kept encrypted, never returned."
            ),
        ]
        | UnsetType
    ) = UNSET


class ClientUpdate(Struct, frozen=True):
    """What guests are shown of a report; what is not sent is removed."""

    summary: Annotated[str, Meta(max_length=SUMMARY_CHARS), about("Plain text; line breaks are kept.")] = ""
    notes: Annotated[
        dict[str, str],
        about(
            f"Check id to note, each of at most {NOTE_CHARS:,} characters; in a form notes[title-present]=…",
            {"noindex": "We ask the agency."},
        ),
        Meta(extra_json_schema={"propertyNames": {"enum": _CHECK_IDS}}),
    ] = {}
    sections: (
        Annotated[
            list[Literal["search", "fixes", "outside", "findings", "counted", "facts", "evidence"]],
            about("What guests are shown of page and files; all where absent. `evidence`, the saved page, only where all are."),
        ]
        | UnsetType
    ) = UNSET
    prepared_by: Annotated[str, Meta(max_length=PERSON_CHARS), about("Who made the report.")] = ""
    prepared_for: Annotated[str, Meta(max_length=PERSON_CHARS), about("Whom it is for.")] = ""
    run: Annotated[RunNumber, about("The run that the link stays at; the newest result where absent.")] | UnsetType = UNSET


class LinkUpdate(Struct, frozen=True):
    """What to change of a report's link; only fields that are sent change."""

    until: (
        Annotated[
            date, about("Last day (UTC) on which guests see the report, today or later; empty or null: there is no end.", "2027-01-31")
        ]
        | UnsetType
        | None
    ) = UNSET
    listed: Annotated[Literal[0, 1], about("1: search engines may list this public report.")] | UnsetType = UNSET


class AcceptanceCreate(Struct, frozen=True):
    """Why a finding is accepted, how long and where."""

    reason: Annotated[str, Meta(max_length=REASON_CHARS), about("Why; shown with the finding.", "agreed with legal")]
    until: Annotated[date, about("Last day (UTC) on which it is accepted.", "2027-01-31")] | UnsetType = UNSET
    scope: Annotated[Scope, about("report: this report, until the evidence changes. project: the project's URLs that match pattern.")] = (
        Scope.REPORT
    )
    pattern: (
        Annotated[
            str,
            Meta(max_length=MAX_PATTERN_CHARS),
            about("With scope project; must match this report. All URLs where absent.", "/blog/*"),
        ]
        | UnsetType
    ) = UNSET


def unused_password(password: str | None, privacy: Privacy) -> list[str]:
    """Say that a password is not kept, to those who took the report to be behind it."""
    if not password or privacy is Privacy.PASSWORD:
        return []
    return [f"The password was ignored: it goes with privacy 2, and privacy is {privacy.value}."]
