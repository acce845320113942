"""What extra requests one page asks for: values only."""

from dataclasses import dataclass
from enum import StrEnum


class AssetKind(StrEnum):
    """What a page loads an address as; decides how many bytes of it are asked for."""

    IMAGE = "image"
    STYLESHEET = "stylesheet"
    SCRIPT = "script"
    FONT = "font"
    ICON = "icon"
    SOCIAL = "social"
    """``og:image`` and its kin."""


@dataclass(frozen=True, slots=True)
class AssetTarget:
    """One sub-resource, by absolute URL without fragment."""

    url: str
    kind: AssetKind


@dataclass(frozen=True, slots=True)
class Targets:
    """Absolute http(s) URLs without fragment, each once, most telling first: what does not fit the budget is cut at the end."""

    page_url: str
    """The final URL of the page."""
    assets: tuple[AssetTarget, ...] = ()
    links_internal: tuple[str, ...] = ()
    """Same host, ``www.`` aside."""
    links_external: tuple[str, ...] = ()
    canonical: str | None = None
    """Only where it is another address than the page's own."""
    alternates: tuple[str, ...] = ()
    """hreflang alternates other than the page itself."""
