"""Parts that several responses of the API share: error of a page, deleted object, and position in a list."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Generic, Literal, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.errors import PageError
from findable.export.report_json import Points
from findable.reports.page_error_text import sentences_of
from findable.reports.search_verdict import SearchVerdict, VerdictCode
from findable.service.values.paging import Page
from findable.values import DateTime, shape_of
from findable.web.api.operation import Call, ListMeta, Reply
from findable.web.pagination_links import links_forward, list_links
from findable.wording import ENGLISH, Translator

Day = Annotated[str, Meta(extra_json_schema={"format": "date"}, examples=["2027-01-31"])]
Result = Literal["good", "decent", "bad"]
Score = Points
ObjectName = TypeVar("ObjectName", bound=str)


class Deleted(Struct, Generic[ObjectName], frozen=True, kw_only=True):
    """Deleted object."""

    id: int
    object: ObjectName
    deleted: Annotated[bool, Meta(description="Always true.")] = True


class ProblemShape(Struct, frozen=True, kw_only=True):
    """Reason why a report has no result."""

    code: str
    message: str
    retryable: bool
    at: DateTime | UnsetType = UNSET


class VerdictShape(Struct, frozen=True, kw_only=True):
    """Verdict in search: what the newest result means for the site or page, and what to do."""

    code: VerdictCode
    cause: str | None
    """Cause, like noindex or robots_status; of a narrower crawl the respect in which it is narrower."""
    since: DateTime | None
    """Time of the first result in a row with this code."""
    sentence: str
    next_step: str | None


def verdict(found: SearchVerdict | None, say: Translator = ENGLISH) -> VerdictShape | None:
    """Return a verdict in the shape of the API, in the language of ``say``; None if nothing may be said."""
    if found is None:
        return None
    cause = found.cause.value or str(found.values.get("reason", "")) or None
    return VerdictShape(
        code=found.code, cause=cause, since=found.since, sentence=found.sentence(say), next_step=found.next_step(say) or None
    )


def problem(error: PageError | None, say: Translator = ENGLISH) -> ProblemShape | None:
    """Return the reason why a report has no result, in the language of ``say``; None without an error."""
    if error is None:
        return None
    at = UNSET if error.at is None else datetime.fromtimestamp(error.at, UTC)
    return ProblemShape(code=error.code, message=sentences_of(error, say), retryable=error.retryable, at=at)


def cursor_page_reply(
    call: Call, rows: Sequence[Any], per_page: int, parameter: str, shape: Callable[[Any], Any] = lambda row: row
) -> Reply:
    """Return the first ``per_page`` rows of a list that is read forward, with the link to the next rows if there are more."""
    shown = rows[:per_page]
    following = shown[-1].id if len(rows) > per_page else None
    return Reply([shape(row) for row in shown], links=links_forward(call.path, call.query, parameter, following))


def page_reply(call: Call, page: Page[Any], data: Any) -> Reply:
    """Return a page of a list with its position and the links to the other pages. ``data``: its items in the shape of the API."""
    return Reply(data, links=list_links(page, call.path, call.query), meta=_list_meta(page, call.path))


def _list_meta(page: Page[Any], path: str) -> ListMeta:
    """Return the position of a page in a list with the members of Laravel. If a cursor was sent, the position is unknown."""
    start = None if page.page is None else (page.page - 1) * page.per_page
    count = len(page.items)
    return shape_of(
        ListMeta,
        page,
        current_page=page.page,
        from_=start + 1 if start is not None and count else None,
        path=path,
        to=start + count if start is not None and count else None,
        total_is_estimate=page.total_is_estimate or UNSET,
    )
