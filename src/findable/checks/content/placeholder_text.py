"""The page has leftover or broken text.

In plain words: Visitors see text that was left over from building the site, or broken letters.

Why it matters: Dummy text, unrendered variables and garbled letters look unfinished to visitors; in a title they are shown in search
results.

How to fix: Fill the template, or store and send the text in one encoding.

    <h1>Blue widgets</h1>

Sources: [Google: title links](https://developers.google.com/search/docs/appearance/title-link) (2025): titles must describe the page; the
rest is common sense.

Not judged: text in code and program output; garbled letters alone in quotation marks, which a text about encodings shows; entities and
variables on pages that show code; variables in the title (see title-quality); letters garbled only by decoding (see charset); dummy text on
pages about it; variables in templates of AngularJS, Vue or Alpine, in headers and navigation, and in parts that a class or rule hides or
marks for scripts (unknown without a browser); the word undefined in running text.
"""

import re
from collections.abc import Iterator
from html import unescape
from itertools import islice

from msgspec import Struct

from findable.artifacts.html.client_templates import is_in_client_template
from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.page_charset import Charset
from findable.artifacts.html.page_styles import PageStyles
from findable.artifacts.page.head import Head
from findable.artifacts.page.headings import Headings
from findable.artifacts.page.text import Text
from findable.artifacts.page.word_count import COUNTED_CHARS
from findable.checks.engine import Evidence, Finding, check, element, failed, passed, quoted, unknown, warned, with_fault
from findable.checks.page_fix import attribute_fix
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import Code, EditPlace, Effort, Fault, Importance, Verdict

PROMINENT_CHARS = 2000
LOCATED_CHARS = 100_000
"""Length of texts above which the fault is only quoted, not located."""
AROUND_CHARS = 40
MOJIBAKE_TIMES = 2
"""Number of garbled pairs from which a text counts as broken; a single pair may be intended."""


class BrokenText(Code, params=("kind", "kinds")):
    """Kinds of leftover or broken text."""

    DUMMY_TEXT = "dummy_text", "dummy text"
    UNRENDERED = "unrendered_variable", "unrendered variable"
    UNPRINTED_OBJECT = "unprinted_object", "unprinted object"
    UNFILLED_VALUE = "unfilled_value", "unfilled value"
    GARBLED = "garbled_letters", "garbled letters"
    REPLACEMENT = "replacement_characters", "replacement characters"


class Place(Code, params=("place",)):
    """Prominent places of a page."""

    TITLE = "title", "the title"
    DESCRIPTION = "description", "the description"
    HEADING = "main_heading", "the main heading"


DUMMY_PHRASES = (
    # Garbled words that no real text of Cicero has, and the openings of other dummy texts.
    "sed do eiusmod tempor",
    "incididunt ut labore",
    "enim ad minim veniam",
    "nostrud exercitation",
    "aute irure dolor",
    "occaecat cupidatat",
    "deserunt mollit anim",
    "sed diam nonumy",
    "accusam et justo",
    "Stet clita kasd",
    "habitant morbi tristique",
    "ante ipsum primis in faucibus",
    "behind the word mountains",
    "hinter den Wortbergen",
)
DUMMY_TEXT = lazy_pattern(rf"\b[Ll](?:orem [Ii]psum|OREM IPSUM) (?:[Dd]olor|DOLOR)\b|{'|'.join(DUMMY_PHRASES)}")
KINDS = {
    # Patterns, each with strings that every match contains: without them the search is skipped.
    BrokenText.DUMMY_TEXT: (DUMMY_TEXT, ("psum", "PSUM", *DUMMY_PHRASES)),
    BrokenText.UNRENDERED: (
        lazy_pattern(r"\{\{\s*[\w.$|\s'\"()-]{1,80}\}\}|\{%\s*[\w.\s'\"=-]{1,80}%\}|<%=?\s*[\w.\s()'\"-]{1,80}%>"),
        ("{{", "{%", "<%"),
    ),
    BrokenText.UNPRINTED_OBJECT: (lazy_pattern(r"\[object Object\]"), ("[object",)),
    BrokenText.UNFILLED_VALUE: (
        lazy_pattern(r"(?:^|[\s:,|–—-])undefined undefined(?=[\s,.|–—-]|\Z)|\bundefined\s(?:€|USD|EUR)|[€$£]undefined\b"),
        ("undefined",),
    ),
    BrokenText.GARBLED: (
        lazy_pattern("[ÃÂ][\u0080-\u00bf]|â€[\u2122\u0153\u009d\u201c\u02dc\u00a6\u201d]|Ã[\u0178\u0153\u017e\u201e\u2013](?=[a-zß])"),
        ("Ã", "Â", "â€"),
    ),
    BrokenText.REPLACEMENT: (lazy_pattern("[^\\W\\d_]\ufffd|\ufffd[^\\W\\d_]"), ("\ufffd",)),
}
_ENTITY = lazy_pattern(r"&(?:amp|quot|apos|nbsp|lt|gt|[lr][sd]quo|[nm]dash|hellip|[aouAOU]uml|szlig|#\d{2,5}|#x[0-9a-fA-F]{2,5});")
"""Entities that templates escape a second time."""
DEPTH_SEARCHED = 30
CHILDREN_SEARCHED = 500
CODE_TAGS = frozenset({"code", "pre", "samp", "kbd"})
_QUOTE_MARKS = '"“”„«»‹›‘「」『』'  # no apostrophe, which occurs within words
_QUOTE_BEFORE = lazy_pattern(rf"(?<!€)[{_QUOTE_MARKS}][^A-Za-z{_QUOTE_MARKS}]{{0,6}}\Z")
"""The third letter of a garbled dash is also a quotation mark."""
_QUOTE_AFTER = lazy_pattern(rf"[^A-Za-z{_QUOTE_MARKS}]{{0,6}}[{_QUOTE_MARKS}]")
QUOTE_CHARS = 8
BEGINNING_CHARS = 200
"""Characters of the main text that are dummy text if there is no content yet (set by Findable)."""


class _BrokenWord(Struct, frozen=True):
    kind: BrokenText
    word: str
    """Broken word with the letters and marks next to it."""
    text: str
    """Text around the broken word."""


@check(
    "Is there leftover or broken text?",
    Importance.MEDIUM,
    Effort.CONTENT,
    place=EditPlace.TEXT,
    costs={Fault.PLACEHOLDER_TITLE: 200, Fault.DUMMY_CONTENT: 420, Verdict.FAILED: 100, Verdict.WARNED: 20},
    accepts_partial_input=True,
)
def placeholder_text(document: Document, charset: Charset, head: Head, headings: Headings, text: Text) -> Finding:
    skipped = _skipped_kinds(document, charset)
    prominent: list[Evidence] = []
    templates: list[Element] = []
    styles = PageStyles(document)
    for place, value, node in _prominent_texts(head, headings):
        found = _search(value[:PROMINENT_CHARS], skipped | {BrokenText.UNRENDERED} if place is Place.TITLE else skipped)
        if any(item.kind is BrokenText.UNRENDERED for item in found) and (is_in_client_template(node) or styles.hide_until_shown(node)):
            templates.append(node)
            found = [item for item in found if item.kind is not BrokenText.UNRENDERED]
        prominent += [element(node, "{kind} in {place}: {text}", kind=item.kind, place=place, text=item.text) for item in found]
    if prominent:
        kinds = list(dict.fromkeys(item.params["kind"] for item in prominent))
        is_unwritten = any(item.params["place"] is Place.HEADING and item.params["kind"] is BrokenText.DUMMY_TEXT for item in prominent)
        in_title = any(item.params["place"] is Place.TITLE for item in prominent)
        fault = Fault.DUMMY_CONTENT if is_unwritten else Fault.PLACEHOLDER_TITLE if in_title else None
        return with_fault(failed("{kinds} in the title, the description or a main heading", kinds=kinds, evidence=prominent), fault)
    if escaped := list(_double_escaped(document, head)):
        return warned(
            "{count|text has|texts have} characters that are escaped twice",
            evidence=[element(node, "shown as “{text}”", text=value) for node, value in escaped],
            fixes=[attribute_fix(node, content=unescape(value)) for node, value in escaped if node.tag == "meta"],
        )
    shows_code = any(document.tag_counts.get(tag) for tag in CODE_TAGS)
    written = document.text_outside(CODE_TAGS) if shows_code else text.visible
    found = [item for item in _search(written[:COUNTED_CHARS], skipped) if not _is_topic(item, head)]
    places = [(item, _place(document, item, text)) for item in found]
    for item, (_, located) in places:
        if item.kind is not BrokenText.UNRENDERED or located is None:
            continue
        if is_in_client_template(located) or styles.hide_until_shown(located) or _is_filled_later(located):
            templates.append(located)
            found = [other for other in found if other is not item]
    if found:
        finding = warned(
            "{kinds} on the page",
            kinds=list(dict.fromkeys(item.kind for item in found)),
            evidence=[shown for item, (shown, _) in places if item in found],
        )
        is_dummy = any(item.kind is BrokenText.DUMMY_TEXT for item in found)
        is_main = is_dummy and DUMMY_TEXT.search(text.main[:BEGINNING_CHARS])
        return with_fault(finding, Fault.DUMMY_CONTENT if is_main else None)
    if templates and document.sent is None:
        return unknown("Scripts fill the variables of this page, and it was read without a browser", evidence=templates)
    return passed("No dummy text, no unrendered variables, no garbled letters")


def _is_filled_later(node: Element) -> bool:
    """Return whether scripts probably fill the text: greetings in a header, and elements with a class for scripts."""
    if any(name.startswith("js-") for name in (node.attr("class") or "").split()):
        return True
    return any(outer.tag in ("header", "nav", "aside", "dialog") for outer in islice(node.ancestors, DEPTH_SEARCHED))


def _skipped_kinds(document: Document, charset: Charset) -> frozenset[BrokenText]:
    counts = document.tag_counts
    shows_code = any(counts.get(tag) for tag in CODE_TAGS)
    kinds = {BrokenText.UNRENDERED, BrokenText.UNPRINTED_OBJECT, BrokenText.UNFILLED_VALUE} if shows_code else set()
    if charset.replacement_count:
        kinds.add(BrokenText.REPLACEMENT)
    if charset.is_misread_utf8:
        kinds.add(BrokenText.GARBLED)
    return frozenset(kinds)


def _prominent_texts(head: Head, headings: Headings) -> Iterator[tuple[Place, str, Element]]:
    for title in head.titles[:3]:
        yield Place.TITLE, title.text, title.element
    for meta in head.metas_named("description")[:3]:
        yield Place.DESCRIPTION, meta.content or "", meta.element
    for heading in headings.main[:5]:
        yield Place.HEADING, heading.name, heading.element


def _double_escaped(document: Document, head: Head) -> Iterator[tuple[Element, str]]:
    """Yield titles and descriptions that still contain an entity after parsing, unless the page shows code and may be about entities."""
    if any(document.tag_counts.get(tag) for tag in CODE_TAGS):
        return
    texts = [(title.element, title.text) for title in head.titles[:1]]
    texts += [(meta.element, meta.content or "") for name in ("description", "twitter:title") for meta in head.metas_named(name)[:1]]
    texts += [(meta.element, meta.content or "") for name in ("og:title", "og:description") for meta in head.properties(name)[:1]]
    yield from ((node, text) for node, text in texts if _ENTITY.search(text[:PROMINENT_CHARS]))


def _search(text: str, skipped: frozenset[BrokenText]) -> list[_BrokenWord]:
    """Return the first match in a text for each kind of leftover or broken text."""
    found = []
    for kind, (pattern, needles) in KINDS.items():
        if kind in skipped or not any(needle in text for needle in needles):
            continue
        matches = list(islice(_matches(kind, pattern, text), MOJIBAKE_TIMES))
        if not matches or (kind is BrokenText.GARBLED and len(matches) < MOJIBAKE_TIMES):
            continue
        at, to = matches[0].span()
        before, after = text[max(0, at - AROUND_CHARS) : at], text[to : to + AROUND_CHARS]
        word = f"{before.rpartition(' ')[2]}{matches[0][0]}{after.partition(' ')[0]}".strip()
        found.append(_BrokenWord(kind, word, f"{before}{matches[0][0]}{after}".strip()))
    return found


def _matches(kind: BrokenText, pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    quotable = kind in (BrokenText.GARBLED, BrokenText.REPLACEMENT)
    return (match for match in pattern.finditer(text) if not (quotable and _is_quoted(text, match)))


def _is_quoted(text: str, match: re.Match[str]) -> bool:
    """Return whether only the broken letters are in quotation marks, as in an example."""
    before, after = text[max(0, match.start() - QUOTE_CHARS) : match.start()], text[match.end() : match.end() + QUOTE_CHARS]
    return _QUOTE_BEFORE.search(before) is not None and _QUOTE_AFTER.match(after) is not None


def _is_topic(item: _BrokenWord, head: Head) -> bool:
    """Return whether the title or description mentions the text that was found, as on a page about dummy text."""
    return item.kind is BrokenText.DUMMY_TEXT and "lorem" in f"{head.title} {head.description}".lower()


def _place(document: Document, item: _BrokenWord, text: Text) -> tuple[Evidence, Element | None]:
    """Return the evidence of a broken word, and the innermost element that contains it, down to DEPTH_SEARCHED; None if not located."""
    node = document.body if len(text.visible) <= LOCATED_CHARS else None
    for _ in range(DEPTH_SEARCHED):
        inner = _containing_child(node, item) if node else None
        if inner is None:
            break
        node = inner
    if node is None or node == document.body:
        return quoted(item.text, "{kind}", kind=item.kind), node
    return element(node, "{kind}: {text}", kind=item.kind, text=item.text), node


def _containing_child(node: Element, item: _BrokenWord) -> Element | None:
    """Return the child element that contains the whole excerpt, else the first that contains the broken word. Code is skipped."""
    children = [(child, child.text) for child in node.children[:CHILDREN_SEARCHED] if child.tag not in CODE_TAGS]
    around = next((child for child, shown in children if item.text in shown), None)
    return around or next((child for child, shown in children if item.word in shown), None)
