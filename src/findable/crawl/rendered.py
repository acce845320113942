"""Visits of a crawl with a browser, as its state has them."""

from msgspec import Struct

MAX_TEMPLATES = 200
"""Templates of which pages are visited."""


class RenderedTemplate(Struct, frozen=True):
    """Template of pages as they were sent."""

    traits: tuple[str, ...]
    """Shapes of its blocks and its schema.org types, sorted."""
    example_url: str
    visits: int = 0
    needs_scripts: bool = False
    """Whether scripts change what search engines read of a page."""


class Rendered(Struct, frozen=True):
    """Visits of a crawl so far."""

    pages: int = 0
    """HTML pages among which was chosen."""
    visits: int = 0
    failed: int = 0
    """Visits that gave no document: the page was judged as it was sent."""
    templates: tuple[RenderedTemplate, ...] = ()
