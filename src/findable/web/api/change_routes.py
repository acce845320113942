"""Routes of the changes since a time, in all projects or one: `/changes`, `/projects/{project}/changes`."""

from datetime import datetime
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from findable.service.projects import change_overview
from findable.service.projects.change_overview import CertificateShape, ChangedMembers, ChangedView, ChangeOverview, WorkDone
from findable.service_urls import ServiceUrls
from findable.values import DateTime, shape_of
from findable.web.api.alert_routes import AlertShape, alert
from findable.web.api.operation import Call, Data, Reply, operation
from findable.web.api.validation import value_or


class ChangesQuery(Struct, frozen=True):
    """The query of `GET /changes` and `GET /projects/{project}/changes`."""

    since: datetime | UnsetType = UNSET
    """Beginning of the period, at most 30 days ago. Default: a week ago."""


class ChangedShape(ChangedMembers, frozen=True, kw_only=True):
    """Page or site with new or fixed findings."""

    object: Literal["page", "site"]
    new: tuple[str, ...]
    """Checks with new problems."""
    html: str


class LostShape(Struct, frozen=True, kw_only=True):
    """Pages that search engines lost between two crawls."""

    project: str
    at: DateTime
    gone: int
    became_non_indexable: int
    html: str
    """URL of the comparison."""


class AwayShape(Struct, frozen=True, kw_only=True):
    """Page that returned an error for a time and is available again; it is neither worse nor better."""

    project: str
    url: str
    since: DateTime
    until: DateTime
    html: str


class ChangesShape(Struct, frozen=True, kw_only=True):
    """Changes since a time: worse and fixed pages, alerts, certificates that expire soon, and lost pages."""

    object: Literal["changes"] = "changes"
    since: DateTime
    worse: tuple[ChangedShape, ...]
    """Pages and sites with a new problem or a lower score, largest drop first."""
    fixed: tuple[ChangedShape, ...]
    """Pages and sites with a fixed problem, newest first."""
    is_part: bool
    """Whether more than 300 pages and sites changed; only the most recently changed ones are compared."""
    alerts_opened: tuple[AlertShape, ...]
    alerts_closed: tuple[AlertShape, ...]
    alerts_still_open: tuple[AlertShape, ...]
    certificates: tuple[CertificateShape, ...]
    lost_pages: tuple[LostShape, ...]
    away: tuple[AwayShape, ...]
    work: tuple[WorkDone, ...]
    """Findings of one project that were fixed or accepted, newest first; empty for all projects."""


@operation("GET", "/changes", {200: Data[ChangesShape]})
def get_changes_of_all_projects(call: Call, *, query: ChangesQuery) -> Reply:
    """Read the changes in all projects.

    New, fixed and open problems since a given time, alerts, certificates that expire soon, and pages lost between crawls.
    """
    return Reply(_shape(change_overview.get(call.service, call.caller, "", value_or(query.since)), call.at))


@operation("GET", "/projects/{project}/changes", {200: Data[ChangesShape]})
def get_changes_of_project(call: Call, project: str, *, query: ChangesQuery) -> Reply:
    """Read the changes in a project.

    See `GET /changes`.
    """
    return Reply(_shape(change_overview.get(call.service, call.caller, project, value_or(query.since)), call.at))


def _shape(overview: ChangeOverview, urls: ServiceUrls) -> ChangesShape:
    return ChangesShape(
        since=overview.since,
        worse=tuple(_changed_shape(one, urls) for one in overview.pages.worse),
        fixed=tuple(_changed_shape(one, urls) for one in overview.pages.better),
        is_part=overview.pages.is_part,
        alerts_opened=tuple(alert(one, urls) for one in overview.opened_alerts),
        alerts_closed=tuple(alert(one, urls) for one in overview.closed_alerts),
        alerts_still_open=tuple(alert(one, urls) for one in overview.still_open),
        away=tuple(shape_of(AwayShape, one, html=f"{urls.base_url}{one.path}") for one in overview.pages.away),
        certificates=overview.certificates,
        work=overview.work,
        lost_pages=tuple(
            shape_of(
                LostShape,
                one,
                gone=one.counts.get("gone", 0),
                became_non_indexable=one.counts.get("became_non_indexable", 0),
                html=f"{urls.base_url}{one.path}",
            )
            for one in overview.losses
        ),
    )


def _changed_shape(one: ChangedView, urls: ServiceUrls) -> ChangedShape:
    return shape_of(ChangedShape, one, object="site" if one.is_site else "page", html=f"{urls.base_url}{one.path}")
