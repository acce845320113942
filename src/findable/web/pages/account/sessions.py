"""Sessions of the signed-in person."""

from collections.abc import Mapping
from contextlib import suppress
from typing import ClassVar

from starlette.responses import Response

from findable.errors import NotFound
from findable.service.accounts import sessions
from findable.service.accounts.sessions import SessionView
from findable.web.auth import session_cookie
from findable.web.pages.account.devices import device
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.viewer import PersonPage, SignedInRequest, person_form, person_page
from findable.wording import later


class SessionsPage(PersonPage, frozen=True, kw_only=True):
    """Variables of sessions.html."""

    confirmations: ClassVar[Mapping[str, str]] = {"session": later("That session has ended.")}
    sessions: tuple[tuple[SessionView, str], ...]
    """Sessions, each with its browser and system: ``Firefox on Linux``."""


@person_page("/account/sessions")
def get_sessions(request: SignedInRequest) -> SessionsPage:
    """List the person's sessions."""
    found = sessions.of_caller(request.service, request.caller, request.token)
    return SessionsPage(sessions=tuple((view, device(view.user_agent, request.say)) for view in found))


@person_form("/account/sessions/end")
def post_end_session(request: SignedInRequest) -> Response:
    """End the session that the person selected."""
    with suppress(NotFound):  # the session may have ended meanwhile
        sessions.end(request.service, request.caller, request.text("session"))
    return see_other("/account/sessions?done=session")


@person_form("/account/sessions/end-all")
def post_end_all_sessions(request: SignedInRequest) -> Response:
    """End all sessions of the person, including the current one."""
    sessions.end_all(request.service, request.caller)
    return see_other("/", [session_cookie(request.service.settings.base_url, None)])
