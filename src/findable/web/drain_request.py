"""Reading and discarding of an unread request body after the response, for a limited time, so that the client reads the response.

Closing a connection while bytes arrive resets it. A browser that sends an image that is too large would then report a broken connection
and not the error message (RFC 9112 section 9.6).
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

MAX_BYTES = 32 * 1024 * 1024
MAX_S = 10.0
MAX_IDLE_S = 2.0
"""Idle time after which a client counts as finished."""

Receive = Callable[[], Awaitable[Any]]
END = {"type": "http.response.body", "body": b"", "more_body": False}


class UnreadBody:
    """Request body that the application may leave unread.

    The response is sent immediately except for its end. The server stops reading when a response is complete, so its end is delayed and its
    length omitted, otherwise client and server would treat it as complete.
    """

    def __init__(self, headers: Mapping[str, str], receive: Receive) -> None:
        self._receive = receive
        self._is_waiting = "expect" in headers
        self._is_coming = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
        self.is_delayed = False
        """Whether the end of the response is being delayed."""

    async def receive(self) -> Any:
        """Return the next ASGI message of the request, for the application."""
        self._is_waiting = False
        message = await self._receive()
        if message["type"] != "http.request" or not message.get("more_body"):
            self._is_coming = False
        return message

    def without_end(self, message: Any) -> Any:
        """Return an ASGI message of the response, without the mark of its end while the request body is still arriving.

        A client that waits for permission (``Expect: 100-continue``) sends nothing, so nothing is delayed for it.
        """
        if message["type"] == "http.response.start":
            self.is_delayed = self._is_coming and not self._is_waiting
            if self.is_delayed:
                return {**message, "headers": [line for line in message["headers"] if line[0].lower() != b"content-length"]}
        elif self.is_delayed and not message.get("more_body"):
            return {**message, "more_body": True}
        return message

    async def discard(self) -> None:
        """Read and discard the request body until it ends, the client stops sending, or a limit is reached."""
        left = MAX_BYTES
        try:
            async with asyncio.timeout(MAX_S):
                while self._is_coming and left > 0:
                    async with asyncio.timeout(MAX_IDLE_S):
                        left -= len((await self.receive()).get("body", b""))
        except TimeoutError:
            return
