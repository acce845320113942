"""Changed findings of a result, whether of a page, a site or a project."""

from msgspec import Struct

from findable.reports.difference import NotComparable
from findable.web.pages.result.finding_cards import Card
from findable.wording import Translator


class ChangedLine(Struct, frozen=True):
    """Finding of a group."""

    card: Card
    words: str
    """Effect of a page's finding on the score, empty if it costs nothing; pages and cause of a site's finding."""
    has_returned: bool = False
    """Whether a site's finding had been fixed before."""
    href: str = ""
    """URL of the list of pages with a site's finding; empty if the viewer may not see it."""
    groups: tuple["ChangedLine", ...] = ()
    """Findings of a site's fault with several causes."""


class FindingChange(Struct, frozen=True):
    """Group of findings with one kind of change between two runs or crawls."""

    kind: str
    """Kind of change: ``new``, ``returned``, ``worse``, ``better``, ``fixed`` or ``lapsed``; a class of the stylesheet."""
    lines: tuple[ChangedLine, ...]
    counts: str = ""
    """Numbers of problems and warnings of a site, in words."""


def not_compared(reason: NotComparable | None, say: Translator) -> str:
    """Return a sentence that says why a result is not compared with the previous one; empty if it is."""
    return say("Not compared with the previous result: %(reason)s.", reason=say.text(reason.words)) if reason is not None else ""
