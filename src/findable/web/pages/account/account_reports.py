"""Default appearance, access and browser of the reports in an account's projects."""

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace
from starlette.responses import Response

from findable.service.accounts.permissions import may
from findable.service.projects import report_defaults
from findable.service.values.caller import OWNER
from findable.web.bodies import WITH_IMAGE
from findable.web.pages.shared.attachments import image_response
from findable.web.pages.shared.browser_choices import BROWSER_UNSET, browser_choices
from findable.web.pages.shared.form_fields import Choice
from findable.web.pages.shared.look_form import LOGO, LookForm, brand_values, look_form, sent_brand
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.viewer import PersonPage, SignedInRequest, person_form, person_page, required_person
from findable.web.routing import Request, get
from findable.wording import later


class AccountReportsPage(PersonPage, frozen=True, kw_only=True):
    """Variables of account_reports.html."""

    confirmations: ClassVar[Mapping[str, str]] = {"look": later("The defaults of the reports were saved.")}
    look: LookForm | None = None
    """The form; None for people who may not change it."""
    browsers: tuple[Choice, ...] = ()
    """Browser modes to choose from."""


@person_page("/account/reports")
def get_account_reports(request: SignedInRequest) -> AccountReportsPage:
    """Show the account's defaults for appearance and access of reports, with a form for owners."""
    if not may(request.caller, OWNER):
        return AccountReportsPage()
    view = report_defaults.get(request.service, request.caller)
    form = request.form_with({**brand_values(view).values, "browser": view.browser or ""})
    look = look_form(view, None, form, "/account/logo.png", request.say)
    unset = request.say("Not set: %(value)s", value=request.say(BROWSER_UNSET))
    browsers = browser_choices(request.say, form.values.get("browser", ""), unset)
    return AccountReportsPage(form=form, look=look, browsers=browsers)


@person_form("/account/reports", get_account_reports, bounds=WITH_IMAGE, kinds=LOGO)
def post_account_reports(request: SignedInRequest) -> Response:
    """Save the account's defaults for appearance and access of reports."""
    report_defaults.update(request.service, request.caller, replace(sent_brand(request), browser=request.text("browser")))
    return see_other("/account/reports?done=look")


@get("/account/logo.png")
def get_account_logo(request: Request) -> Response:
    """Return the image file of the account's logo to people of the account."""
    return image_response(report_defaults.logo(request.service, required_person(request.service, request.headers)))
