"""Record the requests and console lines of an open page, from the browser's events, bounded."""

from collections.abc import Collection

from msgspec import Struct
from msgspec.structs import replace

from findable import urls
from findable.capture.browser_options import covers
from findable.capture.rendering import BrowserRequest, ConsoleLine, WithheldReason
from findable.clock import monotonic_s
from findable.fetch.browser.browser_events import (
    ConsoleCalled,
    DataReceived,
    ExceptionThrown,
    LoadingFailed,
    LoadingFinished,
    LogEntry,
    RequestSent,
    ResponseHead,
    ResponseReceived,
    StackTrace,
)
from findable.fetch.browser.devtools_pipe import Session

MAX_REQUESTS_COUNT = 2_000
MAX_LINES_COUNT = 500
MAX_TEXT_CHARS = 1_000
MAX_URL_CHARS = 2_048
MAX_WORD_CHARS = 100
LONG_REQUEST_S = 3.0
"""Age above which an open request no longer delays a page: it is long polling or a stream."""
_STREAMS = frozenset({"EventSource", "WebSocket", "Ping", "Media"})
_LEVELS = {"error": "error", "assert": "error", "warning": "warning", "info": "info"}


class _OpenRequest(Struct):
    """State of a request that has not ended."""

    begun_s: float
    """Seconds of the monotonic clock."""
    is_stream: bool


class PageRecord:
    """Requests and console lines of the sessions of one page."""

    def __init__(self, blocked_hosts: Collection[str] = ()) -> None:
        self._blocked_hosts = tuple(blocked_hosts)
        self._requests: dict[str, BrowserRequest] = {}
        self._redirected: list[BrowserRequest] = []
        self._open: dict[str, _OpenRequest] = {}
        self._begun: float | None = None
        self._sessions: list[Session] = []
        self._withheld: dict[str, WithheldReason] = {}
        self.is_late = False
        """Whether the viewport is now as tall as the page."""
        self.console: list[ConsoleLine] = []
        self.last_change_s = monotonic_s()
        """Monotonic time at which a request last began or ended."""

    def listen(self, session: Session) -> None:
        """Record the events of this session from now on."""
        self._sessions.append(session)
        session.add_listener("Network.requestWillBeSent", RequestSent, self._on_request)
        session.add_listener("Network.responseReceived", ResponseReceived, self._on_response)
        session.add_listener("Network.dataReceived", DataReceived, self._on_data)
        session.add_listener("Network.loadingFinished", LoadingFinished, self._on_finished)
        session.add_listener("Network.loadingFailed", LoadingFailed, self._on_failed)
        session.add_listener("Runtime.consoleAPICalled", ConsoleCalled, self._on_console_call)
        session.add_listener("Runtime.exceptionThrown", ExceptionThrown, self._on_exception)
        session.add_listener("Log.entryAdded", LogEntry, self._on_log_entry)
        session.send_without_reply("Network.enable", maxTotalBufferSize=0, maxResourceBufferSize=0)
        session.send_without_reply("Runtime.enable")
        session.send_without_reply("Log.enable")

    @property
    def requests(self) -> tuple[BrowserRequest, ...]:
        """Requests in the order in which they began."""
        sent = (replace(one, withheld=self._reason(name, one)) for name, one in self._requests.items())
        return tuple(sorted((*self._redirected, *sent), key=lambda request: request.start_ms))

    def _reason(self, request_id: str, request: BrowserRequest) -> WithheldReason:
        is_unanswered = not request.status and bool(request.failure)
        return (
            WithheldReason.HOST if is_unanswered and self._is_blocked(request.url) else self._withheld.get(request_id, WithheldReason.NOT)
        )

    def _is_blocked(self, url: str) -> bool:
        parsed = urls.parse(url) if self._blocked_hosts else None
        return parsed is not None and covers(self._blocked_hosts, parsed.host)

    def withhold(self, request_id: str, reason: WithheldReason) -> None:
        """Record why a request is not sent. The browser's console line about it is left out."""
        if len(self._withheld) < MAX_REQUESTS_COUNT:
            self._withheld[request_id] = reason

    def quiet_for_s(self) -> float:
        """Return the seconds since the last request that delays the page."""
        now_s = monotonic_s()
        if any(not request.is_stream and now_s - request.begun_s < LONG_REQUEST_S for request in self._open.values()):
            return 0.0
        return now_s - self.last_change_s

    # --- network ------------------------------------------------------------------------------------------------------------

    def _ms(self, timestamp: float) -> float:
        if self._begun is None:
            self._begun = timestamp
        return round((timestamp - self._begun) * 1000, 1)

    def _on_request(self, event: RequestSent) -> None:
        if not event.request.url.startswith(("http://", "https://", "ws://", "wss://")):
            return
        at_ms = self._ms(event.timestamp)
        earlier = self._requests.pop(event.request_id, None)
        if earlier is not None and (head := event.redirect_response) is not None:
            redirect = _with_response(earlier, head, at_ms)
            self._redirected.append(replace(redirect, end_ms=at_ms, transferred_bytes=int(head.encoded_data_length)))
        if len(self._requests) + len(self._redirected) >= MAX_REQUESTS_COUNT:
            for session in self._sessions:
                session.send_without_reply("Network.disable")
            return
        url, kind = event.request.url[:MAX_URL_CHARS], event.type.lower()
        self._requests[event.request_id] = BrowserRequest(
            url, kind, start_ms=at_ms, late=self.is_late, method=event.request.method[:MAX_WORD_CHARS]
        )
        self._open[event.request_id] = _OpenRequest(monotonic_s(), event.type in _STREAMS)
        self.last_change_s = monotonic_s()

    def _on_response(self, event: ResponseReceived) -> None:
        request = self._requests.get(event.request_id)
        if request is not None:
            self._requests[event.request_id] = _with_response(request, event.response, self._ms(event.timestamp))

    def _on_data(self, event: DataReceived) -> None:
        request = self._requests.get(event.request_id)
        if request is not None:
            self._requests[event.request_id] = replace(request, body_bytes=request.body_bytes + event.data_length)

    def _on_finished(self, event: LoadingFinished) -> None:
        request = self._close_request(event.request_id)
        if request is not None:
            size_bytes = max(0, int(event.encoded_data_length))
            self._requests[event.request_id] = replace(request, end_ms=self._ms(event.timestamp), transferred_bytes=size_bytes)

    def _on_failed(self, event: LoadingFailed) -> None:
        request = self._close_request(event.request_id)
        if request is not None:
            failure = event.blocked_reason or event.error_text
            self._requests[event.request_id] = replace(request, end_ms=self._ms(event.timestamp), failure=failure[:MAX_TEXT_CHARS])

    def _close_request(self, request_id: str) -> BrowserRequest | None:
        if self._open.pop(request_id, None) is not None:
            self.last_change_s = monotonic_s()
        return self._requests.get(request_id)

    # --- console ------------------------------------------------------------------------------------------------------------

    def _add_line(self, line: ConsoleLine) -> None:
        if len(self.console) < MAX_LINES_COUNT:
            self.console.append(replace(line, text=line.text[:MAX_TEXT_CHARS], url=line.url[:MAX_URL_CHARS]))
            return
        for session in self._sessions:
            session.send_without_reply("Runtime.disable")
            session.send_without_reply("Log.disable")

    def _on_console_call(self, event: ConsoleCalled) -> None:
        text = " ".join(str(argument.value if argument.value is not None else argument.description) for argument in event.args)
        url, line = _position(event.stack_trace)
        self._add_line(ConsoleLine(_LEVELS.get(event.type, "log"), text, url, line))

    def _on_exception(self, event: ExceptionThrown) -> None:
        details = event.exception_details
        thrown = details.exception
        text = (thrown.description or str(thrown.value if thrown.value is not None else "")) if thrown else ""
        url, line = _position(details.stack_trace)
        message = text.partition("\n")[0] or details.text
        self._add_line(ConsoleLine("error", message, url or details.url, line if url else details.line_number + 1, uncaught=True))

    def _on_log_entry(self, event: LogEntry) -> None:
        entry = event.entry
        if entry.network_request_id in self._withheld or self._is_blocked(entry.url):
            return
        line = entry.line_number + 1 if entry.line_number is not None else None
        self._add_line(ConsoleLine(_LEVELS.get(entry.level, "log"), entry.text, entry.url, line))


def _with_response(request: BrowserRequest, head: ResponseHead, at_ms: float) -> BrowserRequest:
    """Return the request with the head of its response, which arrived at that time."""
    protocol, mime_type = head.protocol[:MAX_WORD_CHARS], head.mime_type[:MAX_WORD_CHARS]
    return replace(request, status=head.status, response_ms=at_ms, protocol=protocol, mime_type=mime_type)


def _position(stack: StackTrace | None) -> tuple[str, int | None]:
    if stack is None or not stack.call_frames:
        return "", None
    return stack.call_frames[0].url, stack.call_frames[0].line_number + 1
