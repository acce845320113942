"""Results of a crawl, available only if the page was part of one."""

from msgspec import Struct

from findable.artifacts.registry import Absent, artifact
from findable.capture.page import Capture


class Crawl(Struct, frozen=True):
    """Position of the page among the pages of its site."""

    pages_count: int
    same_title: tuple[str, ...]
    """Other indexable, self-canonical pages with the same language and title."""
    same_description: tuple[str, ...]
    same_text: tuple[str, ...]
    """Other indexable pages with exactly the same main text."""
    similar_text: tuple[tuple[str, float], ...]
    """(URL, similarity 0–1) of near duplicates."""
    inlinks_count: int
    """Number of followed internal links from other pages."""
    found_by: str
    """``link``, ``sitemap`` or ``canonical``."""
    depth: int
    """Number of clicks from the home page."""
    path_from_home: tuple[str, ...]


@artifact
def make_crawl(capture: Capture) -> Crawl | Absent:
    """Return the crawl context; no capture has one yet."""
    del capture
    return Absent("the page was not seen as part of a crawl")
