"""Route of the import of sites from a table: `/site-imports`."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from findable.service.projects import site_imports
from findable.service.projects.site_imports import SiteImport
from findable.web.api.operation import Call, Data, Reply, operation
from findable.web.api.validation import value_or
from findable.web.bodies import Bounds

SITES_BODY = Bounds(site_imports.MAX_BYTES * 14 // 10, 10)
"""Limits of the body: a table of maximum size, encoded in base64."""


class SitesUpload(Struct, frozen=True):
    """Table of sites with their settings, as text or file."""

    csv: str | UnsetType = UNSET
    """Text of the table: columns separated by commas, semicolons or tabs, with their names in the first line."""
    file: bytes | UnsetType = UNSET
    """File in place of csv: UTF-8 or UTF-16 in a multipart form, base64 elsewhere."""
    dry_run: Literal[0, 1] = 0
    """1: return what would be changed, and change nothing."""


@operation(
    "POST",
    "/site-imports",
    {200: Data[SiteImport]},
    bounds=SITES_BODY,
    example={"csv": "url,name,client,tags,interval\nshop.example.com,Shop,Example Ltd,shop;de,week\n", "dry_run": 1},
)
def import_projects(call: Call, *, body: SitesUpload) -> Reply:
    """Create and update sites from a table. Owners of the account only.

    CSV with the columns url, name, client, tags (separated by semicolons or commas), language, owner (email address of a person with
    access), recipients of the monthly report, brand (name of a brand of the account or of a project) and interval of watching (day, week,
    month or PT6H). Only url is required. An empty cell changes nothing, a hyphen removes the value, so that the same table again changes
    nothing. A row with an error changes nothing; the others are applied.
    """
    data = value_or(body.file) or value_or(body.csv)
    return call.write_reply(Reply(site_imports.import_sites(call.service, call.caller, data, dry_run=bool(body.dry_run))), 0)
