"""Split the text of short pages into passages, to distinguish unique text from text that the template repeats."""

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct

from findable.artifacts.content import Content
from findable.artifacts.html.document import Document
from findable.artifacts.html.landmarks import Surroundings
from findable.artifacts.page.images import Images
from findable.artifacts.page.language import Language
from findable.artifacts.page.text import NON_MAIN_TAGS, Text
from findable.artifacts.page.word_count import COUNTED_LANGUAGES, count_words, has_words
from findable.checks.content.content_length import LABELS, NO_FIELDS, SEVERAL, SHOWING_TAGS
from findable.crawl.blocks import Block
from findable.crawl.url_keys import text_key
from findable.crawl.varints import pack, unpack

FEW_WORDS = 50
LONG_FROM_WORDS = 300
"""Number of words above which the text of a page is not stored in passages, because it has enough unique text."""
LIST_FROM = 5
"""Number of links from which a list counts as content other than text: products, articles, results (set by Findable)."""
TEMPLATE_PAGES, TEMPLATE_SHARE, RICH_PAGES = 3, 0.01, 2
"""Numbers from which a passage belongs to the template: pages, share of the pages, and pages that also have FEW_WORDS of other text.

Variants of a product share their text only with each other; such text counts as unique.
"""
_PASSAGES = ("p", "li", "dd", "dt", "td", "th", "h2", "h3", "h4", "h5", "h6", "blockquote")
_MAX_PASSAGES = 60
_KEY_BITS = 32


class OwnText(Struct, frozen=True):
    """Words of a short page outside header, navigation and footer."""

    words: int
    passages: tuple[tuple[int, int], ...] = ()
    """Passages: (hash, words)."""


def pack_text(content: Content, text: Text, language: Language | None, images: Images | None, blocks: Iterable[Block]) -> bytes | None:
    """Return the passages of a short page, packed.

    Empty for a page that is long or has content other than text, None if words are not counted.
    """
    document, surroundings = content.document, content.surroundings
    if document.body is None or (language is not None and language.used and language.used not in COUNTED_LANGUAGES):
        return None
    if text.main_count >= LONG_FROM_WORDS:
        return b""
    shown = document.text_outside(NON_MAIN_TAGS)
    if has_words(shown, LONG_FROM_WORDS) or _has_other_content(document, surroundings, images) or any(map(_is_list, blocks)):
        return b""
    numbers = [count_words(shown)]
    for passage in _passages(document, surroundings):
        numbers += (text_key(passage.casefold()) % (1 << _KEY_BITS), count_words(passage))
    return pack(numbers)


def unpack_text(data: bytes) -> OwnText:
    """Return the passages in bytes from `pack_text`, which must not be empty."""
    words, *passages = unpack(data)
    return OwnText(words, tuple(zip(passages[::2], passages[1::2], strict=True)))


def template_passages(pages: Iterable[OwnText]) -> frozenset[int]:
    """Return the passages that the template of several pages repeats."""
    known = list(pages)
    counts = Counter(key for page in known for key in {key for key, _ in page.passages})
    rich: Counter[int] = Counter()
    for page in known:
        shared = {key: words for key, words in page.passages if counts[key] > 1}
        if page.words - sum(shared.values()) >= FEW_WORDS:
            rich.update(shared.keys())
    least = max(TEMPLATE_PAGES, TEMPLATE_SHARE * len(known))
    return frozenset(key for key, count in rich.items() if count >= RICH_PAGES and counts[key] >= least)


def own_words(page: OwnText, template: frozenset[int]) -> int:
    """Return the words of a page without those of its template."""
    return page.words - sum(words for key, words in page.passages if key in template)


def _passages(document: Document, surroundings: Surroundings) -> Iterator[str]:
    """Yield each different text of paragraphs, items, cells and headings."""
    end = count = 0
    for element in document.all(*_PASSAGES):
        if element.order >= end and not _is_outside_main(document, surroundings, element.order):
            end = document.ends[element.order]
            if element.text:
                count += 1
                yield element.text
            if count == _MAX_PASSAGES:
                return


def _is_outside_main(document: Document, surroundings: Surroundings, order: int) -> bool:
    return surroundings.context_of(document.element_at(order)).region.value in NON_MAIN_TAGS


def _is_list(block: Block) -> bool:
    return block.landmark not in NON_MAIN_TAGS and len(block.links) >= LIST_FROM


def _has_other_content(document: Document, surroundings: Surroundings, images: Images | None) -> bool:
    """Return whether a page contains something other than text: a player, a form, several images or cards, a diagram."""
    counts = document.tag_counts
    if any(counts.get(tag) for tag in SHOWING_TAGS) or counts.get("article", 0) >= SEVERAL or counts.get("text", 0) >= LABELS:
        return True
    fields = (item for item in document.all("input", "textarea", "select") if (item.attr("type") or "").strip().lower() not in NO_FIELDS)
    if any(not _is_outside_main(document, surroundings, item.order) for item in fields):
        return True
    if images is None:
        return False
    shown = [item for item in images.items if not item.is_pixel and not _is_outside_main(document, surroundings, item.element.order)]
    return len(shown) + len(images.backgrounds) >= SEVERAL
