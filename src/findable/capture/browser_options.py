"""Options of visits with the browser, as a project or a command sets them."""

from collections.abc import Iterable

from msgspec import Struct


class BrowserOptions(Struct, frozen=True):
    """Options of visits. None of them lets a page reach anything more."""

    dismiss_consent: bool = False
    """Whether the layers of well-known consent services are dismissed before the page is read."""
    without_blocked: bool = False
    """Whether files of the page's host that robots.txt forbids Googlebot are not loaded, so that the page is what Google renders."""
    wait_for: str = ""
    """CSS selector of an element that the page is waited for; empty for none."""
    blocked_hosts: tuple[str, ...] = ()
    """Hosts that are not loaded, with all names below them."""


MAX_BLOCKED_HOSTS = 50
MAX_SELECTOR_CHARS = 200


def covers(hosts: Iterable[str], host: str) -> bool:
    """Return whether one of the hosts is that host, or above it."""
    return any(host == one or host.endswith(f".{one}") for one in hosts)


DEFAULTS = BrowserOptions()
