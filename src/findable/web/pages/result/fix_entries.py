"""Entry of a list of fixes to make first, whether of a page, a site or a project."""

from msgspec import Struct

from findable.web.pages.result.finding_cards import Card


class FirstFix(Struct, frozen=True, kw_only=True):
    """One of the fixes that gain most."""

    card: Card
    gain: str
    """Gain of the fix in words; empty for none."""
    href: str = ""
    """URL of the finding."""
    where: str = ""
    """Affected pages, or the URL of the only one; empty if the card says it."""
    weight: str = ""
    """Uploaded metric of its pages, in words; empty for none."""
    badge: str = ""
    """Words if Google can index the page after this fix; empty elsewhere."""
    remedy: str = ""
    """Instruction for the first fix of a page: its first sentence, or all of it if nothing else was checked; empty for others."""
    is_whole: bool = False
    """Whether the instruction is complete."""
