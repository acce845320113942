"""The page has hardly any text, or a short one.

In plain words: The page has so little text that visitors and Google hardly learn what it offers.

Why it matters: Search engines can find a page without words only by its title and the links to it. There is no ideal length: beyond the
first words, what counts is whether visitors find what they came for. In a few sentences, an article or a start page hardly answers anything
that people search for.

How to fix: Say in a few sentences what the page offers, as text and not only as an image.

    <p>Blue widgets in twelve sizes, made to measure and delivered in three days.</p>

Sources: [Google: SEO Starter Guide](https://developers.google.com/search/docs/fundamentals/seo-starter-guide) (2025): "there's no magical
word count target, minimum or maximum, though you probably want to have at least one word". The limits of 50 and 10 words are set by
this report, as is that of 200 words, below which a text costs some points because raters charge for it; the 300
words that many tools recommend have no source.

Not judged: languages in which words are not counted here; pages that show a diagram (SVG) with labels; the quality of the text; hardly any
main text on a page that has 50 words outside navigation, header, footer and aside, or on a list with three images or cards, because a list
of products is content too; a short text on a product, a recipe, a list, a photo, a form or a page of documentation, beside a player, or
beside 400 words of teasers.
"""

from findable.artifacts.content import Content
from findable.artifacts.html.document import Document
from findable.artifacts.page.images import Images
from findable.artifacts.page.language import Language
from findable.artifacts.page.page_kind import DeterminedKind
from findable.artifacts.page.text import NON_MAIN_TAGS, Text
from findable.artifacts.page.word_count import COUNTED_LANGUAGES, has_words
from findable.checks.engine import Finding, check, element, failed, inapplicable, passed, warned, with_fault
from findable.vocabulary import EditPlace, Effort, Fault, Importance, PageKind, Verdict

FEW_WORDS = 50
ALMOST_NO_WORDS = 10
"""Number of visible words, including those of links, below which the text cannot be the content (set by Findable)."""
SHORT_WORDS = 200
"""Number of words of main text below which a text is short (set by Findable)."""
TEASER_WORDS = 400
"""Number of words outside navigation, header, footer and aside from which teasers are content too (set by Findable)."""
SHORT_SHARES = ((100, 1.0), (SHORT_WORDS, 0.6))
"""Number of words, and the share of the cost of a text with fewer."""
SHORT_ON = frozenset({PageKind.ARTICLE, PageKind.FORUM, PageKind.HOME, PageKind.UNKNOWN})
"""Kinds of pages whose text is what readers come for."""
PLAYERS = ("video", "audio", "object", "embed", "canvas")
SEVERAL = 3
"""Number of images or article elements (cards of a list) that count as content without words (set by Findable)."""
LABELS = 5
"""Number of text elements from which inline SVG is a diagram that counts as content (set by Findable)."""
MAX_LABELS = 1000
SHOWING_TAGS = ("video", "audio", "iframe", "object", "embed", "canvas")
NO_FIELDS = frozenset({"hidden", "submit", "reset", "image", "button"})


@check(
    "Is there text on the page?",
    Importance.HIGH,
    Effort.CONTENT,
    place=EditPlace.TEXT,
    indexing_only=True,
    costs={Fault.ALMOST_NO_CONTENT: 500, Fault.SHORT_TEXT: 120, Verdict.FAILED: 350, Verdict.WARNED: 200},
    kind_percents={PageKind.PRODUCT: 60, PageKind.RECIPE: 60, PageKind.LISTING: 40, PageKind.FORM: 20, PageKind.PHOTO: 20},
    warned_summary="The page has little text.",
    site_cause="site-thin",
)
def content_length(
    document: Document, content: Content, text: Text, language: Language, images: Images | None, kind: DeterminedKind | None
) -> Finding:
    body = document.body
    if body is None:
        return inapplicable("A frameset itself has no text")
    if not text.has_words:
        nothing = element(body, "no words in here")
        if has_other_content(document, images):
            return warned("No text on the page", evidence=nothing)
        return with_fault(failed("No text on the page", evidence=nothing), Fault.ALMOST_NO_CONTENT)
    if language.used and language.used not in COUNTED_LANGUAGES:
        return inapplicable("Words are not counted in the language “{language}”", language=language.used)
    if text.visible_count < ALMOST_NO_WORDS and not has_other_content(document, images):
        finding = failed(
            "Only {count|word|words} of text in all (fewer than {least}), and no product list, video, form or {several_count} images",
            least=ALMOST_NO_WORDS,
            several_count=SEVERAL,
            count=text.visible_count,
            evidence=element(body, "{count|word|words} in all", count=text.visible_count),
        )
        return with_fault(finding, Fault.ALMOST_NO_CONTENT)
    count = text.main_count or text.visible_count
    outside = content.document.text_outside(NON_MAIN_TAGS) if count < FEW_WORDS else ""
    if count < FEW_WORDS and not has_words(outside, FEW_WORDS):
        if labels_count := _labels_count(content.document):
            return inapplicable("The page shows a diagram with {labels_count} labels", labels_count=labels_count)
        if kind and kind.kind is PageKind.LISTING and _lists_things(document, images):
            return passed("{count|word|words} of main text, and a list of products or articles", count=count)
        message = "Only {count|word|words} of main text (fewer than {least})"
        if text.main in ("", outside):
            message = "Only {count|word|words} of text outside navigation, header and footer (fewer than {least})"
        return warned(message, count=count, least=FEW_WORDS, evidence=element(body, "{count|word|words} in all", count=text.visible_count))
    if count < SHORT_WORDS and kind and kind.kind in SHORT_ON and not _has_more(document, content):
        short = warned(
            "The main text is short: {count|word|words} (fewer than {least})",
            count=count,
            least=SHORT_WORDS,
            evidence=element(body, "{count|word|words} in all", count=text.visible_count),
            advice="Answer what visitors come for in the text of the page: what, for whom, how, how much, when.",
        )
        return with_fault(short, Fault.SHORT_TEXT, next(share for words, share in SHORT_SHARES if count < words))
    return passed(
        "{count|word|words} of main text, {share_percent} of all text",
        count=count,
        share_percent=min(100, round(100 * len(text.main or text.visible) / len(text.visible))),
    )


def _has_more(document: Document, content: Content) -> bool:
    """Return whether a page with a short main text has a player, or much text beside it, such as teasers."""
    has_player = any(document.tag_counts.get(tag) for tag in PLAYERS)
    return has_player or has_words(content.document.text_outside(NON_MAIN_TAGS), TEASER_WORDS)


def _labels_count(document: Document) -> int:
    """Return the number of text labels in inline SVG, 0 if there are too few for a diagram."""
    if document.tag_counts.get("text", 0) < LABELS:
        return 0
    count = sum(1 for node in document.all("text", limit=MAX_LABELS) if node.namespace == "svg")
    return count if count >= LABELS else 0


def has_other_content(document: Document, images: Images | None) -> bool:
    """Return whether something other than text can be the content: a player, a form, several images or cards."""
    if any(document.tag_counts.get(tag) for tag in SHOWING_TAGS):
        return True
    fields = (node for node in document.all("input") if (node.attr("type") or "").strip().lower() not in NO_FIELDS)
    if document.tag_counts.get("textarea") or document.tag_counts.get("select") or next(fields, None) is not None:
        return True
    return _lists_things(document, images)


def _lists_things(document: Document, images: Images | None) -> bool:
    """Return whether several images or cards can be the content."""
    if document.tag_counts.get("article", 0) >= SEVERAL:
        return True
    if images is None:
        return False
    shown = [item for item in images.imgs if not item.is_pixel and item.alt != ""]
    return len(shown) + len(images.backgrounds) >= SEVERAL
