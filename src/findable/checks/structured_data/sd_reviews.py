"""Ratings in the structured data break Google's rules for review snippets.

In plain words: Google does not show the stars of this page, because its ratings break Google's rules.

Why it matters: Self-serving ratings, ratings outside their scale or without any vote are not shown, and may cost the site its rich
results.

How to fix: Remove ratings of your organisation, and write numbers with a decimal point.

    {"@type": "AggregateRating", "ratingValue": "4.6", "ratingCount": "31", "bestRating": "5"}

Sources: [Google: review snippet](https://developers.google.com/search/docs/appearance/structured-data/review-snippet) (2025): self-serving
reviews of LocalBusiness and Organization are ineligible; the types that may be reviewed; ratingValue is a number, a fraction or a
percentage, on a scale of 1 to 5 unless bestRating and worstRating say otherwise; a fraction or a percentage implies its scale; ratingCount
and reviewCount are whole numbers; names of authors are shorter than 100 characters.

Not judged: whether the ratings are genuine; whether a review on a page about another business is self-serving is unknown, so only ratings
of the page's top-level business are reported; rare types that may not be reviewed.
"""

from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation

from findable.artifacts.page.structured_data import StructuredData
from findable.artifacts.page.structured_items import Item
from findable.artifacts.tables.rich_results import LOCAL_BUSINESSES, NOT_REVIEWED, ORGANIZATIONS
from findable.checks.engine import Evidence, Finding, check, element, inapplicable, passed, unknown, warned
from findable.checks.structured_data_evidence import PART_READ
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import Effort, Importance

BEST, WORST, PERCENT = Decimal(5), Decimal(1), Decimal(100)
NUMBER_CHARS = 20
AUTHOR_CHARS = 100
"""Length from which the name of an author makes a review ineligible (Google)."""
REVIEWS = ("Review", "UserReview", "CriticReview")
_FRACTION = lazy_pattern(r"\s*\d+(?:\.\d+)?\s*/\s*\d+\s*")


@check("Are ratings allowed here?", Importance.LOW, Effort.HEAD, warned=20)
def sd_reviews(data: StructuredData) -> Finding:
    ratings = [item for item in data.all_items() if item.is_schema_org and item.is_a("AggregateRating", "Rating")]
    if not ratings and data.is_cut:
        return unknown(PART_READ)
    if not ratings:
        return inapplicable("No ratings in the structured data")
    reviews = [item for item in data.all_items() if item.is_schema_org and item.is_a(*REVIEWS)]
    shown = [rating for rating in ratings if rating.is_a("AggregateRating")]
    shown += [value for review in reviews for value in data.values(review, "reviewRating") if isinstance(value, Item)]
    faults = [
        *_self_serving(data),
        *_not_reviewed(data),
        *(fault for rating in ratings for fault in _faults(data, rating)),
        *(fault for rating in shown for fault in _unread_numbers(data, rating)),
        *_long_names(data, reviews),
    ]
    if faults:
        return warned("{count|rating breaks|ratings break} the rules for review snippets", evidence=faults)
    return passed("{count|rating|ratings}, within the scale", evidence=[rating.element for rating in ratings])


def _self_serving(data: StructuredData) -> Iterator[Evidence]:
    for item in data.page_subjects():
        if item.is_a(*LOCAL_BUSINESSES, *ORGANIZATIONS) and any(data.values(item, name) for name in ("aggregateRating", "review")):
            yield element(item.element, "{type} rates itself: not eligible for stars", type=item.name)


def _not_reviewed(data: StructuredData) -> Iterator[Evidence]:
    """Yield the subjects of the page with a rating or a review of themselves whose type Google shows neither for."""
    for item in data.page_subjects():
        if not NOT_REVIEWED.issuperset(item.types):
            continue
        own = (value for name in ("aggregateRating", "review") for value in data.values(item, name) if isinstance(value, Item))
        if any(not value.properties.get("itemReviewed") for value in own):
            yield element(item.element, "{type} is no type whose ratings Google shows", type=item.name)


def _unread_numbers(data: StructuredData, rating: Item) -> Iterator[Evidence]:
    written = data.text(rating, "ratingValue")
    if written and "," not in written and _number(written) is None and not _FRACTION.fullmatch(written[:NUMBER_CHARS]):
        yield element(rating.element, "ratingValue “{value}” is no number", value=written[:SHOWN_CHARS])
    for name in ("ratingCount", "reviewCount"):
        count = data.text(rating, name)
        number = _number(count)
        if count and (number is None or number % 1):
            yield element(rating.element, "{name} “{value}” is no whole number", name=name, value=count[:SHOWN_CHARS])


def _long_names(data: StructuredData, reviews: Iterable[Item]) -> Iterator[Evidence]:
    for review in reviews:
        names = (data.text(value, "name") if isinstance(value, Item) else value for value in data.values(review, "author"))
        for name in names:
            if len(name) >= AUTHOR_CHARS:
                note = "the name of the author has {characters_count} characters; Google shows reviews with fewer than {limit}"
                yield element(review.element, note, characters_count=len(name), limit=AUTHOR_CHARS)


SHOWN_CHARS = 60


def _faults(data: StructuredData, rating: Item) -> Iterator[Evidence]:
    written = data.text(rating, "ratingValue")
    if "," in written:
        yield element(rating.element, "ratingValue “{value}” is written with a comma", value=written)
    value = _number(written)
    if written.strip().endswith("%"):  # the scale is implied
        best, worst = PERCENT, Decimal(0)
    else:
        best, lowest = _number(data.text(rating, "bestRating")) or BEST, _number(data.text(rating, "worstRating"))
        worst = min(WORST, best) if lowest is None else lowest
    if value is not None and not worst <= value <= best:
        yield element(
            rating.element, "ratingValue {value} is outside the scale {worst} to {best}", value=written, worst=str(worst), best=str(best)
        )
    counts = [data.text(rating, name) for name in ("ratingCount", "reviewCount")]
    if rating.is_a("AggregateRating") and any(counts) and all(_number(count) == 0 for count in counts if count):
        yield element(rating.element, "a rating without votes: the count is 0")


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text[:NUMBER_CHARS].strip().removesuffix("%"))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
