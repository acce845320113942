"""Browser modes for reports, as the choices of a form. Services without a browser do not offer them for single reports."""

from findable.errors import BadRequest
from findable.service.runtime.browsers import has_browser
from findable.service.runtime.service import Service
from findable.vocabulary import BrowserUse
from findable.web.pages.shared.form_fields import Choice
from findable.wording import Translator, later

BROWSER_UNSET = later("Without a browser; reports that people start are then loaded in one, if it works")


def browser_choices(say: Translator, selected: str, unset: str) -> tuple[Choice, ...]:
    """Return the browser modes, beginning with no setting, which has the words ``unset``."""
    return (Choice("", unset, not selected), *(Choice(use.value, say(use.words), use.value == selected) for use in BrowserUse))


def report_browser_choices(service: Service, selected: str, say: Translator) -> tuple[Choice, ...]:
    """Return the choices for single reports, beginning with the project's setting; empty without a browser."""
    return browser_choices(say, selected, say("Project setting")) if has_browser(service) else ()


def report_browser_of(text: str) -> BrowserUse | None:
    """Parse the browser mode in a form field; None for the project's setting. Raises BadRequest if the form does not offer it."""
    if text not in {"", *BrowserUse}:
        raise BadRequest("The browser is not one of the choices.")
    return BrowserUse(text) if text else None
