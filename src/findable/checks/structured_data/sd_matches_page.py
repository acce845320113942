"""Structured data contains values that the page does not show.

In plain words: The information for Google, such as a price or a date, differs from what visitors see, and Google may ignore it.

Why it matters: Markup must describe visible content. A price or a rating that differs from the page, or a name that is nowhere on it, may
cost the site its rich results, and shoppers their trust.

How to fix: Generate the page and its markup from the same data.

    <h1>Blue widget</h1> <p>12.90 €</p>
    {"@type": "Product", "name": "Blue widget", "offers": {"@type": "Offer", "price": "12.90", "priceCurrency": "EUR"}}

Sources: [Google: structured data guidelines](https://developers.google.com/search/docs/appearance/structured-data/sd-policies) (2025):
"Don't mark up content that is not visible to readers of the page".

Not judged: Microdata and RDFa, which usually mark up visible text; availability; dates (see dates-consistent); values that scripts put into
the page; a rating on a page with star icons, which show it without a number. A price contradicts the page only if the elements marked as
price show exactly one other amount in that currency.
"""

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from html import unescape

from findable.artifacts.html.document import Document
from findable.artifacts.page.head import Head
from findable.artifacts.page.headings import Headings
from findable.artifacts.page.structured_data import StructuredData
from findable.artifacts.page.structured_items import Item, Syntax
from findable.artifacts.page.text import Text
from findable.artifacts.page.word_count import COUNTED_CHARS, words
from findable.artifacts.page.word_stems import same_stem
from findable.artifacts.tables.languages import primary
from findable.artifacts.tables.rich_results import APPS, ARTICLES, EVENTS
from findable.artifacts.tables.stop_words import stop_words
from findable.artifacts.tables.wordings import fold
from findable.checks.engine import Evidence, Finding, check, element, failed, inapplicable, passed, unknown, warned
from findable.checks.structured_data_evidence import PART_READ
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import Effort, Importance

NAMED = ARTICLES | EVENTS | APPS | {"Product", "Recipe", "JobPosting", "Course", "Book", "Movie"}
NAME_PROPERTIES = ("headline", "name", "title")
SHARED_WORDS = 0.5
"""Share of the words of a name that must be on the page: shops shorten and reorder names."""
ITEMS_JUDGED = 10
HEADINGS_READ = 10
TITLE_CHARS = 1_000
MIN_TITLE_WORDS = 3
MIN_TITLES = 2
"""Number of titles (title, main heading, og:title) needed for a comparison, because a single one may be the site's name."""
SYMBOLS = {
    "EUR": ("€", "EUR"),
    "USD": ("$", "USD", "US$"),
    "GBP": ("£", "GBP"),
    "JPY": ("¥", "円", "JPY"),
    "CHF": ("CHF", "Fr."),
    "INR": ("₹", "INR"),
}
NUMBER = r"\d{1,3}(?:[.,'\u00a0\u202f ]\d{3}){0,4}(?:[.,]\d{1,2})?|\d{1,9}(?:[.,]\d{1,2})?"
CENTS = 2
_SCRIPT = lazy_pattern("<[sS][cC][rR][iI][pP][tT]")
_SCRIPT_END = lazy_pattern("</[sS][cC][rR][iI][pP][tT]")
_STARS = lazy_pattern(r"""[★☆⭐]|class=["'][^"'<>]{0,200}(?<![a-z])stars?(?![a-z])""", re.IGNORECASE)
PRICE_SELECTOR = '[class*="price" i],[id*="price" i],[itemprop="price"]'
PRICES_READ = 100
PRICE_CHARS = 1_000
"""Length of a price's text above which it may contain several prices, so that none is compared."""


@check("Does the structured data match the visible content?", Importance.MEDIUM, Effort.CONTENT, failed=40, warned=20)
def sd_matches_page(document: Document, head: Head, headings: Headings, text: Text, data: StructuredData) -> Finding:
    named = [item for item in data.page_subjects() if item.syntax is Syntax.JSON_LD and item.is_a(*NAMED)]
    if not named and data.is_cut:
        return unknown(PART_READ)
    if not named:
        return inapplicable("No JSON-LD with a product, an article, an event or similar")
    items = named[:ITEMS_JUDGED]
    visible = text.visible[:COUNTED_CHARS]
    everything = fold(f"{visible} {head.title} {headings.main_text}")
    alone = sum(item.is_a("Product") for item in named) == 1 and not data.is_cut
    contradictions = [found for item in items if alone for found in _price_mismatches(data, item, document)]
    if contradictions:
        return failed("The price in the markup differs from the one on the page", evidence=contradictions)
    absent = [
        *_missing_names(data, items, everything),
        *_unrelated_headlines(data, _without_shown(data, items, everything), head, headings),
    ]
    if any(data.values(item, "aggregateRating") for item in items):
        source = _text_and_attributes(document)
        if not _STARS.search(source):
            absent += [found for item in items for found in _missing_ratings(data, item, source)]
    if absent and len(text.visible) > COUNTED_CHARS:
        return unknown("Not known: the page has more text than is searched", evidence=absent)
    if absent:
        return warned("{count|value of the markup is|values of the markup are} not found on the page", evidence=absent)
    if len(named) > ITEMS_JUDGED:
        message = "The names of the first {judged_count} of {count} items are on the page"
        return passed(message, judged_count=ITEMS_JUDGED, count=len(named), evidence=[item.element for item in items[:5]])
    if not any(_name(data, item, everything) for item in items):
        return inapplicable("The markup has no names to compare with the page")
    return passed(
        "The names in the markup are on the page: {names}",
        names=[name for item in items[:5] if (name := _name(data, item, everything))],
        evidence=[item.element for item in items[:5]],
    )


def _name(data: StructuredData, item: Item, everything: str) -> str:
    """Return the item's name: the first one found completely on the page, or else the first one."""
    names = [name for key in NAME_PROPERTIES if (name := data.text(item, key))]
    return next((name for name in names if fold(name) in everything), names[0] if names else "")


def _missing_names(data: StructuredData, items: list[Item], everything: str) -> Iterator[Evidence]:
    named = [(item, name) for item in items if (name := _name(data, item, everything)) and fold(name) not in everything]
    shown = frozenset(words(everything)) if named else frozenset()
    for item, name in named:
        wanted = set(words(fold(name)))  # a script without spaces has no words, so the name is found as a whole or not checked
        if len(wanted & shown) < SHARED_WORDS * len(wanted):
            yield element(item.element, "{type}: “{name}” is not on the page", type=item.name, name=name)


def _without_shown(data: StructuredData, items: list[Item], everything: str) -> list[Item]:
    """Return the items without articles whose headline is on the page, as those of a list below it; a single one names the page."""
    if sum(item.is_a(*ARTICLES) for item in items) == 1:
        return items
    return [item for item in items if fold(unescape(data.text(item, "headline"))) not in everything]


def _unrelated_headlines(data: StructuredData, items: list[Item], head: Head, headings: Headings) -> Iterator[Evidence]:
    """Yield the headline of an article that shares no word with any title of the page."""
    shown = [head.title, *(heading.name for heading in headings.main[:HEADINGS_READ])]
    shown += [meta.content for meta in head.properties("og:title") if meta.content]
    others = [fold(text[:TITLE_CHARS]) for text in shown if text]
    stops = stop_words(primary(head.lang)) | stop_words("en")
    for item in items:
        names = [fold(data.text(item, key)[:TITLE_CHARS]) for key in NAME_PROPERTIES]
        wanted = {word for name in names for word in words(name)} - stops
        if not item.is_a(*ARTICLES) or not data.text(item, "headline") or len(wanted) < MIN_TITLE_WORDS or len(others) < MIN_TITLES:
            continue
        shared = {word for text in others for word in words(text)}
        if not any(same_stem(word, other) for word in wanted for other in shared):
            yield element(
                item.element,
                "{type}: the headline “{headline}” has no word in common with the title, the main heading and og:title",
                type=item.name,
                headline=data.text(item, "headline"),
            )


def _price_mismatches(data: StructuredData, item: Item, document: Document) -> Iterator[Evidence]:
    offers = [value for value in data.values(item, "offers") if isinstance(value, Item)]
    if not item.is_a("Product") or len(offers) != 1:
        return
    stated, currency = _amount(data.text(offers[0], "price")), data.text(offers[0], "priceCurrency").upper()
    if not stated or currency not in SYMBOLS:
        return
    shown = _prices(document, currency)
    if len(shown) == 1 and stated not in shown:
        other = next(iter(shown))
        yield element(
            item.element, "markup: {stated} {currency}; page: {shown} {currency}", stated=str(stated), shown=str(other), currency=currency
        )


def _prices(document: Document, currency: str) -> set[Decimal]:
    """Return amounts in the currency from elements marked up as prices; other amounts may be a shipping threshold."""
    symbols = "|".join(re.escape(symbol) for symbol in SYMBOLS[currency])
    texts = [node.text for node in document.select(PRICE_SELECTOR, PRICES_READ + 1)]
    if len(texts) > PRICES_READ or any(len(text) > PRICE_CHARS for text in texts):
        return set()
    visible = " ; ".join(texts)
    found = re.findall(rf"(?:{symbols})[\s\u00a0]?({NUMBER})(?![\d.,]*\d)|(?<![\d.,])({NUMBER})[\s\u00a0]?(?:{symbols})", visible)
    return {amount for pair in found if (amount := _amount(pair[0] or pair[1]))}


def _amount(text: str) -> Decimal | None:
    """Parse an amount, with either decimal separator: 1.299,00 equals 1,299.00."""
    plain = re.sub(r"[\s'\u00a0\u202f]", "", text[:30])
    cut = max(plain.rfind("."), plain.rfind(","))
    if cut >= 0 and len(plain) - cut - 1 in (1, CENTS):
        plain = re.sub("[.,]", "", plain[:cut]) + "." + plain[cut + 1 :]
    else:
        plain = re.sub("[.,]", "", plain)
    try:
        return Decimal(plain).normalize() if plain.replace(".", "").isdigit() else None
    except InvalidOperation:
        return None


def _missing_ratings(data: StructuredData, item: Item, source: str) -> Iterator[Evidence]:
    for rating in data.values(item, "aggregateRating"):
        value = data.text(rating, "ratingValue") if isinstance(rating, Item) else ""
        if not value or not value.replace(".", "", 1).isdigit():
            continue
        forms = {
            value,
            value.replace(".", ","),
            value.rstrip("0").rstrip("."),
            f"{Decimal(value):.1f}",
            f"{Decimal(value):.1f}".replace(".", ","),
        }
        if not any(form and form in source for form in forms):
            yield element(item.element, "{type}: the rating {value} is nowhere on the page", type=item.name, value=value)


def _text_and_attributes(document: Document) -> str:
    """Return text and attributes together, because ratings are often drawn as stars with a label."""
    pieces, at = [], 0
    source = document.source
    while (begin := _SCRIPT.search(source, at)) is not None:
        pieces.append(source[at : begin.start()])
        end = _SCRIPT_END.search(source, begin.end())
        if end is None:
            return "".join(pieces)
        at = end.start()
    pieces.append(source[at:])
    return "".join(pieces)
