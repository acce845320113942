"""Google's search features and their properties. Dated data: see AS_OF.

Taken from the pages "Structured data markup that Google Search supports" and those of each feature. Only what Google calls required is in
``required``; ``recommended`` lists those that matter on nearly every page with the feature.

Compared property by property in November 2026 with a copy (2025) of the text of DOCS/product-snippet: products, offers and nested reviews;
``image`` of products is from merchant-listing. Of the other pages, only the beginnings could be read at that time, not the tables of
properties.
"""

from collections.abc import Mapping

from msgspec import Struct

from findable.artifacts.tables.table_file import read_table

DOCS = "https://developers.google.com/search/docs/appearance/structured-data/"


class Feature(Struct, frozen=True):
    """Kind of rich result, with the properties that it requires. ``|`` separates alternatives in a path; a dot enters a value."""

    name: str
    types: frozenset[str]
    page: str
    """Path of the feature's page, relative to DOCS."""
    required: tuple[str, ...] = ()
    recommended: tuple[str, ...] = ()

    @property
    def url(self) -> str:
        """URL of Google's documentation of the feature."""
        return DOCS + self.page


class EndedResult(Struct, frozen=True):
    """Kind of rich result that Google no longer shows."""

    name: str
    since: str
    source: str


class _Table(Struct, frozen=True):
    """Contents of data/rich_results.json."""

    as_of: str
    not_reviewed: frozenset[str]
    features: tuple[Feature, ...]
    nested: dict[str, tuple[str, ...]]
    step: tuple[str, ...]
    offer: tuple[str, ...]
    aggregate_offer: tuple[str, ...]
    merchant_offer: Feature
    ended: dict[str, EndedResult]


_table = read_table("rich_results", _Table)
AS_OF = _table.as_of
"""Month of the table."""
FEATURES = _table.features
NOT_REVIEWED = _table.not_reviewed
"""Common types that are none of those, nor subtypes of them, whose reviews and ratings Google shows."""
NESTED: Mapping[str, tuple[str, ...]] = _table.nested
"""Required properties of nested values, inside any feature. Pros and cons in a review need no rating."""
STEP_REQUIRED = _table.step
"""Required properties of each ListItem of a BreadcrumbList."""
OFFER_REQUIRED = _table.offer
"""Required properties of an Offer of a Product."""
AGGREGATE_OFFER_REQUIRED = _table.aggregate_offer
"""Required properties of an AggregateOffer of a Product."""
MERCHANT_OFFER = _table.merchant_offer
"""Properties of an Offer that merchant listings require beyond OFFER_REQUIRED; product snippets only recommend them."""
ENDED: Mapping[str, EndedResult] = _table.ended

_types = {feature.name: feature.types for feature in FEATURES}
ARTICLES = _types["Article"]
EVENTS = _types["Event"]
LOCAL_BUSINESSES = _types["Local business"]
ORGANIZATIONS = _types["Organization"]
APPS = _types["Software app"]
