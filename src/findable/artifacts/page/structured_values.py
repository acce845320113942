"""Faults of single values and names in structured data: dates, numbers, currencies, URLs, enumerations, misspelt names."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct

from findable.artifacts.page.article import ARTICLE_DATES, TOLERANCE, Article, dated_items
from findable.artifacts.page.author_names import BYLINE, JOINED, NOT_A_PERSON, PERSON, SEVERAL, TITLE, is_name_only
from findable.artifacts.page.structured_data import StructuredData
from findable.artifacts.page.structured_items import Item, Syntax, Value, plain
from findable.artifacts.registry import artifact
from findable.artifacts.tables.schema_org import currency_codes, vocabulary
from findable.capture.page import PageCapture
from findable.formats.dates import date_fault, is_iso_duration, is_iso_time, iso_moment
from findable.formats.plain_values import iso_date, iso_duration, plain_number
from findable.formats.timestamps import moment
from findable.lazy_pattern import lazy_pattern
from findable.urls import parse
from findable.vocabulary import Code

MAX_ITEMS = 1_000
MAX_FAULTS = 200
MAX_VALUES = 50
"""Maximum number of values of one property that are checked."""
MAX_DEPTH = 20
PRICES = frozenset({"price", "lowPrice", "highPrice", "minPrice", "maxPrice"})
CURRENCIES = frozenset({"priceCurrency", "currency", "salaryCurrency"})
CRYPTO = frozenset({"BTC", "ETH", "XBT", "USDT", "USDC", "LTC", "DOGE", "XMR", "SOL"})
"""Ticker symbols, which schema.org permits as priceCurrency."""
RATINGS = frozenset({"ratingValue", "bestRating", "worstRating", "ratingCount", "reviewCount"})
"""Properties of ratings, which the check sd-reviews covers."""
EMPLOYMENT_TYPES = frozenset({"FULL_TIME", "PART_TIME", "CONTRACTOR", "TEMPORARY", "INTERN", "VOLUNTEER", "PER_DIEM", "OTHER"})
AUTHORS = frozenset({"author", "creator"})
LISTS = frozenset({"BreadcrumbList", "ItemList", "HowToSection", "HowTo"})
PLACEHOLDERS = frozenset({"undefined", "null", "none", "nan", "[object object]", "#undefined", "todo"})
CONTEXT_KEYWORDS = frozenset({"@vocab", "@base", "@language", "@version", "@type", "@id", "@direction"})

_NUMBER = lazy_pattern(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?")
_SCHEME = lazy_pattern(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_BROKEN_SCHEME = lazy_pattern(r"h?t?tps?(?::/(?!/)|//|:(?!/))|https?://(?:https?:?/|/|\Z)|(?:htt|htp|ttp|hhtp|htttp)s?://", re.IGNORECASE)


class ValueFault(Code, params=("value_fault",)):
    """Fault of a value or name in structured data."""

    NUMBER = "not_a_number", "not a number"
    PRICE = "not_a_price", "not a price: digits and a point only, without separators and currency"
    CURRENCY = "not_a_currency", "not a currency code of ISO 4217"
    URL = "not_a_url", "not a URL"
    MEMBER = "not_a_member", "not a value that this property takes"
    DURATION = "not_a_duration", "not an ISO 8601 duration"
    TIME = "not_a_time", "not an ISO 8601 time"
    TYPE_NAME = "unknown_type", "not a type of schema.org"
    PROPERTY_NAME = "unknown_property", "not a property of schema.org"
    EMPTY_OBJECT = "empty_object", "an empty object"
    POSITION = "duplicate_position", "more than one item of the list has this position"
    ORDER = "modified_before_published", "before datePublished"
    EXPIRED_JOB = "expired_job", "the job posting has expired"
    EXPIRED_PRICE = "expired_price", "the price has expired"
    BYLINE = "byline", "an author’s name holds nothing but the name"
    SEVERAL_AUTHORS = "several_authors", "each author needs a separate object"
    EVENT_OVER = "event_over", "the event is over"


class FaultyValue(Struct, frozen=True):
    """One value, or one name, with its fault."""

    item: Item
    path: str
    """Path inside the markup from a top-level item: ``Product.offers.price``."""
    name: str
    """Property, or the invalid name itself."""
    value: str
    """Text as written; empty for an object."""
    fault: Code
    expected: tuple[str, ...] = ()
    """Values or names that were probably meant, or those that the property allows."""


class StructuredValues(Struct, frozen=True):
    """Faults of values and names in structured data, in document order, at most MAX_FAULTS."""

    faults: tuple[FaultyValue, ...]
    checked_count: int
    """Number of schema.org items whose values were checked."""


class _Node(Struct, frozen=True):
    item: Item
    path: str
    is_strict: bool
    """Whether the JSON-LD context defines no custom terms, so that unknown names are errors."""
    is_article: bool


@artifact
def make_structured_values(data: StructuredData, article: Article | None, page: PageCapture) -> StructuredValues:
    """Check the values of every schema.org item once."""
    now = moment(page.captured_at)
    found: list[FaultyValue] = []
    count = 0
    described = {id(item) for item in dated_items(data)} if article is not None else set()
    for node in _nodes(data, described):
        count += 1
        found.extend(_item_faults(data, node, now))
        if len(found) >= MAX_FAULTS:
            break
    return StructuredValues(tuple(found[:MAX_FAULTS]), count)


def _nodes(data: StructuredData, described_ids: set[int]) -> Iterator[_Node]:
    """Yield each schema.org item once, with its path."""
    own_terms = {block.element.order for block in data.blocks if _defines_terms(block.parsed.value)}
    stack = [(item, item.name, 0) for item in reversed(data.items)]
    visited: set[int] = set()
    while stack and len(visited) < MAX_ITEMS:
        item, path, depth = stack.pop()
        if id(item) in visited or depth > MAX_DEPTH:
            continue
        visited.add(id(item))
        if item.is_schema_org:
            yield _Node(item, path, item.element.order not in own_terms, id(item) in described_ids)
        for name in reversed(list(item.properties)):
            inner = [(value, inner_path, depth + 1) for inner_path, value in _paths(item, name, path) if isinstance(value, Item)]
            stack.extend(reversed(inner))


def _paths(item: Item, name: str, path: str) -> Iterator[tuple[str, Value]]:
    """Yield the values of a property with their paths."""
    values = item.properties[name]
    for at, value in enumerate(values[:MAX_VALUES]):
        yield f"{path}.{name}[{at}]" if len(values) > 1 else f"{path}.{name}", value


def _defines_terms(value: Any, depth: int = 0) -> bool:
    """Return whether a JSON-LD value has a context with custom terms."""
    if depth > MAX_DEPTH or not isinstance(value, dict | list):
        return False
    if isinstance(value, list):
        return any(_defines_terms(one, depth + 1) for one in value[:MAX_ITEMS])
    context = value.get("@context")
    for one in context if isinstance(context, list) else [context]:
        if isinstance(one, dict) and set(one) - CONTEXT_KEYWORDS:
            return True
    return any(_defines_terms(one, depth + 1) for one in value.values())


def _item_faults(data: StructuredData, node: _Node, now: datetime) -> Iterator[FaultyValue]:
    item = node.item
    if node.is_strict:
        yield from _name_faults(node)
    for name in item.properties:
        for path, value in _paths(item, name, node.path):
            if isinstance(value, Item):
                if not (value.types or value.id or value.properties) and item.syntax is Syntax.JSON_LD:
                    yield FaultyValue(item, path, name, "", ValueFault.EMPTY_OBJECT)
                continue
            text = value.strip()
            result = _check_value(node, name, text) if text else None
            if result is not None:
                fault, expected = result
                yield FaultyValue(item, path, name, text, fault, expected)
    yield from _position_faults(data, node)
    yield from _author_faults(data, node)
    yield from _date_faults(data, node, now)


def _name_faults(node: _Node) -> Iterator[FaultyValue]:
    item, known = node.item, vocabulary()
    for name in item.types:
        if name.lower() in known.by_lower_case:
            continue
        if meant := known.similar_types(name):
            yield FaultyValue(item, node.path, "@type", name, ValueFault.TYPE_NAME, meant)
    for name in item.properties:
        spelt = known.by_lower_case.get(name.lower(), ())
        if item.syntax is Syntax.JSON_LD and spelt:
            continue  # jsonld-valid reports incorrect letter case
        meant = tuple(sorted(other for other in spelt if other[:1].islower())) if spelt else _similar_properties(item, name)
        if meant and name not in spelt:
            yield FaultyValue(item, f"{node.path}.{name}", name, name, ValueFault.PROPERTY_NAME, meant)


def _similar_properties(item: Item, name: str) -> tuple[str, ...]:
    """Return the properties with a similar name that take the value: a date belongs only to one that takes dates."""
    known = vocabulary()
    is_date = any(isinstance(value, str) and iso_moment(value.strip()) for value in item.properties[name][:MAX_VALUES]) or any(
        iso_moment((holder.attr("datetime") or "").strip()) for holder in item.holders.get(name, ())[:MAX_VALUES]
    )
    return tuple(other for other in known.similar_properties(name) if not is_date or other in known.dates)


ValueResult = tuple[Code, tuple[str, ...]] | None


def _check_value(node: _Node, name: str, text: str) -> ValueResult:
    known = vocabulary()
    if name in PRICES:
        return _check_price(text)
    if name in CURRENCIES:
        return _check_currency(text)
    if name in known.dates:
        return None if node.is_article and name in ARTICLE_DATES else _check_date(text, may_be_time=name in _DATE_OR_TIME)
    if name in known.durations:
        return (
            None if is_iso_duration(text) or text.startswith(("http:", "https:")) else (ValueFault.DURATION, _as_tuple(iso_duration(text)))
        )
    if name in known.times:
        return None if is_iso_time(text) else (ValueFault.TIME, ())
    if name in known.numbers and name not in RATINGS:
        return None if _NUMBER.fullmatch(text) else (ValueFault.NUMBER, _plain_numbers(text))
    if name in known.urls:
        return (ValueFault.URL, ()) if _is_broken_url(text) else None
    if name == "employmentType" and node.item.is_a("JobPosting"):
        return _check_member(text, EMPLOYMENT_TYPES)
    members = known.enumerations.get(name)
    return _check_member(text, members) if members else None


def _plain_numbers(text: str) -> tuple[str, ...]:
    """Return the number that was meant; none if words belong to it, such as a unit."""
    return () if any(char.isalpha() for char in text) else _as_tuple(plain_number(text))


_DATE_OR_TIME = frozenset({"startTime", "endTime", "doorTime", "availabilityStarts", "availabilityEnds", "checkinTime", "checkoutTime"})
"""Properties that also take a time of day."""


def _as_tuple(text: str) -> tuple[str, ...]:
    return (text,) if text else ()


def _check_date(text: str, *, may_be_time: bool) -> ValueResult:
    fault = date_fault(text)
    if fault is None or (may_be_time and is_iso_time(text)):
        return None
    return fault, _as_tuple(iso_date(text))


def _check_price(text: str) -> ValueResult:
    """Return the fault of a price with digits; schema.org also permits text, such as "on request"."""
    if _NUMBER.fullmatch(text) or not any(char.isdigit() for char in text):
        return None
    return ValueFault.PRICE, _as_tuple(plain_number(text))


def _check_currency(text: str) -> ValueResult:
    if text.upper() in currency_codes() or text.upper() in CRYPTO:
        return None
    return ValueFault.CURRENCY, _as_tuple(_SYMBOLS.get(text.upper(), ""))


_SYMBOLS: Mapping[str, str] = {"€": "EUR", "EURO": "EUR", "EUROS": "EUR", "US$": "USD", "£": "GBP", "₹": "INR", "C$": "CAD", "A$": "AUD"}
"""Symbols that stand for one currency."""


def _check_member(text: str, members: frozenset[str]) -> ValueResult:
    name = plain(text)
    if (
        name in members
        or vocabulary().is_other_name(name)
        or (":" in name and not name.startswith(("http://schema.org", "https://schema.org")))
    ):
        return None
    folded = re.sub(r"[\s_-]", "", name).lower()
    meant = tuple(member for member in sorted(members) if re.sub("_", "", member).lower() == folded)
    return ValueFault.MEMBER, meant or tuple(sorted(member for member in members if not member.endswith(("Type", "Enumeration"))))


def _is_broken_url(text: str) -> bool:
    """Return whether a text cannot be a valid URL, absolute or relative."""
    if text.lower() in PLACEHOLDERS or "[object " in text or "{{" in text or _BROKEN_SCHEME.match(text):
        return True
    if _SCHEME.match(text):
        return text.lower().startswith(("http:", "https:")) and parse(text) is None
    return any(char.isspace() for char in text) and "/" not in text


def _position_faults(data: StructuredData, node: _Node) -> Iterator[FaultyValue]:
    if not node.item.is_a(*LISTS):
        return
    visited: set[str] = set()
    for at, step in enumerate(data.values(node.item, "itemListElement")[:MAX_ITEMS]):
        position = data.text(step, "position") if isinstance(step, Item) else ""
        if position and position in visited and isinstance(step, Item):
            yield FaultyValue(step, f"{node.path}.itemListElement[{at}].position", "position", position, ValueFault.POSITION)
        visited.add(position)


def _author_faults(data: StructuredData, node: _Node) -> Iterator[FaultyValue]:
    for name in AUTHORS & node.item.properties.keys():
        for value in node.item.properties[name][:MAX_VALUES]:
            person = value if isinstance(value, Item) else node.item
            if isinstance(value, Item) and not value.is_a("Person"):
                continue
            text = " ".join((data.text(value, "name") if isinstance(value, Item) else value).split())[:200]
            path = f"{node.path}.{name}.name" if isinstance(value, Item) else f"{node.path}.{name}"
            key = "name" if isinstance(value, Item) else name
            if byline := BYLINE.match(text):
                rest = text[byline.end() :].partition(",")[0].strip()
                if rest:  # with a paper, a place or a title after the name, the name is not certain
                    expected = (rest,) if PERSON.fullmatch(rest) and is_name_only(rest) else ()
                    yield FaultyValue(person, path, key, text, ValueFault.BYLINE, expected)
            elif (several := SEVERAL.fullmatch(text)) and not NOT_A_PERSON.search(text):
                yield _written_together(person, path, key, text, several[1])


def _written_together(person: Item, path: str, key: str, text: str, first: str) -> FaultyValue:
    """Return the fault of a name with a second part: another author, or the title or paper of the first one."""
    if TITLE.search(text):
        return FaultyValue(person, path, key, text, ValueFault.BYLINE, (first,))
    if not JOINED.search(text):  # after a comma, both are common
        return FaultyValue(person, path, key, text, ValueFault.BYLINE)
    return FaultyValue(person, path, key, text, ValueFault.SEVERAL_AUTHORS, (first,))


def _date_faults(data: StructuredData, node: _Node, now: datetime) -> Iterator[FaultyValue]:
    item = node.item
    if item.is_a("JobPosting"):
        yield from _expired_dates(data, node, "validThrough", now, ValueFault.EXPIRED_JOB)
    if item.is_a("Offer", "AggregateOffer"):
        yield from _expired_dates(data, node, "priceValidUntil", now, ValueFault.EXPIRED_PRICE)
    if "startDate" in item.properties and any(name.endswith("Event") or name == "Festival" for name in item.types):
        yield from _expired_dates(data, node, "endDate" if "endDate" in item.properties else "startDate", now, ValueFault.EVENT_OVER)
    if not node.is_article:
        published, modified = (iso_moment(data.text(item, name)) for name in ("datePublished", "dateModified"))
        if published and modified and modified < published - TOLERANCE:
            text = data.text(item, "dateModified")
            yield FaultyValue(item, f"{node.path}.dateModified", "dateModified", text, ValueFault.ORDER)


def _expired_dates(data: StructuredData, node: _Node, name: str, now: datetime, fault: ValueFault) -> Iterator[FaultyValue]:
    """Yield a date more than a day ago. A date without a time lasts until the end of its day."""
    text = data.text(node.item, name)
    at = iso_moment(text)
    if at is not None and at + timedelta(days=0 if ":" in text else 1) + TOLERANCE < now:
        yield FaultyValue(node.item, f"{node.path}.{name}", name, text, fault)
