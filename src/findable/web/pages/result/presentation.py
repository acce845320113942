"""Presentation of a result by its owner: texts for the client, brand, language and link, for the page."""

import re
import unicodedata
from collections.abc import Callable

from msgspec import Struct
from starlette.responses import Response

from findable.errors import NotFound
from findable.service.values.brand import accents, parse_color
from findable.service.values.presentation import BrandView
from findable.vocabulary import Privacy
from findable.web.pages.shared.form_fields import Choice
from findable.web.pages.shared.system import FOREVER
from findable.web.routing import Request, get
from findable.wording import LANGUAGES, Translator, later

_NOT_IN_FILE_NAMES = re.compile(r"[^a-z0-9]+")
_PREFIX_CHARS = 40


PRIVACIES = {
    Privacy.PUBLIC: later("Public: anyone with the link"),
    Privacy.PRIVATE: later("Private: only people with access"),
    Privacy.PASSWORD: later("Password-protected"),
}


class Brand(Struct, frozen=True):
    """Branding of the report; each part may be empty."""

    name: str
    logo: str
    """Path of the image."""
    stylesheet: str
    """Path of the stylesheet that sets the colour."""


class SearchListing(Struct, frozen=True):
    """Canonical URL and meta description of an indexable report."""

    canonical: str
    description: str


def language_links(say: Translator, url_of: Callable[[str], str]) -> tuple[Choice, ...]:
    """Return the links to a page in each language; ``url_of`` returns its URL in a language."""
    return tuple(Choice(one.code, one.name, one.code == say.code, url_of(one.code), lang=one.code) for one in LANGUAGES.values())


def brand_of(brand: BrandView, page: str) -> Brand | None:
    """Return the branding of a report; None if the project has none."""
    if not (brand.name or brand.color or brand.logo):
        return None
    logo = f"{page}/logo.png?v={brand.logo.hex()[:12]}" if brand.logo else ""
    return Brand(brand.name, logo, f"/brand/{brand.color.removeprefix('#')}.css" if brand.color else "")


def site_icon_url(icon: bytes | None, page: str) -> str:
    """Return the path of the icon of the site; empty without one."""
    return f"{page}/site-icon.png?v={icon.hex()[:12]}" if icon else ""


def file_prefix(brand: BrandView) -> str:
    """Return the prefix of file names in ASCII: the brand name, or ``findable``."""
    plain = unicodedata.normalize("NFKD", brand.name.lower()).encode("ascii", "ignore").decode()
    name = _NOT_IN_FILE_NAMES.sub("-", plain)[:_PREFIX_CHARS].strip("-")
    return name or ("report" if brand.name or brand.logo else "findable")


@get("/brand/{color}")
async def get_brand(_request: Request, color: str) -> Response:
    """Return the stylesheet with a brand colour, ``/brand/1a5442.css``. It contains no project data and may be cached forever."""
    name, _, ending = color.partition(".")
    try:
        found = parse_color(name)
    except ValueError as error:
        raise NotFound from error
    if ending != "css" or found != f"#{name}":
        raise NotFound
    shades = accents(found)
    text = f":root{{--brand:{shades.on_white}}}\n@media (prefers-color-scheme:dark){{:root{{--brand:{shades.on_dark}}}}}\n"
    return Response(text.encode(), media_type="text/css", headers={"Cache-Control": FOREVER})
