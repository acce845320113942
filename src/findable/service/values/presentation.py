"""Presentation of a shared report: the owner's texts and choices, the project's brand and language, the link."""

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from msgspec import Struct, field, structs

from findable.export.client_words import ClientWords
from findable.store.share_link_statements import LinkRow
from findable.vocabulary import Rating
from findable.wording import Translator, later, wording

SECTIONS = ("search", "fixes", "outside", "findings", "counted", "facts", "evidence")
"""Optional sections of the page in their order; verdict and summary are always shown. ``evidence`` is the saved page."""
SAVED_PAGE = "evidence"
"""Section that guests see only if the owner chose it, because it contains the whole page and all responses."""
BOTS = "bots"
"""Section that guests see only if the owner chose it, because it is about the server of the site."""
_HARM = "What makes a page bad comes first, then what costs the most points on all pages."
_HIDDEN_FIRST = (SAVED_PAGE, BOTS)
USUAL_SECTIONS = tuple(name for name in SECTIONS if name not in _HIDDEN_FIRST)
"""Sections that guests see by default."""
SITE_SECTIONS = ("structure", "duplicates", "sitemaps", "pages", "changes", BOTS)
"""Optional sections of the report of a site. ``pages`` is the list of pages, each page, and the tables for download."""

PROJECT_SECTIONS = ("trend", "progress", "structure", "findings", "page_list", BOTS)
"""Optional sections of the report of a project. ``structure`` is the picture and the charts of its crawl."""


class ClientView(ClientWords, frozen=True):
    """Texts and choices of a report's owner for the client: plain text with line breaks."""

    sections: tuple[str, ...] = USUAL_SECTIONS
    """Optional sections that guests see."""
    run: int | None = None
    """Run that the link always shows; null for the newest result."""

    def shows(self, section: str) -> bool:
        """Return whether guests see the section."""
        return section in self.sections

    @property
    def shows_saved_page(self) -> bool:
        """Whether guests get the saved page: only if no section is hidden, because the saved page reveals everything."""
        return all(map(self.shows, SECTIONS))

    @property
    def shown_notes(self) -> Mapping[str, str]:
        """Notes shown to guests: empty if the findings are hidden."""
        return self.notes if self.shows("findings") else {}


NO_RATING_WORDS = "none"
"""Setting of the words of ratings that shows clients the score alone."""


class BrandView(Struct, frozen=True):
    """Name, colour and logo of the sender of a report; each may be empty."""

    name: str = ""
    color: str = ""
    """Colour as ``#rrggbb``."""
    logo: bytes = b""
    """Hash of the image."""
    reply_to: str = ""
    """Email address for replies to emails about the project."""
    rating_words: str = ""
    """Words for good, decent and bad, separated by commas; `NO_RATING_WORDS` hides them, empty for the usual ones."""

    @property
    def has_sender(self) -> bool:
        """Whether the report shows the sender's name or logo in place of Findable."""
        return bool(self.name or self.logo)

    @property
    def digest(self) -> str:
        """Short digest that changes with what pages show of the brand."""
        return hashlib.sha256(repr((self.name, self.color, self.logo, self.rating_words)).encode()).hexdigest()[:8]


class Presentation(Struct, frozen=True):
    """Presentation settings of a shared report, crawl or project."""

    client: ClientView = field(default_factory=ClientView)
    brand: BrandView = field(default_factory=BrandView)
    language: str | None = None
    """Language of the report for guests; None for the language of the browser."""
    is_listed: bool = False
    """Whether search engines may index the public page."""
    expires_at: datetime | None = None
    """End of guest access; None for no end."""
    icon: bytes | None = None
    """Hash of the icon of the site; None without one."""

    @property
    def last_day(self) -> date | None:
        """Last day (UTC) of guest access."""
        return None if self.expires_at is None else (self.expires_at - timedelta(seconds=1)).astimezone(UTC).date()


def presentation_of(row: LinkRow, sections: tuple[str, ...] = SECTIONS) -> Presentation:
    """Return the presentation that the row of a link contains; ``sections`` are the optional sections of the shared page."""
    return Presentation(
        client=client_of(row.client_json, sections),
        brand=brand_of(row),
        language=row.language or None,
        is_listed=bool(row.is_listed),
        expires_at=None if row.expires_at is None else datetime.fromtimestamp(row.expires_at, UTC),
        icon=row.icon,
    )


@lru_cache(maxsize=64)
def client_wording(code: str, rating_words: str) -> Translator:
    """Return the translator for clients in a language, with the words of a brand for ratings (`BrandView.rating_words`)."""
    base = wording(code)
    if not rating_words:
        return base
    hidden = rating_words == NO_RATING_WORDS
    words = (base(later("Score")),) * 3 if hidden else rating_words.split(", ")
    above, ruleset = base.text(later("%(word)s from %(number)s")), base.text(later("Ruleset %(ruleset)s"))
    shown, levels = dict[str, str](), list[str]()
    for rating, word in zip(Rating, words, strict=True):
        escaped = word.replace("%", "%%")
        shown |= {rating.value: word, rating.value.capitalize(): word}
        rated = base.text(later("Score: %(score)s of 100."))
        shown[f"**Rated {rating}**, %(score)s of 100."] = rated if hidden else f"**{escaped}**. {rated}"
        way = base.text(later("The cheapest fixes: %(checks)s."))
        shown[f"The cheapest way to *{rating}*: %(checks)s."] = way if hidden else f"*{escaped}*: {way}"
        if rating is not Rating.BAD:
            levels.append("" if hidden else above % {"word": escaped, "number": f"%({rating})s"})
            shown[f"{rating} from %({rating})s"] = levels[-1]
    shown["good from %(good)s, decent from %(decent)s in ruleset %(ruleset)s"] = ", ".join(filter(None, (*levels, ruleset)))
    shown[_HARM] = base.text(later("What costs the most points on all pages comes first."))
    return base.renamed(shown)


def brand_of(row: LinkRow | None) -> BrandView:
    """Return the brand of the project of a link; an empty one without a link."""
    if row is None:
        return BrandView()
    texts = (row.brand_reply_to or "", row.rating_words or "")
    return BrandView(row.brand_name or "", row.brand_color or "", row.brand_logo or b"", *texts)


def client_of(text: str | None, sections: tuple[str, ...] = SECTIONS) -> ClientView:
    """Decode what `client_json` encoded; without a text or choice, the default sections and no texts."""
    stored = json.loads(text) if text else {}
    hidden = stored.pop("hidden", _HIDDEN_FIRST)
    return ClientView(sections=tuple(name for name in sections if name not in hidden), **stored)


def client_json(client: ClientView, sections: tuple[str, ...] = SECTIONS) -> str | None:
    """Encode the texts and choices with the hidden sections, if they are not the default ones; None if nothing was chosen."""
    chosen = {name: value for name, value in structs.asdict(client).items() if value and name != "sections"}
    hidden = [name for name in sections if name not in client.sections]
    if hidden != [name for name in sections if name in _HIDDEN_FIRST]:
        chosen["hidden"] = hidden
    return json.dumps(chosen, ensure_ascii=False, separators=(",", ":")) if chosen else None
