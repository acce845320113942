"""Read start tags as written in the source of a page, and the offsets of its lines."""

import re
from array import array
from bisect import bisect_left

LINE_BLOCK_CHARS = 512
"""Block size for counting lines."""
SNIPPET_CHARS = 240
MAX_TAG_CHARS = 4000
"""Length above which a start tag is not rewritten."""
_TAG = re.compile(
    r"""<[^\t\n\f\r />]*+(?:[\t\n\f\r /]++|[^\t\n\f\r />][^\t\n\f\r />=]*+"""
    r"""(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:"[^"]*+"|'[^']*+'|(?=>)|[^\t\n\f\r >"'][^\t\n\f\r >]*+)|(?![\t\n\f\r ]*+=)))*>"""
)
"""Tag as browsers read it (HTML Standard, 13.2.5): a quotation mark delimits a value only behind ``=``."""


def cut_tag(source: str, start: int) -> str:
    """Return the tag that begins at ``start``, cut at SNIPPET_CHARS."""
    limit = min(len(source), start + SNIPPET_CHARS)
    whole = _TAG.match(source, start, limit)
    return whole.group() if whole else source[start:limit] + "…"


def whole_tag(source: str, start: int) -> str | None:
    """Return the tag that begins at ``start``, None if it has no end within MAX_TAG_CHARS."""
    whole = _TAG.match(source, start, start + MAX_TAG_CHARS)
    return whole.group() if whole else None


class SourceLines:
    """Offsets of the lines of a source, counted only as far as they are requested."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._before = array("l", [0])
        """Line breaks before each block of LINE_BLOCK_CHARS."""

    def start_of(self, line: int) -> int | None:
        """Return the offset of a line, counted from 1; None if there are fewer lines."""
        before, breaks = self._before, line - 1
        at = (len(before) - 1) * LINE_BLOCK_CHARS
        while before[-1] < breaks and at < len(self._source):
            before.append(before[-1] + self._source.count("\n", at, at + LINE_BLOCK_CHARS))
            at += LINE_BLOCK_CHARS
        if before[-1] < breaks:
            return None
        if breaks == 0:
            return 0
        index = bisect_left(before, breaks) - 1  # the block with the last of these line breaks
        end = min((index + 1) * LINE_BLOCK_CHARS, len(self._source))
        after = self._source[index * LINE_BLOCK_CHARS : end].split("\n", breaks - before[index])[-1]
        return end - len(after)
