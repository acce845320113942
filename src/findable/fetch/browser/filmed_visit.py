"""Record a throttled load of a page as images. It is not measured, because taking the images takes time too."""

import math
from bisect import bisect_right
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from findable.capture.rendering import Film, FilmFrame, Rendering
from findable.fetch.browser.browser_events import ScreencastFrame
from findable.fetch.browser.chromium import Chromium
from findable.fetch.browser.devtools_pipe import BrowserEnded
from findable.fetch.browser.lab_visit import QUIET_S, LabVisit, Timings, measure_loads
from findable.fetch.browser.page_visit import visit_page
from findable.fetch.browser.visit_order import VisitOrder
from findable.fetch.egress_guard import Guard
from findable.fetch.resolver import Resolver

FRAMES_COUNT = 8
STEP_MS = 100
"""Unit of the interval between frames."""
WIDTH_PX = 320
JPEG_QUALITY = 60
MAX_DRAWN_COUNT = 120
"""Maximum number of stored images; beyond it every other one is dropped, and the minimum interval doubles."""
DRAWN_MS = 20.0
"""Initial minimum interval between stored images."""
MAX_FRAME_BYTES = 300_000
STILL_MS = 500.0
"""Time without changes after which a page counts as still."""


class DrawnImage(Struct, frozen=True):
    """Image that the browser drew, which is shown until the next one."""

    at_ms: float
    """Milliseconds since 1970; in `frames_of` since the navigation began."""
    data: bytes


class FilmRecorder:
    """Images of a page in drawing order, bounded: images of an animation are thinned out, the last one is always stored."""

    def __init__(self) -> None:
        self._distance_ms = DRAWN_MS
        self.held: list[DrawnImage] = []

    def add(self, drawn: DrawnImage) -> None:
        """Store an image, replacing the previous one if that followed another within the minimum interval."""
        if len(self.held) > 1 and drawn.at_ms - self.held[-2].at_ms < self._distance_ms:
            self.held.pop()
        self.held.append(drawn)
        if len(self.held) > MAX_DRAWN_COUNT:
            self.held = [*self.held[:-1:2], self.held[-1]]
            self._distance_ms *= 2


class FilmedVisit(LabVisit):
    """Visit that records one load as images."""

    async def read(self) -> Rendering:
        """Return a rendering that contains only the film."""
        images = FilmRecorder()

        def on_frame(event: ScreencastFrame) -> None:
            self.session.send_without_reply("Page.screencastFrameAck", sessionId=event.session_id)
            if len(event.data) <= MAX_FRAME_BYTES:
                images.add(DrawnImage(event.metadata.timestamp * 1000, event.data))

        await self.throttle()
        self.session.add_listener("Page.screencastFrame", ScreencastFrame, on_frame)
        height_px = round(WIDTH_PX * self.order.device.viewport_height_px / self.order.device.viewport_width_px)
        await self.session.send(
            "Page.startScreencast", format="jpeg", quality=JPEG_QUALITY, maxWidth=WIDTH_PX, maxHeight=height_px, everyNthFrame=1
        )
        await self.navigate()
        is_quiet = await self.wait_until_loaded()
        timings = await self.timings()
        self.check_page_url()
        largest_ms = timings.largest_paint.at_ms if timings.largest_paint else None
        drawn_images = [replace(one, at_ms=one.at_ms - timings.origin_ms) for one in images.held]
        frames = frames_of(drawn_images, _end_ms(drawn_images, timings, is_quiet=is_quiet))
        return replace(self.empty, film=Film(frames, largest_ms) if frames else None)


def _end_ms(drawn_images: Sequence[DrawnImage], timings: Timings, *, is_quiet: bool) -> float:
    """Return the end of the film: the time of the last change or, for an endless animation, the time at which the page had loaded."""
    last_ms = max((one.at_ms for one in drawn_images), default=0.0)
    is_moving = is_quiet and timings.now_ms - last_ms < STILL_MS
    return timings.now_ms - QUIET_S * 1000 if is_moving else last_ms


def frames_of(drawn_images: Sequence[DrawnImage], end_ms: float) -> tuple[FilmFrame, ...]:
    """Return frames at equal intervals, the last one at ``end_ms`` or shortly after; none for a page that drew nothing.

    Args:
        drawn_images: images with milliseconds since the navigation began, in order.
        end_ms: milliseconds until the page is complete.
    """
    if not drawn_images or end_ms <= 0:
        return ()
    step_ms = STEP_MS * math.ceil(end_ms / FRAMES_COUNT / STEP_MS)
    times_ms = [one.at_ms for one in drawn_images]
    frames: list[FilmFrame] = []
    before = b""
    for at_ms in (step_ms * number for number in range(1, FRAMES_COUNT + 1)):
        data = drawn_images[max(0, bisect_right(times_ms, at_ms) - 1)].data
        frames.append(FilmFrame(float(at_ms), b"" if data == before else data))
        before = data
    return tuple(frames)


async def measure_and_film(browser: Chromium, order: VisitOrder, guard: Guard, resolver: Resolver) -> Rendering:
    """Return a rendering with the measured loads and, if the order includes screenshots, a film of another load. Raises BrowserEnded."""
    measured = await measure_loads(browser, order, guard, resolver)
    if not order.screenshots or not measured.loads:
        return measured
    try:
        filmed = await visit_page(browser, order, guard, resolver, visit=FilmedVisit)
    except BrowserEnded:
        return measured
    return replace(measured, film=filmed.film)
