"""Options of visits with the browser, as requests send them."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.capture.browser_options import MAX_BLOCKED_HOSTS, MAX_SELECTOR_CHARS

_HOSTS = Meta(
    description=f"Hosts that are not loaded, with all names below them: at most {MAX_BLOCKED_HOSTS}, like analytics.example.com. Replaces "
    "what was there; [] removes them."
)


class BrowserOptionsUpdate(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of the visits with the browser; one that is not sent stays, null sets the default."""

    dismiss_consent: bool | UnsetType | None = UNSET
    """Whether the layers of well-known consent services are dismissed, by refusing where they offer that."""
    without_blocked: bool | UnsetType | None = UNSET
    """Whether files of the page's host that robots.txt forbids Googlebot are not loaded, so that the page is what Google renders."""
    wait_for: Annotated[str, Meta(max_length=MAX_SELECTOR_CHARS)] | UnsetType | None = UNSET
    """CSS selector of an element that the page is waited for, ten seconds at most; empty or null for none."""
    blocked_hosts: Annotated[list[str], _HOSTS] | UnsetType | None = UNSET
