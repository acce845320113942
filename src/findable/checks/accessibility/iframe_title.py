"""A frame has no title.

In plain words: Visitors who have the page read aloud do not learn what an embedded part, such as a map or a video, is.

Why it matters: A screen reader announces a frame by its title; without a title, users must enter the frame to find out what it is.

How to fix: Describe the content of the frame.

    <iframe src="https://www.youtube.com/embed/x" title="How a widget is made"></iframe>

Sources: [WCAG 2.2, 4.1.2 Name, Role, Value](https://www.w3.org/TR/WCAG22/#name-role-value); [technique
H64](https://www.w3.org/WAI/WCAG22/Techniques/html/H64).

Not judged: Frames hidden by markup or a simple CSS rule in the page, one-pixel or presentational frames, invisible frames of analytics
services, and frames without a URL, which scripts fill.
"""

import re
from collections.abc import Mapping
from itertools import islice

from findable.artifacts.html.document import Element
from findable.artifacts.page.controls import Names
from findable.artifacts.page.headings import Headings
from findable.checks.engine import Finding, check, inapplicable, passed, warned
from findable.checks.page_fix import Fix, attribute_fix
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import Effort, Importance

SMALL_SIZES = frozenset({"0", "1", "0px", "1px", "0%"})
LAZY_ADDRESSES = ("src", "data-src", "data-lazy-src", "srcdoc")
_MEASURING = lazy_pattern(
    r"//(?:[\w-]+\.){0,4}(?:optimizely\.com/client_storage|googletagmanager\.com/ns\.html|doubleclick\.net/(?:activity|activityi|pixel)"
    r"|facebook\.com/tr\b|criteo\.|adsrvr\.org|demdex\.net|krxd\.net|rubiconproject\.com|pubmatic\.com|casalemedia\.com)",
    re.IGNORECASE,
)
"""Frames of analytics services, which scripts hide."""
_BUTTONS = lazy_pattern(r"facebook\.com/plugins/|platform\.twitter\.com|/ads?[/_.?-]|addthis|apis\.google\.com", re.IGNORECASE)
"""Social buttons and advertisements, which no heading of the page describes."""
MAX_ANCESTORS = 3
MAX_TITLE_CHARS = 80
SECTIONS = frozenset({"aside", "article", "section", "nav", "footer"})
"""Tags of elements whose headings name themselves, not the frame beside them."""
WHOLE_PAGE = frozenset({"body", "main", "html"})
CONSENT_URLS = ("data-cookieblock-src", "data-src-cmplz", "data-iframe-src")


@check("Do frames have titles?", Importance.LOW, Effort.CONTENT, warned=3)
def iframe_title(names: Names, headings: Headings | None) -> Finding:
    """Checks the titles of visible frames."""
    frames = [frame for frame in names.frames if _is_shown(frame.element) and (frame.name or frame.is_checkable)]
    if not frames:
        return inapplicable("The page shows no frames")
    nameless = [frame.element for frame in frames if not frame.name]
    if nameless:
        return warned(
            "{nameless_count} of {count|frame|frames} without a title",
            nameless_count=len(nameless),
            count=len(frames),
            evidence=nameless,
            fixes=(_fix(frame, headings) for frame in nameless),
        )
    return passed("{count|frame|frames}, each with a title", count=len(frames))


def _is_shown(frame: Element) -> bool:
    attrs = frame.attrs
    if attrs.get("role", "").strip().lower() in ("presentation", "none") or attrs.get("tabindex", "").strip() == "-1":
        return False
    if any(_size(attrs, name) in SMALL_SIZES for name in ("width", "height")):
        return False
    addresses = [attrs.get(name, "").strip() for name in (*LAZY_ADDRESSES, *CONSENT_URLS)]
    if any(_MEASURING.search(address[:300]) for address in addresses):
        return False
    return any(address and not address.startswith(("about:", "javascript:")) for address in addresses)


def _size(attrs: Mapping[str, str], name: str) -> str:
    """Return the width or height of a frame from its style, which browsers prefer, or its attribute."""
    styled = re.search(rf"(?:^|;)\s*{name}\s*:\s*([^;!]{{1,20}})", attrs.get("style", "")[:500], re.IGNORECASE)
    return (styled[1] if styled else attrs.get(name, "")).strip()


def _fix(frame: Element, headings: Headings | None) -> Fix | None:
    """Return the frame with a title: the caption of its figure, or the heading of a section without other frames."""
    if _BUTTONS.search((frame.attr("src") or "")[:300]):
        return None
    holders = set(frame.ancestors)
    for part in islice(frame.ancestors, MAX_ANCESTORS):
        if part.tag in WHOLE_PAGE or len(part.descendants("iframe", "frame")) > 1:
            return None
        captions = part.descendants("figcaption") if part.tag == "figure" else []
        inside = set(part.descendants())
        found = [heading for heading in headings.visible if heading.element in inside] if headings else []
        if any(outer.tag in SECTIONS and outer not in holders for heading in found for outer in heading.element.ancestors):
            return None
        named = [heading.name for heading in found]
        title = captions[0].text_up_to(MAX_TITLE_CHARS) if captions else named[0] if len(named) == 1 else ""
        if title and len(title) < MAX_TITLE_CHARS:
            return attribute_fix(frame, title=title)
        if named:
            return None
    return None
