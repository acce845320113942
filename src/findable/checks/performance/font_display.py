"""Text is invisible while its font loads.

In plain words: Visitors see no text until the page's own lettering has loaded.

Why it matters: Without font-display browsers hide text for up to three seconds until the web font is there.

How to fix: Show the text in another font meanwhile.

    @font-face { font-family: "Brand"; src: url(brand.woff2) format("woff2"); font-display: swap; }

For Google Fonts add ``&display=swap`` to the URL.

Sources: [CSS Fonts 4: font-display](https://www.w3.org/TR/css-fonts-4/#font-display-desc); [Lighthouse: font-display
insight](https://developer.chrome.com/docs/performance/insights/font-display).

Not judged: Icon and formula fonts, whose text must not be shown in another font; embedded fonts, which do not load; faces that no rule,
attribute or inline script names, because browsers load fonts on use.
"""

import re

from findable.artifacts.responses.assets import Assets
from findable.artifacts.responses.resources import Resources
from findable.checks.engine import Finding, check, passed, quoted, unknown, warned
from findable.formats.css_fonts import FontFace
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import Effort, Importance

SHOWN_AT_ONCE = frozenset({"swap", "optional", "fallback"})
_DISPLAY_IN_URL = lazy_pattern(r"[?&]display=(?:swap|optional|fallback)\b")
_ICONS = lazy_pattern(
    r"icon|awesome|glyph|symbol|material|dashicons|eleganticons|fontello|icomoon|slick|swiper|themify|linea|^mjx|mathjax|katex",
    re.IGNORECASE,
)
"""Icon and formula fonts, whose characters mean something else in another font."""
_ICONS_IN_URL = lazy_pattern(r"icon|glyph|awesome|symbols", re.IGNORECASE)


@check("Is text visible while fonts load?", Importance.LOW, Effort.CONTENT, failed=4, warned=3)
def font_display(resources: Resources, assets: Assets) -> Finding:
    loaded = [(base, face) for base, face in resources.font_faces if _is_loaded(face, resources.used_fonts)]
    faces = {(face.family.lower(), face.display): (base, face) for base, face in loaded}
    hidden = [(base, face) for base, face in faces.values() if face.display not in SHOWN_AT_ONCE]
    if hidden:
        return warned(
            "{count|font hides|fonts hide} text until loaded",
            evidence=[quoted(f"{face.family}: font-display {face.display}", url=base) for base, face in hidden],
        )
    sheets = [sheet.url for sheet in resources.stylesheets if not _DISPLAY_IN_URL.search(sheet.url)]
    sheets = [url for url in sheets if not assets.is_broken(url)]  # a missing stylesheet loads no fonts
    if len(assets.loaded_assets(sheets)) < len(set(sheets)):
        return unknown("Not every stylesheet could be read: {reason}", **assets.unknown_reason(sheets))
    if not faces:
        return passed("No web font is loaded")
    return passed("{count|font|fonts}, text visible while loading", count=len(faces))


def _is_loaded(face: FontFace, used: frozenset[str]) -> bool:
    if face.family not in used or not face.urls or face.urls[0].startswith("data:"):
        return False
    return not _ICONS.search(face.family) and not any(_ICONS_IN_URL.search(url[:500]) for url in face.urls)
