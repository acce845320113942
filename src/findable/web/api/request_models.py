"""What endpoints take: declared once, validated from text, and shown in the OpenAPI document."""

import re
from base64 import b64decode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, ValidationError, WithJsonSchema
from pydantic_core import ErrorDetails, PydanticCustomError

from findable.checks.engine import all_checks
from findable.errors import ValidationFailed
from findable.reports.acceptance import REASON_CHARS
from findable.reports.url_patterns import MAX_PATTERN_CHARS, MAX_PATTERNS
from findable.service.projects.projects import MAX_BRAND_CHARS
from findable.service.reports.batches import MAX_ADDRESSES
from findable.service.reports.report_links import NOTE_CHARS, PERSON_CHARS, SUMMARY_CHARS
from findable.service.values.use_cases import MAX_SEARCH_CHARS, ProjectSort, ReportSort, Scope
from findable.urls import MAX_URL_CHARS
from findable.vocabulary import Privacy, Rating, Status, Verdict
from findable.wording import LANGUAGES

MAX_PAGE = 100_000
MAX_WAIT_S = 60

Model = TypeVar("Model", bound=BaseModel)


def _whole(value: Any) -> Any:
    """Text of a whole number to that number; anything else as it is, to be refused by the type. JSON's ``true`` is no number."""
    if isinstance(value, bool):
        return str(value)
    return int(value) if isinstance(value, str) and re.fullmatch(r"-?\d{1,15}", value, re.ASCII) else value


def _moment(value: Any) -> Any:
    """RFC 3339; UTC where no offset stands, midnight where no time does. A space before an offset is a ``+`` sent as it is."""
    try:
        if not isinstance(value, str) or not re.match(r"\d{4}-\d{2}-\d{2}", value, re.ASCII):
            raise ValueError
        moment = datetime.fromisoformat(re.sub(r"(?<=\d) (?=\d\d:\d\d\Z)", "+", value) if "T" in value else value)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise PydanticCustomError("moment", "The {field} field must be a date-time like 2026-11-21T10:00:04Z.") from error


def _check_id(value: Any) -> Any:
    if value not in all_checks():
        raise PydanticCustomError("check", "The {field} field must be the id of a check, like title-present.")
    return value


def _file(value: Any) -> Any:
    """Bytes of a file, or base64."""
    if isinstance(value, str):
        with suppress(ValueError):
            return b64decode(value, validate=True)
    elif isinstance(value, bytes):
        return value
    raise PydanticCustomError("file", "The {field} field must be a file, or base64.")


def _day(value: Any) -> Any:
    """An ISO date."""
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d{2}-\d{2}", value, re.ASCII):
        with suppress(ValueError):
            return date.fromisoformat(value)
    raise PydanticCustomError("day", "The {field} field must be a date like 2027-01-31.")


def _last_day(value: Any) -> Any:
    """An ISO date, or empty for none."""
    return "" if value == "" else _day(value)


Whole = BeforeValidator(_whole)
PerPage = Annotated[Literal[10, 25, 50, 100], Whole]
PageNumber = Annotated[int, Field(ge=1, le=MAX_PAGE, strict=True), Whole]
Search = Annotated[str, Field(max_length=MAX_SEARCH_CHARS)]
Cursor = Annotated[str, Field(max_length=512, description="Opaque: follow links.next_cursor. Wins over page.")]
Wait = Annotated[int, Field(ge=0, le=MAX_WAIT_S, strict=True), Whole]


class Parameters(BaseModel):
    """Fields by name. Unknown ones are not an error."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    names: ClassVar[frozenset[str]] = frozenset()

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Remembers the names of the fields."""
        cls.names = frozenset(cls.model_fields)


class NoQuery(Parameters):
    """No parameters."""


class WaitQuery(Parameters):
    """How long the answer may wait for the report."""

    wait: Wait | None = Field(
        None, description=f"Seconds to wait for the report, 0 to {MAX_WAIT_S}. Wins over Prefer: wait=N.", examples=[20]
    )


class ProjectListQuery(Parameters):
    """The query of `GET /projects`."""

    search: Search = Field("", description="Part of the name, in any case.", examples=["example"])
    search_by: Literal["project"] = "project"
    sort_by: ProjectSort = Field(ProjectSort.CREATED_AT, description="Ties are broken by id.")
    sort: Literal["desc", "asc"] = "desc"
    per_page: PerPage = 10
    page: PageNumber = Field(1, description="From 1. For deep lists follow the cursors.")
    cursor: Cursor = ""


class ReportListQuery(Parameters):
    """The query of `GET /reports`."""

    search: Search = Field("", description="Part of the address, in any case.", examples=["/blog/"])
    search_by: Literal["url"] = "url"
    project: Search = Field("", description="Name or id of a project; an unknown one gives an empty list.", examples=["example.com"])
    result: Rating | None = Field(None, description="The rating.")
    status: Status | None = Field(None, description="How far the report is.")
    check: Annotated[str, BeforeValidator(_check_id)] | None = Field(
        None, description="Id of a check; with verdict: reports whose current run has that verdict on it.", examples=["noindex"]
    )
    verdict: Verdict | None = Field(None, description="With check.")
    since: Annotated[datetime, BeforeValidator(_moment)] | None = Field(
        None, description="Reports updated then or later.", examples=["2026-11-21T10:00:04Z"]
    )
    sort_by: ReportSort = Field(ReportSort.ID, description="id is the date created; result orders bad, decent, good.")
    sort: Literal["desc", "asc"] = "desc"
    per_page: PerPage = 10
    page: PageNumber = Field(1, description="From 1. For deep lists follow the cursors.")
    cursor: Cursor = ""


class ChangesQuery(Parameters):
    """The query of `GET /reports/{id}/changes`."""

    since: Annotated[int, Field(ge=1, le=10**9, strict=True), Whole] | None = Field(
        None, description="Number of the run to compare with; the one before the current where absent."
    )


class CreateBody(Parameters):
    """The fields of `POST /reports`. That `url` is missing is said by the service, together with what else is wrong."""

    model_config = ConfigDict(json_schema_extra={"required": ["url"]})

    url: str | None = Field(
        None,
        description="Address of the page. Without a scheme https is tried first, then http. At most 2,048 characters.",
        examples=["https://example.com/"],
    )
    privacy: Annotated[Privacy, Whole] = Field(
        Privacy.PUBLIC, description="0 public: anyone with the link. 1 private: you. 2 password: anyone with the link and the password."
    )
    password: str | None = Field(None, description="Needed with privacy 2; never returned.", examples=["correct horse"])


class BatchBody(Parameters):
    """The fields of `POST /batches`: `urls` or `sitemap`. That both are missing is said by the service."""

    urls: Annotated[list[str], WithJsonSchema({"type": ["array", "string"], "items": {"type": "string"}})] | None = Field(
        None,
        description=f"Addresses, at most {MAX_ADDRESSES:,}: a list, or a text with one on a line.",
        examples=[["https://example.com/", "https://example.com/about"]],
    )
    sitemap: Annotated[str, Field(max_length=MAX_URL_CHARS)] | None = Field(
        None,
        description="Address of a sitemap or of an index of sitemaps, gzip or not, instead of urls.",
        examples=["https://example.com/sitemap.xml"],
    )
    privacy: Annotated[Privacy, Whole] = Field(Privacy.PUBLIC, description="Of every report, as for a single one.")
    password: str | None = Field(None, description="Needed with privacy 2; never returned.", examples=["correct horse"])


class BatchListQuery(Parameters):
    """The query of `GET /batches`."""

    before: Annotated[int, Field(ge=1, le=2**62, strict=True), Whole] | None = Field(None, description="Batches with smaller numbers only.")
    per_page: PerPage = 10


class UpdateBody(Parameters):
    """The fields of `PUT /reports/{id}`; only those sent change."""

    privacy: Annotated[Privacy, Whole] | None = Field(None, description="As for a new report. Anything but 2 erases the stored password.")
    password: str | None = Field(None, description="With privacy 2, sent or stored.", examples=["correct horse"])
    results: Annotated[Literal[0, 1], Whole] = Field(0, description="1: generate the results again.")


class IdentityBody(BaseModel):
    """What goes along to a project's own site. It is never returned."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    user: str | None = Field(None, description="For Basic authentication.", examples=["reviewer"])
    password: str | None = Field(None, description="For Basic authentication.", examples=["correct horse"])
    headers: dict[str, str] = Field({}, description="Name to value.", examples=[{"X-Preview": "5f3a9c1e"}])
    cookies: dict[str, str] = Field({}, description="Name to value.", examples=[{"preview": "5f3a9c1e"}])
    user_agent: str | None = Field(None, description="Instead of ours.", examples=["Example-Preview/1.0"])


class NewProjectBody(Parameters):
    """The fields of `POST /projects`. That `project` is missing is said by the service."""

    model_config = ConfigDict(json_schema_extra={"required": ["project"]})

    project: str | None = Field(None, description="Host of the site, or any address there.", examples=["staging.example.com"])


class ProjectBody(Parameters):
    """The fields of `PUT /projects/{project}`; only those sent change."""

    not_for_search: list[str] | None = Field(
        None,
        description=f"Patterns of addresses not meant to be found: at most {MAX_PATTERNS}, of at most {MAX_PATTERN_CHARS} characters; "
        "a list in JSON, in a form repeated or one on a line, sent empty for none. * stands for anything. One that begins with / is held "
        "against the path, with and without its query, any other against the whole address.",
        examples=[["/thanks*", "https://example.com/cart/*"]],
    )
    brand_name: str | None = Field(
        None, description=f"Whose reports these are, at most {MAX_BRAND_CHARS} characters; empty for none.", examples=["Example Ltd"]
    )
    brand_color: str | None = Field(None, description="Their accent; empty for ours.", examples=["#1a5442"])
    brand_logo: Annotated[bytes, BeforeValidator(_file), WithJsonSchema({"type": "string", "contentEncoding": "base64"})] | None = Field(
        None, description="PNG, JPEG or WebP of at most 1 MB: a file in a multipart form, base64 elsewhere; empty for none."
    )
    language: str | None = Field(
        None, description=f"In which the reports are shown: {', '.join(LANGUAGES)}; empty for what the reader asks for.", examples=["de"]
    )
    identity: IdentityBody | None = Field(
        None,
        description="What goes along to the project's own site, for a staging site: to the scheme, host and port of a report's address and "
        "nowhere else. Replaces what was there; {} takes it away. Kept encrypted, never returned.",
    )


class ClientBody(Parameters):
    """The fields of `PUT /reports/{id}/client`; what is not sent is taken away."""

    summary: Annotated[str, Field(max_length=SUMMARY_CHARS)] = Field("", description="Plain text; line breaks are kept.")
    notes: dict[str, str] = Field(
        default_factory=dict,
        description=f"Check id to note, each of at most {NOTE_CHARS:,} characters; in a form notes[title-present]=…",
        examples=[{"noindex": "We ask the agency."}],
        json_schema_extra={"propertyNames": {"enum": list[JsonValue](sorted(all_checks()))}},
    )
    sections: list[Literal["search", "fixes", "outside", "findings", "counted", "facts", "evidence"]] | None = Field(
        None,
        description="What guests are shown of page and files; all where absent. `evidence`, the saved page, only where all are.",
    )
    prepared_by: Annotated[str, Field(max_length=PERSON_CHARS)] = ""
    prepared_for: Annotated[str, Field(max_length=PERSON_CHARS)] = ""
    run: Annotated[int, Field(ge=1, le=10**9, strict=True), Whole] | None = Field(
        None, description="The run that the link stays at; the newest result where absent."
    )


class LinkBody(Parameters):
    """The fields of `PUT /reports/{id}/link`; only those sent change."""

    until: Annotated[date | Literal[""], BeforeValidator(_last_day), WithJsonSchema({"type": "string"})] | None = Field(
        None,
        description="Last day (UTC) on which guests see the report, today or later; sent empty, there is no end.",
        examples=["2027-01-31"],
    )
    listed: Annotated[Literal[0, 1], Whole] | None = Field(None, description="1: search engines may list this public report.")


class AcceptBody(Parameters):
    """The fields of `PUT /reports/{id}/accepted/{check}`."""

    reason: Annotated[str, Field(max_length=REASON_CHARS)] = Field(
        description="Why; shown with the finding.", examples=["agreed with legal"]
    )
    until: Annotated[date, BeforeValidator(_day), WithJsonSchema({"type": "string"})] | None = Field(
        None, description="Last day (UTC) on which it is accepted.", examples=["2027-01-31"]
    )
    scope: Scope = Field(
        Scope.REPORT,
        description="report: this report, until the evidence changes. project: the project's addresses that match pattern.",
    )
    pattern: Annotated[str, Field(max_length=MAX_PATTERN_CHARS)] | None = Field(
        None, description="With scope project; must match this report. All addresses where absent.", examples=["/blog/*"]
    )


class WithdrawQuery(Parameters):
    """The query of `DELETE /reports/{id}/accepted/{check}`."""

    scope: Scope | None = Field(None, description="Only what was accepted for the report, or for the project; both where absent.")


def read(model: type[Model], fields: Mapping[str, Any]) -> Model:
    """The fields as values. Raises ValidationFailed with a sentence for each that is wrong."""
    try:
        return model.model_validate(dict(fields))
    except ValidationError as error:
        raise ValidationFailed(sentences(error.errors(include_url=False, include_input=False))) from None


def errors_of(model: type[Model], fields: Mapping[str, Any]) -> dict[str, list[str]]:
    """The sentences of `read` without raising."""
    try:
        model.model_validate(dict(fields))
    except ValidationError as error:
        return sentences(error.errors(include_url=False, include_input=False))
    return {}


def unknown_names(model: type[Parameters], fields: Mapping[str, Any]) -> list[str]:
    """Sentences that name the fields nobody reads."""
    return [f"The field {name[:100]} is not known and was ignored." for name in fields if name not in model.names]


def unknown_parameters(model: type[Parameters], query: Mapping[str, Any]) -> list[str]:
    """The same for the query of a request whose fields stand in its body."""
    return [f"The parameter {name[:100]} in the address was ignored." for name in query if name not in model.names]


def unused_password(password: str | None, privacy: Privacy) -> list[str]:
    """Says that a password is not kept, to those who took the report to be behind it."""
    if not password or privacy is Privacy.PASSWORD:
        return []
    return [f"The password was ignored: it goes with privacy 2, and privacy is {privacy.value}."]


def sentences(details: Sequence[ErrorDetails]) -> dict[str, list[str]]:
    """Field to sentences, as Laravel words them."""
    found: dict[str, list[str]] = {}
    for detail in details:
        field = ".".join(str(part) for part in detail["loc"][:2] if isinstance(part, str))  # a member of an object; not a place in a list
        sentence = _sentence(field, detail)
        if sentence not in found.setdefault(field, []):
            found[field].append(sentence)
    return found


def _sentence(field: str, detail: ErrorDetails) -> str:
    kind, context = detail["type"], detail.get("ctx", {})
    if kind == "string_type" and isinstance(detail["loc"][-1], int):
        return f"The {field} field must be a list of strings."
    if kind in ("literal_error", "enum"):
        return f"The selected {field} is invalid; allowed: {_allowed(context['expected'])}."
    templates = {
        "missing": "The {field} field is required.",
        "string_type": "The {field} field must be a string.",
        "string_too_long": "The {field} field must not be longer than {max_length} characters.",
        "greater_than_equal": "The {field} field must be at least {ge}.",
        "less_than_equal": "The {field} field must not be greater than {le}.",
        "list_type": "The {field} field must be a list.",
        "int_type": "The {field} field must be a whole number.",
        "dict_type": "The {field} field must be an object.",
        "model_type": "The {field} field must be an object.",
        "extra_forbidden": "The {field} field is not known.",
    }
    return templates.get(kind, detail["msg"]).format(field=field, **context)


def _allowed(expected: str) -> str:
    """``'desc' or 'asc'`` to ``desc, asc``."""
    return expected.replace("'", "").replace(" or ", ", ")
