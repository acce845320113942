"""Recipients of the monthly report of a project, for its owners."""

from typing import ClassVar

from starlette.responses import Response

from findable.errors import ValidationFailed
from findable.service.delivery import monthly_reports
from findable.service.delivery.monthly_reports import RecipientView
from findable.service.projects import projects
from findable.web.pages.shared.form_fields import Choice, FormView, refused
from findable.web.pages.shared.lines import project_address, project_name
from findable.web.pages.shared.page_templates import Bar, PageContext, page_response, see_other
from findable.web.pages.shared.viewer import SignedInRequest, bar_of, person_form, person_page
from findable.web.path_parts import id_of, without_nul
from findable.wording import LANGUAGES, later

DONE = {
    "added": later("The recipient gets the report from the next month on."),
    "removed": later("The recipient was removed."),
}


class RecipientsPage(PageContext, frozen=True):
    """Variables of recipients.html."""

    template: ClassVar[str] = "recipients.html"
    bar: Bar
    href: str
    name: str
    confirmation: str
    is_sending: bool
    """Whether this service sends e-mails."""
    recipients: tuple[RecipientView, ...]
    form: FormView
    languages: tuple[Choice, ...]


@person_page("/projects/{project}/recipients")
def get_recipients(request: SignedInRequest, project: str) -> Response:
    """Show the recipients of the monthly report."""
    return _recipients_page(request, project)


def _recipients_page(request: SignedInRequest, project: str, form: FormView | None = None, status: int = 200) -> Response:
    view = projects.get(request.service, request.caller, without_nul(project))
    language = (form.values if form else {}).get("language") or view.language or request.say.code
    shown = RecipientsPage(
        bar=bar_of(request.caller, "projects"),
        href=project_address(view.name),
        name=project_name(view.name),
        confirmation=request.say.text(DONE.get(request.query.get("done", ""), "")) if form is None else "",
        is_sending=bool(request.service.settings.smtp_url),
        recipients=monthly_reports.find(request.service, request.caller, view.name),
        form=form or FormView(),
        languages=tuple(Choice(code, one.name, code == language) for code, one in LANGUAGES.items()),
    )
    return page_response(shown, request.say, status=status)


@person_form("/projects/{project}/recipients")
def post_recipients(request: SignedInRequest, project: str) -> Response:
    """Add a recipient."""
    try:
        monthly_reports.add(request.service, request.caller, without_nul(project), request.text("email"), request.text("language"))
    except ValidationFailed as error:
        return _recipients_page(request, project, refused(request.fields, error, request.say), error.status)
    return see_other(f"{project_address(without_nul(project))}/recipients?done=added")


@person_form("/projects/{project}/recipients/{recipient}/remove")
def post_remove_recipient(request: SignedInRequest, project: str, recipient: str) -> Response:
    """Remove a recipient."""
    monthly_reports.remove(request.service, request.caller, without_nul(project), id_of(recipient))
    return see_other(f"{project_address(without_nul(project))}/recipients?done=removed")
