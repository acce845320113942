"""Images have no width and height.

In plain words: While the page loads, the text jumps, because no space is reserved for the images.

Why it matters: A browser that knows the shape of an image reserves its space; otherwise the text below jumps when the image arrives.

How to fix: Write the width and height of the file; the stylesheet may still scale it.

    <img src="widget.jpg" alt="Blue widget" width="800" height="600">
    <style>img { max-width: 100%; height: auto; }</style>

Sources: [web.dev: Optimize Cumulative Layout Shift](https://web.dev/articles/optimize-cls) (2025); [HTML Standard: Dimension
attributes](https://html.spec.whatwg.org/multipage/embedded-content-other.html#dimension-attributes).

Not judged: Space reserved by a stylesheet is not visible in the markup, so this check never fails; drawings (SVG), embedded data and
placeholders, one-pixel counters, images inside widgets of other sites and hidden images are excluded.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice

from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.inherited import AncestorTest
from findable.artifacts.page.images import Image, Images, exposed_elements, is_out_of_flow
from findable.artifacts.responses.assets import Assets
from findable.artifacts.responses.resources import Resources
from findable.checks.engine import Finding, check, inapplicable, passed, warned
from findable.checks.page_fix import Fix, attribute_fix
from findable.formats.css_dimensions import distorts
from findable.lazy_pattern import lazy_pattern
from findable.urls import parse
from findable.vocabulary import Effort, Importance

_RATIO_BOX = lazy_pattern(r"padding(?:-bottom|-top)?\s*:[^;]{0,40}%|aspect-ratio\s*:[^;]{0,40}\d", re.IGNORECASE)
_WIDGET = lazy_pattern(r"(?:^|\s)(?:fyre-|livefyre|disqus_thread|idc-container|OUTBRAIN|ob-widget|trc_|spotim|spcv_)")
"""Prefixes of classes and ids of containers that comment and recommendation services fill."""
_FONTS = lazy_pattern(r"//(?:fonts|use|p)\.(?:googleapis|bunny|typekit)\.(?:com|net)/")
"""Stylesheets of services that only load fonts."""
_LEADING_DIGITS = lazy_pattern(r"\d{1,5}")
"""Number that browsers read from a dimension such as ``125px``."""
WIDGET_ANCESTORS = 20
WRAPPERS = 3
"""Number of ancestors that are searched for a wrapper."""
FILLERS = 2
"""Number of first elements of a wrapper that may reserve its space."""
ENOUGH = 0.90
"""Share of images that must have dimensions (set by Findable)."""


@check("Is space reserved for images?", Importance.LOW, Effort.HEAD, warned=5)
def image_dimensions(document: Document, images: Images, assets: Assets, resources: Resources) -> Finding:
    widgets = AncestorTest(document, lambda order: _is_widget(*document.class_and_id_at(order)), WIDGET_ANCESTORS - 1)
    judged = [
        image
        for image in images.imgs
        if _is_raster(image, assets)
        and not _is_image_out_of_flow(image.element)
        and not widgets.holds(document.parents[image.element.order])
    ]
    unsized = [image.element for image in judged if not image.reserves_space and not _has_ratio_box(image.element)]
    shown = exposed_elements(unsized)
    count = len(judged) - (len(unsized) - len(shown))
    if not count:
        return inapplicable("The page shows no images that need a size")
    if count - len(shown) >= count * ENOUGH:
        return passed(
            "{sized_count} of {count|image|images} with a size in the markup", sized_count=count - len(shown), count=count, evidence=shown
        )
    unread_count = len(exposed_elements(image.element for image in images.imgs if _has_no_url(image)))
    message = "{unsized_count} of {count|image|images} without a size in the markup, more than {limit_percent}"
    if unread_count:
        message = (
            "{unsized_count} of {count|image|images} without a size in the markup, more than {limit_percent};"
            " not counted: {unread_count|image|images} that scripts give a src"
        )
    return warned(
        message,
        unread_count=unread_count,
        limit_percent=round(100 * (1 - ENOUGH)),
        unsized_count=len(shown),
        count=count,
        evidence=shown,
        fixes=_fixes(judged, shown, assets, resources),
    )


def _fixes(judged: Iterable[Image], elements: Iterable[Element], assets: Assets, resources: Resources) -> Iterator[Fix | None]:
    """Yield the elements with the dimensions of their files, if known; none for which a stylesheet sets one: the other would distort it."""
    images = {image.element: image for image in judged}
    files = [assets.for_url(sheet.url) for sheet in resources.stylesheets if not _FONTS.search(sheet.url)]
    loaded = [asset.response.body.decode("utf-8", "replace") for asset in files if asset is not None and asset.is_loaded]
    if len(loaded) < len(files):
        return  # an unknown stylesheet may set one of the dimensions
    sheets = [*loaded, *(node.raw_text for node in resources.style_elements)]
    for node in elements:
        image = images[node]
        browser_requests = assets.loaded_assets(url for url in (image.url, image.candidate_url) if url)
        size = next(((asset.width_px, asset.height_px) for asset in browser_requests if asset.width_px and asset.height_px), None)
        if size and not distorts(sheets, node.attr("style") or "", _names(node)):
            yield _dimensions_fix(node, *size)


def _names(node: Element) -> frozenset[str]:
    """Return the tag, id and classes of an element as selectors."""
    return frozenset((node.tag, f"#{node.attr('id')}", *(f".{name}" for name in (node.attr("class") or "").split())))


def _dimensions_fix(node: Element, width_px: int, height_px: int) -> Fix | None:
    """Return the image with both dimensions in the proportion of its file; one that the author wrote is kept."""
    texts = [(node.attr(name) or "").strip() for name in ("width", "height")]
    if any("%" in text for text in texts):
        return None
    width, height = (int(found[0]) if (found := _LEADING_DIGITS.match(text)) else 0 for text in texts)
    if width:
        return attribute_fix(node, height=str(max(1, round(width * height_px / width_px))))
    if height:
        return attribute_fix(node, width=str(max(1, round(height * width_px / height_px))))
    return attribute_fix(node, width=str(width_px), height=str(height_px))


def _has_no_url(image: Image) -> bool:
    """Return whether no known attribute has a URL, so that a script loads the image."""
    return not image.src and not image.candidates and image.lazy_url is None


def _is_widget(classes: str | None, name: str | None) -> bool:
    """Return whether a third-party widget fills an element with this class and id."""
    return bool((classes and _is_widget_name(classes)) or (name and _is_widget_name(name)))


@lru_cache(maxsize=4096)
def _is_widget_name(name: str) -> bool:
    """Return whether a class or id is that of a widget. The result is cached, because many elements share them."""
    return _WIDGET.search(name[:500]) is not None


def _is_image_out_of_flow(node: Element) -> bool:
    """Return whether the image or a wrapper is out of flow, so that nothing moves when it loads."""
    return bool(node.document.with_style) and any(is_out_of_flow(box) for box in (node, *islice(node.ancestors, WRAPPERS)))


def _has_ratio_box(node: Element) -> bool:
    """Return whether percentage padding or aspect-ratio reserves the space, on a wrapper or an empty first element in it."""
    styled = node.document.with_style
    if not styled:
        return False
    for wrapper in islice(node.ancestors, WRAPPERS):
        for box in (wrapper, *wrapper.first_descendants(FILLERS)):
            style = box.attr("style") if box.order in styled else None
            if style and _RATIO_BOX.search(style[:2000]):
                return True
    return False


def _is_raster(image: Image, assets: Assets) -> bool:
    if image.is_pixel or (image.is_data and not image.candidates):  # browsers load the srcset instead of the placeholder
        return False
    url = image.url or image.candidate_url or image.lazy_url
    if url is None or url.startswith("data:"):
        return False
    asset = assets.for_url(url)
    if asset is not None and asset.is_loaded:
        return asset.media_type != "image/svg+xml"
    parsed = parse(url)
    return parsed is not None and not parsed.path.lower().endswith((".svg", ".svgz"))
