"""Ratings in the structured data break Google's rules for review snippets.

Why it matters: Self-serving ratings, ratings outside their scale or without any vote are not shown, and may cost the site its rich
results.

How to fix: Remove ratings of your organisation, and write numbers with a decimal point.

    {"@type": "AggregateRating", "ratingValue": "4.6", "ratingCount": "31", "bestRating": "5"}

Sources: [Google: review snippet](https://developers.google.com/search/docs/appearance/structured-data/review-snippet) (2025): self-serving
reviews of LocalBusiness and Organization are ineligible; ratingValue on a scale of 1 to 5 unless bestRating and worstRating say otherwise;
a fraction or a percentage implies its scale.

Not judged: whether the ratings are genuine; whether a review on a page about another business is self-serving is unknown, so only ratings
of the page's top-level business are reported.
"""

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from findable.artifacts.page.structured_data import StructuredData
from findable.artifacts.page.structured_items import Item
from findable.artifacts.tables.rich_results import LOCAL_BUSINESSES, ORGANIZATIONS
from findable.checks.engine import Evidence, Finding, check, element, inapplicable, passed, unknown, warned
from findable.checks.structured_data_evidence import PART_READ
from findable.vocabulary import Effort, Importance, Verdict

BEST, WORST, PERCENT = Decimal(5), Decimal(1), Decimal(100)
NUMBER_CHARS = 20


@check(question="Are ratings allowed here?", importance=Importance.LOW, effort=Effort.HEAD, costs={Verdict.FAILED: 20, Verdict.WARNED: 20})
def sd_reviews(data: StructuredData) -> Finding:
    ratings = [item for item in data.all_items() if item.is_schema_org and item.is_a("AggregateRating", "Rating")]
    if not ratings and data.is_cut:
        return unknown(PART_READ)
    if not ratings:
        return inapplicable("No ratings in the structured data")
    faults = [*_self_serving(data), *(fault for rating in ratings for fault in _faults(data, rating))]
    if faults:
        return warned("{count|rating breaks|ratings break} the rules for review snippets", count=len(faults), evidence=faults)
    return passed("{count|rating|ratings}, within the scale", count=len(ratings), evidence=[rating.element for rating in ratings])


def _self_serving(data: StructuredData) -> Iterator[Evidence]:
    for item in data.page_subjects():
        if item.is_a(*LOCAL_BUSINESSES, *ORGANIZATIONS) and any(data.values(item, name) for name in ("aggregateRating", "review")):
            yield element(item.element, "{type} rates itself: not eligible for stars", type=item.name)


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
