"""Results and events of the Chrome DevTools Protocol, with only the members that the visits use."""

from msgspec import Struct


class Target(Struct, frozen=True, rename="camel"):
    """Page, worker or frame of the browser (Target.TargetInfo)."""

    target_id: str
    type: str = ""
    browser_context_id: str = ""
    url: str = ""


class TargetCreated(Struct, frozen=True, rename="camel"):
    """Target.targetCreated."""

    target_info: Target


class AttachedToTarget(Struct, frozen=True, rename="camel"):
    """Target.attachedToTarget."""

    session_id: str
    target_info: Target


class NewContext(Struct, frozen=True, rename="camel"):
    """Target.createBrowserContext."""

    browser_context_id: str


class NewTarget(Struct, frozen=True, rename="camel"):
    """Target.createTarget."""

    target_id: str


class NewSession(Struct, frozen=True, rename="camel"):
    """Target.attachToTarget."""

    session_id: str


class Version(Struct, frozen=True, rename="camel"):
    """Browser.getVersion."""

    product: str
    """Name and version, like ``HeadlessChrome/156.0.8078.79``."""


class Navigated(Struct, frozen=True, rename="camel"):
    """Page.navigate."""

    error_text: str = ""


class World(Struct, frozen=True, rename="camel"):
    """Page.createIsolatedWorld."""

    execution_context_id: int


class Value(Struct, frozen=True, rename="camel"):
    """Value of a script (Runtime.RemoteObject), as JSON if it was requested by value."""

    value: object = None
    object_id: str = ""


class DescribedNode(Struct, frozen=True, rename="camel"):
    """DOM.describeNode."""

    class Node(Struct, frozen=True, rename="camel"):
        """Element, with the id of the frame that it contains."""

        frame_id: str = ""

    node: Node


class EvaluationResult(Struct, frozen=True, rename="camel"):
    """Runtime.evaluate."""

    result: Value
    exception_details: dict[str, object] | None = None


class CapturedScreenshot(Struct, frozen=True):
    """Page.captureScreenshot."""

    data: bytes
    """Image, base64-encoded in JSON."""


class ScreencastFrame(Struct, frozen=True, rename="camel"):
    """Page.screencastFrame."""

    class Metadata(Struct, frozen=True):
        """Time at which the frame was drawn, in seconds since 1970."""

        timestamp: float = 0.0

    session_id: int
    """Number of the frame, for its acknowledgement."""
    data: bytes
    """Image, as base64 in JSON."""
    metadata: Metadata = Metadata()


class OtherEvent(Struct, frozen=True):
    """Event whose parameters are not used."""


class Request(Struct, frozen=True):
    """Request that a page sends."""

    url: str
    method: str = "GET"
    headers: dict[str, str] = {}


class ResponseHead(Struct, frozen=True, rename="camel"):
    """Head of a response, for a redirect with its transferred size."""

    status: int = 0
    mime_type: str = ""
    protocol: str = ""
    encoded_data_length: float = 0.0


class RequestSent(Struct, frozen=True, rename="camel"):
    """Network.requestWillBeSent."""

    request_id: str
    timestamp: float
    request: Request
    type: str = ""
    redirect_response: ResponseHead | None = None


class ResponseReceived(Struct, frozen=True, rename="camel"):
    """Network.responseReceived."""

    request_id: str
    response: ResponseHead
    timestamp: float = 0.0


class DataReceived(Struct, frozen=True, rename="camel"):
    """Network.dataReceived."""

    request_id: str
    data_length: int = 0


class LoadingFinished(Struct, frozen=True, rename="camel"):
    """Network.loadingFinished."""

    request_id: str
    timestamp: float
    encoded_data_length: float = 0.0


class LoadingFailed(Struct, frozen=True, rename="camel"):
    """Network.loadingFailed."""

    request_id: str
    timestamp: float
    error_text: str = ""
    blocked_reason: str = ""


class CallFrame(Struct, frozen=True, rename="camel"):
    """One frame of a call stack."""

    url: str = ""
    line_number: int = 0
    """Line number, counted from 0."""


class StackTrace(Struct, frozen=True, rename="camel"):
    """Call stack of a script, innermost frame first."""

    call_frames: tuple[CallFrame, ...] = ()


class ConsoleCalled(Struct, frozen=True, rename="camel"):
    """Runtime.consoleAPICalled."""

    class Argument(Struct, frozen=True):
        """Argument of the console call."""

        value: object = None
        description: str = ""

    type: str
    args: tuple[Argument, ...] = ()
    stack_trace: StackTrace | None = None


class ExceptionThrown(Struct, frozen=True, rename="camel"):
    """Runtime.exceptionThrown."""

    class Details(Struct, frozen=True, rename="camel"):
        """Uncaught error of a script, and its position."""

        class ThrownValue(Struct, frozen=True):
            """Value that the script threw."""

            description: str = ""
            value: object = None

        text: str = ""
        line_number: int = 0
        url: str = ""
        exception: ThrownValue | None = None
        stack_trace: StackTrace | None = None

    exception_details: Details


class LogEntry(Struct, frozen=True, rename="camel"):
    """Log.entryAdded."""

    class Entry(Struct, frozen=True, rename="camel"):
        """Console line that the browser itself wrote."""

        level: str = ""
        text: str = ""
        url: str = ""
        line_number: int | None = None
        network_request_id: str = ""

    entry: Entry


class RequestPaused(Struct, frozen=True, rename="camel"):
    """Fetch.requestPaused."""

    request_id: str
    request: Request
    frame_id: str = ""
    resource_type: str = ""
    network_id: str = ""
    """Id of the request in the events of Network."""


class FrameStopped(Struct, frozen=True, rename="camel"):
    """Page.frameStoppedLoading."""

    frame_id: str


class RouteChanged(Struct, frozen=True, rename="camel"):
    """Page.navigatedWithinDocument."""

    frame_id: str
    url: str = ""


class FrameNavigated(Struct, frozen=True, rename="camel"):
    """Page.frameNavigated."""

    class Frame(Struct, frozen=True, rename="camel"):
        """Frame that was navigated: its URL, and the id of its parent frame, empty for the main frame."""

        id: str
        url: str = ""
        parent_id: str = ""
        unreachable_url: str = ""

    frame: Frame
