"""Shapes of batches and their URLs."""

from typing import Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from findable.errors import PageError, PageErrorCode
from findable.export.report_json import DateTime
from findable.reports.page_error_text import sentences_of
from findable.service.reports.batches import BatchView, MemberView
from findable.service_urls import ServiceUrls
from findable.store.batch_statements import REFUSED
from findable.values import shape_of
from findable.web.api.shape_parts import Result, Score


class MemberFailure(Struct, frozen=True, kw_only=True):
    """URL of a batch without a result, with the reason."""

    url: str
    report: int | None
    code: str
    message: str
    retryable: bool


class BatchLinks(Struct, frozen=True, kw_only=True):
    """URLs of a batch."""

    self: str
    html: str
    reports: str


class BatchSummary(Struct, frozen=True, kw_only=True):
    """A batch in a list."""

    id: int
    object: Literal["batch"]
    status: Literal["running", "done"]
    sitemap: str | None
    created_at: DateTime
    privacy: Literal[0, 1, 2]
    addresses: int
    duplicates: int
    left_out: int
    counts: dict[str, int]
    results: dict[str, int]
    links: BatchLinks


class Batch(BatchSummary, frozen=True, kw_only=True):
    """Batch with its failed URLs."""

    failures: list[MemberFailure]


class MemberLinks(Struct, frozen=True, kw_only=True):
    """Links to the report of a batch's URL; empty without a report."""

    report: str | UnsetType = UNSET
    html: str | UnsetType = UNSET


class Member(Struct, frozen=True, kw_only=True):
    """URL of a batch. `report` is null if it is not yet queued, rejected, or if its report was deleted."""

    object: Literal["member"]
    url: str
    state: Literal["waiting", "queued", "running", "done", "failed", "refused", "deleted"]
    report: int | None
    result: Result | None
    score: Score | None
    links: MemberLinks


def batch_summary(view: BatchView, urls: ServiceUrls) -> BatchSummary:
    """Return a batch in the shape of lists."""
    own = urls.batch(view.id)
    return shape_of(
        BatchSummary,
        view,
        object="batch",
        status="done" if view.settled else "running",
        sitemap=view.source or None,
        links=BatchLinks(self=own, html=urls.batch_page(view.id), reports=f"{own}/reports"),
    )


def batch(view: BatchView, urls: ServiceUrls) -> Batch:
    """Return a batch in the shape of the API."""
    return Batch(**msgspec.structs.asdict(batch_summary(view, urls)), failures=[_failure(member) for member in view.failures])


def _failure(member: MemberView) -> MemberFailure:
    if member.refused:
        return shape_of(MemberFailure, member, code=REFUSED, message=member.refused, retryable=False)
    error = member.error or PageError(PageErrorCode.INTERNAL_ERROR)
    return shape_of(MemberFailure, member, code=error.code.value, message=sentences_of(error), retryable=error.retryable)


def member(view: MemberView, urls: ServiceUrls) -> Member:
    """Return a member of a batch."""
    links = MemberLinks()
    if view.report and view.public_id:
        links = MemberLinks(report=urls.report(view.report), html=urls.share_page(view.public_id))
    return shape_of(Member, view, object="member", links=links)
