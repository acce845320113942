"""The page has no meta description, or several that differ.

Why it matters: Search engines sometimes show the description below the title. Without one they take a piece of the page. It
plays no part in ranking.

How to fix: Write one sentence that says what this page offers.

    <meta name="description" content="Blue widgets in twelve sizes, made to measure and delivered in three days.">

Sources: [Google: meta descriptions](https://developers.google.com/search/docs/appearance/snippet) (2025): it is sometimes used for the
snippet; [Google: keywords meta tag](https://developers.google.com/search/blog/2009/09/google-does-not-use-keywords-meta-tag) (2009): nor
the description.

Not judged: whether it describes the page.
"""

from findable.artifacts.browser.rendered_page import RenderedPage
from findable.artifacts.html.head_scripts import HeadPart, HeadScripts
from findable.artifacts.page.early_head_end import EarlyHeadEnd
from findable.artifacts.page.head import MAX_TEXT_CHARS, Head
from findable.artifacts.page.social import Social
from findable.artifacts.page.text import Text
from findable.checks.engine import Finding, check, covered_by, element, passed, warned
from findable.checks.page_fix import attribute_fixes, head_fix, tag
from findable.checks.script_written import written_by_script
from findable.vocabulary import Effort, Importance

MIN_CHARS = 70
MAX_CHARS = 155
"""Length of a description that is proposed (ours): about two lines of a result."""


@check(question="Does the page have a description?", importance=Importance.MEDIUM, effort=Effort.HEAD, judges_partial_input=True)
def meta_description(
    head: Head,
    text: Text | None,
    social: Social | None,
    stray: EarlyHeadEnd | None,
    scripts: HeadScripts | None,
    rendered: RenderedPage | None,
) -> Finding:
    metas = head.named("description")
    filled = [meta for meta in metas if meta.content and meta.content.strip()]
    if not metas and rendered and rendered.head.description:
        return passed("A script sets the description: “{text}”", text=rendered.head.description)
    if not metas and scripts and rendered is None and (script := scripts.writer_of(HeadPart.DESCRIPTION)):
        return written_by_script(script)
    own = _own_words(text, social) if not filled else ""
    if not metas:
        return warned(
            "The page has no meta description",
            evidence=element(head.element, "no meta description in here"),
            fixes=[head_fix(tag("meta", name_="description", content=own))] if own else (),
        )
    if not filled:
        return warned(
            "The meta description is empty",
            evidence=[meta.element for meta in metas],
            fixes=attribute_fixes([meta.element for meta in metas], content=own) if own else (),
        )
    if stray and all(meta.element in stray.lost for meta in filled):
        return covered_by("head-valid")
    texts = {" ".join((meta.content or "")[:MAX_TEXT_CHARS].split()) for meta in filled}
    if len(texts) > 1:
        return warned("{count} different meta descriptions, only one is used", count=len(texts), evidence=[meta.element for meta in filled])
    return passed(
        "Description, {count|character|characters}: “{text}”",
        count=len(head.description),
        text=head.description,
        evidence=filled[0].element,
    )


def _own_words(text: Text | None, social: Social | None) -> str:
    """Return what the page says of itself: og:description, else the beginning of its main text, cut at a sentence or a word."""
    said = social.content("og:description") if social else ""
    if said or text is None or len(text.main) < MIN_CHARS:
        return said
    beginning = text.main[:MAX_CHARS]
    end = max(beginning.rfind(mark) for mark in (". ", "! ", "? ", "。"))
    return beginning[: end + 1] if end >= MIN_CHARS else beginning.rpartition(" ")[0]
