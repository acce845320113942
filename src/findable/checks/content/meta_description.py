"""The page has no meta description, several that differ, or one that ends at a quotation mark or says nothing about the page.

In plain words: Google has no good text of yours to show under this page's title, and picks one itself.

Why it matters: Search engines sometimes show the description below the title. Without one, they use text of the page. It does not affect
ranking.

How to fix: Write one sentence that says what this page offers.

    <meta name="description" content="Blue widgets in twelve sizes, made to measure and delivered in three days.">

Sources: [Google: meta descriptions](https://developers.google.com/search/docs/appearance/snippet) (2025): it is sometimes used for the
snippet; [Google: keywords meta tag](https://developers.google.com/search/blog/2009/09/google-does-not-use-keywords-meta-tag) (2009): nor
the description.

Not judged: whether it describes the page well, as long as one of its words is in the title, the main heading or the text; descriptions in
scripts without spaces, and those of home pages. The first sentences of the main text are only proposed if they share a word with title or
main heading.
"""

import re
from itertools import islice

from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.head_scripts import HeadPart, HeadScripts
from findable.artifacts.html.landmarks import Surroundings
from findable.artifacts.page.early_head_end import EarlyHeadEnd
from findable.artifacts.page.head import MAX_TEXT_CHARS, Head
from findable.artifacts.page.headings import Headings
from findable.artifacts.page.serp_width import DESCRIPTION_LIMIT_PX, DESCRIPTION_SIZE_PX
from findable.artifacts.page.social import Social
from findable.artifacts.page.text import Text
from findable.artifacts.page.text_width import width_px
from findable.artifacts.page.word_count import has_words, words
from findable.artifacts.page.word_stems import same_stem, share_stem
from findable.artifacts.tables.languages import primary
from findable.artifacts.tables.stop_words import stop_words
from findable.artifacts.tables.wordings import fold
from findable.checks.content.meta_description_length import least_description_chars
from findable.checks.engine import Finding, attribute_mark, check, covered_by, element, passed, warned, with_fault
from findable.checks.page_fix import attribute_fixes, head_fix, tag
from findable.checks.script_written import written_by_script
from findable.lazy_pattern import lazy_pattern
from findable.urls import parse
from findable.vocabulary import EditPlace, Effort, Fault, Importance, Verdict

MIN_CHARS = 70
MIN_WORDS = 5
"""Minimum number of words of og:description for a draft: fewer words are a label (set by Findable)."""
MAX_CHARS = 155
"""Length of a proposed description: about two lines of a search result (set by Findable)."""
TELLING_CHARS = 4
"""Minimum length of compared words; shorter ones are mostly articles and prepositions."""
SHARED_WORDS = 2
"""Number of long words of the topic that a draft contains, if the topic has as many: one word is often in notes on every page."""
REPEATED_SHARE = 1 / 3
"""Share of words that the title lacks up to which a description that is no longer repeats it (set by Findable)."""
REPEATED_LENGTH = 1.25
TELLING_WORDS = 3
"""Number of long words from which a description that shares none with the page is about something else (set by Findable)."""
_START_PAGE = lazy_pattern(
    r"\b(?:home ?page|official (?:web ?)?site|startseite|offizielle (?:web|internet)?seite|page d['’]accueil|site officiel"
    r"|página (?:oficial|de inicio)|sitio (?:web )?oficial|sito ufficiale)\b",
    re.IGNORECASE,
)
"""Words for the start page or the whole site."""
MAX_PARAGRAPHS = 200
MAX_ANCESTORS = 30
NO_CONTENT = frozenset({"nav", "header", "footer", "aside", "form", "table", "figure", "li", "dialog", "blockquote"})
_DUMMY = lazy_pattern(r"lorem ipsum|dolor sit amet|[¶§]|&#?\w{1,8};", re.IGNORECASE)
"""Dummy text, permalink symbols of headings, and text that was escaped twice."""
_REMNANT = lazy_pattern(
    r"^\s*(?:Disclaimer|Please note|Haftungsausschluss|Bitte beachten|Avertissement|Avviso|Aviso)\b|^\s*Posted by\b"
    r"|(?:…|\.\.\.|\bContinued|\bRead more)\W*$",
    re.IGNORECASE,
)
"""Notes, bylines and truncated ends that content systems leave in preview texts."""
_CONTINUATION = lazy_pattern(
    r"\s*(?:also|and|but|finally|furthermore|hence|however|in addition|instead|meanwhile|moreover|nevertheless|next|or|otherwise|so|still"
    r"|then|therefore|thus|yet|außerdem|aber|dagegen|daher|danach|dann|deshalb|doch|ferner|jedoch|oder|schließlich|stattdessen|trotzdem|und"
    r"|zudem|ainsi|cependant|donc|enfin|ensuite|mais|puis|toutefois|así|además|entonces|finalmente|luego|pero|sin embargo)\b",
    re.IGNORECASE,
)
"""Words that refer to an earlier sentence, so that a text that begins with one is no beginning."""
_NOTE = lazy_pattern(r"disclaimer|notice|cookie|consent|banner|promo|newsletter|advert", re.IGNORECASE)
"""Parts of classes and ids of notes that stand on many pages."""
_SENTENCE_END = lazy_pattern(r"(?<=[^\W\d_]{3})[.!?](?=\s|$)|[。！？]")


@check(
    "Does the page have a description?",
    Importance.MEDIUM,
    Effort.HEAD,
    place=EditPlace.DESCRIPTION,
    indexing_only=True,
    costs={Fault.CUT_DESCRIPTION: 80, Fault.REPEATED_TITLE: 90, Fault.SEVERAL_DESCRIPTIONS: 30, Verdict.WARNED: 110},
    accepts_partial_input=True,
    mark=attribute_mark("content"),
)
def meta_description(
    head: Head,
    text: Text | None,
    social: Social | None,
    early_end: EarlyHeadEnd | None,
    scripts: HeadScripts | None,
    document: Document | None,
    surroundings: Surroundings | None,
    headings: Headings | None,
) -> Finding:
    metas = head.metas_named("description")
    filled = [meta for meta in metas if meta.content and meta.content.strip()]
    if not metas and scripts and (script := scripts.writer_of(HeadPart.DESCRIPTION)):
        return written_by_script(script)
    topic = f"{head.title} {headings.main_text if headings else ''}"
    # A generator, so that the draft is only computed if a fix needs it.
    own = (words for _ in (0,) if (words := _draft(document, text, social, surroundings, topic)))
    if not metas:
        return warned(
            "The page has no meta description",
            evidence=element(head.element, "no meta description in here"),
            fixes=(head_fix(tag("meta", name_="description", content=words)) for words in own),
        )
    if not filled:
        return warned(
            "The meta description is empty",
            evidence=[meta.element for meta in metas],
            fixes=(fix for words in own for fix in attribute_fixes([meta.element for meta in metas], content=words)),
        )
    if early_end and all(early_end.loses(meta.element) for meta in filled):
        return covered_by("head-valid")
    cut = [meta for meta in filled if meta.is_cut()]
    if cut:
        ending = warned(
            "The description ends at a quotation mark: “{text}”",
            text=(cut[0].content or "")[:MAX_TEXT_CHARS].strip(),
            evidence=[meta.element for meta in cut],
            advice="Write quotation marks within the description as &quot; or as “…”.",
        )
        return with_fault(ending, Fault.CUT_DESCRIPTION)
    texts = {" ".join((meta.content or "")[:MAX_TEXT_CHARS].split()) for meta in filled}
    if len(texts) > 1:
        several = warned(
            "{count} different meta descriptions; only one is used", count=len(texts), evidence=[meta.element for meta in filled]
        )
        return with_fault(several, Fault.SEVERAL_DESCRIPTIONS)
    if document and text and (empty := _empty_finding(head, topic, text, document, social, filled[0].element)):
        return empty
    return passed(
        "Description, {count|character|characters}: “{text}”",
        count=len(head.description),
        text=head.description,
        evidence=filled[0].element,
    )


def _empty_finding(head: Head, topic: str, text: Text, document: Document, social: Social | None, shown: Element) -> Finding | None:
    """Return the finding for a description without a telling word of its own, or without one about this page."""
    url = parse(document.url)
    if url is None or url.path in ("", "/"):
        return None
    stops = stop_words(primary(head.lang)) | stop_words("en")
    written = list(words(fold(head.description)))
    said = [word for word in written if word not in stops]
    if not said or 2 * sum(map(len, written)) < len(head.description):
        return None  # most of it is in a script without spaces
    title = frozenset(words(fold(head.title)))
    new = [word for word in written if word not in title and not word.isdigit()]
    if len(new) <= REPEATED_SHARE * len(written) and len(head.description) <= REPEATED_LENGTH * len(head.title):
        repeated = warned("The description only repeats the title: “{text}”", text=head.description, evidence=shown)
        return with_fault(repeated, Fault.REPEATED_TITLE)
    site = _site_names(document, social)
    telling = [word for word in said if len(word) >= TELLING_CHARS and word not in site]
    is_start = _START_PAGE.search(head.description) is not None and _START_PAGE.search(topic) is None
    is_of_site = is_start or len(telling) >= TELLING_WORDS or any(len(word) >= TELLING_CHARS and word in site for word in said)
    places = (topic,) if is_start else (topic, text.visible)  # most descriptions share a word with the title
    if not is_of_site or any(share_stem(telling, frozenset(words(fold(place)))) for place in places):
        return None
    return warned("The description is that of the site and says nothing about this page: “{text}”", text=head.description, evidence=shown)


def _draft(document: Document | None, text: Text | None, social: Social | None, surroundings: Surroundings | None, topic: str) -> str:
    """Return og:description, or without one whole sentences of the main text; empty if they do not fit."""
    og_description = social.content("og:description") if social else ""
    if og_description:
        return og_description if _fits(og_description) else ""
    if text is None or document is None or surroundings is None:
        return ""
    return _draft_from_text(document, text, social, surroundings, topic)


def _fits(description: str) -> bool:
    return (
        least_description_chars(description) <= len(description) <= MAX_CHARS
        and has_words(description, MIN_WORDS)
        and (width_px(description, DESCRIPTION_SIZE_PX) or 0) <= DESCRIPTION_LIMIT_PX
        and not (_DUMMY.search(description) or _REMNANT.search(description))
    )


def _draft_from_text(document: Document, text: Text, social: Social | None, surroundings: Surroundings, topic: str) -> str:
    """Return whole sentences from the start of the main text's first paragraph; empty if they do not fit.

    The sentences share words with title or main heading, as others may be about the author or stand on every page. Later paragraphs
    describe only part of the page.
    """
    for node in document.all("p", limit=MAX_PARAGRAPHS):
        beginning = node.text_up_to(MAX_CHARS + 1)
        if len(beginning) < MIN_CHARS or surroundings.context_of(node).hidden or beginning not in text.main:
            continue
        outers = list(islice(node.ancestors, MAX_ANCESTORS))
        if any(outer.tag in NO_CONTENT or _is_note(outer) for outer in (node, *outers)):
            continue
        if 2 * sum(len(link.text_up_to(MAX_CHARS)) for link in node.descendants("a")) > len(beginning):
            continue
        if _DUMMY.search(beginning) or _CONTINUATION.match(beginning):
            return ""
        if _REMNANT.search(beginning):
            continue
        end = max((match.end() for match in _SENTENCE_END.finditer(beginning)), default=0)
        is_wide = (width_px(beginning[:end], DESCRIPTION_SIZE_PX) or 0) > DESCRIPTION_LIMIT_PX
        is_on_topic = end >= MIN_CHARS and not is_wide and _shares_words(beginning[:end], topic, _site_names(document, social))
        return beginning[:end].strip() if is_on_topic else ""
    return ""


def _is_note(node: Element) -> bool:
    return (
        node.tag not in ("body", "html")
        and node.has_attrs
        and _NOTE.search(f"{node.attr('class') or ''} {node.attr('id') or ''}"[:500]) is not None
    )


def _site_names(document: Document, social: Social | None) -> str:
    url = parse(document.url)
    return fold(f"{url.host if url else ''} {social.content('og:site_name') if social else ''}")


def _shares_words(sentences: str, topic: str, site: str) -> bool:
    """Return whether the sentences contain SHARED_WORDS long words of the topic that are not in the name of the site, or all it has.

    Scripts without spaces are not compared.
    """
    named = {word for word in words(fold(topic)) if len(word) >= TELLING_CHARS and word not in site}
    said = set(words(fold(sentences)))
    shared = [word for word in named if any(same_stem(word, other) for other in said)]
    return len(shared) >= min(SHARED_WORDS, len(named))
