"""Main content of a page: the article, product or thread, without navigation, related links, comments and advertisements.

The page is read as blocks of text. Blocks of sentences score by their length, links do not. From the body, the search descends into
the child that holds most of the score, until none does. Parts that are named or marked up as something else, captions and lists of links
are left out. A standfirst between the h1 and the child is part of the content.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from findable.artifacts.html.document import Document
from findable.artifacts.html.landmarks import hides
from findable.artifacts.html.parse_tree import BLOCK_TAGS
from findable.artifacts.tables.table_file import read_table
from findable.lazy_pattern import lazy_pattern
from findable.values import once

MIN_SCORE = 80
"""Score of one sentence. If no block reaches it, class names may have excluded the text, and they are ignored."""
SENTENCE_CHARS = 25
"""Minimum length of a block with a score."""
UNSPACED_SENTENCE_CHARS = 10
"""Minimum length of a block with a score if it is not ASCII: it may be Chinese or Japanese."""
LONG_CHARS = 80
SHORT_FACTOR = 0.3
"""Weight of blocks below LONG_CHARS: captions, teasers, buttons."""
CELL_FACTOR = 0.5
BEFORE_HEADING_FACTOR = 0.3
"""Weight of blocks before the only h1."""
LINKED_SHARE = 0.5
"""Share of link text from which a block counts as a list of links."""
LONG_LINKED_CHARS = 300
"""Length from which a block counts as text despite many links."""
TEXT_LINKED_SHARE = 0.125
"""Share of link text up to which the content is running text."""
PART_LINKED_SHARE = 0.25
"""Share of link text from which a part of running text is a list of other articles."""
DOMINANT_SHARE = 0.8
"""Share of the score that a child needs for the search to descend into it."""
MARKED_SHARE = 0.3
"""Share of the score from which the search begins at the author's ``<main>``, and from which a list of links counts as the content."""
WRAPPER_SHARE = 0.6
HEADED_WRAPPER_SHARE = 0.3
"""Share of the body's text from which an element, or one with the h1, is main content regardless of its class."""
HEADED_TIMES = 2
"""Maximum length of the block with h1 and main content, as a multiple of the main content, if the h1 is its heading."""
INTRODUCTION_CHARS = 1_500
"""Maximum length of paragraphs between the h1 and the main content."""
INTRODUCTION_SHARE = 0.01
"""Share of the score between the h1 and a section from which it introduces the section."""
HEAD_SHARE = 0.1
"""Maximum share of the score before the h1 for a text that begins with the h1."""
MAX_NAME_CHARS = 150
MAX_SLUG_CHARS = 60

_SIDE_TAGS = frozenset({"nav", "footer", "aside", "button", "svg", "menu", "dialog", "label", "audio", "video"})
_SIDE_ROLES = frozenset(
    {
        *("navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alertdialog", "menu", "menubar"),
        *("toolbar", "alert", "form"),
    }
)
_PHRASES = frozenset({"a", "abbr", "b", "cite", "code", "em", "font", "i", "small", "strong", "sub", "sup", "u"})
"""Tags of inline text, which have no role: skipping their attributes saves a third of the time."""
_NEVER_SIDE = frozenset({"body", "main", "article"})
_SIDE_WORDS = read_table("side_words", frozenset[str])
"""Words in classes and ids of parts outside the main content, as common themes and content systems use them."""
_SIDE_PAIRS = read_table("side_pairs", frozenset[tuple[str, str]])
_TEASER_WORDS = frozenset({"teaser", "teasers"})
"""Words in names of links to other articles, and of standfirsts, which have no link."""
_DISTINCTIVE_WORDS = _SIDE_WORDS.union(_TEASER_WORDS, (word for _, word in _SIDE_PAIRS))
_NOT_SIDE, _SIDE_IF_LINKED, _SIDE = range(3)
_BODY_PROPERTIES = frozenset({"articleBody"})
_NOTICE_WORDS = frozenset({"cookie", "cookies", "consent", "gdpr", "cmp", "onetrust", "comments", "commentlist", "disqus"})
_NEGATIONS = frozenset({"has", "with", "no", "without", "elementor", "category"})
_CONTENT_PAIRS = frozenset(
    {
        *(("sidebar", "layout"), ("sidebar", "relative"), ("related", "to"), ("cmp", "container"), ("cmp", "text"), ("cmp", "title")),
        *(("cmp", "image")),
    }
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_SECTION_HEADINGS = frozenset({"h2", "h3", "h4"})
_HEADINGS_AS_TEXT = frozenset({"h1", "h2", "h3", "h4"})
_NOT_SCORED = _HEADINGS | {"br", "hr", "figcaption", "caption"}
_CELLS = frozenset({"li", "td", "th", "dd", "dt"})
_SCORED_LESS = _CELLS - {"dt"}
_TEXT_ENDS = _SCORED_LESS | {"pre", "blockquote"}
_LISTS = frozenset({"ul", "ol", "dl", "table"})
_LIST_PARTS = _CELLS | _LISTS | {"tr", "tbody", "thead", "tfoot"}
_SMALLEST = _HEADINGS | {"p", "li", "ul", "ol", "td", "tr", "tbody", "blockquote", "pre"}
"""Tags of blocks into which the search does not descend."""
_NAME_WORD = lazy_pattern(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")


class MainContent(Struct, frozen=True):
    """Text of the main content, with folded white space."""

    text: str
    has_heading: bool
    """Whether the block begins with the main heading, or little else precedes the content."""


def main_content(document: Document) -> MainContent | None:
    """Return the main content; None if no part of the page is running text."""
    blocks = _Blocks(document, by_name=True)
    if blocks.best_score < MIN_SCORE:
        blocks = _Blocks(document, by_name=False)
    return blocks.main() if blocks.best_score >= MIN_SCORE else None


@lru_cache(4096)
def _side_of_name(name: str) -> int:
    """Return whether a class or id puts a part outside the main content: ``related-posts`` does, ``has-sidebar`` does not."""
    if len(name) > MAX_NAME_CHARS:
        name = " ".join(name.split())[:MAX_NAME_CHARS]
    words = [word.lower() for word in _NAME_WORD.findall(name)]
    if _DISTINCTIVE_WORDS.isdisjoint(words):
        return _NOT_SIDE
    if any(_is_side_words([word.lower() for word in _NAME_WORD.findall(one)]) for one in name.split()):
        return _SIDE
    return _NOT_SIDE if _TEASER_WORDS.isdisjoint(words) else _SIDE_IF_LINKED


def _is_side_words(words: Sequence[str]) -> bool:
    """Return whether the words of one class do."""
    for before, word, after in zip(["", *words], words, [*words[1:], ""], strict=False):
        if (before, word) in _SIDE_PAIRS:
            return True
        if word in _SIDE_WORDS and before not in _NEGATIONS and (word, after) not in _CONTENT_PAIRS:
            return True
    return False


def _is_notice_name(*names: str) -> bool:
    """Return whether one of the names marks a cookie banner or comments, which may be longer than the page's own text."""
    return any(not _NOTICE_WORDS.isdisjoint(word.lower() for word in _NAME_WORD.findall(name[:MAX_NAME_CHARS])) for name in names)


class _Blocks:
    """Blocks of text of the body in document order, by their number; block 0 is the body."""

    def __init__(self, document: Document, *, by_name: bool) -> None:
        self._document = document
        self._with_context, self._class_and_id_at = document.with_context, document.class_and_id_at
        self._by_name = by_name
        body = document.body
        self._body = body.order if body else -1
        self._body_chars = document.text_sizes[self._body] if body else 0
        self._only_heading = 0  # number of the only h1, 0 if there is none or several
        self._main_headings = [element.order for element in document.all("h1")]
        self._orders: list[int] = []
        self._outer: list[int] = []  # number of the enclosing block
        self._tags: list[str] = []
        self._texts: list[str] = []  # text of the block without its inner blocks
        self._linked: list[int] = []  # number of those characters in links
        self._scores: list[float] = []
        self._totals: list[float] = []  # scores including those of the inner blocks
        if body:
            self._read()
            self._score()

    def _read(self) -> None:  # one loop: it passes every element of the page
        document = self._document
        tags, parents, ends, starts, stops = document.tags, document.parents, document.ends, document.text_starts, document.text_ends
        sizes = document.text_sizes
        orders, outers, linked = self._orders, self._outer, self._linked
        phrases, block_tags, is_side = _PHRASES, BLOCK_TAGS, self._is_side
        block_of = [0] * len(tags)  # number of the innermost enclosing block, or of the block itself
        pieces: dict[int, list[tuple[int, int]]] = {}  # parts of a block's text before its inner blocks
        orders.append(self._body)
        outers.append(0)
        linked.append(0)
        read_to = [starts[self._body]]
        link_end = 0
        at, end = self._body + 1, ends[self._body]
        while at < end:
            start, stop = starts[at], stops[at]
            if not sizes[at] or start < 0:  # the element is hidden (NOT_SHOWN)
                at = ends[at]
                continue
            tag, around = tags[at], block_of[parents[at]]
            if tag in phrases:
                block_of[at] = around
                if tag == "a":
                    linked[around] += sizes[at]
                    link_end = max(link_end, ends[at])
                at += 1
                continue
            skipped = is_side(at, tag)
            if not skipped and tag not in block_tags:
                block_of[at] = around
                at += 1
                continue
            if read_to[around] < start:
                pieces.setdefault(around, []).append((read_to[around], start))
            read_to[around] = stop
            if skipped:
                at = ends[at]
                continue
            block_of[at] = len(orders)
            orders.append(at)
            outers.append(around)
            read_to.append(start)
            linked.append(sizes[at] if at < link_end else 0)
            at += 1
        self._tags = [tags[order] for order in orders]
        self._read_texts(pieces, read_to)

    def _read_texts(self, pieces: Mapping[int, Sequence[tuple[int, int]]], read_to: Sequence[int]) -> None:
        """Read each block's own text: its parts before inner blocks, and the text after ``read_to``."""
        shown, stops, linked = self._document.shown, self._document.text_ends, self._linked
        for number, order in enumerate(self._orders):
            start, stop = read_to[number], stops[order]
            text = shown[start:stop].strip()
            if number in pieces:
                before = [shown[begin:end].strip() for begin, end in pieces[number]]
                text = " ".join(filter(None, (*before, text)))
            self._texts.append(text)
            linked[number] = min(linked[number], len(text))

    def _is_side(self, at: int, tag: str) -> bool:
        """Return whether tag, role, state or name of the element put it outside the main content."""
        if tag in _SIDE_TAGS:
            return True
        if at in self._with_context:
            attrs = self._document.attrs_of(at)
            if hides(tag, attrs) or attrs.get("role", "").strip().lower() in _SIDE_ROLES:
                return True
        if not self._by_name or tag in _NEVER_SIDE:
            return False
        if tag == "figcaption":
            return True
        classes, name = self._class_and_id_at(at)
        side = _side_of_name(classes) if classes else _NOT_SIDE
        if name and (found := _side_of_name(name[:MAX_SLUG_CHARS])) > side and not self._begins_with(at, name[:MAX_SLUG_CHARS]):
            side = found
        return side > _NOT_SIDE and (side == _SIDE or self._has_link(at)) and not self._is_wrapper(at)

    def _has_link(self, at: int) -> bool:
        links = self._document.by_tag.get("a", ())
        first = bisect_left(links, at)
        return first < len(links) and links[first] < self._document.ends[at]

    def _begins_with(self, at: int, slug: str) -> bool:
        """Return whether the element begins with the words of its id, possibly without the first one, as chapters of manuals do."""
        start = self._document.text_starts[at]
        text = self._document.shown[start : start + 3 * MAX_SLUG_CHARS].lower()
        words = [word.lower() for word in _NAME_WORD.findall(slug)]
        begins = _NAME_WORD.findall(text)[: len(words)]
        return len(words) > 1 and words in (begins, [words[0], *begins[:-1]])

    def _is_wrapper(self, at: int) -> bool:
        """Return whether the element contains enough of the page's text to be main content."""
        attrs = self._document.attrs_of(at)
        share = self._document.text_sizes[at] / self._body_chars
        if share > WRAPPER_SHARE and not (self._main_headings and _is_notice_name(attrs.get("class", ""), attrs.get("id", ""))):
            return True
        first = bisect_left(self._main_headings, at)
        has_heading = first < len(self._main_headings) and self._main_headings[first] < self._document.ends[at]
        return has_heading and share > HEADED_WRAPPER_SHARE

    def _score(self) -> None:
        headings = [number for number, tag in enumerate(self._tags) if tag == "h1" and self._texts[number]]
        self._only_heading = only_heading = headings[0] if len(headings) == 1 else 0
        for number, read in enumerate(zip(self._tags, self._texts, self._linked, strict=True)):
            score = _score_of(*read)
            self._scores.append(score * BEFORE_HEADING_FACTOR if number < only_heading else score)
        self._totals = _add_inner(self._scores, self._outer)

    @once
    def _chars(self) -> list[float]:
        """Length of each block's text, including inner blocks."""
        return _add_inner([len(text) for text in self._texts], self._outer)

    @once
    def best_score(self) -> float:
        """Score of the block that contains the main content."""
        return self._totals[self._top_block] if self._orders else 0

    def main(self) -> MainContent:
        """Return the text of the block that contains the main content."""
        top = self._top_block
        end = bisect_left(self._orders, self._document.ends[self._orders[top]])
        shown = self._blocks_without_links(top, end)
        heading = next((at for at, number in enumerate(shown) if self._tags[number] == "h1"), 0)
        if sum(self._scores[number] for number in shown[:heading]) < HEAD_SHARE * self._totals[top]:
            shown = shown[heading:]
        last = next((at for at in range(len(shown) - 1, -1, -1) if self._ends_text(shown[at])), len(shown) - 1)
        shown = [*self._introduction(top), *shown[: last + 1]]
        text = " ".join(self._texts[number] for number in shown)
        return MainContent(text, has_heading=self._tags[shown[0]] == "h1" or self._is_heading_of(top))

    def _introduction(self, top: int) -> list[int]:
        """Return the paragraphs between the h1 and the block: the standfirst of an article often has a place of its own."""
        starts, stops, begin = self._document.text_starts, self._document.text_ends, self._orders[top]
        headings = [order for order in self._main_headings if order < begin and 0 <= starts[order] < stops[order]]
        if not headings:
            return []
        between = range(bisect_left(self._orders, self._document.ends[headings[-1]]), top)
        left = [number for number in between if self._introduces(number)]
        return left if sum(len(self._texts[number]) for number in left) <= INTRODUCTION_CHARS else []

    def _ends_text(self, number: int) -> bool:
        """Return whether the content may end with the block: a short line after the last paragraph is a source, a notice or a label."""
        text, tag = self._texts[number], self._tags[number]
        if not self._scores[number]:
            return False
        return tag in _TEXT_ENDS or len(text.encode()) >= LONG_CHARS or not (text[-1].isalnum() or text[-1] == ":")

    def _introduces(self, number: int) -> bool:
        """Return whether the block is a paragraph or an item of a list, such as an ingredient, and not a link."""
        chars, tag = len(self._texts[number]), self._tags[number]
        least = SENTENCE_CHARS if tag == "li" else LONG_CHARS
        return chars >= least and (tag == "li" or tag not in _CELLS) and not self._is_link(number)

    def _is_heading_of(self, top: int) -> bool:
        """Return whether the only h1 precedes the block, and their common ancestor has little other text."""
        heading = self._only_heading
        if not 0 < heading < top:
            return False
        around = top
        while around > heading:
            around = self._outer[around]
        while self._document.ends[self._orders[around]] <= self._orders[heading]:
            around = self._outer[around]
        return self._chars[around] <= HEADED_TIMES * self._chars[top]

    @once
    def _top_block(self) -> int:
        """Return the number of the smallest block that contains most of the score."""
        best: dict[int, int] = {}  # the child with the highest total, by block
        for number in range(1, len(self._orders)):
            outer = self._outer[number]
            if outer not in best or self._totals[number] > self._totals[best[outer]]:
                best[outer] = number
        at = self._start_block()
        while at in best and self._totals[best[at]] >= DOMINANT_SHARE * self._totals[at] and self._tags[best[at]] not in _SMALLEST:
            if self._is_section(best[at], at):
                break
            at = best[at]
        return at

    def _is_section(self, number: int, outer: int) -> bool:
        """Return whether the block is a long chapter: it begins with a lower heading, after the h1 and an introduction."""
        end = bisect_left(self._orders, self._document.ends[self._orders[number]])
        first = next((at for at in range(number, end) if self._texts[at]), number)
        heading = next((at for at in range(number - 1, outer, -1) if self._tags[at] == "h1"), number)
        return self._tags[first] in _SECTION_HEADINGS and sum(self._scores[heading:number]) > INTRODUCTION_SHARE * self._totals[outer]

    def _start_block(self) -> int:
        """Return the number of the block that the author marked as main content, or of the body."""
        named = (element for element in self._document.holders("itemprop") if element.tag != "main")
        bodies = [element.order for element in named if (element.attr("itemprop") or "").strip() in _BODY_PROPERTIES]
        mains = [element.order for element in self._document.all("main")]
        for orders in (bodies, mains):
            marked = [number for order in orders if (number := self._number_of(order)) is not None]
            if len(marked) == 1 and self._totals[marked[0]] >= MARKED_SHARE * self._totals[0]:
                return marked[0]
        return 0

    def _number_of(self, order: int) -> int | None:
        """Return the number of the block that is the element at that position, None if it is not a block."""
        number = bisect_left(self._orders, order)
        return number if number < len(self._orders) and self._orders[number] == order else None

    def _blocks_without_links(self, top: int, end: int) -> list[int]:
        """Return the blocks with text from ``top`` that are not links; items of a list count as links if the list does."""
        linked = _add_inner(self._linked, self._outer)
        lists: dict[int, int] = {}  # the outermost list or table that encloses a block
        left = []
        skipped_to = top
        is_text = linked[top] < TEXT_LINKED_SHARE * self._chars[top]
        for number in range(top, end):
            if number < skipped_to:
                continue
            if is_text and self._outer[number] == top != number and self._is_part_of_links(number, linked[number], top):
                skipped_to = bisect_left(self._orders, self._document.ends[self._orders[number]])
                continue
            outer = self._outer[number]
            if self._tags[number] in _LIST_PARTS:
                lists[number] = lists.get(outer, number)
            if not (text := self._texts[number]):
                continue
            part = lists.get(number, number) if self._tags[number] in _CELLS else number
            is_link = self._is_link(number) and len(text) < LONG_LINKED_CHARS
            if part != number:
                is_main = self._totals[part] >= MARKED_SHARE * self._totals[top]
                is_link = is_link and not is_main and linked[part] >= LINKED_SHARE * self._chars[part]
            if not is_link or self._tags[number] in _HEADINGS_AS_TEXT:
                left.append(number)
        return self._without_headings_of_links(left, end)

    def _is_part_of_links(self, number: int, linked_chars: float, top: int) -> bool:
        """Return whether a part of running text has so many links that it is a list of other articles, with teasers or dates."""
        if self._tags[number] in _SMALLEST or self._totals[number] >= MARKED_SHARE * self._totals[top]:
            return False
        return linked_chars >= PART_LINKED_SHARE * self._chars[number]

    def _without_headings_of_links(self, shown: Sequence[int], end: int) -> list[int]:
        """Return the blocks without headings and lines that only have links below them, as those of related articles."""
        left: list[int] = []
        after, after_level = end, 0  # the next block that is left, and its level if it is a heading
        for number in reversed(shown):
            tag, text = self._tags[number], self._texts[number]
            level = int(tag[1]) if tag in _HEADINGS else 0
            if level:
                is_last = after == end or 0 < after_level <= level
                is_label = level > 1 and is_last and any(self._is_link(at) for at in range(number, after) if self._texts[at])
            elif text[-1] == ":" and len(text) < LONG_CHARS:
                below = next((at for at in range(number + 1, after) if self._texts[at]), None)
                is_label = below is not None and self._is_link(below)
            else:
                is_label = False
            if not is_label:
                left.append(number)
                after, after_level = number, level
        return left[::-1]

    def _is_link(self, number: int) -> bool:
        return self._linked[number] >= LINKED_SHARE * len(self._texts[number])


def _score_of(tag: str, text: str, linked_chars: int) -> float:
    chars = len(text)
    if tag in _NOT_SCORED or chars < UNSPACED_SENTENCE_CHARS or (chars < SENTENCE_CHARS and text.isascii()):
        return 0.0
    unlinked = 1 - linked_chars / chars
    if unlinked <= 1 - LINKED_SHARE:
        return 0.0
    score = chars * unlinked * unlinked
    if chars < LONG_CHARS:
        score *= SHORT_FACTOR
    return score * CELL_FACTOR if tag in _SCORED_LESS else score


def _add_inner(values: Sequence[float], outer: Sequence[int]) -> list[float]:
    """Return each block's value plus those of the blocks inside it."""
    totals = list(values)
    for number in range(len(totals) - 1, 0, -1):
        totals[outer[number]] += totals[number]
    return totals
