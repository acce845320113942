"""Questions in SQL about the newest crawls of a project."""

from functools import partial
from typing import ClassVar

from starlette.responses import Response

from findable.crawl.questions import PROJECT_QUESTIONS
from findable.service.crawls import crawl_questions
from findable.service.values.project_values import ProjectView
from findable.web.pages.project.project_context import ProjectPageContext, project_page
from findable.web.pages.result.questions import QuestionForm, QuestionPlace, answer_file, question_form
from findable.web.pages.shared.attachments import in_file_name
from findable.web.pages.shared.lines import project_url
from findable.web.pages.shared.viewer import SignedInRequest


class ProjectQuestionsPage(ProjectPageContext, frozen=True, kw_only=True):
    """Variables of project_questions.html."""

    place: ClassVar[str] = "questions"
    asked: QuestionForm
    crawls: int = crawl_questions.MAX_CRAWLS
    """Number of crawls that are read at most."""


@project_page("/questions")
def get_project_questions(request: SignedInRequest, view: ProjectView) -> ProjectQuestionsPage:
    """Ask the newest crawls of a project in SQL, or a question with a name, and show the answer."""
    form, status = question_form(_place(request, view), request.query, request.say)
    return ProjectQuestionsPage(asked=form, status=status)


@project_page("/questions/export")
def get_project_answer(request: SignedInRequest, view: ProjectView) -> Response:
    """Return the answer to a question about the crawls of a project as a file."""
    return answer_file(_place(request, view), request.query, f"findable-{in_file_name(view.name)}-answer")


def _place(request: SignedInRequest, view: ProjectView) -> QuestionPlace:
    ask = partial(crawl_questions.ask_project, request.service, request.caller, view.name)
    path = f"{project_url(view.name)}/questions"
    return QuestionPlace(request.service, request.caller, view.name, path, "", PROJECT_QUESTIONS, ask)
