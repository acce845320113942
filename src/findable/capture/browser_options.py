"""Options of visits with the browser, as a project or a command sets them."""

from msgspec import Struct


class BrowserOptions(Struct, frozen=True):
    """Options of visits. None of them lets a page reach anything more."""

    dismiss_consent: bool = False
    """Whether the layers of well-known consent services are dismissed before the page is read."""


DEFAULTS = BrowserOptions()
