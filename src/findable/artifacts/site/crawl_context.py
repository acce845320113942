"""What only a crawl knows. Absent unless the page was seen as part of a crawl."""

from msgspec import Struct

from findable.artifacts.registry import Absent, artifact
from findable.capture.page import Capture


class Crawl(Struct, frozen=True):
    """The page's place among the pages of its site."""

    pages_count: int
    same_title: tuple[str, ...]
    """Other indexable, self-canonical pages of the same language with the same title."""
    same_description: tuple[str, ...]
    same_text: tuple[str, ...]
    """Other indexable pages with exactly this main text."""
    similar_text: tuple[tuple[str, float], ...]
    """(URL, similarity 0–1) of near duplicates."""
    inlinks_count: int
    """Followed internal links from other pages."""
    found_by: str
    """``link``, ``sitemap`` or ``canonical``."""
    depth: int
    """Clicks from the home page."""
    path_from_home: tuple[str, ...]


@artifact
def make_crawl(capture: Capture) -> Crawl | Absent:
    """No capture holds a crawl yet."""
    del capture
    return Absent("the page was not seen as part of a crawl")
