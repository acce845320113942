"""Page of an invitation, by which a person joins an account."""

from starlette.responses import Response

from findable.errors import ValidationFailed
from findable.service.accounts import invitations
from findable.service.projects import project_links
from findable.service.runtime.service import Service
from findable.service.values.account_values import InvitationView
from findable.web.auth import session_cookie, set_cookie
from findable.web.pages.account.sign_in import BRAND_COOKIE, BRAND_LIFE_S, NO_REFERRER, LinkFailedPage, branded_bar_of, end_existing_session
from findable.web.pages.shared.form_fields import FormView, rejected_form
from findable.web.pages.shared.local_times import Moment, moment_of
from findable.web.pages.shared.page_templates import Bar, PageContext, page_response, see_other
from findable.web.pages.shared.viewer import client_of, wording_of
from findable.web.path_parts import without_nul
from findable.web.query_strings import text_of
from findable.web.routing import Request, get, post
from findable.wording import Translator


class InvitationPage(PageContext, frozen=True):
    """Variables of invitation.html."""

    form: FormView
    has_passwords: bool
    """Whether sign-in by password is turned on."""
    invitation: InvitationView
    until: Moment
    """End of validity."""
    bar: Bar


@get("/invitation/{token}")
async def get_invitation(request: Request, token: str) -> Response:
    """Show an invitation and the form to accept it."""
    return await request.service.run(_invitation, without_nul(token), wording_of(request.headers), FormView(), 200)


def _invitation(service: Service, token: str, say: Translator, form: FormView, status: int) -> Response:
    offered = invitations.invitation(service, token)
    if offered is None:
        return page_response(LinkFailedPage(is_invitation=True), say, status=410, headers=NO_REFERRER)
    until = moment_of(offered.expires_at, say)
    shown = InvitationPage(form, service.settings.sign_in_password, offered, until, branded_bar_of(service, offered.brand))
    return page_response(shown, say, status=status, headers=NO_REFERRER)


@post("/invitation/{token}")
async def post_invitation(request: Request, token: str) -> Response:
    """Accept an invitation and sign in; an existing session of the browser ends."""
    service, headers, fields = request.service, request.headers, await request.form_fields()
    say = wording_of(headers)
    name, email, password = (text_of(fields, each) for each in ("name", "email", "password"))
    offered = await service.run(invitations.invitation, without_nul(token))
    try:
        session = await service.run(invitations.join, without_nul(token), client_of(request), name=name, email=email, password=password)
    except ValidationFailed as error:
        return await service.run(_invitation, token, say, rejected_form(fields, error, say), error.status)
    if session is None:
        return page_response(LinkFailedPage(is_invitation=True), say, status=410, headers=NO_REFERRER)
    await end_existing_session(service, headers)
    cookies = [session_cookie(service.settings.base_url, session)]
    if offered is not None and offered.project_id is not None:
        value, secure = project_links.brand_token(service, offered.project_id), service.settings.base_url.startswith("https://")
        cookies.append(set_cookie(BRAND_COOKIE, value, BRAND_LIFE_S, secure=secure))
    return see_other("/", cookies)
