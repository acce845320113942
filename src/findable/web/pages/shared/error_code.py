"""Page about an error code."""

from starlette.responses import Response

from findable.errors import NotFound
from findable.web.pages.shared.page_templates import PageContext, page_response
from findable.web.pages.shared.viewer import wording_of
from findable.web.problems import EXPLAINED
from findable.web.routing import Request, get


class ErrorCodePage(PageContext, frozen=True):
    """Variables of error_code.html."""

    title: str
    slug: str
    status: int
    explanation: str


@get("/errors/{code}")
async def get_error(request: Request, code: str) -> Response:
    """Show the explanation of an error code of the API."""
    say = wording_of(request.headers)
    for error, explanation in EXPLAINED.items():
        if error.slug == code:
            shown = ErrorCodePage(say.text(error.title), error.slug, error.status, say.text(explanation))
            return page_response(shown, say, headers={"Vary": "Accept-Language"})
    raise NotFound
