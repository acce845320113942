"""A frame has no title.

Why it matters: A screen reader announces a frame by its title; without one readers must go inside to find out what it is.

How to fix: Say what the frame shows.

    <iframe src="https://www.youtube.com/embed/x" title="How a widget is made"></iframe>

Sources: [WCAG 2.2, 4.1.2 Name, Role, Value](https://www.w3.org/TR/WCAG22/#name-role-value); [technique
H64](https://www.w3.org/WAI/WCAG22/Techniques/html/H64).

Not judged: Frames that are hidden, one pixel large or marked as presentation, frames of measuring services, which show nothing, and
frames without a URL, which scripts fill.
"""

import re

from findable.artifacts.html.document import Element
from findable.artifacts.page.controls import Names
from findable.checks.engine import Finding, check, inapplicable, passed, warned
from findable.checks.page_fix import Fix, attribute_fix
from findable.urls import parse
from findable.vocabulary import Effort, Importance

SMALL_SIZES = frozenset({"0", "1", "0px", "1px", "0%"})
LAZY_ADDRESSES = ("src", "data-src", "data-lazy-src", "srcdoc")
_MEASURING = re.compile(
    r"//(?:[\w-]+\.){0,4}(?:optimizely\.com/client_storage|googletagmanager\.com/ns\.html|doubleclick\.net/(?:activity|activityi|pixel)"
    r"|facebook\.com/tr\b|criteo\.|adsrvr\.org|demdex\.net|krxd\.net|rubiconproject\.com|pubmatic\.com|casalemedia\.com)",
    re.IGNORECASE,
)
"""Frames of measuring services, which show nothing; scripts hide them."""
CONSENT_ADDRESSES = ("data-cookieblock-src", "data-src-cmplz", "data-iframe-src")


@check(question="Do frames have titles?", importance=Importance.LOW, effort=Effort.CONTENT)
def iframe_title(names: Names) -> Finding:
    """Judges the frames that readers see."""
    frames = [frame for frame in names.frames if _is_shown(frame.element) and (frame.name or frame.judgeable)]
    if not frames:
        return inapplicable("The page shows no frames")
    nameless = [frame.element for frame in frames if not frame.name]
    if nameless:
        return warned(
            "{nameless_count} of {count|frame|frames} without a title",
            nameless_count=len(nameless),
            count=len(frames),
            evidence=nameless,
            fixes=map(_fix, nameless),
        )
    return passed("{count|frame|frames}, each with a title", count=len(frames))


def _is_shown(frame: Element) -> bool:
    attrs = frame.attrs
    if attrs.get("role", "").strip().lower() in ("presentation", "none") or attrs.get("tabindex", "").strip() == "-1":
        return False
    if attrs.get("width", "").strip() in SMALL_SIZES or attrs.get("height", "").strip() in SMALL_SIZES:
        return False
    addresses = [attrs.get(name, "").strip() for name in (*LAZY_ADDRESSES, *CONSENT_ADDRESSES)]
    if any(_MEASURING.search(address[:300]) for address in addresses):
        return False
    return any(address and not address.startswith(("about:", "javascript:")) for address in addresses)


def _fix(frame: Element) -> Fix | None:
    """Return the frame with the host that it shows as its title; a better one says what it shows."""
    attrs = frame.attrs
    url = next((found for name in LAZY_ADDRESSES if (found := parse(attrs.get(name, ""), "https://host.invalid/")) and found.is_http), None)
    return attribute_fix(frame, title=url.host.removeprefix("www.")) if url and url.host != "host.invalid" else None
