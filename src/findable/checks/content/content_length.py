"""The page has hardly any text.

Why it matters: a page without words can only be found by its title and the links to it. There is no ideal length: beyond the
first words, what counts is whether visitors find what they came for.

How to fix: say in a few sentences what the page offers, as text and not only as a picture.

    <p>Blue widgets in twelve sizes, made to measure and delivered in three days.</p>

Sources: Google, "SEO Starter Guide" (2025): "there's no magical word count target, minimum or maximum, though you probably want to have
at least one word". 50 words is ours; the 300 that tools like to name has no source.

Not judged: languages in which words are not counted here; whether the words are any good.
"""

from findable.artifacts.content import Content
from findable.artifacts.html.document import Document
from findable.artifacts.page.text import BOILERPLATE_TAGS, COUNTED_LANGUAGES, Language, Text, has_words
from findable.checks.engine import Finding, check, element, failed, inapplicable, passed, warned
from findable.vocabulary import Effort, Importance

FEW_WORDS = 50


@check(question="Is there text on the page?", importance=Importance.LOW, effort=Effort.CONTENT)
def content_length(document: Document, content: Content, text: Text, language: Language) -> Finding:
    body = document.body
    if body is None:
        return inapplicable("a frameset has no text of its own")
    if not text.has_words:
        return failed("no text on the page", evidence=element(body, "no words in here"))
    if language.used and language.used not in COUNTED_LANGUAGES:
        return inapplicable("words are not counted in the language “{language}”", language=language.used)
    count = text.main_count or text.visible_count
    if count < FEW_WORDS and not has_words(content.document.text_outside(BOILERPLATE_TAGS), FEW_WORDS):
        return warned(
            "{count|word|words} of main text", count=count, evidence=element(body, "{count|word|words} in all", count=text.visible_count)
        )
    return passed(
        "{count|word|words} of main text, {share_percent} of all text",
        count=count,
        share_percent=min(100, round(100 * len(text.main or text.visible) / len(text.visible))),
    )
