"""Pages of the signed links by which people unsubscribe from emails."""

from starlette.responses import Response

from findable.service.delivery import unsubscribe_links
from findable.service.delivery.unsubscribe_links import UnsubscribeView
from findable.web.pages.shared.page_templates import PageContext, page_response
from findable.web.pages.shared.viewer import wording_of
from findable.web.path_parts import without_nul
from findable.web.routing import Request, get, post

NO_REFERRER = {"Referrer-Policy": "no-referrer"}


class UnsubscribePage(PageContext, frozen=True):
    """Variables of unsubscribe.html."""

    series: UnsubscribeView
    is_done: bool


@get("/unsubscribe/{token}")
async def get_unsubscribe(request: Request, token: str) -> Response:
    """Show which emails the signed link unsubscribes from.

    Opening the page changes nothing, so that mail scanners cannot unsubscribe people.
    """
    view = await request.service.run(unsubscribe_links.view, without_nul(token))
    return page_response(UnsubscribePage(view, is_done=False), wording_of(request.headers), headers=NO_REFERRER)


@post("/unsubscribe/{token}")
async def post_unsubscribe(request: Request, token: str) -> Response:
    """Unsubscribe from the emails of a signed link.

    Mail programs send this form themselves (RFC 8058), so it is accepted from any site and without a session.
    """
    view = await request.service.run(unsubscribe_links.unsubscribe, without_nul(token))
    return page_response(UnsubscribePage(view, is_done=True), wording_of(request.headers), headers=NO_REFERRER)
