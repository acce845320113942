"""Routes of uploaded metrics by URL: `/projects/{project}/url-data`."""

from datetime import date
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.service.projects import url_data
from findable.service.projects.url_data import UrlData, UrlDataUploaded
from findable.web.api.operation import Call, Data, Items, Reply, operation
from findable.web.api.project_shapes import UrlDataDeleted
from findable.web.api.validation import value_or
from findable.web.bodies import Bounds

PATH = "/projects/{project}/url-data"
BODY = Bounds(url_data.MAX_BYTES * 14 // 10, 10)
"""Limits of the body: a table of maximum size, encoded in base64."""
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


@operation("GET", PATH, {200: Items[UrlData]})
def list_url_data(call: Call, project: str) -> Reply:
    """List the uploads of a project by source."""
    return Reply(url_data.find(call.service, call.caller, project))


@operation(
    "POST",
    PATH,
    {201: Data[UrlDataUploaded]},
    bounds=BODY,
    example={"csv": "url,clicks\nhttps://example.com/,1200\n", "date": "2026-11-21"},
)
def upload_url_data(call: Call, project: str, *, body: UrlDataCreate) -> Reply:
    """Upload metrics by URL.

    A CSV table with a column of URLs or paths and columns of numbers, which become columns of the pages of crawls. Exports of Search
    Console, Google Analytics 4 and Ahrefs and log counts are recognised by their column names. The metrics of a source replace its earlier
    ones. An error contains the line number.
    """
    made = url_data.upload(
        call.service,
        call.caller,
        project,
        data=value_or(body.file) or value_or(body.csv),
        source=value_or(body.source, ""),
        day="" if body.date is UNSET else body.date.isoformat(),
    )
    return call.write_reply(Reply(made, 201), 0)


@operation("DELETE", "/projects/{project}/url-data/{source}", {200: Data[UrlDataDeleted]})
def delete_url_data(call: Call, project: str, source: str) -> Reply:
    """Delete the upload of a source."""
    url_data.remove(call.service, call.caller, project, source)
    return call.write_reply(Reply(UrlDataDeleted(source=source)), 0)
