"""A report as its owner presents it: words for the client, brand, language and link, as the page shows them."""

from datetime import timedelta

from msgspec import Struct, field
from starlette.responses import Response

from findable.clock import now
from findable.errors import NotFound
from findable.service.projects.brand import accents, parsed
from findable.service.values.presentation import BrandView, ClientView, Presentation
from findable.web.pages.shared.system import FOREVER
from findable.web.routing import Request, get
from findable.wording import LANGUAGES, Wording


class Presented(Struct, frozen=True):
    """What is known of the presentation when a page is made."""

    presentation: Presentation = field(default_factory=Presentation)
    link_run: int | None = None
    """The run that guests are shown."""
    asked: str = ""
    """The language that the address asks for; empty for none."""
    is_listed: bool = False
    """Whether search engines may list this very page."""

    @property
    def client(self) -> ClientView:
        """What the owner wrote for the client."""
        return self.presentation.client


class Written(Struct, frozen=True):
    """What the owner wrote; each text may be empty."""

    summary: str
    prepared_by: str
    prepared_for: str


class Brand(Struct, frozen=True):
    """Whose report it is; each part may be empty."""

    name: str
    logo: str
    """Path of the picture."""
    stylesheet: str
    """Path of the style sheet with the colour."""


class LanguageLink(Struct, frozen=True):
    """The same page in another language."""

    code: str
    name: str
    """In the language itself."""
    href: str
    is_current: bool


class Listing(Struct, frozen=True):
    """What a search engine is told of a page that it may list."""

    canonical: str
    description: str


def written_of(client: ClientView) -> Written | None:
    """None where nothing is written."""
    made = Written(client.summary, client.prepared_by, client.prepared_for)
    return made if any((made.summary, made.prepared_by, made.prepared_for)) else None


def brand_of(brand: BrandView, page: str) -> Brand | None:
    """None where the project has none."""
    if not (brand.name or brand.color or brand.logo):
        return None
    logo = f"{page}/logo.png?v={brand.logo.hex()[:12]}" if brand.logo else ""
    return Brand(brand.name, logo, f"/brand/{brand.color.removeprefix('#')}.css" if brand.color else "")


def language_links(presented: Presented, page: str, say: Wording) -> tuple[LanguageLink, ...]:
    """Where the reader can choose; none where the project has chosen."""
    if presented.presentation.language:
        return ()
    return tuple(LanguageLink(one.code, one.name, f"{page}?language={one.code}", one.code == say.code) for one in LANGUAGES.values())


def link_notes(presentation: Presentation, say: Wording) -> tuple[str, ...]:
    """What the owner should know of the link, in sentences."""
    notes = []
    ends = presentation.expires_at
    if ends is not None:
        last = say.day(ends - timedelta(seconds=1))
        over = ends <= now()
        notes.append(
            say("The link ended after %(day)s: guests see nothing.", day=last) if over else say("The link ends after %(day)s.", day=last)
        )
    if presentation.is_listed:
        notes.append(say("Search engines may list it."))
    language = LANGUAGES.get(presentation.language or "")
    if language is not None:
        notes.append(say("Guests read it in %(language)s.", language=language.name))
    return tuple(notes)


@get("/brand/{color}")
async def get_brand(_request: Request, color: str) -> Response:
    """The style sheet of a colour: ``/brand/1a5442.css``. It tells of nobody whose colour it is, and may be kept for ever."""
    name, _, ending = color.partition(".")
    try:
        found = parsed(name)
    except ValueError as error:
        raise NotFound from error
    if ending != "css" or found != f"#{name}":
        raise NotFound
    shades = accents(found)
    text = f":root{{--brand:{shades.on_white}}}\n@media (prefers-color-scheme:dark){{:root{{--brand:{shades.on_dark}}}}}\n"
    return Response(text.encode(), media_type="text/css", headers={"Cache-Control": FOREVER})
