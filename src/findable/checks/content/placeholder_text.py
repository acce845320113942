"""The page has leftover or broken text.

Why it matters: Dummy text, unrendered variables and garbled letters look unfinished to visitors; in a title they are shown in
search results.

How to fix: Fill the template, or store and send the text in one encoding.

    <h1>Blue widgets</h1>

Sources: [Google: title links](https://developers.google.com/search/docs/appearance/title-link) (2025): titles must describe the page; the
rest is common sense.

Not judged: entities and variables on pages that show code; variables in the title (see title-quality); letters that only
decoding spoiled (see charset); dummy text on pages about it; the word undefined in running text.
"""

import re
from collections.abc import Iterator
from html import unescape

from msgspec import Struct

from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.page_charset import Charset
from findable.artifacts.page.head import Head
from findable.artifacts.page.headings import Headings
from findable.artifacts.page.text import COUNTED_CHARS, Text
from findable.checks.engine import Evidence, Finding, check, element, failed, passed, quoted, warned, with_fault
from findable.checks.page_fix import attribute_fix
from findable.vocabulary import Code, Effort, Fault, Importance

PROMINENT_CHARS = 2000
LOCATED_CHARS = 100_000
"""In longer texts the place is not looked for, only quoted."""
AROUND_CHARS = 40
MOJIBAKE_TIMES = 2
"""Two such pairs in a text are no accident; one may be meant."""


class Broken(Code, params=("kind", "kinds")):
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


KINDS = {
    # What to look for, and the strings without which it cannot be there.
    Broken.DUMMY_TEXT: (re.compile(r"\b[Ll](?:orem ipsum|OREM IPSUM) (?:dolor|DOLOR)\b"), ("orem ipsum", "OREM IPSUM")),
    Broken.UNRENDERED: (
        re.compile(r"\{\{\s*[\w.$|\s'\"()-]{1,80}\}\}|\{%\s*[\w.\s'\"=-]{1,80}%\}|<%=?\s*[\w.\s()'\"-]{1,80}%>"),
        ("{{", "{%", "<%"),
    ),
    Broken.UNPRINTED_OBJECT: (re.compile(r"\[object Object\]"), ("[object",)),
    Broken.UNFILLED_VALUE: (
        re.compile(r"(?:^|[\s:,|–—-])undefined undefined(?=[\s,.|–—-]|\Z)|\bundefined\s(?:€|USD|EUR)|[€$£]undefined\b"),
        ("undefined",),
    ),
    Broken.GARBLED: (
        re.compile("[ÃÂ][\u0080-\u00bf]|â€[\u2122\u0153\u009d\u201c\u02dc\u00a6\u201d]|Ã[\u0178\u0153\u017e\u201e\u2013](?=[a-zß])"),
        ("Ã", "Â", "â€"),
    ),
    Broken.REPLACEMENT: (re.compile("[^\\W\\d_]\ufffd|\ufffd[^\\W\\d_]"), ("\ufffd",)),
}
_ENTITY = re.compile(r"&(?:amp|quot|apos|nbsp|lt|gt|[lr][sd]quo|[nm]dash|hellip|[aouAOU]uml|szlig|#\d{2,5}|#x[0-9a-fA-F]{2,5});")
"""Entities that templates escape a second time."""
DEPTH_SEARCHED = 30
CHILDREN_SEARCHED = 500
CODE_TAGS = ("code", "pre", "samp", "kbd")


class _Found(Struct, frozen=True):
    kind: Broken
    match: str
    text: str
    """What stands there, with a little around it."""


@check(question="Is there leftover or broken text?", importance=Importance.MEDIUM, effort=Effort.CONTENT, judges_partial_input=True)
def placeholder_text(document: Document, charset: Charset, head: Head, headings: Headings, text: Text) -> Finding:
    left_out = _left_out(document, charset)
    prominent: list[Evidence] = []
    for place, value, node in _prominent(head, headings):
        prominent += [
            element(node, "{kind} in {place}: {text}", kind=item.kind, place=place, text=item.text)
            for item in _search(value[:PROMINENT_CHARS], left_out | {Broken.UNRENDERED} if place is Place.TITLE else left_out)
        ]
    if prominent:
        kinds = list(dict.fromkeys(item.params["kind"] for item in prominent))
        fault = Fault.PLACEHOLDER_TITLE if any(item.params["place"] is Place.TITLE for item in prominent) else None
        return with_fault(failed("{kinds} in the title, the description or a main heading", kinds=kinds, evidence=prominent), fault)
    if escaped := list(_escaped(document, head)):
        return warned(
            "{count|text has|texts have} characters that are escaped twice",
            count=len(escaped),
            evidence=[element(node, "shown as “{text}”", text=value) for node, value in escaped],
            fixes=[attribute_fix(node, content=unescape(value)) for node, value in escaped if node.tag == "meta"],
        )
    found = [item for item in _search(text.visible[:COUNTED_CHARS], left_out) if not _is_topic(item, head)]
    if found:
        return warned(
            "{kinds} on the page",
            kinds=list(dict.fromkeys(item.kind for item in found)),
            evidence=[_place(document, item, text) for item in found],
        )
    return passed("No dummy text, no unrendered variables, no garbled letters")


def _left_out(document: Document, charset: Charset) -> frozenset[Broken]:
    counts = document.tag_counts
    shows_code = any(counts.get(tag) for tag in CODE_TAGS)
    kinds = {Broken.UNRENDERED, Broken.UNPRINTED_OBJECT, Broken.UNFILLED_VALUE} if shows_code else set()
    if charset.replacement_count:
        kinds.add(Broken.REPLACEMENT)
    if charset.is_misread_utf8:
        kinds.add(Broken.GARBLED)
    return frozenset(kinds)


def _prominent(head: Head, headings: Headings) -> Iterator[tuple[Place, str, Element]]:
    for title in head.titles[:3]:
        yield Place.TITLE, title.text, title.element
    for meta in head.named("description")[:3]:
        yield Place.DESCRIPTION, meta.content or "", meta.element
    for heading in headings.main[:5]:
        yield Place.HEADING, heading.name, heading.element


def _escaped(document: Document, head: Head) -> Iterator[tuple[Element, str]]:
    """Yield titles and descriptions in which an entity is left after parsing; a page that shows code may be about entities."""
    if any(document.tag_counts.get(tag) for tag in CODE_TAGS):
        return
    texts = [(title.element, title.text) for title in head.titles[:1]]
    texts += [(meta.element, meta.content or "") for name in ("description", "twitter:title") for meta in head.named(name)[:1]]
    texts += [(meta.element, meta.content or "") for name in ("og:title", "og:description") for meta in head.properties(name)[:1]]
    yield from ((node, text) for node, text in texts if _ENTITY.search(text[:PROMINENT_CHARS]))


def _search(text: str, left_out: frozenset[Broken]) -> list[_Found]:
    """The first of each kind."""
    found = []
    for kind, (pattern, needles) in KINDS.items():
        if kind in left_out or not any(needle in text for needle in needles) or not (match := pattern.search(text)):
            continue
        if kind is Broken.GARBLED and not _garbled(pattern, text):
            continue
        start, end = max(0, match.start() - AROUND_CHARS), match.end() + AROUND_CHARS
        found.append(_Found(kind, match.group().strip(), text[start:end].strip()))
    return found


def _garbled(pattern: re.Pattern[str], text: str) -> bool:
    return sum(1 for _, _ in zip(pattern.finditer(text), range(MOJIBAKE_TIMES), strict=False)) == MOJIBAKE_TIMES


def _is_topic(item: _Found, head: Head) -> bool:
    """A page about dummy text names it in its title or description."""
    return item.kind is Broken.DUMMY_TEXT and "lorem" in f"{head.title} {head.description}".lower()


def _place(document: Document, item: _Found, text: Text) -> Evidence:
    """The innermost element that holds the text, as far as DEPTH_SEARCHED goes."""
    node = document.body if len(text.visible) <= LOCATED_CHARS else None
    for _ in range(DEPTH_SEARCHED):
        inner = next((child for child in node.children[:CHILDREN_SEARCHED] if item.match in child.text), None) if node else None
        if inner is None:
            break
        node = inner
    if node is None or node == document.body:
        return quoted(item.text, "{kind}", kind=item.kind)
    return element(node, "{kind}: {text}", kind=item.kind, text=item.text)
