"""Ways to use a browser for reports, as the choices of a form."""

from collections.abc import Mapping

from msgspec import Struct

from findable.vocabulary import BrowserUse
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
