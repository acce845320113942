"""Messages of the browser: what is no JSON ends the connection, halves of characters do not."""

import asyncio
import socket

import pytest

from findable.fetch.browser import devtools_pipe
from findable.fetch.browser.browser_events import ConsoleCalled
from findable.fetch.browser.devtools_pipe import DevtoolsPipe


def _heard(*messages: bytes) -> list[object]:
    """The first argument of each line of the console."""

    async def run() -> list[object]:
        ours, theirs = socket.socketpair()
        pipe = await DevtoolsPipe.connect(ours)
        heard: list[object] = []
        pipe.session("s", max_events_count=10**6).add_listener(
            "Runtime.consoleAPICalled", ConsoleCalled, lambda event: heard.append(event.args[0].value)
        )
        with theirs:
            for message in messages:
                await asyncio.get_running_loop().sock_sendall(theirs, message + b"\0")
            theirs.shutdown(socket.SHUT_WR)
            await asyncio.wait_for(pipe.ended.wait(), 10)
        return heard

    return asyncio.run(run())


def _line(text: bytes) -> bytes:
    return b'{"method":"Runtime.consoleAPICalled","sessionId":"s","params":{"type":"log","args":[{"type":"string","value":"%s"}]}}' % text


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        (rb"\ud800", "\ufffd"),
        (rb"a\udc00b", "a\ufffdb"),
        (rb"\ud83d\ude00\ud83d", "\U0001f600\ufffd"),
        (rb"\uD83D\uD83D\uDE00", "\ufffd\U0001f600"),
        (rb"\\ud83d \ud83d", "\\ud83d \ufffd"),
        (rb"\\\ud83d\n\"\ud83d\"", '\\\ufffd\n"\ufffd"'),
    ],
)
def test_halves_of_characters_are_replaced_and_the_rest_stays(sent: bytes, read: str) -> None:
    assert _heard(_line(sent), _line(b"next")) == [read, "next"]


def test_a_very_long_message_with_halves_of_characters_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devtools_pipe, "MAX_REPAIRED_BYTES", 1_000)
    heard = _heard(_line(b"x" * 1_000 + rb"\ud800"), _line(b"y" * 1_000))
    assert heard == ["y" * 1_000]


@pytest.mark.parametrize("wrong", [b"{", b"[]", b'{"id":"x"}', rb'{"method":"\x"}', rb'{"method":"\ud800'])
def test_what_is_no_message_ends_the_connection(wrong: bytes) -> None:
    assert _heard(_line(b"first"), wrong, _line(b"second")) == ["first"]
