"""Default appearance, access and browser of the reports in an account's projects."""

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace
from starlette.responses import Response

from findable.errors import Forbidden, ValidationFailed
from findable.service.accounts.callers import may
from findable.service.projects import report_defaults
from findable.service.values.caller import OWNER
from findable.vocabulary import BrowserUse
from findable.web.bodies import WITH_IMAGE
from findable.web.pages.account.account import done_of
from findable.web.pages.shared.attachments import SANDBOX
from findable.web.pages.shared.browser_choices import browser_choices
from findable.web.pages.shared.form_fields import Choice, FormView, refused
from findable.web.pages.shared.look_form import LOGO, LookForm, brand_values, look_form, sent_brand
from findable.web.pages.shared.page_templates import Bar, PageContext, page_response, see_other
from findable.web.pages.shared.viewer import SignedInRequest, bar_of, from_person, person_page, signed_in
from findable.web.routing import Request, get, post
from findable.wording import later

DONE: Mapping[str, str] = {"look": later("The defaults of the reports were saved.")}


class AccountReportsPage(PageContext, frozen=True):
    """Variables of account_reports.html."""

    template: ClassVar[str] = "account_reports.html"
    bar: Bar
    tab: str
    confirmation: str
    form: FormView
    look: LookForm | None
    """The form; None for people who may not change it."""
    browsers: tuple[Choice, ...] = ()
    """Browser modes to choose from."""


@person_page("/account/reports")
def get_account_reports(signed_in_request: SignedInRequest) -> Response:
    """Show the appearance of the reports, with a form for owners."""
    return _reports(signed_in_request)


def _reports(signed_in_request: SignedInRequest, form: FormView | None = None, status: int = 200) -> Response:
    done = done_of(signed_in_request, DONE) if form is None else ""
    bar = bar_of(signed_in_request.caller, "account")
    if not may(signed_in_request.caller, OWNER):
        return page_response(AccountReportsPage(bar, "reports", done, FormView(), None), signed_in_request.say)
    view = report_defaults.get(signed_in_request.service, signed_in_request.caller)
    form = form or FormView({**brand_values(view).values, "browser": view.browser or ""})
    look = look_form(view, None, form, "/account/logo.png", signed_in_request.say)
    browsers = browser_choices(signed_in_request.say, form.values.get("browser", "") or BrowserUse.NONE)
    return page_response(AccountReportsPage(bar, "reports", done, form, look, browsers), signed_in_request.say, status=status)


@post("/account/reports")
async def post_account_reports(request: Request) -> Response:
    """Save appearance and access of the reports."""

    def save(signed_in_request: SignedInRequest) -> Response:
        try:
            report_defaults.update(
                signed_in_request.service,
                signed_in_request.caller,
                replace(sent_brand(signed_in_request), browser=signed_in_request.text("browser")),
            )
        except ValidationFailed as error:
            return _reports(signed_in_request, refused(signed_in_request.fields, error, signed_in_request.say), error.status)
        return see_other("/account/reports?done=look")

    return await from_person(request, save, WITH_IMAGE, LOGO)


@get("/account/logo.png")
async def get_account_logo(request: Request) -> Response:
    """Return the logo, for people of the account."""
    caller = await request.service.run(signed_in, request.headers)
    if caller is None:
        raise Forbidden("Sign in first.")
    data = await request.service.run(report_defaults.logo, caller)
    return Response(data, media_type="image/png", headers={"Content-Security-Policy": SANDBOX})
