"""Browser modes for reports, as the choices of a form. Services without a browser do not offer them for single reports."""

from findable.errors import BadRequest
from findable.service.runtime.browsers import has_browser
from findable.service.runtime.service import Service
from findable.vocabulary import BrowserUse
from findable.web.pages.shared.form_fields import Choice
from findable.wording import Translator, later

BROWSER_UNSET = later("Without a browser; reports that people start are then loaded in one, if it works")


def browser_choices(say: Translator, selected: str) -> tuple[Choice, ...]:
    """Return one form choice per browser mode."""
    return tuple(Choice(use.value, say(use.words), use.value == selected) for use in BrowserUse)


def account_browser_choices(say: Translator, selected: str) -> tuple[Choice, ...]:
    """Return the choices for an account, beginning with no setting."""
    return (Choice("", say("Not set: %(value)s", value=say(BROWSER_UNSET)), not selected), *browser_choices(say, selected))


def project_browser_choices(say: Translator, selected: str, account: BrowserUse | None) -> tuple[Choice, ...]:
    """Return the choices for a project, beginning with the account's setting."""
    words = say("Account setting: %(value)s", value=say(BROWSER_UNSET if account is None else account.words))
    return (Choice("", words, not selected), *browser_choices(say, selected))


def report_browser_choices(service: Service, selected: str, say: Translator) -> tuple[Choice, ...]:
    """Return the choices for single reports, beginning with the project's setting; empty without a browser."""
    if not has_browser(service):
        return ()
    return (Choice("", say("Project setting"), not selected), *browser_choices(say, selected))


def report_browser_of(text: str) -> BrowserUse | None:
    """Parse the browser mode in a form field; None for the project's setting. Raises BadRequest if the form does not offer it."""
    if text not in {"", *BrowserUse}:
        raise BadRequest("The browser is not one of the choices.")
    return BrowserUse(text) if text else None
