"""Raw data of a visit with a browser: boxes, timings and requests as they came.

Nothing here is a conclusion. Medians and shares are computed in `findable.artifacts.browser`, thresholds stand in checks, so that a
rendering can be judged again without a browser. All positions are CSS pixels of the page at the top of the document, all times are
milliseconds since the navigation began.
"""

from enum import StrEnum

from msgspec import Struct

from findable.capture.browser_options import DEFAULTS, BrowserOptions
from findable.capture.root import root
from findable.vocabulary import Source, Subject


class RenderingFailure(StrEnum):
    """Reason why a visit with the browser failed."""

    NONE = ""
    NO_BROWSER = "no_browser"
    """Browser that is not installed or did not start."""
    CRASHED = "crashed"
    TIMEOUT = "timeout"
    REFUSED = "refused"
    """URL of the page or its redirect that may not be requested."""
    UNREACHABLE = "unreachable"
    """Page that the browser could not load."""
    TOO_LARGE = "too_large"
    """Document with more elements than are read."""
    CREDENTIALS = "credentials"
    """Page that was requested with credentials, by a version whose browser did not send them."""


class Readiness(StrEnum):
    """State that ended the wait for the page."""

    QUIET = ""
    """Loaded, with no open request and no large change of the document."""
    BUSY = "busy"
    """Loaded, and still changing."""
    LOADING = "loading"
    """Not yet loaded: what is missing may have come later."""


class Device(Struct, frozen=True):
    """The emulated device."""

    name: str
    viewport_width_px: int
    viewport_height_px: int
    pixel_ratio: float = 1.0
    """Device pixels per CSS pixel."""


PHONE = Device("phone", 412, 823, 1.75)
DESKTOP = Device("desktop", 1350, 940)


class Box(Struct, frozen=True):
    """Rectangle of an element in the page."""

    left_px: float
    top_px: float
    width_px: float
    height_px: float


class LargestPaint(Struct, frozen=True):
    """Last entry of largest-contentful-paint before the first input."""

    at_ms: float
    selector: str = ""
    """Selector of the element; empty where the browser named none."""
    url: str = ""
    """URL of the image; empty for text."""


class LayoutShift(Struct, frozen=True):
    """One layout-shift entry without recent input."""

    at_ms: float
    value: float
    selectors: tuple[str, ...] = ()
    """Selectors of the elements that moved."""


class LongTask(Struct, frozen=True):
    """One task of the main thread of more than 50 ms."""

    start_ms: float
    duration_ms: float
    url: str = ""
    """URL of the script; empty where the browser did not tell."""


class Throttling(Struct, frozen=True):
    """Slowness that the browser applies to a load, to the same extent on every machine."""

    latency_ms: float
    """Time that is added to each request."""
    download_kbps: float
    upload_kbps: float
    processor_factor: float
    """Number by which the main thread is slower."""


class Load(Struct, frozen=True):
    """One load of the page, with an empty cache."""

    first_paint_ms: float | None = None
    """First contentful paint; None where nothing was painted."""
    largest_paint: LargestPaint | None = None
    shifts: tuple[LayoutShift, ...] = ()
    long_tasks: tuple[LongTask, ...] = ()
    quiet_ms: float | None = None
    """Time at which the page became quiet; None where it never did."""
    waited_share: float | None = None
    """Share of its time that the busiest process of the browser was ready to run and had to wait for a processor; None where the system
    does not tell."""
    processor_index: float = 0.0
    """Speed of one processor just before the load, in rounds of a fixed loop per millisecond; comparable on one machine only."""


class Withheld(StrEnum):
    """Reason why a request of the page was not sent."""

    NOT = ""
    ROBOTS = "robots"
    """File that robots.txt forbids Googlebot."""
    HOST = "host"
    """URL of a host that is not loaded."""


class BrowserRequest(Struct, frozen=True):
    """One request that the page made while it loaded."""

    url: str
    kind: str
    """Resource type in the browser's words: document, stylesheet, image, script, xhr …"""
    status: int = 0
    """HTTP status; 0 without a response."""
    start_ms: float = 0.0
    response_ms: float | None = None
    """Begin of the response; None without one."""
    end_ms: float | None = None
    """End of the response; None if it did not end."""
    method: str = "GET"
    protocol: str = ""
    """Protocol in the browser's words: ``h2``; empty if not known."""
    mime_type: str = ""
    transferred_bytes: int = 0
    body_bytes: int = 0
    failure: str = ""
    """Code of the browser's network error; empty where there was none."""
    late: bool = False
    """Whether it began after the view was made as tall as the page: in a browser it waits until somebody scrolls."""
    withheld: Withheld = Withheld.NOT


class ConsoleLine(Struct, frozen=True):
    """One line of the console, or one uncaught error."""

    level: str
    """Level: ``error``, ``warning``, ``info`` or ``log``."""
    text: str
    url: str = ""
    """URL of the script; empty where none is named."""
    line: int | None = None
    uncaught: bool = False


class AxeNode(Struct, frozen=True):
    """One element that axe-core reports for one rule."""

    rule: str
    impact: str
    """Impact: ``critical``, ``serious``, ``moderate`` or ``minor``."""
    selector: str


class Target(Struct, frozen=True):
    """Something to tap: a link, a button, a form control."""

    selector: str
    box: Box
    in_text: bool = False
    """Whether it is in a line of running text, whose height limits it."""


class Layer(Struct, frozen=True):
    """A fixed element that lies over the first view when the page is ready."""

    selector: str
    box: Box


class TextRun(Struct, frozen=True):
    """Visible text of one element itself."""

    selector: str
    font_px: float
    chars_count: int


class ShownImage(Struct, frozen=True):
    """An image as laid out."""

    selector: str
    url: str
    """URL of the candidate that the browser chose."""
    box: Box
    natural_width_px: int
    natural_height_px: int


class ConsentAnswer(StrEnum):
    """Answer to a layer that asks for consent to cookies."""

    REFUSED = "refused"
    ACCEPTED = "accepted"
    """Consent to everything, where the layer offers nothing else."""


class DismissedLayer(Struct, frozen=True):
    """Layer of a well-known consent service that was answered before the page was read."""

    service: str
    """Name of the service."""
    answer: ConsentAnswer
    by: str
    """Selector of the button that was clicked, or the call of the service's interface."""
    is_gone: bool
    """Whether the layer went away."""


class Screenshot(Struct, frozen=True):
    """Image of the first view of the page."""

    device: str
    """Device: ``phone`` or ``desktop``."""
    width_px: int
    height_px: int
    """Size in CSS pixels."""
    data: bytes
    """WebP file."""


class FilmFrame(Struct, frozen=True):
    """First view of the page at one moment of a load."""

    at_ms: float
    data: bytes = b""
    """JPEG file; empty where nothing has changed since the frame before, and in what a service stores, which has the images apart."""


class Film(Struct, frozen=True):
    """Frames of one load at equal distances, until nothing changed any more. It is slowed down like the measured ones, and none of them."""

    frames: tuple[FilmFrame, ...]
    """Frames in order."""
    largest_paint_ms: float | None = None
    """Largest contentful paint of this load; None where the browser named none."""


@root(Source.BROWSER, Subject.PAGE, without="a browser was not used for this report")
class Rendering(Struct, frozen=True):
    """A visit of the page with a browser."""

    captured_at: str
    """RFC 3339 UTC."""
    browser: str
    """Name and version."""
    device: Device
    failure: RenderingFailure = RenderingFailure.NONE
    detail: str = ""
    """Error message in one line."""
    readiness: Readiness = Readiness.QUIET
    final_url: str = ""
    """URL in the address bar after the scripts ran."""
    html: str = ""
    """Markup of the document after the scripts ran."""
    html_with_blocked: str = ""
    """Markup of another visit, with the files that were withheld because of robots.txt; empty where none was."""
    page_width_px: int = 0
    """Scroll width of the document."""
    page_height_px: int = 0
    throttling: Throttling | None = None
    """Slowness of the measured loads; None where none was to be measured."""
    loads: tuple[Load, ...] = ()
    """Loads that were measured."""
    film: Film | None = None
    """Another load, as images; None where none was made."""
    requests: tuple[BrowserRequest, ...] = ()
    """Requests of the first load."""
    console: tuple[ConsoleLine, ...] = ()
    axe_version: str = ""
    """Version of axe-core; empty if it did not run, or not to its end."""
    axe: tuple[AxeNode, ...] = ()
    targets: tuple[Target, ...] = ()
    layers: tuple[Layer, ...] = ()
    texts: tuple[TextRun, ...] = ()
    images: tuple[ShownImage, ...] = ()
    screenshots: tuple[Screenshot, ...] = ()
    options: BrowserOptions = DEFAULTS
    """Options of the visit, as they applied."""
    selector_came: bool | None = None
    """Whether the element that was waited for came; None where none was."""
    sent_credentials: bool = False
    """Whether cookies, headers or a login of the project were sent to the origin of the page."""
    dismissed: DismissedLayer | None = None
    """Consent layer that was answered; None where none was to be, or there was none of a known service."""
