"""Options of browser visits that a project or a command sets."""

from collections.abc import Iterable

from msgspec import Struct


class BrowserOptions(Struct, frozen=True):
    """Options of browser visits. No option gives a page access to more hosts."""

    dismiss_consent: bool = False
    """Whether layers of well-known consent services are dismissed before the page is read."""
    without_blocked: bool = False
    """Whether files of the page's host that robots.txt disallows for Googlebot are blocked, so that the page is as Google renders it."""
    wait_for: str = ""
    """CSS selector of an element to wait for; empty for none."""
    blocked_hosts: tuple[str, ...] = ()
    """Hosts from which nothing is loaded, with all their subdomains."""
    load_trackers: bool = False
    """Whether well-known hosts of analytics, advertising and chat are loaded, which count the visit as a visitor."""


MAX_BLOCKED_HOSTS = 50
MAX_SELECTOR_CHARS = 200


def covers(hosts: Iterable[str], host: str) -> bool:
    """Return whether ``host`` is one of the hosts or a subdomain of one."""
    return any(host == one or host.endswith(f".{one}") for one in hosts)


DEFAULTS = BrowserOptions()
