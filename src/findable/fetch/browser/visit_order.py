"""Orders for visits with the browser."""

from msgspec import Struct

from findable.capture.browser_options import DEFAULTS, BrowserOptions
from findable.capture.devices import PHONE, Device
from findable.fetch.identity import NOBODY, Identity
from findable.formats.robots_txt import RobotsTxt

DEADLINE_S = 25.0
"""Time limit of a whole visit."""


class EgressLimits(Struct, frozen=True):
    """Limits on the traffic of one visit."""

    received_bytes: int = 50_000_000
    sent_bytes: int = 5_000_000
    connections_count: int = 500
    open_connections_count: int = 64
    hosts_count: int = 100


class VisitOrder(Struct, frozen=True):
    """Order for a visit with the browser: the URL, the device, the options and the limits."""

    url: str
    device: Device = PHONE
    axe: bool = True
    """Whether axe-core runs."""
    screenshots: bool = True
    """Whether images are taken; with measured loads, the film of another one."""
    layout: bool = True
    """Whether the positions and sizes of elements are read."""
    options: BrowserOptions = DEFAULTS
    identity: Identity = NOBODY
    """Headers, cookies and login for one origin; sent only if it is the origin of the page."""
    robots: RobotsTxt | None = None
    """robots.txt of the page's host, for options that need it; None if it is unknown."""
    deadline_s: float = DEADLINE_S
    limits: EgressLimits = EgressLimits()
