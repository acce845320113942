"""Split titles into their parts at the separators of several typographies. A guillemet that closes a quotation separates nothing."""

import re

MAX_CHARS = 1000
_CJK_LETTERS = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_PART_END = re.compile(
    r"«[^«»]{0,200}»"
    r"|(?P<separator>\s[-–—―|¦·•∙:»›‹▸►▶/~@｜]+\s"
    rf"|(?<=[{_CJK_LETTERS}」』】])[-–—|·•_｜－／]+(?=[\w「『【]))"
)


def separators(title: str) -> list[tuple[int, int]]:
    """Return the start and end of each separator in the first MAX_CHARS characters."""
    return [match.span() for match in _PART_END.finditer(title[:MAX_CHARS]) if match["separator"]]


def split_title(title: str) -> list[str]:
    """Return the parts of a title: at least one, each possibly empty."""
    ends = [0, *(at for span in separators(title) for at in span), len(title)]
    return [title[start:end].strip() for start, end in zip(ends[::2], ends[1::2], strict=True)]
