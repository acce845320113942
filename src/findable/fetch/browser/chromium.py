"""One running Chromium: its process, started through a keeper, and the connection to it."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from findable.clock import monotonic_s
from findable.fetch.browser.browser_events import TargetCreated, Version
from findable.fetch.browser.browser_program import BrowserProgram
from findable.fetch.browser.devtools_pipe import BrowserEnded, BrowserError, DevtoolsPipe, NoResponse
from findable.fetch.browser.process_memory import has_seccomp_filter, memory_of_tree
from findable.fetch.user_agent import CONTACT

START_TIMEOUT_S = 20.0
CLOSE_TIMEOUT_S = 8.0
LISTENER_TIMEOUT_S = 5.0
MAX_BYTES = 1_000_000_000
"""Memory use of all processes above which the largest is killed."""
WATCH_EVERY_S = 1.0
KEEPER = Path(__file__).with_name("browser_keeper.py")
_MESSAGE_BYTES = 8192
_REASON_CHARS = 500


class StartedBrowser(Struct, frozen=True):
    """Properties of a browser that the keeper has started: its profile, network and trusted authorities."""

    profile: str = ""
    """Folder that is removed when the browser ends."""
    has_own_network: bool = False
    """Whether the kernel blocks the browser from all sockets except those created for it."""
    trusts_authorities: bool = False
    """Whether the browser trusts the operator's certificate authorities."""


class Chromium:
    """A running browser. Created by `start`; `close` ends it and all its processes.

    Attributes:
        pipe: the connection.
        version: name and version.
        contact: URL in its user agent.
        started: state in which it was started.
    """

    def __init__(self, keeper: "subprocess.Popen[bytes]", control: socket.socket, pipe: DevtoolsPipe) -> None:
        self._keeper = keeper
        self._control = control
        self._listener_lock = asyncio.Lock()
        self._watch: asyncio.Task[None] | None = None
        self.pipe = pipe
        self.version = ""
        self.contact = CONTACT
        self.started = StartedBrowser()
        self.begun_s = monotonic_s()
        self.visits_count = 0
        self.contexts: dict[str, Callable[[TargetCreated], None]] = {}
        """Callbacks for new targets, by the id of their browser context."""

    @classmethod
    async def start(cls, program: BrowserProgram) -> "Chromium":
        """Start the browser. Raises BrowserError with the last lines of its error output."""
        control, keepers_control = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours, theirs = socket.socketpair()
        control.setblocking(False)
        ours.setblocking(False)
        try:
            keeper = subprocess.Popen(  # noqa: S603, ASYNC220 - our own interpreter and script; takes a millisecond
                [
                    *(sys.executable, "-I", "-S", str(KEEPER)),
                    *(str(keepers_control.fileno()), str(theirs.fileno()), program.user),
                    *("own" if program.isolates_network else "shared", program.ca_file, *program.command),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=(keepers_control.fileno(), theirs.fileno()),
                start_new_session=True,
            )
        except OSError as error:
            for end in (control, ours):
                end.close()
            raise BrowserError(f"the browser could not be started: {error}") from error
        finally:
            keepers_control.close()
            theirs.close()
        browser = cls(keeper, control, await DevtoolsPipe.connect(ours))
        browser.contact = program.contact
        try:
            await browser._begin()
        except BaseException:
            await browser.close()
            raise
        return browser

    async def _begin(self) -> None:
        try:
            first, _ = await self._message(START_TIMEOUT_S)
            if first[:1] != b"s":
                raise BrowserError(_with_output("the browser could not be started", first))
            self.started = msgspec.json.decode(first[1:], type=StartedBrowser)
            self.version = (await self.pipe.browser.call("Browser.getVersion", Version, timeout_s=START_TIMEOUT_S)).product
            self.pipe.browser.add_listener("Target.targetCreated", TargetCreated, self._new_target)
            await self.pipe.browser.send("Target.setDiscoverTargets", discover=True)
        except BrowserEnded as error:
            raise BrowserError(await self._start_problem()) from error
        except msgspec.MsgspecError as error:
            raise BrowserError(f"the browser could not be started: its response is invalid ({error})") from error
        self._watch = asyncio.create_task(self._watch_memory())

    def _new_target(self, event: TargetCreated) -> None:
        if heard := self.contexts.get(event.target_info.browser_context_id):
            heard(event)

    async def _start_problem(self) -> str:
        with contextlib.suppress(BrowserEnded, BrowserError):
            message, _ = await self._message(CLOSE_TIMEOUT_S)
            return _with_output("the browser ended while it was starting", message)
        return "the browser ended while it was starting"

    async def listener(self) -> socket.socket:
        """Return a new socket listening on the browser's loopback interface. Raises BrowserError."""
        async with self._listener_lock:
            try:
                self._control.send(b"l")
            except OSError as error:
                raise BrowserEnded("the browser has ended") from error
            message, descriptors = await self._message(LISTENER_TIMEOUT_S)
        sockets = [socket.socket(fileno=descriptor) for descriptor in descriptors]
        if message[:1] != b"l" or len(sockets) != 1:
            for one in sockets:
                one.close()
            raise BrowserEnded("the browser has ended")
        sockets[0].setblocking(False)
        return sockets[0]

    async def _message(self, timeout_s: float) -> tuple[bytes, list[int]]:
        """Return the next message of the keeper and its file descriptors."""
        loop = asyncio.get_running_loop()
        arrived = asyncio.Event()
        loop.add_reader(self._control, arrived.set)
        try:
            async with asyncio.timeout(timeout_s):
                await arrived.wait()
            message, descriptors, _, _ = socket.recv_fds(self._control, _MESSAGE_BYTES, 1)
        except TimeoutError as error:
            raise NoResponse("the browser was not ready in time") from error
        except OSError as error:
            raise BrowserEnded("the browser has ended") from error
        finally:
            loop.remove_reader(self._control)
        if not message:
            raise BrowserEnded("the browser has ended")
        return message, list(descriptors)

    # --- while it is running ----------------------------------------------------------------------------------------------------

    @property
    def has_ended(self) -> bool:
        """Whether the browser has ended or lost its connection."""
        return self.pipe.ended.is_set() or self._keeper.poll() is not None

    @property
    def keeper_pid(self) -> int:
        """Process whose descendants are the browser's processes."""
        return self._keeper.pid

    def memory_bytes(self) -> int:
        """Return the memory use of all processes of the browser."""
        return sum(size.own_bytes for size in memory_of_tree(self._keeper.pid))

    @property
    def is_sandboxed(self) -> bool:
        """Whether a process of the browser is sandboxed. True only while a page is open."""
        return any(has_seccomp_filter(size.pid) for size in memory_of_tree(self._keeper.pid))

    async def _watch_memory(self) -> None:
        """Kill the browser's largest process whenever its processes together use more than MAX_BYTES."""
        while not self.has_ended:
            await asyncio.sleep(WATCH_EVERY_S)
            sizes = memory_of_tree(self._keeper.pid)
            if sum(size.own_bytes for size in sizes) > MAX_BYTES:
                with contextlib.suppress(OSError):
                    os.kill(sizes[0].pid, signal.SIGKILL)

    async def close(self) -> None:
        """End the browser and all its processes; its profile is removed."""
        if self._watch is not None:
            self._watch.cancel()
        self.pipe.abort()
        self._control.close()  # the keeper kills, reaps and removes the rest
        until_s = monotonic_s() + CLOSE_TIMEOUT_S
        pause_s = 0.002
        while self._keeper.poll() is None and monotonic_s() < until_s:
            await asyncio.sleep(pause_s)
            pause_s = min(0.05, pause_s * 2)
        if self._keeper.poll() is None:
            with contextlib.suppress(OSError):
                os.killpg(self._keeper.pid, signal.SIGKILL)
            self._keeper.wait()


def _with_output(problem: str, message: bytes) -> str:
    """Return a problem with the fatal, else the last lines of the browser's error output, if the keeper's message contains any."""
    lines = message[1:].decode("utf-8", "replace").strip().splitlines() if message[:1] == b"e" else []
    fatal = [line for line in lines if "FATAL" in line or "usable sandbox" in line] or lines[-2:]
    return f"{problem}: {' '.join(fatal)[:_REASON_CHARS]}" if fatal else problem
