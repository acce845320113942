"""Options of a PDF: language, branding, the owner's texts and images."""

import re
from datetime import tzinfo

from msgspec import Struct, field

from findable.capture.site_hits import SiteHits
from findable.export.client_words import NOTHING_WRITTEN, ClientWords
from findable.reports.search_verdict import SearchVerdict
from findable.wording import ENGLISH, Translator

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


class Branding(Struct, frozen=True):
    """Name, colour and logo of the sender of a PDF. Raises ValueError for a colour that is not ``#rrggbb``."""

    name: str = ""
    color: str = ""
    """Colour as ``#rrggbb``; darkened if it would be illegible on white paper."""
    logo: bytes = b""
    """PNG encoded by Findable (`service.reports.stored_images`)."""

    def __post_init__(self) -> None:
        if self.color and not _COLOUR.fullmatch(self.color):
            raise ValueError("color must be a hexadecimal colour like #1a5442")


class Screenshots(Struct, frozen=True):
    """Screenshots of a page as PNGs encoded by Findable."""

    desktop: bytes
    phone: bytes


class Sheet(Struct, frozen=True):
    """Options of a PDF: language, branding, the owner's texts and images."""

    say: Translator = ENGLISH
    branding: Branding = field(default_factory=Branding)
    client: ClientWords = NOTHING_WRITTEN
    zone: tzinfo | None = None
    """Time zone of dates; UTC by default."""
    tables: bool = False
    """Whether to add the long tables of the facts."""
    hits: SiteHits | None = None
    """Requests of bots; None without logs, or if the owner did not choose them for the client."""
    screenshots: Screenshots | None = None
    """Screenshots of the page; None for none."""
    filmstrip: bytes = b""
    """WebP with the frames of a load, encoded by Findable; empty for none."""
    verdict: SearchVerdict | None = None
    """Verdict of the page after its newest result, which may be a later one than that of the report; None for that of the report."""
    ruleset_before: str = ""
    """Ruleset of the earlier result, if its score cannot be compared because of another ruleset; else empty."""
    is_plain: bool = False
    """Whether the findings are in plain words, without what only specialists read."""
    is_short: bool = False
    """Whether it is a summary on one page, with the pictures of the chosen sections only."""
    score_before: int | None = None
    """Score of the report, if the verdict decides another one; else None."""
