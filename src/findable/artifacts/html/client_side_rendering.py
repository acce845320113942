"""Detect pages whose HTML is an empty shell that scripts fill, so that checking them requires a browser."""

import re
from collections.abc import Iterator
from itertools import islice
from weakref import WeakKeyDictionary

from findable.artifacts.html.document import Document, Element
from findable.formats.characters import EXTRA_LETTERS, may_have_rare_characters

SHELL_WORDS = 50
"""Number of visible words below which a page with external scripts and a known empty root is a shell: CHECKS.md section 3."""
ROOT_IDS = frozenset(
    {
        "root",
        "app",
        "__next",
        "__nuxt",
        "gatsby-focus-wrapper",
        "___gatsby",
        "main-app",
        "react-root",
        "svelte",
        "q-app",
        "ember-root",
        "app-root",
    }
)
SHOWING_TAGS = (
    *("img", "picture", "svg", "math", "video", "audio", "canvas", "iframe", "frame", "frameset", "object", "embed", "applet", "portal"),
    *("input", "button", "select", "textarea", "meter", "progress", "marquee", "hr"),
    *("script", "noscript", "template"),
)
"""Tags of elements that show content other than text, or may insert it."""
ROOT_TAGS = ("app-root", "ng-app", "my-app", "app-shell", "flutter-view")

_WORD = re.compile(r"\w+")
_WORD_WITH_ADDED = re.compile(rf"[\w{EXTRA_LETTERS}]+")


def is_blank(document: Document) -> bool:
    """Return whether the page is empty: no word, image or control, and no script that could insert one."""
    return not document.text.strip() and document.tag_counts.keys().isdisjoint(SHOWING_TAGS)


_KNOWN: WeakKeyDictionary[Document, bool] = WeakKeyDictionary()
"""Cached results, because a dozen artifacts need them."""


def is_script_shell(document: Document) -> bool:
    """Return whether the page has fewer than SHELL_WORDS visible words, an external script and an empty root of a framework."""
    known = _KNOWN.get(document)
    if known is None:
        known = _KNOWN[document] = _is_shell(document)
    return known


def _is_shell(document: Document) -> bool:
    word = _WORD_WITH_ADDED if may_have_rare_characters(document.text) else _WORD
    if sum(1 for _ in islice(word.finditer(document.text), SHELL_WORDS)) == SHELL_WORDS:
        return False  # the cheapest test first: nearly every page has enough words
    if not any((script.attr("src") or "").strip() for script in document.all("script")):
        return False
    return any(not element.text for element in _roots(document))


def _roots(document: Document) -> Iterator[Element]:
    yield from document.all(*ROOT_TAGS)
    yield from (element for element in document.all("div", "main", "section") if (element.attr("id") or "") in ROOT_IDS)
