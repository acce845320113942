"""Links have generic texts such as "read more" or "here".

In plain words: Visitors and Google do not learn where links lead, because they only say “here” or “read more”.

Why it matters: The text of a link describes the linked page to readers and search engines. Screen readers list links without their
surroundings: ten times "read more" says nothing.

How to fix: Describe the target in the link text, or give the link an accessible name.

    <a href="/shop/blue-widgets">Prices of blue widgets</a>

Sources: [Google: make links crawlable](https://developers.google.com/search/docs/crawling-indexing/links-crawlable) (2025); [WCAG
2.2, 2.4.4 Link Purpose (In Context)](https://www.w3.org/TR/WCAG22/#link-purpose-in-context).

Not judged: Links in a language without a list of such texts, page numbers, links within the page, and links without any name (that is the
question of ``control-names``). The accessible name counts, including alt texts and aria-label.
"""

from collections import Counter
from functools import lru_cache
from typing import Any

from findable.artifacts.page.head import Head
from findable.artifacts.page.language import Language
from findable.artifacts.page.links import Link, LinkKind, Links
from findable.artifacts.tables.languages import primary
from findable.artifacts.tables.wordings import GENERIC_ANCHORS, file_words, fold
from findable.checks.engine import Finding, check, inapplicable, passed, warned
from findable.checks.link_evidence import link_evidence
from findable.vocabulary import EditPlace, Effort, Importance

ALLOWED_COUNT = 2
"""Number of generic link texts that is harmless (set by Findable)."""
_TO_PAGES = (LinkKind.INTERNAL, LinkKind.EXTERNAL)
_ANY_LANGUAGE = frozenset().union(*GENERIC_ANCHORS.values())
MAX_GENERIC_CHARS = max(map(len, _ANY_LANGUAGE)) + 10
"""Length of the longest generic text, including arrows, dots and spaces."""


@check("Does link text say where links go?", Importance.LOW, Effort.CONTENT, place=EditPlace.LINKS, warned=10)
def link_text(links: Links, head: Head, language: Language) -> Finding:
    """Checks the accessible names of links to other pages."""
    named = [link for link in links.items if link.kind in _TO_PAGES and not link.same_page and link.name]
    if not named:
        return inapplicable("The page has no links with a text")
    lang = primary(head.lang)
    generic = [link for link in named if _is_generic(link, lang, language.used)]
    if not generic and language.used not in GENERIC_ANCHORS:
        return inapplicable("Generic link texts are not known in the language of this page")
    numbers: dict[str, Any] = {"generic_count": len(generic), "links_count": len(named)}
    if len(generic) > ALLOWED_COUNT:
        texts = [text for text, _ in Counter(link.name for link in generic).most_common(5)]
        return warned(
            "{generic_count} of {links_count|link|links} do not say where they go, more than {allowed_count}: {texts}",
            allowed_count=ALLOWED_COUNT,
            texts=texts,
            evidence=link_evidence(generic),
            **numbers,
        )
    return passed("{generic_count} of {links_count|link|links} with a generic text", evidence=link_evidence(generic), **numbers)


def _is_generic(link: Link, lang: str, language: str) -> bool:
    """Return whether the link text is in the list of its language; the language is only looked up for texts in any list."""
    if len(link.name) > MAX_GENERIC_CHARS:
        return False
    text = _listed_text(link.name)
    if not text or link.context.hidden:
        return False
    if text == file_words(link.url):  # the name of the page, as "Go" for the language
        return False
    return text in GENERIC_ANCHORS.get(_language(primary(link.context.lang), lang, language), ())


@lru_cache(maxsize=4096)
def _listed_text(name: str) -> str:
    """Return the link text as spelled in the lists, empty if it is in none. The result is cached, because pages share menu texts."""
    text = fold(name)
    return text if text in _ANY_LANGUAGE else ""


def _language(around: str, lang: str, language: str) -> str:
    """Return the language of a link text.

    It is that of the section's lang attribute, or else of the page, where detection is more reliable than the template's declaration.
    """
    return around if around and around != lang else language
