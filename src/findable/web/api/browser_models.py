"""Fields of requests that set the options of browser visits."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.capture.browser_options import MAX_BLOCKED_HOSTS, MAX_SELECTOR_CHARS

_HOSTS = Meta(
    description=f"Hosts that are not loaded, with all names below them: at most {MAX_BLOCKED_HOSTS}, like analytics.example.com. Replaces "
    "the previous list; [] removes it."
)


class BrowserOptionsUpdate(Struct, frozen=True, forbid_unknown_fields=True):
    """Changes of the options of browser visits; options that are not sent stay unchanged, null sets the default."""

    dismiss_consent: bool | UnsetType | None = UNSET
    """Whether to dismiss the layers of well-known consent services, by refusing consent if they offer that."""
    without_blocked: bool | UnsetType | None = UNSET
    """Whether to omit files of the page's host that robots.txt forbids Googlebot, so that the page is rendered as by Google."""
    wait_for: Annotated[str, Meta(max_length=MAX_SELECTOR_CHARS)] | UnsetType | None = UNSET
    """CSS selector of an element to wait for, ten seconds at most; empty or null for none."""
    blocked_hosts: Annotated[list[str], _HOSTS] | UnsetType | None = UNSET
    load_trackers: bool | UnsetType | None = UNSET
    """Whether to load well-known hosts of analytics, advertising and chat, which count the visit as a visitor."""
