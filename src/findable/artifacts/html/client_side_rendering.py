"""Detect pages whose HTML is an empty shell that scripts fill, so that checking them requires a browser."""

import re
from collections.abc import Iterator
from itertools import islice
from weakref import WeakKeyDictionary

from findable.artifacts.html.client_templates import MUSTACHE, has_client_template
from findable.artifacts.html.document import Document, Element
from findable.artifacts.tables.table_file import read_table
from findable.formats.characters import EXTRA_LETTERS, may_have_rare_characters
from findable.lazy_pattern import lazy_pattern

SHELL_WORDS = 50
"""Number of visible words below which a page with external scripts and a known empty root is a shell: CHECKS.md section 3."""
ROOT_IDS = read_table("root_ids", frozenset[str])
SHOWING_TAGS = (
    *("img", "picture", "svg", "math", "video", "audio", "canvas", "iframe", "frame", "frameset", "object", "embed", "applet", "portal"),
    *("input", "button", "select", "textarea", "meter", "progress", "marquee", "hr"),
    *("script", "noscript", "template"),
)
"""Tags of elements that show content other than text, or may insert it."""
ROOT_TAGS = ("app-root", "my-app", "app-shell", "flutter-view")
PARTIAL_WORDS = 250
"""Number of visible words below which the text that scripts hold is compared with that of the page."""
STATE_WORDS = 40
"""Minimum number of words that only scripts hold on a page whose content they insert."""
NOSCRIPT_WORDS = 100
"""Number of words in a noscript from which it has the content, and not only a hint to enable scripts (set by Findable)."""
MISSING_SHARE = 0.7
"""Share of the words that scripts hold which the page lacks, if scripts insert its content (set by Findable)."""
STATE_IDS = frozenset({"__NEXT_DATA__", "__NUXT_DATA__", "__NUXT__", "__APOLLO_STATE__", "__INITIAL_STATE__"})
STATE_CHARS = 400_000
MAX_STATE_WORDS = 150
"""Number of visible words from which only JSON-LD is compared: states hold much that is for other pages."""
_TRANSLATIONS = lazy_pattern(r"i18n|translations|\"messages\"", re.IGNORECASE)
"""Names in states that hold the labels of a whole site."""
_CONTENT = lazy_pattern(r'"(?:recipeIngredient|articleBody|recipeInstructions)"\s*:\s*(\[[^\]]*\]|"(?:[^"\\]|\\.)*")')
_STEP = lazy_pattern(r'"text"\s*:\s*("(?:[^"\\]|\\.)*")')
_LOADING = lazy_pattern(
    r"(?:loading|please wait|lädt|wird geladen|bitte warten|chargement(?: en cours)?|cargando|caricamento|carregando|laden) ?(?:\.{2,3}|…)",
    re.IGNORECASE,
)
"""Whole texts of elements that stand in for content until a script inserts it."""
LOADING_WORDS = 100
"""Number of visible words below which a page without a heading that says that it is loading has no content yet (set by Findable)."""
LOADING_CHARS = 30
_LONG_TEXT = lazy_pattern(r'"((?:[^"\\]|\\.){60,})"')
_ESCAPED = lazy_pattern(r"\\u([0-9a-fA-F]{4})|\\[nrt\"/\\]|<[^<>]{0,300}>")

_WORD = lazy_pattern(r"\w+")
_WORD_WITH_ADDED = lazy_pattern(rf"[\w{EXTRA_LETTERS}]+")


def is_blank(document: Document) -> bool:
    """Return whether the page is empty: no word, image or control, and no script that could insert one."""
    return not document.text.strip() and document.tag_counts.keys().isdisjoint(SHOWING_TAGS)


_KNOWN: WeakKeyDictionary[Document, bool] = WeakKeyDictionary()
"""Cached results, because a dozen artifacts need them."""


def is_script_shell(document: Document) -> bool:
    """Return whether scripts insert the content: the page has an external script, and an empty root or a template of a framework.

    Such a page has fewer than SHELL_WORDS visible words, or lacks the text that its JSON-LD or the state of its scripts holds. Instead of
    an empty root, it may have a noscript with the content.
    """
    known = _KNOWN.get(document)
    if known is None:
        known = _KNOWN[document] = _is_shell(document)
    return known


def _is_shell(document: Document) -> bool:
    text = MUSTACHE.sub(" ", document.text) if "{{" in document.text else document.text
    word = _WORD_WITH_ADDED if may_have_rare_characters(text) else _WORD
    count = sum(1 for _ in islice(word.finditer(text), PARTIAL_WORDS))
    if count == PARTIAL_WORDS:
        return False  # the cheapest test first: nearly every page has enough words
    if not any((script.attr("src") or "").strip() for script in document.all("script")):
        return False
    if count < SHELL_WORDS and (
        any(not element.text for element in _roots(document)) or has_client_template(document) or _has_noscript_content(document)
    ):
        return True
    if count < LOADING_WORDS and not any(heading.text for heading in document.all("h1")) and _is_loading(document):
        return True
    return _lacks_state(document, {match.group().casefold() for match in word.finditer(text)}, reads_states=count < MAX_STATE_WORDS)


def _roots(document: Document) -> Iterator[Element]:
    yield from document.all(*ROOT_TAGS)
    yield from (element for element in document.all("div", "main", "section") if (element.attr("id") or "") in ROOT_IDS)


def _is_loading(document: Document) -> bool:
    """Return whether an element only says that its content is loading."""
    elements = document.all("p", "div", "span", "main", "section", "td", "li")
    return any(_LOADING.fullmatch(element.text_up_to(LOADING_CHARS).strip()) for element in elements)


def _has_noscript_content(document: Document) -> bool:
    """Return whether a noscript holds the content that scripts show to others."""
    return any(len(_words_of(element.raw_text[:STATE_CHARS])) >= NOSCRIPT_WORDS for element in document.all("noscript"))


def _lacks_state(document: Document, shown: set[str], *, reads_states: bool) -> bool:
    """Return whether JSON-LD or state holds a text of which the page shows little. A preview of paid content is no such page."""
    for script in document.all("script"):
        is_json_ld = (script.attr("type") or "").strip().lower() == "application/ld+json"
        if not is_json_ld and not (reads_states and (script.attr("id") or "") in STATE_IDS):
            continue
        source = script.raw_text[:STATE_CHARS]
        if not is_json_ld and _TRANSLATIONS.search(source):
            continue
        if "isAccessibleForFree" in source:
            return False
        pattern = _LONG_TEXT if not is_json_ld else _STEP if "HowToStep" in source and "recipeI" not in source else _CONTENT
        held = {word.casefold() for match in pattern.finditer(source) for word in _words_of(match[1])}
        if len(held) >= STATE_WORDS and len(held - shown) >= MISSING_SHARE * len(held):
            return True
    return False


def _words_of(literal: str) -> list[str]:
    """Return the words of three letters and more in a JSON text; a long text without spaces has none."""
    text = _ESCAPED.sub(lambda match: chr(int(match[1], 16)) if match[1] else " ", literal)
    found = [word for word in _WORD.findall(text) if len(word) > 2 and not word.isdigit()]  # noqa: PLR2004 - shorter words occur everywhere
    return found if 20 * text.count(" ") > len(text) else []
