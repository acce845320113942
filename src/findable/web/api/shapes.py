"""Our values to the words of the interface and back: the only place where a rating is called ``result``.

The types are the shapes: the OpenAPI document is made from them.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from findable.clock import rfc3339
from findable.reports.model import body, shown_finding
from findable.service.values import (
    AccountView,
    Caller,
    ChangedFinding,
    Changes,
    DeletedProject,
    Page,
    Problem,
    ProjectView,
    ReportView,
    RunView,
)
from findable.web.api.addresses import Addresses

DateTime = Annotated[str, Field(json_schema_extra={"format": "date-time"}, examples=["2026-11-21T10:00:04Z"])]
Result = Literal["good", "decent", "bad"]
Status = Literal["queued", "running", "done", "failed"]
Verdict = Literal["passed", "warned", "failed", "inapplicable", "unknown", "info"]
Score = Annotated[int, Field(ge=0, le=100)]


class ProblemShape(TypedDict):
    """Why a page has no result."""

    code: str
    message: str
    retryable: bool
    at: NotRequired[DateTime]


class Progress(TypedDict):
    """How far the running generation is."""

    stage: str
    done: int
    of: int


class Previous(TypedDict):
    """The rated run before the current one."""

    report: int
    run: int
    result: Result
    score: Score
    change: int


class Engine(TypedDict):
    """What made the result; scores are compared within one profile."""

    version: str
    ruleset: str
    profile: str


class ReportLinks(TypedDict):
    """Addresses of a report. `html` and the files are for whoever may see the page; the files are there from the first result on."""

    self: str
    html: str
    project: str
    json: NotRequired[str]
    csv: NotRequired[str]
    markdown: NotRequired[str]


class Summary(TypedDict):
    """A report in a list. `result` and `score` are null until a run could be rated."""

    id: int
    object: Literal["report"]
    public_id: str
    url: str
    project: str
    status: Status
    result: Result | None
    score: Score | None
    coverage: float | None
    privacy: Literal[0, 1, 2]
    has_password: bool
    created_at: DateTime
    generated_at: DateTime | None
    updated_at: DateTime
    error: ProblemShape | None
    engine: Engine | None
    judged_as: str | None
    last_error: ProblemShape | None
    previous: Previous | None
    not_asked: list[str]
    counts: dict[str, int]
    categories: list[dict[str, Any]]
    links: ReportLinks
    progress: NotRequired[Progress]


class Report(Summary):
    """A report with its findings and facts."""

    run: int | None
    not_for_search: bool
    explained: dict[str, Any]
    results: list[dict[str, Any]]
    facts: dict[str, Any]


class ProjectLinks(TypedDict):
    """Addresses of a project."""

    self: str
    reports: str


class Project(TypedDict):
    """A site; result, score and time are those of its newest rated report."""

    id: int
    object: Literal["project"]
    project: str
    created_at: DateTime
    reports_count: int
    result: Result | None
    score: Score | None
    last_generated_at: DateTime | None
    links: ProjectLinks


class ProjectWhole(Project):
    """A project with its settings."""

    not_for_search: list[str]


# `from` cannot be a name in class syntax.
ListMeta = TypedDict(
    "ListMeta",
    {
        "current_page": int | None,
        "from": int | None,
        "last_page": int,
        "path": str,
        "per_page": int,
        "to": int | None,
        "total": int,
        "total_is_estimate": NotRequired[bool],
        "warnings": NotRequired[list[str]],
    },
)


class Run(TypedDict):
    """One generation."""

    object: Literal["run"]
    report: int
    run: int
    started_at: DateTime
    generated_at: DateTime | None
    result: Result | None
    score: Score | None
    coverage: float | None
    engine: Engine | None
    error: ProblemShape | None
    rescored_from: int | None
    links: dict[str, str]


class ScoreChange(TypedDict):
    """How the score moved, and which part of that the page made. `from_accepted` is there where findings were accepted or no longer are."""

    before: Score | None
    after: Score | None
    from_page: int | None
    from_ruleset: int | None
    from_accepted: NotRequired[int]


class ChangesShape(TypedDict):
    """What is different between two runs."""

    object: Literal["changes"]
    since: int
    run: int
    score: ScoreChange
    new: list[dict[str, Any]]
    fixed: list[dict[str, Any]]
    returned: list[dict[str, Any]]
    still: list[dict[str, Any]]


def problem(error: Problem | None) -> ProblemShape | None:
    """Why there is no result."""
    if error is None:
        return None
    shape: ProblemShape = {"code": error.code, "message": error.message, "retryable": error.retryable}
    if error.at is not None:
        shape["at"] = rfc3339(error.at)
    return shape


def summary(report: ReportView, at: Addresses) -> Summary:
    """SUMMARY of the interface."""
    shape: Summary = {
        "id": report.id,
        "object": "report",
        "public_id": report.public_id,
        "url": report.url,
        "project": report.project,
        "status": report.status.value,
        "result": report.result.value if report.result else None,
        "score": report.score,
        "coverage": report.coverage,
        "privacy": report.privacy.value,
        "has_password": report.has_password,
        "created_at": rfc3339(report.created_at),
        "generated_at": _moment(report.generated_at),
        "updated_at": rfc3339(report.updated_at),
        "error": problem(report.error),
        "engine": _engine(report.engine),
        "judged_as": report.judged_as,
        "last_error": problem(report.last_error),
        "previous": _previous(report),
        "not_asked": list(report.not_asked),
        "counts": dict(report.counts),
        "categories": [{name: category.get(name) for name in ("id", "title", "score")} for category in report.categories],
        "links": _report_links(report, at),
    }
    if report.progress is not None:
        shape["progress"] = {"stage": report.progress.stage, "done": report.progress.done, "of": report.progress.of}
    return shape


def _report_links(report: ReportView, at: Addresses) -> ReportLinks:
    links: ReportLinks = {"self": at.report(report.id), "html": at.share_page(report.public_id), "project": at.project(report.project)}
    if report.run is not None:
        links["json"] = at.download(report.public_id, "json")
        links["csv"] = at.download(report.public_id, "csv")
        links["markdown"] = at.download(report.public_id, "md")
    return links


def report(view: ReportView, at: Addresses) -> Report:
    """REPORT of the interface. Before the first result `results` and `facts` are empty."""
    shown = body(view.analysis, at.check_docs) if view.analysis else {}
    return {
        **summary(view, at),
        "categories": [dict(category) for category in view.categories],
        "run": view.run,
        "not_for_search": bool(shown.get("not_for_search")),
        "explained": dict(view.explained),
        "results": shown.get("results", []),
        "facts": shown.get("facts", {}),
    }


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else rfc3339(moment)


def _engine(engine: Mapping[str, str] | None) -> Engine | None:
    return None if engine is None else {"version": engine["version"], "ruleset": engine["ruleset"], "profile": engine["profile"]}


def _previous(report: ReportView) -> Previous | None:
    found = report.previous
    if found is None:
        return None
    return {"report": found.report, "run": found.run, "result": found.result.value, "score": found.score, "change": found.change}


def project(view: ProjectView, at: Addresses) -> Project:
    """PROJECT of the interface."""
    return {
        "id": view.id,
        "object": "project",
        "project": view.name,
        "created_at": rfc3339(view.created_at),
        "reports_count": view.reports_count,
        "result": view.result.value if view.result else None,
        "score": view.score,
        "last_generated_at": _moment(view.last_generated_at),
        "links": {"self": at.project(view.name), "reports": at.reports_of(view.name)},
    }


def project_whole(view: ProjectView, at: Addresses) -> ProjectWhole:
    """PROJECT with its settings, where one was asked for."""
    return {**project(view, at), "not_for_search": list(view.not_for_search)}


def deleted_project(deleted: DeletedProject) -> dict[str, Any]:
    """What `DELETE /projects/{project}` answers."""
    return {
        "id": deleted.id,
        "object": "project",
        "project": deleted.name,
        "deleted": True,
        "reports_deleted": deleted.reports_deleted,
    }


def deleted_report(report_id: int) -> dict[str, Any]:
    """What `DELETE /reports/{id}` answers."""
    return {"id": report_id, "object": "report", "deleted": True}


def run(view: RunView, at: Addresses) -> Run:
    """One generation of a history."""
    return {
        "object": "run",
        "report": view.report,
        "run": view.run,
        "started_at": rfc3339(view.started_at),
        "generated_at": _moment(view.finished_at),
        "result": view.result.value if view.result else None,
        "score": view.score,
        "coverage": view.coverage,
        "engine": _engine(view.engine),
        "error": problem(view.error),
        "rescored_from": view.rescored_from,
        "links": {"self": at.run(view.report, view.run)},
    }


def changes(found: Changes, at: Addresses) -> ChangesShape:
    """What `GET /reports/{id}/changes` answers."""

    def shown(findings: tuple[ChangedFinding, ...]) -> list[dict[str, Any]]:
        return [
            shown_finding(item.finding, at.check_docs)
            | {
                "before": item.before.value if item.before else None,
                "after": item.after.value if item.after else None,
            }
            for item in findings
        ]

    score: ScoreChange = {
        "before": found.before,
        "after": found.after,
        "from_page": found.from_page,
        "from_ruleset": found.from_ruleset,
    }
    if found.from_accepted:
        score["from_accepted"] = found.from_accepted
    return {
        "object": "changes",
        "since": found.since,
        "run": found.run,
        "score": score,
        "new": shown(found.new),
        "fixed": shown(found.fixed),
        "returned": shown(found.returned),
        "still": shown(found.still),
    }


def account(view: AccountView, caller: Caller) -> dict[str, Any]:
    """What `GET /account` answers."""
    return {
        "id": view.id,
        "object": "account",
        "name": view.name,
        "email": view.email,
        "created_at": rfc3339(view.created_at),
        "key": {"prefix": caller.key_prefix, "scopes": sorted(caller.scopes), "expires_at": _moment(caller.key_expires_at)},
        "limits": dict(view.limits),
        "usage": {"reports": view.reports_count, "projects": view.projects_count},
    }


def list_meta(page: Page[Any], path: str, warnings: list[str]) -> ListMeta:
    """Laravel's `meta`. Where a cursor was followed, the place in the list is not counted."""
    start = None if page.page is None else (page.page - 1) * page.per_page
    count = len(page.items)
    meta: ListMeta = {
        "current_page": page.page,
        "from": start + 1 if start is not None and count else None,
        "last_page": page.last_page,
        "path": path,
        "per_page": page.per_page,
        "to": start + count if start is not None and count else None,
        "total": page.total,
    }
    if page.total_is_estimate:
        meta["total_is_estimate"] = True
    if warnings:
        meta["warnings"] = warnings
    return meta
