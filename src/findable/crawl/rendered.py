"""Browser visits of a crawl, as stored in its state."""

from msgspec import Struct


class RenderedTemplate(Struct, frozen=True):
    """Template of pages whose visits show whether it needs scripts; it is identified by their HTML as sent."""

    traits: tuple[str, ...]
    """Shapes of its blocks and its schema.org types, sorted."""
    example_url: str
    visits: int = 0
    needs_scripts: bool = False
    """Whether scripts change content of a page that search engines use."""


class Rendered(Struct, frozen=True):
    """Browser visits of a crawl so far."""

    pages: int = 0
    """Number of HTML pages that the sample is chosen from."""
    visits: int = 0
    failed: int = 0
    """Number of visits without a document: these pages were checked as sent."""
    templates: tuple[RenderedTemplate, ...] = ()
