"""Whether the service has a browser for the pages of its reports."""

from msgspec import UnsetType

from findable.errors import SettingError
from findable.fetch.browser.browser_program import NONE, configured_browser
from findable.service.runtime.service import Service
from findable.vocabulary import BrowserUse
from findable.wording import later

NO_BROWSER = later("This service has no browser. Its operator can install Chromium; findable doctor names the one that is found.")


def has_browser(service: Service) -> bool:
    """Return whether a browser is installed where pages are fetched; true where that is another machine, unless the settings forbid it."""
    if service.settings.browser == NONE:
        return False
    if service.recheck is None:  # the workers run elsewhere
        return True
    try:
        return configured_browser(service.settings) is not None
    except SettingError:
        return False


def browser_errors(service: Service, use: BrowserUse | UnsetType | None) -> dict[str, list[str]]:
    """Return the error of the field if the use needs a browser that the service does not have."""
    if not isinstance(use, BrowserUse) or use is BrowserUse.NONE or has_browser(service):
        return {}
    return {"browser": [NO_BROWSER]}
