"""Raw data of a browser visit: boxes, timings and requests as the browser reported them.

It contains no conclusions. Medians and shares are computed in `findable.artifacts.browser`, thresholds are in the checks, so that a
rendering can be checked again without a browser. Positions are CSS pixels from the top left of the document, times are
milliseconds since the start of the navigation.
"""

from enum import StrEnum

from msgspec import Struct

from findable.capture.browser_options import DEFAULTS, BrowserOptions
from findable.capture.devices import Device
from findable.capture.root import root
from findable.vocabulary import Code, Source, Subject


class RenderingFailure(Code, params=("rendering_failure",)):
    """Reason why a visit with the browser failed."""

    NONE = ""
    NO_BROWSER = "no_browser", "not measured: no browser is installed"
    """The browser is not installed or did not start."""
    CRASHED = "crashed", "not measured: the browser stopped on this page"
    TIMEOUT = "timeout", "not measured: the browser did not finish in time"
    REFUSED = "refused", "not measured: the browser may not request this page"
    """The URL of the page or of its redirect may not be requested."""
    UNREACHABLE = "unreachable", "not measured: the browser could not load the page"
    """The browser could not load the page."""
    CERTIFICATE = "certificate", "not measured: the browser does not trust the certificate of the page"
    """The browser does not trust the certificate of the page."""
    TOO_LARGE = "too_large", "not measured: the page has too many elements after its scripts ran"
    """The document has more elements than are read."""


class Readiness(StrEnum):
    """State of the page when the browser stopped waiting for it."""

    QUIET = ""
    """Loaded, with no open request and no large change of the document."""
    BUSY = "busy"
    """Loaded, but still changing."""
    LOADING = "loading"
    """Not loaded: anything missing may have appeared later."""


class Box(Struct, frozen=True):
    """Rectangle of an element in the page."""

    left_px: float
    top_px: float
    width_px: float
    height_px: float


class LargestPaint(Struct, frozen=True):
    """Largest contentful paint (LCP): its last entry before the first input."""

    at_ms: float
    selector: str = ""
    """Selector of the element; empty if the browser reported none."""
    url: str = ""
    """URL of the image; empty for text."""


class LayoutShift(Struct, frozen=True):
    """Layout shift that did not follow user input (layout-shift entry)."""

    at_ms: float
    value: float
    selectors: tuple[str, ...] = ()
    """Selectors of the elements that moved."""


class LongTask(Struct, frozen=True):
    """Long task: more than 50 ms on the main thread without interruption."""

    start_ms: float
    duration_ms: float
    url: str = ""
    """URL of the script; empty if the browser did not report it."""


class Throttling(Struct, frozen=True):
    """Throttling that the browser applies to a load, the same on every machine."""

    latency_ms: float
    """Latency added to each request."""
    download_kbps: float
    upload_kbps: float
    processor_factor: float
    """Slowdown factor of the main thread."""


class Load(Struct, frozen=True):
    """Measured load of the page with an empty cache."""

    first_paint_ms: float | None = None
    """First contentful paint; None if nothing was painted."""
    largest_paint: LargestPaint | None = None
    shifts: tuple[LayoutShift, ...] = ()
    long_tasks: tuple[LongTask, ...] = ()
    quiet_ms: float | None = None
    """Time at which the page became quiet; None if it never did."""
    waited_share: float | None = None
    """Share of time, 0–1, that the busiest process of the browser was ready to run and waited for a processor; None if the system
    does not report it."""
    processor_index: float = 0.0
    """Speed of one processor just before the load, in rounds of a fixed loop per millisecond; comparable only on one machine."""


class WithheldReason(StrEnum):
    """Reason why a request of the page was not sent."""

    NOT = ""
    ROBOTS = "robots"
    """robots.txt disallows the file for Googlebot."""
    HOST = "host"
    """The host is blocked by the options."""


class BrowserRequest(Struct, frozen=True):
    """Request that the page made in the browser."""

    url: str
    kind: str
    """Resource type in the browser's words: document, stylesheet, image, script, xhr …"""
    status: int = 0
    """HTTP status; 0 without a response."""
    start_ms: float = 0.0
    response_ms: float | None = None
    """Start of the response; None without one."""
    end_ms: float | None = None
    """End of the response; None if it did not end."""
    method: str = "GET"
    protocol: str = ""
    """Protocol in the browser's words: ``h2``; empty if not known."""
    mime_type: str = ""
    transferred_bytes: int = 0
    body_bytes: int = 0
    failure: str = ""
    """Code of the browser's network error; empty if there was none."""
    late: bool = False
    """Whether the request began after the viewport was made as tall as the page: in a normal viewport it waits for scrolling."""
    withheld: WithheldReason = WithheldReason.NOT


class ConsoleLine(Struct, frozen=True):
    """Line of the browser's console, or uncaught error of a script."""

    level: str
    """Level: ``error``, ``warning``, ``info`` or ``log``."""
    text: str
    url: str = ""
    """URL of the script; empty if unknown."""
    line: int | None = None
    uncaught: bool = False


class AxeNode(Struct, frozen=True):
    """Element that axe-core reports for one rule."""

    rule: str
    impact: str
    """Impact: ``critical``, ``serious``, ``moderate`` or ``minor``."""
    selector: str
    """Selector of axe-core."""
    path: str = ""
    """Path of the element, like that of a `SeenElement`; empty in older captures and in frames."""


class Target(Struct, frozen=True):
    """Tap target: a link, a button, a form control."""

    selector: str
    box: Box
    in_text: bool = False
    """Whether the control is inline in running text, whose line height limits it."""


class Layer(Struct, frozen=True):
    """Fixed element that covers part of the viewport when the page is ready."""

    selector: str
    box: Box


class SeenElement(Struct, frozen=True):
    """Element in the first view."""

    selectors: tuple[str, ...]
    """Path from the nearest id or the root, and the short selector if that differs."""
    box: Box
    """Position in the screenshot, in pixels of the device: a page without viewport is scaled down."""


class TextRun(Struct, frozen=True):
    """Visible text of one element, without that of its descendants."""

    selector: str
    font_px: float
    chars_count: int


class ShownImage(Struct, frozen=True):
    """Image as laid out in the page."""

    selector: str
    url: str
    """URL of the candidate that the browser chose."""
    box: Box
    natural_width_px: int
    natural_height_px: int


class ConsentChoice(StrEnum):
    """Choice on a layer that requests consent to cookies."""

    REFUSED = "refused"
    ACCEPTED = "accepted"
    """Consent to everything, given only if the layer offers nothing else."""


class DismissedLayer(Struct, frozen=True):
    """Layer of a well-known consent service that was dismissed before the page was read."""

    service: str
    """Name of the service."""
    answer: ConsentChoice
    by: str
    """Selector of the button that was clicked, or the call of the service's JavaScript API."""
    is_gone: bool
    """Whether the layer disappeared."""


class Screenshot(Struct, frozen=True):
    """Screenshot of the initial viewport."""

    device: str
    """Device: ``phone`` or ``desktop``."""
    width_px: int
    height_px: int
    """Size in CSS pixels."""
    data: bytes
    """Bytes of the WebP file."""


class FilmFrame(Struct, frozen=True):
    """Viewport of the page at one moment of a load."""

    at_ms: float
    data: bytes = b""
    """JPEG file; empty if nothing changed since the previous frame, and in stored renderings, whose images are stored separately."""


class Film(Struct, frozen=True):
    """Frames of a separate throttled load at equal intervals, until nothing changes any more."""

    frames: tuple[FilmFrame, ...]
    """Frames in order."""
    largest_paint_ms: float | None = None
    """Largest contentful paint of this load; None if the browser reported none."""


@root(Source.BROWSER, Subject.PAGE, without="a browser was not used for this report")
class Rendering(Struct, frozen=True):
    """Raw data of one browser visit to a page."""

    captured_at: str
    """RFC 3339 UTC."""
    browser: str
    """Name and version of the browser."""
    device: Device
    failure: RenderingFailure = RenderingFailure.NONE
    detail: str = ""
    """Error message in one line."""
    readiness: Readiness = Readiness.QUIET
    final_url: str = ""
    """URL of the page after the scripts ran."""
    html: str = ""
    """Markup of the document after the scripts ran."""
    html_with_blocked: str = ""
    """Markup of a second visit with the files that robots.txt had blocked; empty if none was blocked."""
    page_width_px: int = 0
    """Scroll width of the document."""
    page_height_px: int = 0
    throttling: Throttling | None = None
    """Throttling of the measured loads; None if none was requested."""
    loads: tuple[Load, ...] = ()
    """Measured loads of the page."""
    film: Film | None = None
    """Images of another load; None if none were recorded."""
    requests: tuple[BrowserRequest, ...] = ()
    """Requests of the first load."""
    console: tuple[ConsoleLine, ...] = ()
    axe_version: str = ""
    """Version of axe-core; empty if it did not run or did not finish."""
    axe: tuple[AxeNode, ...] = ()
    targets: tuple[Target, ...] = ()
    layers: tuple[Layer, ...] = ()
    texts: tuple[TextRun, ...] = ()
    first_view: tuple[SeenElement, ...] = ()
    images: tuple[ShownImage, ...] = ()
    screenshots: tuple[Screenshot, ...] = ()
    options: BrowserOptions = DEFAULTS
    """Options of the visit that were applied."""
    selector_came: bool | None = None
    """Whether the configured element appeared; None if none is configured."""
    sent_credentials: bool = False
    """Whether the project's cookies, headers or login were sent to the page's origin."""
    dismissed: DismissedLayer | None = None
    """Consent layer that was dismissed; None if the option is off or no known layer appeared."""
