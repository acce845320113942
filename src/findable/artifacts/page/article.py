"""Whether the page is an article, and its publication and modification dates."""

from datetime import datetime

from msgspec import Struct

from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.landmarks import Region, Surroundings
from findable.artifacts.page.page_url import Address
from findable.artifacts.page.social import Social
from findable.artifacts.page.structured_data import StructuredData
from findable.artifacts.registry import Absent, artifact
from findable.artifacts.tables.rich_results import ARTICLES
from findable.formats.dates import iso_moment

MAX_DATES = 100
ELSEWHERE = (Region.NAV, Region.FOOTER, Region.ASIDE)


class StatedDate(Struct, frozen=True):
    """One date and its location."""

    moment: datetime
    text: str
    """Text as written."""
    element: Element


class Article(Struct, frozen=True):
    """Dates of an article. Absent if nothing identifies the page as an article."""

    sign: str
    """Evidence that the page is an article: ``og:type`` or the type of the structured data."""
    published: tuple[StatedDate, ...]
    """datePublished of structured data, article:published_time."""
    modified: tuple[StatedDate, ...]
    visible: tuple[StatedDate, ...]
    """``<time datetime>`` outside navigation, footer and aside."""


@artifact
def make_article(
    document: Document, address: Address, social: Social, data: StructuredData, surroundings: Surroundings
) -> Article | Absent:
    """Detect an article by structured data or Open Graph; the home page is never one."""
    described = next((item for item in data.described() if item.is_a(*ARTICLES)), None)
    og_type = social.content("og:type").lower()
    if address.is_home or (described is None and og_type != "article"):
        return Absent("nothing says that the page is an article")
    return Article(
        sign=described.name if described else "og:type",
        published=_marked(data, social, "datePublished", "article:published_time"),
        modified=_marked(data, social, "dateModified", "article:modified_time"),
        visible=_visible(document, surroundings),
    )


def _marked(data: StructuredData, social: Social, name: str, tag_name: str) -> tuple[StatedDate, ...]:
    found = []
    for item in data.described():
        if item.is_a(*ARTICLES):
            text = data.text(item, name)
            if moment := iso_moment(text):
                found.append(StatedDate(moment, text, item.element))
    tags = (tag for tag in social.tags if tag.name == tag_name)
    found.extend(StatedDate(moment, tag.content, tag.meta.element) for tag in tags if (moment := iso_moment(tag.content)))
    return tuple(found[:MAX_DATES])


def _visible(document: Document, surroundings: Surroundings) -> tuple[StatedDate, ...]:
    found = []
    for element in document.all("time")[:MAX_DATES]:
        text = (element.attr("datetime") or "").strip()
        moment = iso_moment(text)
        if moment and surroundings.of(element).region not in ELSEWHERE and not surroundings.of(element).hidden:
            found.append(StatedDate(moment, text, element))
    return tuple(found)
