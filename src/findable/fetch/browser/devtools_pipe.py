"""DevTools protocol over a pipe: framing, responses and events, bounded in size and time.

Messages are JSON and end in NUL. The browser is not trusted: a message that is too long or is not JSON ends the connection, and when the
connection ends everything that waits for a response fails at once.
"""

import asyncio
import contextlib
import itertools
import re
import socket
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Raw, Struct

from findable.lazy_pattern import lazy_pattern

T = TypeVar("T")

MAX_MESSAGE_BYTES = 64 * 1024 * 1024
"""Longest message that is read. Documents are truncated before they are sent."""
MAX_REPAIRED_BYTES = 4 * 1024 * 1024
"""Longest message in which lone surrogates are replaced; longer messages that contain surrogates are dropped."""
MAX_UNSENT_BYTES = 16 * 1024 * 1024
"""Maximum number of buffered bytes for a browser that does not read."""
SEND_TIMEOUT_S = 10.0


class BrowserError(Exception):
    """Error for a command to the browser that failed; the message says why, for the log."""


class CommandFailed(BrowserError):
    """Error for a command that the browser refused."""


class NoResponse(BrowserError):
    """Error for a command without a response in time."""


class BrowserEnded(Exception):
    """Error for a lost connection to the browser, which ends all visits in it."""


class _Fault(Struct, frozen=True):
    message: str = ""


class _Message(Struct, frozen=True, rename="camel"):
    """One message from the browser: a response if it has an ``id``, else an event."""

    id: int | None = None
    method: str = ""
    params: Raw = Raw(b"{}")
    result: Raw = Raw(b"{}")
    error: _Fault | None = None
    session_id: str = ""


_MESSAGES = msgspec.json.Decoder(_Message)
_ENCODER = msgspec.json.Encoder()
_ESCAPE = lazy_pattern(rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL)
"""Escape of a JSON string. The group is a lone surrogate."""


def _decode(message: bytes) -> _Message | None:
    """Return a message; None for a very long one with lone surrogates. Raises MsgspecError, RecursionError and UnicodeDecodeError.

    Strings of JavaScript may be cut within a character, as in a line of the console, and the browser sends such halves as they are. They
    are no text: U+FFFD takes their place.
    """
    try:
        return _MESSAGES.decode(message)
    except msgspec.DecodeError:
        if b"\\ud" not in message and b"\\uD" not in message:
            raise
    if len(message) > MAX_REPAIRED_BYTES:
        return None
    return _MESSAGES.decode(_ESCAPE.sub(lambda escape: b"\\ufffd" if escape[1] else escape[0], message))


class _Listener(Struct, Generic[T], frozen=True):
    kind: type[T]
    callback: Callable[[T], None]


class Session:
    """DevTools session with one target of the browser. The session without an id is with the browser itself."""

    def __init__(self, pipe: "DevtoolsPipe", session_id: str, *, max_events_count: int) -> None:
        self._pipe = pipe
        self.id = session_id
        self._left_count = max_events_count
        self._listeners: dict[str, _Listener[Any]] = {}
        self.on_flood: Callable[[], None] = lambda: None
        """Called once, when the target exceeds its number of events. Further events are dropped."""

    def add_listener(self, method: str, kind: type[T], on_event: Callable[[T], None]) -> None:
        """Call ``on_event`` with the parameters of each event with the given name. The function must be fast."""
        self._listeners[method] = _Listener(kind, on_event)

    async def send(self, method: str, *, timeout_s: float = SEND_TIMEOUT_S, **params: object) -> None:
        """Send a command whose result does not matter. Raises BrowserError and BrowserEnded."""
        await self._pipe.call(self.id, method, params, timeout_s)

    async def call(self, method: str, kind: type[T], *, timeout_s: float = SEND_TIMEOUT_S, **params: object) -> T:
        """Return the result of a command. Raises BrowserError, also for a result of another type, and BrowserEnded."""
        result = await self._pipe.call(self.id, method, params, timeout_s)
        try:
            return msgspec.json.decode(result, type=kind)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            raise CommandFailed(f"{method}: {error}") from error

    def send_without_reply(self, method: str, **params: object) -> None:
        """Send a command without waiting for a response; a browser that has ended is not an error."""
        with contextlib.suppress(BrowserEnded):
            self._pipe.write(self.id, method, params)

    def dispatch(self, message: _Message) -> None:
        """Call the listeners of an event."""
        if self._left_count <= 0:
            return
        self._left_count -= 1
        if self._left_count == 0:
            self.on_flood()
        listener = self._listeners.get(message.method)
        if listener is not None:
            with contextlib.suppress(msgspec.MsgspecError, RecursionError, UnicodeDecodeError):  # an event of an unexpected form is ignored
                listener.callback(msgspec.json.decode(message.params, type=listener.kind))


class DevtoolsPipe(asyncio.Protocol):
    """The connection to one browser. Created by `connect`."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Raw]] = {}
        self._sessions: dict[str, Session] = {}
        self._unread = bytearray()
        self._searched_bytes = 0
        self.browser = self.session("", max_events_count=10**9)
        self.ended = asyncio.Event()

    @classmethod
    async def connect(cls, end: socket.socket) -> "DevtoolsPipe":
        """Return a connection over this end of a socket pair."""
        _, pipe = await asyncio.get_running_loop().connect_accepted_socket(cls, end)
        return pipe

    def session(self, session_id: str, *, max_events_count: int) -> Session:
        """Return a new session, which receives the events of its target from now on."""
        made = self._sessions[session_id] = Session(self, session_id, max_events_count=max_events_count)
        return made

    def remove_session(self, session: Session) -> None:
        """Drop the events of a session from now on."""
        self._sessions.pop(session.id, None)

    async def call(self, session_id: str, method: str, params: dict[str, object], timeout_s: float) -> Raw:
        """Return the result of a command. Raises BrowserError."""
        number = self.write(session_id, method, params)
        response: asyncio.Future[Raw] = asyncio.get_running_loop().create_future()
        self._waiting[number] = response
        try:
            async with asyncio.timeout(timeout_s):
                return await response
        except TimeoutError as error:
            raise NoResponse(f"{method}: no response within {timeout_s:g} s") from error
        finally:
            self._waiting.pop(number, None)  # a late response is dropped

    def write(self, session_id: str, method: str, params: dict[str, object]) -> int:
        """Send a command and return its number. Raises BrowserEnded."""
        if self._transport is None or self.ended.is_set() or self._transport.is_closing():
            raise BrowserEnded("the browser has ended")
        if self._transport.get_write_buffer_size() > MAX_UNSENT_BYTES:
            self.abort()
            raise BrowserEnded("the browser does not read its pipe")
        number = next(self._numbers)
        target = {"sessionId": session_id} if session_id else {}
        self._transport.write(_ENCODER.encode({"id": number, "method": method, "params": params, **target}) + b"\0")
        return number

    def abort(self) -> None:
        """End the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    # --- asyncio.Protocol -------------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport of the new connection."""
        if isinstance(transport, asyncio.Transport):
            self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Handle every complete message."""
        self._unread += data
        while not self.ended.is_set():
            end = self._unread.find(0, self._searched_bytes)
            if end < 0:
                self._searched_bytes = len(self._unread)
                if self._searched_bytes > MAX_MESSAGE_BYTES:
                    self.abort()
                return
            message = bytes(memoryview(self._unread)[:end])
            del self._unread[: end + 1]
            self._searched_bytes = 0
            try:
                if (decoded := _decode(message)) is not None:
                    self._handle(decoded)
            except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
                self.abort()
                return

    def _handle(self, message: _Message) -> None:
        if message.id is None:
            session = self._sessions.get(message.session_id)
            if session is not None:
                session.dispatch(message)
            return
        response = self._waiting.get(message.id)
        if response is None or response.done():
            return
        if message.error is not None:
            response.set_exception(CommandFailed(message.error.message))
        else:
            response.set_result(message.result)

    def connection_lost(self, error: Exception | None) -> None:
        """Fail all pending commands."""
        self.ended.set()
        self._unread.clear()
        for response in self._waiting.values():
            if not response.done():
                response.set_exception(BrowserEnded("the browser has ended"))
        self._sessions.clear()
