"""Split titles into their parts at the separators of several typographies. A guillemet that closes a quotation separates nothing."""

from findable.formats.characters import CJK_LETTERS
from findable.lazy_pattern import lazy_pattern

MAX_CHARS = 1000
_SPACED = r"\s[-–—―|¦·•∙:»›‹▸►▶/~@｜]+\s"
_PART_END = lazy_pattern(rf"«[^«»]{{0,200}}»|(?P<separator>{_SPACED})")
_CJK_PART_END = lazy_pattern(rf"«[^«»]{{0,200}}»|(?P<separator>{_SPACED}|(?<=[{CJK_LETTERS}」』】])[-–—|·•_｜－／]+(?=[\w「『【]))")


def separators(title: str) -> list[tuple[int, int]]:
    """Return the start and end of each separator in the first MAX_CHARS characters."""
    pattern = _CJK_PART_END if max(title, default="") >= "\u3000" else _PART_END
    return [match.span() for match in pattern.finditer(title[:MAX_CHARS]) if match["separator"]]


def split_title(title: str) -> list[str]:
    """Return the parts of a title: at least one, each possibly empty."""
    ends = [0, *(at for span in separators(title) for at in span), len(title)]
    return [title[start:end].strip() for start, end in zip(ends[::2], ends[1::2], strict=True)]
