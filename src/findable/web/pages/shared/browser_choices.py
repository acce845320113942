"""Ways to use a browser for reports, as the choices of a form. Services without a browser do not offer them for single reports."""

from collections.abc import Mapping

from msgspec import Struct

from findable.errors import BadRequest
from findable.service.runtime.browsers import has_browser
from findable.service.runtime.service import Service
from findable.vocabulary import BrowserUse
from findable.web.pages.shared.form_fields import Choice
from findable.wording import Wording, later

BROWSER_USES: Mapping[BrowserUse, str] = {
    BrowserUse.NONE: later("Without a browser"),
    BrowserUse.VIEW: later("Load each page in a browser"),
    BrowserUse.LAB: later("Load each page in a browser, and measure how it loads"),
}


class BrowserChoice(Struct, frozen=True):
    """One choice."""

    value: str
    words: str


def browser_choices(say: Wording) -> tuple[BrowserChoice, ...]:
    """Return one choice for each use."""
    return tuple(BrowserChoice(use.value, say(BROWSER_USES[use])) for use in BrowserUse)


def report_browser_choices(service: Service, chosen: str, say: Wording) -> tuple[Choice, ...]:
    """Return the choices for single reports, first that of their project; none without a browser."""
    if not has_browser(service):
        return ()
    of_project = Choice("", say("As the project sets it"), not chosen)
    return (of_project, *(Choice(one.value, one.words, one.value == chosen) for one in browser_choices(say)))


def report_browser_of(text: str) -> BrowserUse | None:
    """Return the use that a field says; None for that of the project. Raises BadRequest if the form does not offer it."""
    if text not in {"", *BrowserUse}:
        raise BadRequest("The browser is not one of the choices.")
    return BrowserUse(text) if text else None
