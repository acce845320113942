"""The meta description is truncated, in search results or already by the content system, or too short to be useful.

In plain words: The text that you wrote for Google's result is cut off, or too short to tell people what the page offers.

Why it matters: A snippet has about two lines on a desktop. The rest is truncated; a few words leave the space unused. This concerns
appearance, not ranking.

How to fix: Lead with the point and stay within about 150 characters.

    <meta name="description" content="Blue widgets in twelve sizes, made to measure and delivered in three days.">

Sources: [Google: meta descriptions](https://developers.google.com/search/docs/appearance/snippet) (2025): "there's no limit on how long a
meta description can be, but the snippet is truncated … as needed, typically to fit the device width". 920 px of 14 px Arial is observed,
not documented; the limit of 50 characters (25 in Chinese, Japanese and Korean) is set by this report.

Not judged: the width of scripts that the fonts used here lack (Arabic, Thai, Devanagari …).
"""

from findable.artifacts.page.head import Head
from findable.artifacts.page.serp_width import DESCRIPTION_LIMIT_PX, ResultLines
from findable.checks.engine import Finding, attribute_mark, check, covered_by, element, inapplicable, passed, warned
from findable.formats.characters import has_cjk
from findable.vocabulary import EditPlace, Effort, Importance

MIN_DESCRIPTION_CHARS = 50
MIN_DESCRIPTION_CHARS_CJK = 25
"""Number of characters from which a description says something (set by Findable)."""
SHORTER_ADVICE = "Lead with the point: about {fitting_count} characters like these fit."
CUT_ENDS = ("…", "...", "[…]", "(…)", "[...]", "(...)")
"""Ends that content systems put behind the excerpt of a text."""
ENDING_CHARS = 30
LONGER_ADVICE = "Write one sentence that says what this page offers."


@check(
    "Does the description fit a snippet?",
    Importance.LOW,
    Effort.HEAD,
    place=EditPlace.DESCRIPTION,
    warned=35,
    depends_on=("meta-description",),
    mark=attribute_mark("content"),
)
def meta_description_length(head: Head, lines: ResultLines) -> Finding:
    text = lines.description
    if not text.text:
        return inapplicable("The page has no meta description")
    metas = [meta for meta in head.metas_named("description") if meta.content and meta.content.strip()]
    if any(meta.is_cut() for meta in metas):
        return covered_by("meta-description")
    shown = [meta.element for meta in metas[:1]]
    least = least_description_chars(text.text)
    if text.characters_count < least:
        return warned(
            "The description has only {count|character|characters}; use at least {least}",
            count=text.characters_count,
            least=least,
            evidence=shown,
            advice=LONGER_ADVICE,
        )
    if text.text.endswith(CUT_ENDS):
        return warned(
            "The description is an excerpt that is cut off: “… {ending}”",
            ending=text.text[-ENDING_CHARS:],
            evidence=shown,
            advice=LONGER_ADVICE,
        )
    if text.width_px is None:
        return inapplicable("Description, {count|character|characters}: the width of this script is not known", count=text.characters_count)
    if text.width_px > DESCRIPTION_LIMIT_PX:
        return warned(
            "The description is about {width_px} wide; {limit_px} fit",
            width_px=text.width_px,
            limit_px=DESCRIPTION_LIMIT_PX,
            fitting_count=text.characters_count * DESCRIPTION_LIMIT_PX // text.width_px,
            advice=SHORTER_ADVICE,
            evidence=[element(item, "shown: “{preview}”", preview=text.preview) for item in shown],
        )
    return passed(
        "Description, {count|character|characters}, about {width_px}", count=text.characters_count, width_px=text.width_px, evidence=shown
    )


def least_description_chars(text: str) -> int:
    """Return the number of characters that a description in the script of the text should have."""
    return MIN_DESCRIPTION_CHARS_CJK if has_cjk(text[:1000]) else MIN_DESCRIPTION_CHARS
