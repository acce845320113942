"""Recipients of the monthly report of a project, for its owners."""

from collections.abc import Mapping
from typing import ClassVar

from starlette.responses import Response

from findable.service.projects import recipients
from findable.service.projects.recipients import Recipient
from findable.service.values.project_values import ProjectView
from findable.web.pages.project.project_context import ProjectPageContext, project_form, project_page
from findable.web.pages.shared.form_fields import Choice
from findable.web.pages.shared.lines import project_url
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.viewer import SignedInRequest
from findable.web.path_parts import id_of
from findable.wording import LANGUAGES, later


class RecipientsPage(ProjectPageContext, frozen=True, kw_only=True):
    """Variables of recipients.html."""

    place: ClassVar[str] = "recipients"
    confirmations: ClassVar[Mapping[str, str]] = {
        "added": later("The recipient gets the report from the next month on."),
        "removed": later("The recipient was removed."),
    }
    recipients: tuple[Recipient, ...]
    languages: tuple[Choice, ...]


@project_page("/recipients")
def get_recipients(request: SignedInRequest, view: ProjectView) -> RecipientsPage:
    """Show the recipients of the monthly report."""
    form = request.form_with()
    language = form.values.get("language") or view.language or request.say.code
    return RecipientsPage(
        recipients=recipients.find(request.service, request.caller, view.name),
        form=form,
        languages=tuple(Choice(code, one.name, code == language) for code, one in LANGUAGES.items()),
    )


@project_form("/recipients", get_recipients)
def post_recipients(request: SignedInRequest, view: ProjectView) -> Response:
    """Add a recipient of the monthly report."""
    recipients.add(request.service, request.caller, view.name, request.text("email"), request.text("language"))
    return see_other(f"{project_url(view.name)}/recipients?done=added")


@project_form("/recipients/{recipient}/remove")
def post_remove_recipient(request: SignedInRequest, view: ProjectView, recipient: str) -> Response:
    """Remove a recipient of the monthly report."""
    recipients.remove(request.service, request.caller, view.name, id_of(recipient))
    return see_other(f"{project_url(view.name)}/recipients?done=removed")
