"""Images of a page while it loads, side by side with their times."""

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct

from findable.reports.browser_words import FILMSTRIP_NOTE, LARGEST_PAINT, filmstrip_alt, frame_time
from findable.reports.facts.browser_facts import FrameFact
from findable.service.reports.stored_images import FRAME_BOX, FRAME_STEP_PX
from findable.wording import Translator


class Filmstrip(Struct, frozen=True):
    """Filmstrip: one image file with all frames side by side."""

    kind: ClassVar[str] = "filmstrip"
    image: str
    """URL of the file."""
    alt: str
    frames: tuple[tuple[str, str], ...]
    """Time of each frame, and the mark of the largest paint; the mark is empty for other frames."""
    note: str
    width_px: int
    height_px: int


def filmstrip(frames: Sequence[FrameFact], image: str, say: Translator) -> Filmstrip:
    """Return the filmstrip of these frames; ``image`` is the URL of its image file."""
    return Filmstrip(
        image=image,
        alt=filmstrip_alt(frames, say),
        frames=tuple((frame_time(frame, say), say(LARGEST_PAINT) if frame.largest_paint else "") for frame in frames),
        note=say(FILMSTRIP_NOTE),
        width_px=FRAME_STEP_PX * len(frames),
        height_px=FRAME_BOX[1],
    )
