"""Routes of the link and the findings of a project: `/projects/{project}/link` and `/findings`."""

from msgspec import UNSET

from findable.checks.engine import all_checks
from findable.reports import project_report
from findable.service.projects import project_links, project_reports
from findable.service.projects.project_links import LinkState
from findable.service.reports.report_links import TermChanges
from findable.values import shape_of
from findable.web.api.operation import Call, Data, Items, Reply, operation
from findable.web.api.project_shapes import ProjectFinding, ProjectFindingPage, ProjectLink
from findable.web.api.request_models import ProjectLinkUpdate, password_warning
from findable.web.api.validation import value_or

PATH = "/projects/{project}/link"
LISTED_PAGES = 100


@operation("GET", PATH, {200: Data[ProjectLink]})
def get_project_link(call: Call, project: str) -> Reply:
    """Read the link of a project with its access and expiry."""
    return Reply(_link(call, project_links.state(call.service, call.caller, project)))


@operation("PUT", PATH, {200: Data[ProjectLink]}, example={"privacy": 0}, is_partial=True)
def put_project_link(call: Call, project: str, *, body: ProjectLinkUpdate) -> Reply:
    """Change access, expiry and search engine listing of the link of a project.

    A new password invalidates existing unlock cookies.
    """
    password = value_or(body.password)
    terms = TermChanges(body.until, UNSET if body.listed is UNSET else bool(body.listed))
    state = project_links.set_access(call.service, call.caller, project, value_or(body.privacy), password, terms)
    if body.privacy is not UNSET or password:
        call.warnings += password_warning(password, state.privacy)
    return call.write_reply(Reply(_link(call, state)), state.number)


@operation("GET", "/projects/{project}/findings", {200: Items[ProjectFinding]})
def list_project_findings(call: Call, project: str) -> Reply:
    """List the problems and warnings of a project in the newest results of its pages.

    One row per check, ordered by its total cost on all pages. Only the newest 1,000 pages count; if there are more, meta.warnings contains
    a note.
    """
    report = project_reports.get(call.service, call.caller, project).report
    if report.is_part:
        call.warnings.append(f"Only the newest {len(report.pages)} pages are counted.")
    return Reply([_finding(one) for one in report.findings])


def _finding(one: project_report.ProjectFinding) -> ProjectFinding:
    check = all_checks()[one.check]
    return ProjectFinding(
        id=one.check,
        object="finding",
        category=check.category,
        verdict=one.verdict,
        importance=check.importance,
        summary=check.documentation.summary,
        pages_count=len(one.pages),
        new_on=one.new_on,
        pages=[shape_of(ProjectFindingPage, page) for page in one.pages[:LISTED_PAGES]],
    )


def _link(call: Call, state: LinkState) -> ProjectLink:
    last = state.presentation.last_day
    return shape_of(
        ProjectLink,
        state,
        object="link",
        url=call.at.shared_project(state.public_id),
        until=last.isoformat() if last else None,
        listed=state.presentation.is_listed,
    )
