"""Width of titles and descriptions on a result page, and where they are truncated: an estimate."""

from msgspec import Struct

from findable.artifacts.page.head import Head
from findable.artifacts.page.text_width import EM, MEASURED_CHARS, advance_of, width_px
from findable.artifacts.registry import artifact
from findable.formats.characters import is_wide

TITLE_SIZE_PX = 20
TITLE_LIMIT_PX = 600
"""Width of a title on a desktop result page, observed. Google gives no number ("truncated … to fit the device width")."""
DESCRIPTION_SIZE_PX = 14
DESCRIPTION_LIMIT_PX = 920
"""Width of about two lines of a desktop snippet, observed."""
ELLIPSIS = " ..."
"""Text that Google appends where it truncates."""


def truncated_at(text: str, limit_px: int, size_px: int) -> int | None:
    """Return how many characters of a text are shown before the ellipsis; None if it fits the line or cannot be measured.

    The text is cut after the last whole word that fits with the ellipsis, but inside a word longer than half the line, and between any
    two characters of a script without spaces.
    """
    whole = width_px(text, size_px)
    if whole is None or whole <= limit_px:
        return None
    room = (limit_px * EM / size_px) - sum(advance_of(char) or 0 for char in ELLIPSIS)
    used, fits = 0, 0
    for index, char in enumerate(text[:MEASURED_CHARS]):
        used += advance_of(char) or 0
        if used > room:
            break
        fits = index + 1
    return _last_break(text, fits)


def _last_break(text: str, fits: int) -> int:
    for at in range(fits, fits // 2, -1):
        if at == len(text) or text[at] == " " or is_wide(text[at]) or is_wide(text[at - 1]):
            return at
    return fits


class Line(Struct, frozen=True):
    """Text as a result page shows it, with its estimated width."""

    text: str
    characters_count: int
    """Number of code points."""
    width_px: int | None
    """Estimated width; None if it cannot be estimated."""
    limit_px: int
    truncated_at: int | None
    """Number of characters shown if it does not fit."""

    @property
    def preview(self) -> str:
        """Text as it would be shown."""
        return self.text if self.truncated_at is None else self.text[: self.truncated_at].rstrip() + ELLIPSIS


def line(text: str, limit_px: int, size_px: int) -> Line:
    """Return the text, whose white space is collapsed, with its estimated width and the index at which it is truncated."""
    width = width_px(text, size_px)
    return Line(text, len(text), None if width is None else round(width), limit_px, truncated_at(text, limit_px, size_px))


class ResultLines(Struct, frozen=True):
    """Title and description as on a desktop result page; empty texts if the page has none."""

    title: Line
    description: Line


@artifact
def make_result_lines(head: Head) -> ResultLines:
    """Measure the first non-empty title and description."""
    return ResultLines(line(head.title, TITLE_LIMIT_PX, TITLE_SIZE_PX), line(head.description, DESCRIPTION_LIMIT_PX, DESCRIPTION_SIZE_PX))
