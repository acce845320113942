"""The first image is loaded late, or images far below are loaded at once.

In plain words: Visitors wait for the first image, or load images that they never scroll to.

Why it matters: ``loading="lazy"`` on the first visible image delays the largest paint; without it far below, a phone loads images that are
never scrolled into view.

How to fix: Load the hero image eagerly with high priority, and images far below lazily.

    <img src="hero.jpg" alt="…" width="1200" height="600" fetchpriority="high">
    <img src="footer-map.jpg" alt="…" width="600" height="400" loading="lazy">

Sources: [Google: fix lazy-loaded content](https://developers.google.com/search/docs/crawling-indexing/javascript/lazy-loading) (2025);
[web.dev: Browser-level image lazy loading](https://web.dev/articles/browser-level-image-lazy-loading) (2024); [Lighthouse: lcp-discovery
insight](https://developer.chrome.com/docs/performance/insights/lcp-discovery).

Not judged: The position of an image on the screen is a guess without a browser: "first" means that little text precedes it, "far below"
that many images do. Images in navigation, footers, hidden parts, and in carousels, where they stand side by side, are excluded.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice

from findable.artifacts.browser.browser_requests import BrowserRequests
from findable.artifacts.browser.vitals import Vitals
from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.inherited import AncestorTest
from findable.artifacts.page.images import Image, Images, exposed_elements
from findable.artifacts.responses.assets import Assets
from findable.checks.engine import Finding, check, element, failed, inapplicable, passed, warned
from findable.checks.page_fix import Fix, attribute_fix, attribute_fixes
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import Effort, Importance

FIRST_VIEW_CHARS = 400
"""Maximum number of characters before an image in the initial viewport of a phone (set by Findable)."""
FIRST_IMAGES = 6
"""Number of images among which the largest one of the first view is searched (set by Findable)."""
FAR_BELOW_INDEX = 12
"""Index from which images are far below the initial viewport (set by Findable)."""
EAGER_FAR_BELOW_COUNT = 3
LARGE_PIXELS = 150 * 100
"""Number of pixels below which images are icons, which need no advice."""
ICON_PX = 100
"""Width or height below which an image is an icon, if only one of them is known (set by Findable)."""
_CAROUSEL = lazy_pattern(
    r"carou?ss?el|slide[rs]?\b|slideshow|swiper|slick|glide|splide|flickity|owl-|scroller|marquee|filmstrip", re.IGNORECASE
)
"""Class names and ids of carousels, which show their images side by side."""
BANNER_RATIO = 4
"""Ratio of width to height above which an image is a banner, mostly an advertisement (set by Findable)."""
_LOGO = lazy_pattern(r"logo|spinner|preload|loader\b", re.IGNORECASE)
MAX_ANCESTORS = 12
MAX_CLASS_CHARS = 300
ASIDE = frozenset({"nav", "footer", "aside", "dialog", "details", "noscript"})
MAX_SIBLINGS = 2000
TEXT_BLOCKS = frozenset({"p", "li", "dd", "td", "th", "blockquote", "figcaption", "pre"})
"""Elements with running text; an image inside counts as after the text."""


@check("Are images loaded when they are needed?", Importance.MEDIUM, Effort.HEAD, failed=5, warned=5)
def image_loading(
    document: Document, images: Images, assets: Assets, vitals: Vitals | None, browser_requests: BrowserRequests | None
) -> Finding:
    shown = [image for image in images.imgs if not image.is_pixel and (image.urls or image.lazy_url)]
    if not shown:
        return inapplicable("The page loads no images")
    first = next((image for image in shown[:FIRST_IMAGES] if _may_be_first(image, assets)), None)
    if first is not None and first.loading == "lazy" and exposed_elements([first.element]):
        if vitals is not None and first.element.selector == vitals.lab_lcp_selector:
            return failed(
                "The largest image of the first view is loaded late",
                evidence=element(first.element, "has loading=lazy"),
                fixes=[_eager_fix(first, is_largest=True)],
            )
        if vitals is None and _chars_before(first.element, document) <= FIRST_VIEW_CHARS:
            return warned(
                "The first image is loaded late (a guess from the markup)",
                evidence=element(first.element, "has loading=lazy"),
                fixes=[_eager_fix(first, is_largest=False)],
            )
    uses = Counter(url for image in shown for url in set(image.urls))
    at_once = browser_requests.at_once if browser_requests is not None else None
    eager = [
        image.element
        for image in _without_carousels(shown, document)[FAR_BELOW_INDEX:]
        if _is_eager(image, assets) and not _is_placeholder(image, uses) and (at_once is None or not at_once.keys().isdisjoint(image.urls))
    ]
    if len(eager) > EAGER_FAR_BELOW_COUNT:
        return warned(
            "{count|image|images} far below the first view are loaded at once",
            evidence=eager,
            fixes=attribute_fixes(eager, loading="lazy"),
        )
    lazy_count = sum(1 for image in shown if image.loading == "lazy")
    return passed(
        "{count|image|images}, {lazy_count} of them lazy; the first image is not delayed", count=len(shown), lazy_count=lazy_count
    )


def _is_placeholder(image: Image, uses: Counter[str]) -> bool:
    """Return whether a script replaces the image: several have its file, and an attribute names another one."""
    if all(uses[url] == 1 for url in image.urls):
        return False
    attrs = image.element.attrs
    return any(name.startswith("data-") and "/" in value[:500] and value != attrs.get("src") for name, value in attrs.items())


def _may_be_first(image: Image, assets: Assets) -> bool:
    """Return whether the image may be the largest one of the first view; a logo and a banner are not."""
    if image.width_px and image.height_px and image.width_px > BANNER_RATIO * image.height_px:
        return False
    attrs = image.element.attrs
    is_drawing = attrs.get("src", "").lower().endswith(".svg")
    if not _is_large(image, assets, unsure=not is_drawing) or _is_outside_content(image.element):
        return False
    return not _LOGO.search(" ".join(attrs.get(name, "")[:MAX_CLASS_CHARS] for name in ("class", "id", "alt", "src")))


def _eager_fix(image: Image, *, is_largest: bool) -> Fix | None:
    return attribute_fix(image.element, loading=None, **({"fetchpriority": "high"} if is_largest else {}))


def _is_large(image: Image, assets: Assets, *, unsure: bool = False) -> bool:
    """Return whether the image is large by its attributes or else its file; ``unsure`` if neither has its size."""
    if image.width_px and image.height_px:
        return image.width_px * image.height_px >= LARGE_PIXELS
    if 0 < (image.width_px or image.height_px or 0) < ICON_PX:
        return False
    sizes = [asset.pixels for asset in assets.loaded_assets(image.urls) if asset.pixels]
    return max(sizes) >= LARGE_PIXELS if sizes else unsure


def _without_carousels(images: Sequence[Image], document: Document) -> list[Image]:
    def is_carousel(order: int) -> bool:
        return document.tags[order] not in ("body", "html") and any(
            _CAROUSEL.search(name[:MAX_CLASS_CHARS]) for name in document.class_and_id_at(order) if name
        )

    carousels = AncestorTest(document, is_carousel, MAX_ANCESTORS)
    return [image for image in images if not carousels.holds(image.element.order)]


def _is_eager(image: Image, assets: Assets) -> bool:
    if image.loading == "lazy" or image.lazy_url or image.element.attr("fetchpriority") == "high" or not _is_large(image, assets):
        return False
    return not _is_outside_content(image.element)


def _is_outside_content(node: Element) -> bool:
    return any(ancestor.tag in ASIDE for ancestor in node.ancestors)


def _chars_before(node: Element, document: Document) -> int:
    """Count the characters of text before an element, up to a little over FIRST_VIEW_CHARS."""
    count = 0
    if document.widest[1] > MAX_SIBLINGS:
        return FIRST_VIEW_CHARS + 1
    at = node
    for ancestor in node.ancestors:
        if ancestor.tag in TEXT_BLOCKS:
            count += len(ancestor.text_up_to(FIRST_VIEW_CHARS + 1))
            if count > FIRST_VIEW_CHARS:
                return count
            at = ancestor
            continue
        for sibling in _elements_before(ancestor.children, at):
            count += len(sibling.text) + 1 if sibling.text else 0
            if count > FIRST_VIEW_CHARS:
                return count
        if ancestor.tag == "body":
            break
        at = ancestor
    return count


def _elements_before(children: Iterable[Element], element: Element) -> Iterable[Element]:
    for child in islice(children, MAX_SIBLINGS):
        if child == element:
            return
        yield child
