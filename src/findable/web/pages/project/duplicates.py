"""Page that lists URLs with several reports in a project and merges these reports."""

from collections.abc import Mapping
from typing import ClassVar

from starlette.responses import Response

from findable.errors import Conflict, RequestError, ValidationFailed
from findable.service.projects import projects
from findable.service.reports import report_merges
from findable.service.reports.report_merges import RepeatedPage
from findable.service.values.project_values import ProjectView
from findable.vocabulary import Privacy
from findable.web.pages.project.project_context import ProjectPageContext, project_page, project_response
from findable.web.pages.result.presentation import PRIVACIES
from findable.web.pages.shared.lines import project_url
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.project_tabs import REPORTS
from findable.web.pages.shared.viewer import SignedInRequest, person_form
from findable.web.path_parts import id_of


class DuplicatesPage(ProjectPageContext, frozen=True, kw_only=True):
    """Variables of duplicates.html."""

    place: ClassVar[str] = REPORTS
    pages: tuple[RepeatedPage, ...]
    accesses: Mapping[Privacy, str]
    """Words for who may see a report."""


@project_page("/duplicates")
def get_duplicates(request: SignedInRequest, view: ProjectView) -> Response:
    """List the URLs with several reports."""
    shown = DuplicatesPage(
        pages=report_merges.repeated_pages(request.service, request.caller, view.name),
        accesses={privacy: request.say(words) for privacy, words in PRIVACIES.items()},
    )
    return project_response(request, view, shown)


@person_form("/projects/{project}/duplicates", get_duplicates, errors=(ValidationFailed, Conflict))
def post_duplicates(request: SignedInRequest, project: str) -> Response:
    """Merge the reports of one URL (``report``) or of all URLs (without it)."""
    name = projects.get(request.service, request.caller, project).name
    if number := request.text("report"):
        report_merges.merge(request.service, request.caller, id_of(number))
    else:
        _merge_all(request, name)
    return see_other(f"{project_url(name)}/duplicates")


def _merge_all(request: SignedInRequest, project: str) -> None:
    """Merge the reports of every URL with several reports. Raises the last error after trying all."""
    problem: RequestError | None = None
    for page in report_merges.repeated_pages(request.service, request.caller, project):
        try:
            report_merges.merge(request.service, request.caller, page.report)
        except (ValidationFailed, Conflict) as error:
            problem = error
    if problem is not None:
        raise problem
