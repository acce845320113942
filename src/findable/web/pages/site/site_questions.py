"""Questions in SQL about a crawl, for people of its account."""

from functools import partial

from starlette.responses import Response

from findable.crawl.questions import QUESTIONS
from findable.service.crawls import crawl_questions
from findable.web.pages.result.link_pages import LinkPageContext, page_fields
from findable.web.pages.result.questions import QuestionForm, QuestionPlace, answer_file, question_form
from findable.web.pages.site.site_visit import SITES, SiteVisit, visit_response


class SiteQuestionsPage(LinkPageContext, frozen=True, kw_only=True):
    """Variables of site_questions.html."""

    asked: QuestionForm


@SITES.owner_page("/questions")
def get_site_questions(visit: SiteVisit) -> Response:
    """Ask a crawl in SQL, or a question with a name, and show the answer."""
    form, status = question_form(_place(visit), visit.query, visit.say)
    page = SiteQuestionsPage(**page_fields(visit, "/questions"), asked=form)
    return visit_response(visit, page, status)


@SITES.owner_page("/questions/export")
def get_site_answer(visit: SiteVisit) -> Response:
    """Return the answer to a question as a file."""
    return answer_file(_place(visit), visit.query, f"crawl-{visit.crawl.id}-answer")


def _place(visit: SiteVisit) -> QuestionPlace:
    crawl, caller = visit.crawl, visit.require_owner()
    ask = partial(crawl_questions.ask, visit.service, caller, crawl.id)
    return QuestionPlace(visit.service, caller, crawl.project, f"{visit.path}/questions", crawl.public_id, QUESTIONS, ask)
