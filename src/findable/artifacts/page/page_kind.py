"""Kind of page, decided from declared types, the theme's classes, the URL and the structure; unknown if nothing says enough.

A home page is a home page, whatever it shows. A page with several items of one type is a list of them unless one has the name of the page.
"""

import re
from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from findable.artifacts.content import Content
from findable.artifacts.html.document import Document, Element
from findable.artifacts.page.forms import Forms
from findable.artifacts.page.head import Head, Meta
from findable.artifacts.page.headings import Headings
from findable.artifacts.page.page_url import PageUrl
from findable.artifacts.page.social import Social, SocialTag
from findable.artifacts.page.structured_data import StructuredData
from findable.artifacts.page.structured_items import Item
from findable.artifacts.page.text import Text
from findable.artifacts.page.word_count import words
from findable.artifacts.registry import artifact
from findable.artifacts.tables.languages import NAMES as LANGUAGE_NAMES
from findable.artifacts.tables.page_kinds import TABLE, Names
from findable.artifacts.tables.table_file import read_table
from findable.artifacts.tables.wordings import fold
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import PageKind

LIST_FROM = 3
"""Number of items of one type from which the page is a list of them, if none has the name of the page (set by Findable)."""
CARDS_FROM = 5
ARTICLE_WORDS = 150
DOCUMENTATION_WORDS = 80
FEW_WORDS = 120
FORM_FIELDS = 3
PRICES_FROM = 20
"""Number of prices from which a page that declares the type of a product without its price is a list (set by Findable)."""
SAME_NAME = 0.6
MAX_CLASSES = 60
MAX_ELEMENTS = 2_000
MAX_LABEL_CHARS = 60
MAX_SIGN_CHARS = 100

_LANGUAGE = lazy_pattern(r"([a-z]{2})(?:[-_][a-z]{2,4})?", re.IGNORECASE)
_DATE_PATH = lazy_pattern(r"/(?:19|20)\d\d(?:[/-]?(?:0?[1-9]|1[0-2]|[a-z]{3}))(?:[/-]|$)", re.IGNORECASE)
_DATE_ARCHIVE = lazy_pattern(r"/(?:19|20)\d\d/(?:0?[1-9]|1[0-2])(?:/\d\d?)?/?$")
_SLUG = lazy_pattern(r"[^\W\d_][-_](?:[^\W\d_]+[-_]){2}")
_NUMBERED = lazy_pattern(r"\d{5,}")
_CART = lazy_pattern(
    r"add[-_ ]?to[-_ ]?(?:cart|basket|bag)|/cart/add|in-?den-?warenkorb|buy-?box|ajout(?:er)?-?(?:au-?)?panier|add-?carrito"
)
"""Controls that add to the cart, in lower case: a search that ignores the case takes three times as long."""
_PRICE = lazy_pattern(r"""itemprop=["']?price|class=["']?[^"'>]{0,80}\bprice""")
"""Markup of a price, in lower case."""
_AMOUNT = lazy_pattern(r"[$€£¥]\s?\d[\d.,]{0,30}|\d[\d.,]{0,30}\s?[€£¥]")
_CARD = lazy_pattern(r"(?:^|\s)(?:hentry|h-entry|post|product|card|teaser)(?:$|\s)")
_COMMENT = lazy_pattern(r"comment|review", re.IGNORECASE)
_FORUM_PATH = lazy_pattern(r"forum|foren|foro\b|communit|board|showthread|viewtopic", re.IGNORECASE)
_DATES = read_table("date_metas", frozenset[str])
"""Names of meta elements with the date of a text."""


class KindSign(StrEnum):
    """Origin of the evidence for the kind of a page."""

    NONE = ""
    URL = "url"
    STRUCTURED_DATA = "structured_data"
    OPEN_GRAPH = "og_type"
    GENERATOR = "generator"
    THEME = "theme"
    """Class or id of ``<body>``."""
    STRUCTURE = "structure"


class DeterminedKind(Struct, frozen=True):
    """Kind of the page with its evidence."""

    kind: PageKind
    sign: KindSign = KindSign.NONE
    text: str = ""
    """Type, class, part of the URL, label or element that was found; empty for an unknown kind."""
    element: Element | None = None


@artifact
def make_page_kind(  # noqa: PLR0913, PLR0917 - the kind is declared in as many places
    document: Document,
    page_url: PageUrl,
    head: Head,
    data: StructuredData | None,
    social: Social | None,
    content: Content | None,
    headings: Headings | None,
    text: Text | None,
    forms: Forms | None,
) -> DeterminedKind:
    """Determine the kind of page. Without content (scripts build the page), only declarations and the URL decide."""
    page = _Page(document, page_url, head, data, social, content, headings, text, forms)
    return next(page.signs(), DeterminedKind(PageKind.UNKNOWN))


class _Page(Struct, frozen=True):
    """Everything that tells the kind of a page."""

    document: Document
    page_url: PageUrl
    head: Head
    data: StructuredData | None
    social: Social | None
    content: Content | None
    headings: Headings | None
    text: Text | None
    forms: Forms | None

    def signs(self) -> Iterator[DeterminedKind]:
        """Yield kinds, the most certain first."""
        segments = self.page_url.segments
        if self.page_url.is_home or (len(segments) == 1 and not self.page_url.parameters and _is_language(segments[0])):
            yield DeterminedKind(PageKind.HOME, KindSign.URL, self.page_url.url.path)
        theme = self._theme()
        declared = self._declared()
        if theme and theme.kind in (PageKind.LISTING, PageKind.HOME) and not (declared and declared.is_named):
            yield theme
        if declared and declared.kind is PageKind.ARTICLE and self.content is not None:
            yield from self._recipe()  # some shops and blogs declare recipes as articles
        if declared:
            yield declared
        if theme:
            yield theme
        yield from self._forum()
        yield from self._generator()
        yield from self._og_type()
        if self.content is not None:
            yield from self._recipe()
            yield from self._product()
        if self.page_url.is_later_page or (_DATE_ARCHIVE.search(self.page_url.url.path) and not self.page_url.parameters):
            yield DeterminedKind(PageKind.LISTING, KindSign.URL, self.page_url.url.path)
        yield from self._list_folder()
        if self.content is not None:
            yield from self._documentation()
            yield from self._article()
            yield from self._cards()
            yield from self._form()
            yield from self._photo()

    # Declared types

    def _declared(self) -> "_Declared | None":
        """Return the kind of the structured data that describes the page itself."""
        if self.data is None:
            return None
        found: dict[PageKind, list[Item]] = {}
        for item in self._subjects(self.data):
            kind = next((kind for kind, types in TABLE.types.items() if item.is_a(*types)), None)
            if kind is not None:
                found.setdefault(kind, []).append(item)
        is_list = PageKind.LISTING in found
        for kind in self._preferred(found):
            items = found[kind]
            own = next((item for item in items if self._is_named(item)), None)
            names = {self._name_of(item) or str(item.element.order) for item in items}
            if own is None and (len(names) >= LIST_FROM or (is_list and kind is not PageKind.LISTING)):
                is_list = True
                continue
            item = own or items[0]
            return _Declared(kind, KindSign.STRUCTURED_DATA, item.name[:MAX_SIGN_CHARS], item.element, is_named=own is not None)
        if is_list:
            item = next(iter(next(iter(found.values()))))
            return _Declared(PageKind.LISTING, KindSign.STRUCTURED_DATA, item.name[:MAX_SIGN_CHARS], item.element)
        return None

    def _preferred(self, found: dict[PageKind, list[Item]]) -> list[PageKind]:
        """Return the kinds of items to consider, the most specific first."""
        kinds = [PageKind.RECIPE, PageKind.FORUM, PageKind.DOCUMENTATION, PageKind.ARTICLE, PageKind.PHOTO]
        has_offer = self.data is not None and any(self.data.values(item, "offers") for item in found.get(PageKind.PRODUCT, ()))
        og_type = self._og_name()
        is_article = og_type in TABLE.og_types[PageKind.ARTICLE] or (PageKind.ARTICLE in found and not has_offer)
        kinds.insert(kinds.index(PageKind.ARTICLE) + (1 if is_article else 0), PageKind.PRODUCT)
        if self.forms is not None and any(len(form.fields) >= FORM_FIELDS for form in self.forms.items):
            kinds.append(PageKind.FORM)
        return [kind for kind in kinds if kind in found]

    def _subjects(self, data: StructuredData) -> Iterator[Item]:
        for item in data.page_subjects():
            posts = [value for value in data.values(item, "blogPost") if isinstance(value, Item)] if item.is_a("Blog") else []
            yield from posts or (item,)

    def _name_of(self, item: Item) -> str:
        return fold(self.data.text(item, "headline") or self.data.text(item, "name")) if self.data else ""

    def _is_named(self, item: Item) -> bool:
        """Return whether the item has the name of the page."""
        name = self._name_of(item)
        own = fold(
            " ".join(
                (self.head.title, self.headings.main_text if self.headings else "", self.social.content("og:title") if self.social else "")
            )
        )
        told = set(words(name))
        return bool(name) and (name in own or (bool(told) and len(told & set(words(own))) >= SAME_NAME * len(told)))

    # Theme, generator, Open Graph

    def _theme(self) -> DeterminedKind | None:
        body = self.document.body
        if body is None:
            return None
        names = [*(body.attr("class") or "").lower().split()[:MAX_CLASSES], (body.attr("id") or "").lower()]
        for kind, own in TABLE.body_names.items():
            for name in names:
                if name in own:
                    return DeterminedKind(kind, KindSign.THEME, name, body)
        return None

    def _generator(self) -> Iterator[DeterminedKind]:
        if (meta := self._generator_of(PageKind.DOCUMENTATION)) is not None:
            yield DeterminedKind(PageKind.DOCUMENTATION, KindSign.GENERATOR, _content_of(meta), meta.element)

    def _generator_of(self, kind: PageKind) -> Meta | None:
        """Return the meta element that declares software for pages of a kind; None without one."""
        known = tuple(TABLE.generators[kind])
        return next((meta for meta in self.head.metas_named("generator")[:5] if _content_of(meta).lower().startswith(known)), None)

    def _og_name(self) -> str:
        return self.social.content("og:type").lower() if self.social else ""

    def _og_type(self) -> Iterator[DeterminedKind]:
        name = self._og_name()
        kind = next((kind for kind, names in TABLE.og_types.items() if name in names or name.rpartition(":")[2] in names), None)
        # Many systems declare every page as an article.
        if kind is None or (kind is PageKind.ARTICLE and not self._has_date() and self._words < ARTICLE_WORDS):
            return
        prices = _AMOUNT.findall(self.text.visible) if kind is PageKind.PRODUCT and self.text else []
        if len(prices) >= PRICES_FROM and not self._price_tag():
            yield DeterminedKind(PageKind.LISTING, KindSign.STRUCTURE, prices[0], self.document.body)
        tag = self.social.first("og:type") if self.social else None
        yield DeterminedKind(kind, KindSign.OPEN_GRAPH, name, tag.meta.element if tag else None)

    # URL

    def _folder(self, names: Names, kind: PageKind, *, last: bool = False) -> str:
        segments = self.page_url.segments if last else self.page_url.segments[:-1]
        return next((segment for segment in segments if segment.lower() in names[kind]), "")

    def _list_folder(self) -> Iterator[DeterminedKind]:
        folder = self._folder(TABLE.folders, PageKind.LISTING)
        if folder and not self._has_date():
            yield DeterminedKind(PageKind.LISTING, KindSign.URL, folder)

    def _forum(self) -> Iterator[DeterminedKind]:
        host = self.page_url.url.host.split(".")[0]
        generator = self._generator_of(PageKind.FORUM)
        path = self.page_url.url.path
        if generator is None and host not in TABLE.forum_hosts and not _FORUM_PATH.search(path):
            return
        last = {segment.lower() for segment in self.page_url.segments}
        if thread := self._folder(TABLE.folders, PageKind.FORUM, last=True):
            yield DeterminedKind(PageKind.FORUM, KindSign.URL, thread)
        elif last & TABLE.forum_indexes:
            yield DeterminedKind(PageKind.LISTING, KindSign.URL, path[:MAX_SIGN_CHARS])
        elif generator is not None and any(char.isdigit() for char in self.page_url.url.href):
            yield DeterminedKind(PageKind.FORUM, KindSign.GENERATOR, _content_of(generator), generator.element)

    # Structure

    @property
    def _words(self) -> int:
        return self.text.main_count if self.text else 0

    def _has_date(self) -> bool:
        return self._date_meta() is not None or _DATE_PATH.search(self.page_url.url.path) is not None

    def _date_meta(self) -> Meta | None:
        """Return the meta element with the date of the text; None without one."""
        return next((meta for meta in self.head.metas if (meta.property or meta.name) in _DATES and meta.content), None)

    def _recipe(self) -> Iterator[DeterminedKind]:
        """Yield a recipe: labels of both ingredients and preparation, or one of them in the folder of recipes.

        A product with ingredients has a price and a cart, and a list of recipes neither of the labels.
        """
        labels = {"ingredients": TABLE.ingredients, "preparation": TABLE.preparation}
        found: dict[str, Element] = {}
        tags = ("h2", "h3", "h4", "h5", "h6", "strong", "b", "p", "dt", "th")
        for element in self.document.short(*tags, chars=MAX_LABEL_CHARS, limit=MAX_ELEMENTS):
            shown = element.text_up_to(MAX_LABEL_CHARS + 1)
            text = fold(shown) if len(shown) <= MAX_LABEL_CHARS else ""
            for name, told in labels.items():
                if text in told:
                    found.setdefault(name, element)
        folder = self._folder(TABLE.folders, PageKind.RECIPE)
        if len(found) == len(labels) or (found and folder):
            element = min(found.values(), key=lambda one: one.order)
            yield DeterminedKind(PageKind.RECIPE, KindSign.STRUCTURE, element.text_up_to(MAX_LABEL_CHARS), element)

    def _price_tag(self) -> SocialTag | None:
        return self.social.first("product:price:amount", "og:price:amount") if self.social else None

    def _product(self) -> Iterator[DeterminedKind]:
        """Yield a product or a list of them, by the controls that add to the cart, and prices."""
        if tag := self._price_tag():
            yield DeterminedKind(PageKind.PRODUCT, KindSign.OPEN_GRAPH, tag.name, tag.meta.element)
        source = self.document.source
        if "rice" not in source and "RICE" not in source:  # price, Price, PRICE: lower case takes a millisecond
            return
        source = source.lower()
        if "price" not in source or not _CART.search(source) or not _PRICE.search(source):
            return
        names = ("class", "id", "name", "action", "href")
        controls = [
            element
            for element in self.document.all("form", "button", "input", "a", limit=MAX_ELEMENTS)
            if any((value := element.attr(name)) and _CART.search(value[:500].lower()) for name in names)
        ]
        outer = [one for one in controls if not any(other.order < one.order < other.document.ends[other.order] for other in controls)]
        if 1 <= len(outer) < LIST_FROM:
            yield DeterminedKind(PageKind.PRODUCT, KindSign.STRUCTURE, outer[0].snippet[:MAX_SIGN_CHARS], outer[0])
        elif len(outer) > CARDS_FROM:
            yield DeterminedKind(PageKind.LISTING, KindSign.STRUCTURE, outer[0].snippet[:MAX_SIGN_CHARS], outer[0])

    def _documentation(self) -> Iterator[DeterminedKind]:
        host = self.page_url.url.host.split(".")[0]
        folder = host if host in TABLE.docs_hosts else self._folder(TABLE.folders, PageKind.DOCUMENTATION)
        if folder and self._words >= DOCUMENTATION_WORDS and not self._has_date():
            yield DeterminedKind(PageKind.DOCUMENTATION, KindSign.URL, folder)

    def _article(self) -> Iterator[DeterminedKind]:
        if self._words < ARTICLE_WORDS:
            return
        path = self.page_url.url.path
        heading = self.headings.main_heading.element if self.headings and self.headings.main_heading else None
        article = next((outer for outer in heading.ancestors if outer.tag == "article"), None) if heading else None
        # not a URL that ends with the date: an archive of a month or day
        if (dated := _DATE_PATH.search(path)) is not None and self.page_url.segments[-1:] and not self.page_url.segments[-1].isdigit():
            yield DeterminedKind(PageKind.ARTICLE, KindSign.URL, dated[0])
        meta = self._date_meta()
        if meta is not None and heading is not None and len(self._cards_found()) < CARDS_FROM:
            yield DeterminedKind(PageKind.ARTICLE, KindSign.STRUCTURE, meta.property or meta.name, meta.element)
        if article is not None and article.descendants("time"):
            yield DeterminedKind(PageKind.ARTICLE, KindSign.STRUCTURE, "article, time", article)
        last = self.page_url.segments[-1] if self.page_url.segments else ""
        folder = self._folder(TABLE.folders, PageKind.ARTICLE)
        if folder and (_SLUG.search(last) or _NUMBERED.search(last)):
            yield DeterminedKind(PageKind.ARTICLE, KindSign.URL, folder)
        if _SLUG.search(path) and _NUMBERED.search(path):
            yield DeterminedKind(PageKind.ARTICLE, KindSign.URL, last[:MAX_SIGN_CHARS])

    def _cards_found(self) -> list[Element]:
        found = self.document.all("article", limit=100) or [
            element for element in self.document.holders("class", limit=MAX_ELEMENTS) if _CARD.search(element.attr("class") or "")
        ]
        return [element for element in found if not _COMMENT.search(f"{element.attr('class') or ''} {element.attr('id') or ''}")]

    def _cards(self) -> Iterator[DeterminedKind]:
        cards = [card for card in self._cards_found() if card.descendants("a")]
        if len(cards) >= CARDS_FROM:
            yield DeterminedKind(PageKind.LISTING, KindSign.STRUCTURE, cards[0].snippet[:MAX_SIGN_CHARS], cards[0])

    def _form(self) -> Iterator[DeterminedKind]:
        """Yield a page to fill in: a form with several fields or a password, and few words."""
        if self.forms is None or self._words >= FEW_WORDS:
            return
        form = next((form for form in self.forms.items if not form.is_hidden and len(form.fields) >= FORM_FIELDS), None)
        place = form.element if form else next(iter(self.forms.passwords), None)
        is_named = self._folder(TABLE.folders, PageKind.FORM, last=True)
        if place is not None and (is_named or form is not None):
            yield DeterminedKind(PageKind.FORM, KindSign.STRUCTURE, place.snippet[:MAX_SIGN_CHARS], place)

    def _photo(self) -> Iterator[DeterminedKind]:
        folder = self._folder(TABLE.folders, PageKind.PHOTO)
        if folder and self._words < FEW_WORDS and self.document.all("img", limit=1):
            yield DeterminedKind(PageKind.PHOTO, KindSign.URL, folder)


def _content_of(meta: Meta) -> str:
    return (meta.content or "").strip()[:MAX_SIGN_CHARS]


def _is_language(segment: str) -> bool:
    match = _LANGUAGE.fullmatch(segment)
    return match is not None and match[1].lower() in LANGUAGE_NAMES


class _Declared(DeterminedKind, frozen=True, kw_only=True):
    """Kind by structured data."""

    is_named: bool = False
    """Whether the item has the name of the page."""
