"""Queries that several routes share: pages of lists, fields, and waiting; the others stand beside their routes."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.checks.engine import all_checks
from findable.checks.removed_checks import REMOVED_CHECKS
from findable.service.values.paging import MAX_SEARCH_CHARS, PerPage
from findable.values import MESSAGE
from findable.vocabulary import Privacy

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


class ChangesQuery(Struct, frozen=True):
    """The query of `GET /reports/{id}/changes`."""

    since: RunNumber | UnsetType = UNSET
    """Number of the run to compare with. Default: the previous run."""


class CrawlReadQuery(FieldsQuery, frozen=True):
    """The query of `GET /crawls/{id}`."""

    wait: Wait | UnsetType = UNSET
    """Seconds to wait for the end of the crawl. Overrides Prefer: wait=N."""


def password_warning(password: str | None, privacy: Privacy) -> list[str]:
    """Return a warning if a request sets a password without password privacy; empty if it does not."""
    if not password or privacy is Privacy.PASSWORD:
        return []
    return [f"The password was ignored: it goes with privacy 2, and privacy is {privacy.value}."]
