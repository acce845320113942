"""Arguments of the agent tools, from which their JSON schemas are generated."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from findable.crawl.page_selection import NUMBER, SORTS
from findable.errors import ValidationFailed
from findable.urls import MAX_URL_CHARS
from findable.vocabulary import Verdict

_Url = Annotated[str, Meta(min_length=1, max_length=MAX_URL_CHARS, description="URL; without a scheme https is tried first.")]
_Report = Annotated[int, Meta(ge=1, le=2**53, description="Id of a report.")]
_CrawlId = Annotated[int, Meta(ge=1, le=2**53, description="Id of a crawl.")]
_Cursor = Annotated[str, Meta(max_length=500, description="Cursor from the previous response.")]
_Name = Annotated[str, Meta(max_length=200)]


class Arguments(Struct, frozen=True, forbid_unknown_fields=True):
    """Base of the arguments of an agent tool; unknown arguments are errors."""


class OfReportOrCrawl(Arguments, frozen=True, kw_only=True):
    """Base of the arguments of a tool about a report or a crawl."""

    report: _Report | None = None
    crawl: _CrawlId | None = None

    def subject(self) -> tuple[int | None, int]:
        """Return the id of the report, None for a crawl, and the id of the crawl. Raises ValidationFailed unless one of them was sent."""
        if (self.report is None) == (self.crawl is None):
            raise ValidationFailed({"report": ["Send the id of a report or of a crawl."]})
        return self.report, self.crawl or 0


class AuditPage(Arguments, frozen=True):
    """Arguments of `audit_page`."""

    url: _Url
    fresh: Annotated[bool, Meta(description="Generate a new report, even if one is less than a day old.")] = False


class Findings(OfReportOrCrawl, frozen=True, kw_only=True):
    """Arguments of `findings`."""

    check: Annotated[_Name, Meta(description="Id of a check.")] = ""
    cursor: _Cursor = ""


class Finding(OfReportOrCrawl, frozen=True, kw_only=True):
    """Arguments of `finding`."""

    key: Annotated[str, Meta(min_length=1, max_length=MAX_URL_CHARS, description="Key of the finding, or id of its check in a report.")]


class Recheck(Arguments, frozen=True):
    """Arguments of `recheck`."""

    report: _Report
    key: Annotated[str, Meta(min_length=1, max_length=MAX_URL_CHARS, description="Key of the finding, or id of its check.")]


class CrawlSite(Arguments, frozen=True):
    """Arguments of `crawl_site`."""

    url: _Url
    pages: Annotated[int, Meta(ge=1, le=500, description="Maximum number of pages.")] = 500
    fresh: Annotated[bool, Meta(description="Start a new crawl, even if one is less than a day old.")] = False


class CrawlArguments(Arguments, frozen=True):
    """Arguments of `crawl`."""

    crawl: _CrawlId


class Pages(Arguments, frozen=True):
    """Arguments of `pages`."""

    crawl: _CrawlId
    status: Annotated[str, Meta(pattern=r"^\d{0,9}(\.\.\d{0,9})?$", description="404 or 500..599.")] | None = None
    check: Annotated[_Name, Meta(description="Id of a failed or warned check.")] | None = None
    verdict: Verdict | None = None
    indexable: bool | None = None
    folder: Annotated[str, Meta(max_length=500, description="Folder like /blog/.")] | None = None
    search: Annotated[str, Meta(max_length=200, description="Part of the URL.")] = ""
    finding: Annotated[str, Meta(max_length=MAX_URL_CHARS, description="Key of a finding of the crawl.")] | None = None
    columns: Annotated[tuple[_Name, ...], Meta(max_length=8, description="See tables://crawl.")] = (
        "status",
        "score",
        "title",
    )
    sort_by: Literal[SORTS[:-1]] = NUMBER  # type: ignore[valid-type]  # created from a table; no sort order by uploaded metric
    descending: bool = False
    limit: Annotated[int, Meta(ge=1, le=100)] = 25
    cursor: _Cursor = ""


class Links(Arguments, frozen=True):
    """Arguments of `links`."""

    crawl: _CrawlId
    to: Annotated[str, Meta(max_length=MAX_URL_CHARS, description="Linked URL.")] = ""
    of: Annotated[str, Meta(max_length=MAX_URL_CHARS, description="Page with the links.")] = ""
    cursor: _Cursor = ""


class QueryCrawl(Arguments, frozen=True):
    """Arguments of `query_crawl`."""

    crawl: Annotated[int | None, Meta(description="Id of the crawl.")] = None
    project: Annotated[
        str, Meta(max_length=255, description="Asks the newest crawls of a project instead; tables have crawl and crawled_at.")
    ] = ""
    sql: Annotated[str, Meta(max_length=20_000, description="SELECT statement over the tables; tables://crawl lists them.")] = ""
    question: Annotated[str, Meta(max_length=100, description="Name of a question, instead of sql.")] = ""
    params: Annotated[dict[str, str], Meta(description="Values of parameters by name.")] = {}


class Compare(OfReportOrCrawl, frozen=True, kw_only=True):
    """Arguments of `compare`."""

    since: (
        Annotated[int, Meta(ge=1, le=2**53, description="Earlier run of the report, or earlier crawl; default: the last one.")] | None
    ) = None


class Projects(Arguments, frozen=True):
    """Arguments of `projects`."""

    search: _Name = ""
    tag: _Name = ""
    cursor: _Cursor = ""


class Watch(Arguments, frozen=True):
    """Arguments of `watch`."""

    project: _Name
    stop: bool = False


class Bots(Arguments, frozen=True):
    """Arguments of `bots`."""

    project: _Name
    list: Annotated[_Name, Meta(description="Name of a list, for its URLs.")] = ""


class AcceptFinding(Arguments, frozen=True):
    """Arguments of `accept_finding`."""

    report: _Report
    key: Annotated[str, Meta(min_length=1, max_length=MAX_URL_CHARS, description="Key of the finding, or id of its check.")]
    reason: Annotated[str, Meta(min_length=1, max_length=400, description="Why it may stay, for the people of the project.")]


def json_schema(kind: type[Struct]) -> dict[str, Any]:
    """Return the JSON schema of a Struct, with the schemas of its members under ``$defs``, without titles and descriptions of types."""
    _, parts = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    for part in parts.values():
        for name in ("title", "description"):
            part.pop(name, None)
    own = dict(parts.pop(kind.__name__))
    return {**own, "$defs": parts} if parts else own


def arguments_schema(kind: type[Arguments]) -> dict[str, Any]:
    """Return the JSON schema of arguments. An optional argument may be left out, but is not declared as nullable.

    Models and command lines send numbers as text where a schema allows several types.
    """
    schema = json_schema(kind)
    schema["properties"] = {name: _not_null(member) for name, member in schema.get("properties", {}).items()}
    return schema


def _not_null(member: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an argument without the type null and its default."""
    others = [one for one in member.get("anyOf", ()) if one != {"type": "null"}]
    if len(others) != 1:
        return dict(member)
    return {**{name: value for name, value in member.items() if name not in ("anyOf", "default")}, **others[0]}
