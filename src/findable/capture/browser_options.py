"""Options of visits with the browser, as a project or a command sets them."""

from msgspec import Struct


class BrowserOptions(Struct, frozen=True):
    """Options of visits. None of them lets a page reach anything more."""

    dismiss_consent: bool = False
    """Whether the layers of well-known consent services are dismissed before the page is read."""
    without_blocked: bool = False
    """Whether files of the page's host that robots.txt forbids Googlebot are not loaded, so that the page is what Google renders."""


DEFAULTS = BrowserOptions()
