"""The title does not fit on the line of a search result, or is too short to be useful.

In plain words: In Google, people see only the beginning of this page's title, or a title that is too short to say much.

Why it matters: Google has no limit, but truncates titles to the width of the device. The truncated part is not read; a title of one short
word says little. This concerns appearance, not ranking.

How to fix: Put the most important words first and the name of the site last.

    <title>Blue widgets, made to measure – Example Ltd</title>

Sources: [Google: title links](https://developers.google.com/search/docs/appearance/title-link) (2025): "there's no limit on how long a
<title> element can be", it is truncated to fit the device width. 600 px of 20 px Arial is observed on desktop result pages, not documented;
the limit of 10 characters (5 in Chinese, Japanese and Korean) is set by this report.

Not judged: the name of the site at the end, if only that is truncated; the width of scripts that the fonts used here lack (Arabic, Thai,
Devanagari …). Kerning is ignored, so a width may be a few pixels too large.
"""

from findable.artifacts.page.head import Head
from findable.artifacts.page.serp_width import TITLE_LIMIT_PX, Line, ResultLines
from findable.checks.engine import TEXT_MARK, Finding, check, element, inapplicable, passed, warned, with_fault
from findable.formats.characters import has_cjk
from findable.formats.title_parts import separators
from findable.vocabulary import EditPlace, Effort, Fault, Importance, Verdict

TOLERANCE_PX = 6
"""Tolerance in pixels for kerning, which makes a Latin title about one percent narrower."""
MIN_CHARACTERS = 10
MIN_CHARACTERS_CJK = 5

SITE_NAME_CHARS = 40
"""Length above which the last part of a title is more than the name of the site (set by Findable)."""

PARTS_ADVICE = "Put the most important words first and the name of the site last; shorten the rest."
LONG_ADVICE = "Put the most important words first and shorten the rest."

FAR_TOO_LONG = 2
"""Multiple of the width that fits from which a title is no title but a list of words (set by Findable)."""


@check(
    "Does the title fit a result line?",
    Importance.LOW,
    Effort.HEAD,
    place=EditPlace.TITLE,
    costs={Fault.FAR_TOO_LONG: 50, Fault.TOO_SHORT: 30, Verdict.WARNED: 30},
    depends_on=("title-present",),
    mark=TEXT_MARK,
)
def title_length(head: Head, lines: ResultLines) -> Finding:
    title = lines.title
    shown = [item.element for item in head.titles if item.text][:1]
    least = MIN_CHARACTERS_CJK if has_cjk(title.text[:1000]) else MIN_CHARACTERS
    if title.characters_count < least:
        short = warned(
            "The title has only {count|character|characters}; use at least {least}",
            count=title.characters_count,
            least=least,
            evidence=shown,
            advice="Say in a few words what the page offers, and name the site last.",
        )
        return with_fault(short, Fault.TOO_SHORT)
    if title.width_px is None:
        return inapplicable("Title, {count|character|characters}: the width of this script is not known", count=title.characters_count)
    if title.width_px > TITLE_LIMIT_PX + TOLERANCE_PX and _truncates_only_site_name(title):
        return passed("Only the name of the site at the end is cut off: “{preview}”", preview=title.preview, evidence=shown)
    if title.width_px > TITLE_LIMIT_PX + TOLERANCE_PX:
        long = warned(
            "The title is about {width_px} wide; {limit_px} fit: “{preview}”",
            width_px=title.width_px,
            limit_px=TITLE_LIMIT_PX,
            preview=title.preview,
            evidence=[element(item, "shown up to character {shown_count}", shown_count=title.truncated_at or 0) for item in shown],
            advice=PARTS_ADVICE if separators(title.text) else LONG_ADVICE,
        )
        return with_fault(long, Fault.FAR_TOO_LONG if title.width_px > FAR_TOO_LONG * TITLE_LIMIT_PX else None)
    return passed(
        "Title, {count|character|characters}, about {width_px}", count=title.characters_count, width_px=title.width_px, evidence=shown
    )


def _truncates_only_site_name(title: Line) -> bool:
    """Return whether only the last part of the title, which may be the site's name, is truncated."""
    starts = [start for start, _ in separators(title.text)]
    return bool(starts) and len(title.text) - starts[-1] <= SITE_NAME_CHARS and (title.truncated_at or 0) >= starts[-1]
