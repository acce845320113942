"""Questions in SQL about a crawl, for people of its account."""

from functools import partial
from typing import ClassVar

from starlette.responses import Response

from findable.crawl.questions import QUESTIONS
from findable.service.crawls import crawl_questions
from findable.web.pages.result.questions import QuestionForm, QuestionPlace, answer_file, question_form
from findable.web.pages.result.visits import LinkFrame, frame_of
from findable.web.pages.shared.lines import project_url
from findable.web.pages.shared.page_templates import Bar, PageContext
from findable.web.pages.site.site_visit import SITES, SiteVisit, visit_response


class SiteQuestionsPage(PageContext, frozen=True):
    """Variables of site_questions.html."""

    template: ClassVar[str] = "site_questions.html"
    frame: LinkFrame
    bar: Bar | None
    form: QuestionForm
    project_href: str
    """URL of the page with questions about all crawls of the project."""


@SITES.owner_page("/questions")
def get_site_questions(visit: SiteVisit) -> Response:
    """Ask a crawl in SQL, or a question with a name, and show the answer."""
    form, status = question_form(_place(visit), visit.query, visit.say)
    frame = frame_of(visit, "/questions")
    return visit_response(visit, SiteQuestionsPage(frame, frame.bar, form, f"{project_url(visit.crawl.project)}/questions"), status)


@SITES.owner_page("/questions/export")
def get_site_answer(visit: SiteVisit) -> Response:
    """Return the answer to a question as a file."""
    return answer_file(_place(visit), visit.query, f"crawl-{visit.crawl.id}-answer")


def _place(visit: SiteVisit) -> QuestionPlace:
    crawl, caller = visit.crawl, visit.require_owner()
    ask = partial(crawl_questions.ask, visit.service, caller, crawl.id)
    return QuestionPlace(visit.service, caller, crawl.project, f"{visit.path}/questions", crawl.public_id, QUESTIONS, ask)
