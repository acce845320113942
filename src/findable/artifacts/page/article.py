"""Detect whether the page is an article, and read its publication and modification dates."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from operator import attrgetter

from msgspec import Struct

from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.landmarks import Region, Surroundings
from findable.artifacts.page.page_url import PageUrl
from findable.artifacts.page.social import Social
from findable.artifacts.page.structured_data import StructuredData, find_in_source
from findable.artifacts.page.structured_items import Item, Syntax
from findable.artifacts.registry import Absent, artifact
from findable.artifacts.tables.rich_results import ARTICLES
from findable.formats.dates import DateFault, date_fault, iso_moment
from findable.lazy_pattern import lazy_pattern
from findable.urls import parse

TOLERANCE = timedelta(days=1)
"""Difference between dates that time zones and midnight can explain."""
MAX_DATES = 100
MAX_HEADINGS = 500
MAX_LEVELS = 60
MAX_CLASS_CHARS = 500
BYLINE_CHARS = 150
"""Maximum length of a byline; a longer paragraph is text, and its dates may concern anything."""
ELSEWHERE = (Region.NAV, Region.FOOTER, Region.ASIDE)
ARTICLE_DATES = frozenset({"datePublished", "dateModified"})
"""Dates of articles, which the check dates-consistent covers."""
CONTAINERS = ("article", "main", "body")

OTHER_PAGES = ("CollectionPage", "SearchResultsPage", "ProfilePage", "ContactPage", "AboutPage", "CheckoutPage")
"""Types of pages that are not articles, even if their ``og:type`` is article."""

_OTHER = lazy_pattern(r"comment|related|recommend|teaser|card|promo|popular|trending|latest|more-|sidebar|widget", re.IGNORECASE)
"""Class names of sections whose dates do not belong to the article."""


class StatedDate(Struct, frozen=True):
    """Date that the page states, with its element."""

    moment: datetime
    text: str
    """Text as written."""
    element: Element

    def agrees(self, other: "StatedDate") -> bool:
        """Return whether both may be the same day in some time zone: at most a day apart, in UTC or as written."""
        if abs(self.moment - other.moment) <= TOLERANCE:
            return True
        if ":" in self.text and ":" in other.text:
            return False
        return abs(self.moment.date() - other.moment.date()) <= TOLERANCE


class InvalidDate(Struct, frozen=True):
    """Marked-up date that is invalid."""

    name: str
    """Name of the property."""
    text: str
    """Text as written."""
    fault: DateFault
    element: Element


class Article(Struct, frozen=True):
    """Publication and modification dates of an article. Absent if nothing identifies the page as one."""

    sign: str
    """Evidence that the page is an article: ``og:type`` or the type of the structured data."""
    published: tuple[StatedDate, ...]
    """Publication dates: datePublished of structured data, article:published_time."""
    modified: tuple[StatedDate, ...]
    visible: tuple[StatedDate, ...]
    """Dates of ``<time datetime>`` in the header or byline of the article with the main heading."""
    elsewhere: tuple[StatedDate, ...]
    """Dates of other ``<time datetime>`` elements outside navigation, footer and aside; they may belong to something else."""
    invalid_dates: tuple[InvalidDate, ...]
    """Marked-up dates that are not ISO 8601, not in the calendar, or in the year 1."""

    @property
    def modified_before_published(self) -> tuple[StatedDate, StatedDate] | None:
        """Earliest publication and latest modification, if every modification precedes every publication; otherwise None."""
        if not self.published or not self.modified:
            return None
        first, last = min(self.published, key=attrgetter("moment")), max(self.modified, key=attrgetter("moment"))
        return (first, last) if last.moment < first.moment - TOLERANCE else None


@artifact
def make_article(
    document: Document, address: PageUrl, social: Social, data: StructuredData, surroundings: Surroundings
) -> Article | Absent:
    """Detect an article by structured data, or by Open Graph if structured data does not give the page another type.

    The home page is never one.
    """
    described = next((item for item in data.page_subjects() if item.is_a(*ARTICLES) and not _is_card(item, data, document, address)), None)
    is_og_article = social.content("og:type").lower() == "article" and not any(item.is_a(*OTHER_PAGES) for item in data.page_subjects())
    if address.is_home or (described is None and not is_og_article):
        return Absent("nothing says that the page is an article")
    visible, elsewhere = _visible_dates(document, surroundings)
    published, unpublished = _marked_up_dates(data, social, "datePublished", "article:published_time")
    modified, unmodified = _marked_up_dates(data, social, "dateModified", "article:modified_time")
    return Article(
        sign=described.name if described else "og:type",
        published=published,
        modified=modified,
        visible=visible,
        elsewhere=elsewhere,
        invalid_dates=(*unpublished, *unmodified),
    )


def _is_card(item: Item, data: StructuredData, document: Document, address: PageUrl) -> bool:
    """Return whether markup of the body describes the article of another page, as the entries of an archive do."""
    url = parse(document.resolve(data.text(item, "url")) or "") if item.syntax is not Syntax.JSON_LD else None
    return url is not None and url.path.rstrip("/") != address.url.path.rstrip("/")


def _marked_up_dates(
    data: StructuredData, social: Social, name: str, tag_name: str
) -> tuple[tuple[StatedDate, ...], tuple[InvalidDate, ...]]:
    found: list[StatedDate] = []
    wrong: list[InvalidDate] = []
    items = dated_items(data)
    dates: list[tuple[str, str, Element, Item | None]] = [(name, data.text(item, name), item.element, item) for item in items]
    dates += [(tag_name, tag.content.strip(), tag.meta.element, None) for tag in social.tags if tag.name == tag_name]
    for property_name, text, element, item in dates[:MAX_DATES]:
        fault = date_fault(text)
        if text and fault:
            wrong.append(InvalidDate(property_name, text, fault, find_in_source(item, name, text).element if item else element))
        elif moment := iso_moment(text):
            found.append(StatedDate(moment, text, element))
    return tuple(found), tuple(wrong)


def dated_items(data: StructuredData) -> list[Item]:
    """Return the items that date the page: articles, or other works such as a ClaimReview if no item is an article."""
    subjects = list(data.page_subjects())
    articles = [item for item in subjects if item.is_a(*ARTICLES)]
    return articles or [item for item in subjects if not ARTICLE_DATES.isdisjoint(item.properties)]


def _visible_dates(document: Document, surroundings: Surroundings) -> tuple[tuple[StatedDate, ...], tuple[StatedDate, ...]]:
    """Return the visible dates nearest to the main heading, without those of cards, comments and running text, and all others."""
    heading = next((element for element in document.all("h1")[:10] if not surroundings.context_of(element).hidden), None)
    scopes: dict[int, int] = {}
    for level, outer in enumerate(heading.ancestors if heading else ()):
        scopes[outer.order] = level
        if outer.tag in CONTAINERS:
            break
    times = document.all("time")[:MAX_DATES]
    titled = _headed_elements(document) if times else frozenset()
    found: dict[int, list[StatedDate]] = {}
    elsewhere: list[StatedDate] = []
    for time in times:
        text = (time.attr("datetime") or "").strip()
        moment = iso_moment(text)
        place = surroundings.context_of(time)
        if moment is None or place.region in ELSEWHERE or place.hidden:
            continue
        distance = _distance(time, scopes, titled)
        (elsewhere if distance is None else found.setdefault(distance, [])).append(StatedDate(moment, text, time))
    return tuple(found[min(found)]) if found else (), tuple(elsewhere)


def _headed_elements(document: Document) -> frozenset[int]:
    """Return the positions of all elements that contain a heading below the first level: cards and sections."""
    orders: set[int] = set()
    for heading in document.all("h2", "h3", "h4", "h5", "h6", limit=MAX_HEADINGS):
        for outer in heading.ancestors:
            if outer.order in orders:
                break
            orders.add(outer.order)
    return frozenset(orders)


def _distance(time: Element, scopes: Mapping[int, int], title_ancestors: frozenset[int]) -> int | None:
    """Return the number of levels up to the common ancestor with the main heading; None for a date of another item."""
    for _, outer in zip(range(MAX_LEVELS), time.ancestors, strict=False):
        if outer.order in scopes:
            return scopes[outer.order]
        if outer.tag in ("article", "blockquote") or outer.order in title_ancestors:
            return None
        if _OTHER.search(f"{outer.attr('class') or ''} {outer.attr('id') or ''}"[:MAX_CLASS_CHARS]):
            return None
        if outer.tag == "p" and len(outer.text_up_to(BYLINE_CHARS + 1)) > BYLINE_CHARS:
            return None
    return None
