"""The page contains many inline styles.

In plain words: Visitors wait a little longer on every page, because instructions for its looks are sent again each time.

Why it matters: Styles inside the page are sent again with every page, cannot be cached, and a strict Content-Security-Policy forbids them.
Search engines ignore this, so it is only a weak hint.

How to fix: Move styles to a stylesheet and give elements a class; leave those that scripts read or change.

    <p class="note">…</p>

Sources: No search engine names a limit; [Content Security Policy Level 3](https://www.w3.org/TR/CSP3/) (inline styles need unsafe-inline);
the limits are set by this report.

Not judged: AMP pages, styles that a framework writes (styled-components, emotion and others), those that libraries write for formulas and
highlighted code, those of inline drawings (SVG) and of elements that are never shown, those that hide an element until a script shows it,
and critical CSS that a build inserts.
"""

import re
from functools import lru_cache
from typing import Any

from findable.artifacts.html.document import Element
from findable.artifacts.html.inherited import AncestorTest
from findable.artifacts.responses.resources import Resources
from findable.checks.engine import Finding, as_evidence, attribute_mark, check, inapplicable, passed, warned
from findable.formats.css_hiding import hides
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import Effort, Importance

MAX_ATTRIBUTES = 50
MAX_STYLE_BYTES = 50_000
_GENERATED = lazy_pattern(
    r"data-(?:styled|emotion|jss|fela|glitz|href|n-|critical|vite|next|precedence|mui)|__jsx|critical|amp-|nonce=", re.IGNORECASE
)
_GENERATED_CLASS = lazy_pattern(r"\.(?:css|sc|jss|emotion)-[a-z0-9]{5,9}\b")
"""Class names of Emotion, styled-components and JSS if their attribute is missing."""
_UNSEEN_TAGS = frozenset({"script", "template", "noscript", "link", "meta"})
ADVICE = "Move styles to a stylesheet and give elements a class; leave those that scripts read or change."
_WRITTEN_TAGS = frozenset({"mjx-container", "math"})
_WRITTEN_CLASS = lazy_pattern(
    r"(?:^|\s)(?:mwe-math-\S*|texhtml|katex\S*|MathJax\S*|mjx-\S*|CodeMirror\S*|shiki|highlight|highlighttable|hljs|mw-highlight|wp_syntax|geshi\S*|syntaxhighlighter\S*|prettyprint|crayon-\S*|codehilite|rouge|chroma)(?:\s|$)"
)
"""Classes of formulas (MathJax, KaTeX, MediaWiki) and of highlighted code, which libraries style inline."""
MAX_ANCESTORS = 12
BEGINNING_CHARS = 2000


@check("Is there much inline style?", Importance.LOW, Effort.CONTENT, failed=4, warned=3, mark=attribute_mark("style"))
def css_inline(resources: Resources) -> Finding:
    if resources.is_amp:
        return inapplicable("AMP pages contain their styles")
    attributes = resources.style_attributes
    if len(attributes) > MAX_ATTRIBUTES:
        document = attributes[0].document
        written = AncestorTest(
            document, lambda order: _is_library_content(document.tags[order], document.class_and_id_at(order)[0]), MAX_ANCESTORS
        )
        judged = (node for node in attributes if node.namespace == "html" and not _is_hidden(node))
        attributes = tuple(node for node in judged if not written.holds(node.order))
    own = [node for node in resources.style_elements if node.namespace == "html" and not _is_generated(node)]
    style_bytes = sum(len(node.raw_text) for node in own)
    values: dict[str, Any] = {"attributes_count": len(attributes), "style_bytes": style_bytes}
    message = "{attributes_count|style attribute|style attributes}, {style_bytes} in style elements"
    if len(attributes) <= MAX_ATTRIBUTES and style_bytes <= MAX_STYLE_BYTES:
        return passed(message, **values)
    pairs = []
    if style_bytes > MAX_STYLE_BYTES:
        pairs.append((max(own, key=lambda node: len(node.raw_text)), "the largest style element"))
    if len(attributes) > MAX_ATTRIBUTES:
        pairs += [(node, "") for node in attributes]
    return warned(
        "{attributes_count|style attribute|style attributes}, {style_bytes} in style elements; up to {most_count} and {most_bytes} pass",
        most_count=MAX_ATTRIBUTES,
        most_bytes=MAX_STYLE_BYTES,
        evidence=as_evidence(pairs),
        advice=ADVICE,
        **values,
    )


def _is_hidden(node: Element) -> bool:
    """Return whether the style attribute hides the element until a script shows it, or the element is never shown."""
    return node.tag in _UNSEEN_TAGS or hides(node.attr("style") or "")


def _is_generated(node: Element) -> bool:
    return bool(_GENERATED.search(_names(node)) or _GENERATED_CLASS.search(node.raw_text[:BEGINNING_CHARS]))


@lru_cache(maxsize=4096)
def _is_library_content(tag: str, classes: str | None) -> bool:
    """Return whether a library generates the element's content, such as a formula or highlighted code."""
    return tag in _WRITTEN_TAGS or (classes is not None and _WRITTEN_CLASS.search(classes[:300]) is not None)


def _names(node: Element) -> str:
    return " ".join(f"{name}={value[:100]}" for name, value in node.attrs.items())
