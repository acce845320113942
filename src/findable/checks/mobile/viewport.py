"""The page sets no viewport, or one with a fixed width.

In plain words: Visitors on phones see the page tiny, as if they looked at a computer screen from afar.

Why it matters: Without a viewport phones lay the page out as on a desktop, about 980 pixels wide, and shrink it until it is illegible.
Google indexes the mobile version.

How to fix: Add this line to the head.

    <meta name="viewport" content="width=device-width, initial-scale=1">

Sources: [Google: Mobile-first indexing best
practices](https://developers.google.com/search/docs/crawling-indexing/mobile/mobile-sites-mobile-first-indexing) (2025); [CSS Viewport
Module Level 1](https://drafts.csswg.org/css-viewport/).

Not judged: a page whose ``link rel="alternate"`` points to a separate mobile page; whether the page then fits the screen
(``content-width``); a viewport that a script may write, without a browser.
"""

from findable.artifacts.html.head_scripts import HeadPart, HeadScripts
from findable.artifacts.page.early_head_end import EarlyHeadEnd
from findable.artifacts.page.head import Head, LinkTag
from findable.artifacts.page.viewport_meta import Viewport
from findable.checks.engine import Finding, attribute_mark, check, covered_by, element, failed, info, passed, warned
from findable.checks.page_fix import attribute_fix, head_fix, tag
from findable.checks.script_written import written_by_script
from findable.vocabulary import Effort, Importance

_WIDTH, _SCALE = "width=device-width", "initial-scale=1"
FIXED_WIDTH_ADVICE = "Let the layout follow the width of the screen, then set this viewport."
WIDTH_ADVICE = "Set the width in this line."
RESPONSIVE = f"{_WIDTH}, {_SCALE}"


@check("Is a responsive viewport set?", Importance.HIGH, Effort.HEAD, failed=155, warned=90, mark=attribute_mark("content"))
def viewport(head: Head, viewport: Viewport | None, early_end: EarlyHeadEnd | None, scripts: HeadScripts | None) -> Finding:
    """Checks the last effective viewport element."""
    if viewport is None:
        return _missing_finding(head, scripts)
    if early_end and early_end.loses(viewport.element):
        return covered_by("head-valid")
    if viewport.follows_device:
        return passed("The viewport is “{content}”", content=viewport.content, evidence=viewport.element)
    mobile = _page_for_phones(head)
    if mobile is not None:
        return info(
            "The viewport is “{content}”; there is a separate page for phones: {url}",
            content=viewport.content,
            url=mobile.url or "",
            evidence=[viewport.element, mobile.element],
        )
    fixes = [attribute_fix(viewport.element, content=RESPONSIVE, initial_scale=None, maximum_scale=None, user_scalable=None)]
    if viewport.width_px is not None:
        return warned(
            "The viewport has a fixed width of {width_px}",
            width_px=viewport.width_px,
            evidence=viewport.element,
            fixes=fixes,
            advice=FIXED_WIDTH_ADVICE,
        )
    return warned(
        "The viewport sets no width: “{content}”", content=viewport.content, evidence=viewport.element, fixes=fixes, advice=WIDTH_ADVICE
    )


def _missing_finding(head: Head, scripts: HeadScripts | None) -> Finding:
    script = scripts.writer_of(HeadPart.VIEWPORT) if scripts else None
    if script is not None:
        return written_by_script(script)
    place = element(head.element, "The viewport meta element belongs here")
    fixes = [head_fix(tag("meta", name_="viewport", content=RESPONSIVE))]
    mobile = _page_for_phones(head)
    if mobile is not None:
        return info(
            "The page sets no viewport; there is a separate page for phones: {url}",
            url=mobile.url or "",
            evidence=[place, element(mobile.element)],
        )
    return failed("The page sets no viewport", evidence=place, fixes=fixes)


def _page_for_phones(head: Head) -> LinkTag | None:
    links = (link for link in head.rel("alternate") if link.in_head and link.url is not None)
    return next((link for link in links if "max-width" in link.media or "handheld" in link.media), None)
