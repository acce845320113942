"""What a client still sends once it is answered: read on and thrown away for a while, so that it comes to read the answer.

A connection that is closed while bytes arrive is reset. A browser that sends a picture that is too large would then say that the
connection broke, and not what is wrong with the picture (RFC 9112 section 9.6).
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

MOST_BYTES = 32 * 1024 * 1024
MOST_S = 10.0
MOST_IDLE_S = 2.0
"""Whoever sends nothing for this long does not send any more."""

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
END = {"type": "http.response.body", "body": b"", "more_body": False}


class Unread:
    """The body of one request: how much of it is still to come.

    The answer goes out at once but for its end. The server stops to read where an answer is complete, so that its end is held back,
    and its length is left out: a client would take it as complete otherwise, and the server too.
    """

    def __init__(self, headers: Mapping[str, str], receive: Receive) -> None:
        self._receive = receive
        self._is_waiting = "expect" in headers
        self._is_coming = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
        self._is_held = False

    async def receive(self) -> Any:
        """The next message, for the application."""
        self._is_waiting = False
        message = await self._receive()
        if message["type"] != "http.request" or not message.get("more_body"):
            self._is_coming = False
        return message

    def held_back(self, message: Any) -> Any:
        """A message of the answer, without its end where the body still comes.

        A client that waits to be told to go on (``Expect: 100-continue``) sends nothing, and nothing is held back.
        """
        if message["type"] == "http.response.start":
            self._is_held = self._is_coming and not self._is_waiting
            if self._is_held:
                return {**message, "headers": [line for line in message["headers"] if line[0].lower() != b"content-length"]}
        elif self._is_held and not message.get("more_body"):
            return {**message, "more_body": True}
        return message

    @property
    def is_held(self) -> bool:
        """Whether the answer waits for its end."""
        return self._is_held

    async def discard(self) -> None:
        """Reads on until the body ends, nothing more comes, or it is too much."""
        left = MOST_BYTES
        try:
            async with asyncio.timeout(MOST_S):
                while self._is_coming and left > 0:
                    async with asyncio.timeout(MOST_IDLE_S):
                        left -= len((await self.receive()).get("body", b""))
        except TimeoutError:
            return
