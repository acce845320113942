"""Facts about the content: title, description, headings, words, language, keywords, structured data, social tags."""

from collections.abc import Iterable, Mapping

from msgspec import UNSET, Struct, UnsetType

from findable.artifacts.page.headings import Headings
from findable.artifacts.page.keywords import Keywords, Term
from findable.artifacts.page.language import Language
from findable.artifacts.page.page_kind import DeterminedKind, KindSign
from findable.artifacts.page.serp_width import Line
from findable.artifacts.page.social import Preview, Social
from findable.artifacts.page.structured_data import Block, StructuredData
from findable.artifacts.page.structured_items import Item
from findable.artifacts.page.text import Text
from findable.artifacts.page.word_count import COUNTED_LANGUAGES
from findable.values import cut_texts, shape_of
from findable.vocabulary import PageKind

HEADINGS_SHOWN = 300
TERMS_SHOWN = 25
BLOCKS_SHOWN = 20
ITEMS_SHOWN = 200
"""Maximum number of items of the whole tree."""
VALUES_SHOWN = 10
"""Maximum number of values of one property."""
PROPERTIES_SHOWN = 40
DEPTH_SHOWN = 6
TAGS_SHOWN = 60
TEXT_CHARS = 300


class ResultLineFacts(Struct, frozen=True):
    """Title or description, and its display in search results."""

    text: str
    characters_count: int
    width_px: int | None
    """Width in pixels; null if it cannot be measured for the script."""
    limit_px: int
    truncated_at: int | None
    """Number of characters shown; null if all fit."""
    preview: str


class HeadingFact(Struct, frozen=True):
    """Heading of the page."""

    level: int
    text: str
    line: int | None
    hidden: bool


class HeadingFacts(Struct, frozen=True):
    """First headings of the page, and the numbers of all and of omitted ones."""

    outline: tuple[HeadingFact, ...]
    count: int
    left_count: int


class KindFacts(Struct, frozen=True):
    """Kind of the page with its evidence."""

    kind: PageKind
    sign: KindSign
    text: str
    """Type, class, part of the URL, label or element that was found; empty for an unknown kind."""
    line: int | None


class WordFacts(Struct, frozen=True):
    """Word counts of the page."""

    visible_count: int
    main_count: int
    main_share_percent: int
    counted: bool
    """Whether the word count is tested for the language."""


class LanguageFacts(Struct, frozen=True):
    """Declared language of the page, and detected language of its text."""

    declared: str
    detected: str
    confidence: float
    used: str


class TermFact(Struct, frozen=True):
    """Word or phrase of the text, and its other places on the page."""

    term: str
    count: int
    in_title: bool
    in_heading: bool
    in_description: bool
    in_url: bool
    in_alt: bool


class KeywordFacts(Struct, frozen=True):
    """The most frequent words and phrases of the text."""

    words_count: int
    single: tuple[TermFact, ...]
    pairs: tuple[TermFact, ...]
    triples: tuple[TermFact, ...]


class DataBlockFact(Struct, frozen=True):
    """A JSON-LD script."""

    state: str
    reason: str
    line: int | None
    column: int | None


class DataItemFact(Struct, frozen=True):
    """An item of structured data with its properties."""

    types: tuple[str, ...]
    id: str
    syntax: str
    line: int | None
    properties: Mapping[str, tuple["str | DataItemFact", ...]]


class StructuredDataFacts(Struct, frozen=True):
    """Structured data in JSON-LD, Microdata and RDFa. ``items_count`` and ``left_count`` count the top level."""

    blocks: tuple[DataBlockFact, ...]
    items: tuple[DataItemFact, ...]
    items_count: int
    left_count: int
    blocks_count: int
    is_cut: bool
    """Whether the rest was not parsed."""


class SocialTagFact(Struct, frozen=True):
    """An Open Graph or X tag."""

    name: str
    content: str


class SocialFacts(Struct, frozen=True):
    """Tags for social networks."""

    tags: tuple[SocialTagFact, ...]
    left_count: int
    preview: Preview | UnsetType = UNSET


def result_line(line: Line) -> ResultLineFacts:
    """Return a title or description as displayed in search results."""
    return shape_of(ResultLineFacts, line, text=line.text[: 4 * TEXT_CHARS], preview=line.preview[: 4 * TEXT_CHARS])


def headings(artifact: Headings) -> HeadingFacts:
    """Return the first headings in document order, and the number of all."""
    count = len(artifact.all) + artifact.left_count
    shown = artifact.all[:HEADINGS_SHOWN]
    items = tuple(HeadingFact(item.level, item.name[:TEXT_CHARS], item.element.line, item.hidden) for item in shown)
    return HeadingFacts(items, count, max(0, count - HEADINGS_SHOWN))


def kind(artifact: DeterminedKind) -> KindFacts:
    """Return the kind of the page and what it was decided from."""
    return KindFacts(artifact.kind, artifact.sign, artifact.text[:TEXT_CHARS], artifact.element.line if artifact.element else None)


def words(text: Text, language: Language | None) -> WordFacts:
    """Return the number of words in the visible text and in the main text."""
    return WordFacts(
        visible_count=text.visible_count,
        main_count=text.main_count,
        main_share_percent=round(100 * len(text.main) / len(text.visible)) if text.visible else 0,
        counted=language is None or not language.used or language.used in COUNTED_LANGUAGES,
    )


def language(artifact: Language) -> LanguageFacts:
    """Return the declared language and the detected one, with a confidence of 0 to 1."""
    return cut_texts(shape_of(LanguageFacts, artifact), TEXT_CHARS)


def keywords(artifact: Keywords) -> KeywordFacts:
    """Return the number of words and the most frequent words, pairs and triples."""
    return KeywordFacts(artifact.words_count, _terms(artifact.single), _terms(artifact.pairs), _terms(artifact.triples))


def _terms(terms: Iterable[Term]) -> tuple[TermFact, ...]:
    return tuple(shape_of(TermFact, term, term=term.text[:TEXT_CHARS]) for term in list(terms)[:TERMS_SHOWN])


def structured_data(data: StructuredData) -> StructuredDataFacts:
    """Return the items of JSON-LD, Microdata and RDFa as a tree of limited size."""
    tree = _Tree()
    items = tuple(shown for item in data.items if (shown := tree.show(item, 0)) is not None)
    return StructuredDataFacts(
        blocks=tuple(_block(block) for block in data.blocks[:BLOCKS_SHOWN]),
        items=items,
        items_count=len(data.items),
        left_count=len(data.items) - len(items),
        blocks_count=len(data.blocks) + data.blocks_left_count,
        is_cut=data.is_cut,
    )


def _block(block: Block) -> DataBlockFact:
    return DataBlockFact(block.parsed.state.value, block.parsed.reason.value if block.parsed.reason else "", block.line, block.column)


class _Tree:
    """Converts items of structured data with their nested items, at most ITEMS_SHOWN and DEPTH_SHOWN levels."""

    def __init__(self) -> None:
        self._left = ITEMS_SHOWN

    def show(self, item: Item, depth: int) -> DataItemFact | None:
        if self._left <= 0 or depth > DEPTH_SHOWN:
            return None
        self._left -= 1
        properties = {
            name[:TEXT_CHARS]: tuple(shown for value in values[:VALUES_SHOWN] if (shown := self._value(value, depth)) is not None)
            for name, values in list(item.properties.items())[:PROPERTIES_SHOWN]
        }
        types = tuple(name[:TEXT_CHARS] for name in item.types)
        return DataItemFact(types, item.id[:TEXT_CHARS], item.syntax.value, item.element.line, properties)

    def _value(self, value: str | Item, depth: int) -> str | DataItemFact | None:
        return value[:TEXT_CHARS] if isinstance(value, str) else self.show(value, depth + 1)


def social(artifact: Social, preview: Preview | None) -> SocialFacts:
    """Return the first Open Graph and X tags, and the preview made from them."""
    tags = tuple(SocialTagFact(tag.name, tag.content[:TEXT_CHARS]) for tag in artifact.tags[:TAGS_SHOWN])
    shown = cut_texts(preview, 4 * TEXT_CHARS) if preview else UNSET
    return SocialFacts(tags, len(artifact.tags) - len(tags) + artifact.left_count, shown)
