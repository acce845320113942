"""Images of the page, in every markup that shows one, and their attributes."""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from operator import attrgetter

from msgspec import Struct

from findable.artifacts.content import Content
from findable.artifacts.html.client_templates import sets_attribute
from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.landmarks import Region, Surroundings
from findable.artifacts.html.parse_tree import fragment_elements
from findable.artifacts.page.tracking_pixels import is_tracking_pixel
from findable.artifacts.registry import artifact
from findable.formats.css import background_url
from findable.formats.css_hiding import hides
from findable.formats.srcset import Candidate, likely_candidate, parse_srcset
from findable.lazy_pattern import lazy_pattern
from findable.urls import without_fragment
from findable.values import once

MAX_URL_CHARS = 8192
"""Length above which an attribute is not a URL; a data: URL is never resolved."""
PIXEL_PX = 2
"""Maximum size of tracking pixels and spacers, which are not content."""
SHOWN_PX = 50
"""Length from which a zero for the other side means an unknown size that a stylesheet sets (limit set by Findable)."""
LAZY_ATTRIBUTES = ("data-src", "data-lazy-src", "data-original", "data-lazy", "data-lazyload", "data-srcset", "data-lazy-srcset")
MAX_IMAGES = 3000
"""Maximum number of images that are read; later ones are only counted."""
MAX_NOSCRIPTS = 300
MAX_NOSCRIPT_CHARS = 50_000
MAX_BACKGROUNDS = 500


ORNAMENT = lazy_pattern(r"logo|banner|sprite|icon|avatar|header|placeholder|/ads?/", re.IGNORECASE)
"""Parts of URLs, classes and ids of images that are no content."""
_OUTSIDE_CONTENT = frozenset({Region.NAV, Region.HEADER, Region.FOOTER, Region.ASIDE})

_DIMENSION = lazy_pattern(r"[ \t\n\f\r]*(\d+(?:\.\d+)?)(%?)")
_STYLE_WIDTH = lazy_pattern(r"(?:^|[;\s])width\s*:\s*[\d.]+(?:px|r?em|vw|ch)", re.IGNORECASE)
_STYLE_HEIGHT = lazy_pattern(r"(?:^|[;\s])height\s*:\s*[\d.]+(?:px|r?em|vh|ch)", re.IGNORECASE)
_STYLE_RATIO = lazy_pattern(r"(?:^|[;\s])aspect-ratio\s*:[^;]*\d", re.IGNORECASE)
_OUT_OF_FLOW = lazy_pattern(r"(?:^|[;\s])position\s*:\s*(?:absolute|fixed)\b", re.IGNORECASE)
_CONTROLS = frozenset({"a", "button", "summary", "label"})
"""Elements whose accessible name comes from their content."""


class ImageKind(StrEnum):
    """Element that shows an image."""

    IMG = "img"
    SVG = "svg"
    """Inline SVG image with role=img."""
    INPUT = "input"
    """Graphical button."""
    AREA = "area"
    """Link of an image map."""
    POSTER = "poster"
    """Preview image of a video."""


class Image(Struct, frozen=True):
    """One image in the markup."""

    element: Element
    kind: ImageKind
    src: str | None
    """Value as written, stripped; None if the attribute is missing."""
    url: str | None
    """Resolved URL, None if it is missing, empty, data: or invalid."""
    candidate_url: str | None
    """Resolved URL of the srcset candidate that a common device would load (its own, else of the first picture source)."""
    candidates: tuple[Candidate, ...]
    """Candidates of the image's srcset, else of the first source of its picture element."""
    lazy_url: str | None
    """Resolved URL that a script should load later (data-src and similar)."""
    alt: str | None
    """Alternative text; None if it is missing, empty for "decorative"."""
    has_name: bool
    """Whether another attribute gives it a name: aria-label, aria-labelledby, title; for an inline SVG its title element."""
    decorative: bool
    """Whether the image has role=none or presentation, or aria-hidden."""
    width_px: float | None
    """Width attribute in pixels; None if missing or a percentage."""
    height_px: float | None
    reserves_space: bool
    """Whether the browser knows its aspect ratio before it loads: from both lengths, in attributes or style, or from aspect-ratio."""
    loading: str
    sizes: str
    in_picture: bool

    @property
    def is_data(self) -> bool:
        """Whether the attribute contains the image itself (data: URL)."""
        return bool(self.src) and self.src is not None and self.src[:5].lower() == "data:"

    @property
    def is_pixel(self) -> bool:
        """Whether the image is a tracking pixel or a spacer, by its size, or, without size and alternative text, by its URL."""
        width, height = self.width_px, self.height_px
        if width is None and height is None:
            return self.url is not None and not (self.alt or "").strip() and is_tracking_pixel(self.url[:500])
        if width is not None and height is not None and 0 in (width, height) and max(width, height) >= SHOWN_PX:
            return False
        return (width is not None and width <= PIXEL_PX) or (height is not None and height <= PIXEL_PX)

    @property
    def urls(self) -> tuple[str, ...]:
        """URLs that a visit loads: src and the likely candidate, without fragments and duplicates."""
        return tuple(dict.fromkeys(without_fragment(url) for url in (self.candidate_url, self.url) if url))


class Images(Struct, frozen=True, dict=True):
    """Images in document order."""

    items: tuple[Image, ...]
    """First MAX_IMAGES images."""
    imgs_count: int
    """Number of img elements of the page."""
    fallback_urls: frozenset[str]
    """Resolved URLs of images inside noscript."""
    pictures_without_img: tuple[Element, ...]
    backgrounds: tuple[tuple[Element, str], ...]
    """Elements whose style attribute has a background image, and its resolved URL."""
    is_cut: bool = False
    """Whether there are more images, backgrounds or noscript elements than were read."""

    @property
    def imgs(self) -> list[Image]:
        """Images of img elements."""
        kind = ImageKind.IMG
        return [image for image in self.items if image.kind is kind]

    @once
    def images_needing_alt(self) -> tuple[Image, ...]:
        """Images that should have alternative text.

        Left out are inline SVG images inside controls, because the control needs the name; posters, tracking pixels, and images without any
        URL, which a script may fill.
        """
        return tuple(image for image in self.items if _needs_text(image))

    @once
    def without_text(self) -> tuple[Image, ...]:
        """Images that need an alternative text, have none, and are exposed to assistive technology."""
        lacking = {
            image.element: image for image in self.images_needing_alt if image.alt is None and not (image.decorative or image.has_name)
        }
        return tuple(lacking[element] for element in exposed_elements(lacking))

    def of_content(self, surroundings: Surroundings) -> tuple[Image, ...]:
        """Images that carry content: those that need an alternative text, outside of navigation, header, footer and aside.

        Left out are graphical controls, images smaller than SHOWN_PX, and logos, icons and the like by their names.
        """
        return tuple(image for image in self.images_needing_alt if _carries_content(image, surroundings))

    @once
    def by_url(self) -> Mapping[str, Image]:
        """First image for every http(s) URL that a visit loads, in order."""
        found: dict[str, Image] = {}
        for image in self.items:
            for url in image.urls:
                found.setdefault(url, image)
        return found


def _carries_content(image: Image, surroundings: Surroundings) -> bool:
    node = image.element
    within = surroundings.context_of(node)
    is_small = any(length is not None and length < SHOWN_PX for length in (image.width_px, image.height_px))
    return (
        image.kind is ImageKind.IMG
        and not image.decorative
        and not is_small
        and not within.hidden
        and within.region not in _OUTSIDE_CONTENT
        and not ORNAMENT.search(f"{(image.src or '')[:MAX_URL_CHARS]} {node.attr('class') or ''} {node.attr('id') or ''}")
    )


def _needs_text(image: Image) -> bool:
    if image.kind is ImageKind.POSTER or image.is_pixel:
        return False
    if image.kind is ImageKind.SVG:
        return not any(
            node.tag in _CONTROLS or (node.attr("role") or "").strip().lower() in ("button", "link") for node in image.element.ancestors
        )
    if sets_attribute(image.element, "alt"):
        return False
    return image.kind is not ImageKind.IMG or bool(image.src or image.candidates or image.lazy_url)


@artifact
def make_images(content: Content) -> Images:
    """Read the elements that show images."""
    document = content.document
    reader = _Reader(document)
    items = [image for element in _possible_elements(document) if (image := reader.read(element))]
    backgrounds = [(order, style) for order, style in document.styles if "url(" in style]
    noscripts = document.all("noscript")
    return Images(
        items=tuple(items),
        imgs_count=document.tag_counts.get("img", 0),
        fallback_urls=_fallbacks(noscripts[:MAX_NOSCRIPTS], document),
        pictures_without_img=tuple(picture for picture in document.all("picture") if not _holds_img(picture)),
        backgrounds=_backgrounds(backgrounds[:MAX_BACKGROUNDS], document),
        is_cut=reader.left_count > 0 or len(backgrounds) > MAX_BACKGROUNDS or len(noscripts) > MAX_NOSCRIPTS,
    )


def _possible_elements(document: Document) -> list[Element]:
    """Return elements that may show an image. Pages have hundreds of inline SVG images, and only those with a role count."""
    if document.tag_counts.get("svg", 0) > MAX_IMAGES:
        return document.all("img", "svg", "input", "area", "video")
    drawings = [element for element in document.holders("role") if element.tag == "svg"]
    return sorted((*document.all("img", "input", "area", "video"), *drawings), key=attrgetter("order"))


class _Reader:
    """Reads the first MAX_IMAGES images; the sources of a picture element are read once."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.left_count = 0
        """Number of possible images that were not read."""
        self._count = 0
        self._offers: dict[Element, _PictureSources] = {}

    def read(self, element: Element) -> Image | None:
        """Return the image that the element shows, None if it shows none."""
        if self._count >= MAX_IMAGES:
            self.left_count += 1
            return None
        image = self._img(element) if element.tag == "img" else _MAKERS[element.tag](element, self.document)
        self._count += image is not None
        return image

    def _img(self, element: Element) -> Image | None:
        if element.namespace != "html":
            return None
        attrs = element.attrs
        parent = element.parent
        picture = parent if parent is not None and parent.tag == "picture" else None
        offer = self._offer(picture) if picture is not None else _PictureSources()
        own = tuple(parse_srcset(attrs["srcset"])) if attrs.get("srcset") else ()
        chosen = likely_candidate(own or offer.first)
        lazy = next((attrs[name] for name in LAZY_ATTRIBUTES if attrs.get(name)), "")
        return _image(
            element,
            ImageKind.IMG,
            attrs,
            self.document,
            src=attrs.get("src"),
            candidate=chosen.url if chosen else None,
            candidates=own or offer.first,
            lazy=_first_url(lazy),
            sized_by_source=offer.has_size,
            in_picture=picture is not None,
        )

    def _offer(self, picture: Element) -> "_PictureSources":
        if picture not in self._offers:
            sources = [child.attrs for child in picture.children if child.tag == "source"]
            first = next((source["srcset"] for source in sources if source.get("srcset")), "")
            sized = any(_pixels(source.get("width")) and _pixels(source.get("height")) for source in sources)
            self._offers[picture] = _PictureSources(tuple(parse_srcset(first)), sized)
        return self._offers[picture]


class _PictureSources(Struct, frozen=True):
    """Sources of a picture element: candidates of the first one, and whether one of them declares its size."""

    first: tuple[Candidate, ...] = ()
    has_size: bool = False


def _first_url(lazy: str) -> str | None:
    """Return the first URL of a lazy attribute, which has a URL or a srcset."""
    lazy = lazy.strip()
    if not lazy or len(lazy) > MAX_URL_CHARS:
        return None
    chosen = likely_candidate(parse_srcset(lazy)) if " " in lazy else None
    return chosen.url if chosen else lazy


def _svg(element: Element, document: Document) -> Image | None:
    if (element.attr("role") or "").strip().lower() not in ("img", "graphics-document", "graphics-symbol"):
        return None
    return _image(
        element,
        ImageKind.SVG,
        element.attrs,
        document,
        has_title=any(child.tag == "title" and child.raw_text.strip() for child in element.children),
    )


def _input(element: Element, document: Document) -> Image | None:
    if (element.attr("type") or "").strip().lower() != "image":
        return None
    attrs = element.attrs
    return _image(element, ImageKind.INPUT, attrs, document, src=attrs.get("src"))


def _area(element: Element, document: Document) -> Image | None:
    attrs = element.attrs
    return _image(element, ImageKind.AREA, attrs, document) if "href" in attrs else None


def _video(element: Element, document: Document) -> Image | None:
    attrs = element.attrs
    return _image(element, ImageKind.POSTER, attrs, document, src=attrs["poster"]) if attrs.get("poster") else None


_MAKERS = {"svg": _svg, "input": _input, "area": _area, "video": _video}


def _image(  # noqa: PLR0913 - an image has this many properties
    element: Element,
    kind: ImageKind,
    attrs: Mapping[str, str],
    document: Document,
    *,
    src: str | None = None,
    candidate: str | None = None,
    candidates: tuple[Candidate, ...] = (),
    lazy: str | None = None,
    sized_by_source: bool = False,
    in_picture: bool = False,
    has_title: bool = False,
) -> Image:
    style = attrs.get("style", "")
    width, height = _pixels(attrs.get("width")), _pixels(attrs.get("height"))
    src = src.strip() if src is not None else None
    return Image(
        element=element,
        kind=kind,
        src=src,
        url=_resolve(src, document),
        candidate_url=_resolve(candidate, document),
        candidates=candidates,
        lazy_url=_resolve(lazy, document),
        alt=attrs.get("alt"),
        has_name=has_title or any(attrs.get(name, "").strip() for name in ("aria-label", "aria-labelledby", "title")),
        decorative=attrs.get("role", "").strip().lower() in ("presentation", "none") or attrs.get("aria-hidden", "").lower() == "true",
        width_px=width,
        height_px=height,
        reserves_space=sized_by_source or _reserves_space(width, height, style[:2000]),
        loading=attrs.get("loading", "").strip().lower(),
        sizes=attrs.get("sizes", "").strip().lower()[:500],
        in_picture=in_picture,
    )


def _pixels(value: str | None) -> float | None:
    """Return the pixels of a dimension attribute (HTML Standard, "rules for parsing dimension values"); None for a percentage."""
    found = _DIMENSION.match(value) if value else None
    return float(found.group(1)[:12]) if found and not found.group(2) else None


def _reserves_space(width: float | None, height: float | None, style: str) -> bool:
    """Return whether both lengths are known, each from its attribute or the style, or the style has an aspect ratio other than ``auto``."""
    if width and height:
        return True
    if not style:
        return False
    if _STYLE_RATIO.search(style):
        return True
    return bool((width or _STYLE_WIDTH.search(style)) and (height or _STYLE_HEIGHT.search(style)))


def is_out_of_flow(element: Element) -> bool:
    """Return whether an element's style takes it out of the flow, so that nothing moves when its size changes."""
    if element.order not in element.document.with_style:
        return False
    return _OUT_OF_FLOW.search((element.attr("style") or "")[:2000]) is not None


def _holds_img(picture: Element) -> bool:
    """Return whether a picture element has an img, if only for visitors without scripts."""
    return any(
        child.tag == "img" or (child.tag == "noscript" and "<img" in child.raw_text[:MAX_NOSCRIPT_CHARS].lower())
        for child in picture.children
    )


def _resolve(href: str | None, document: Document) -> str | None:
    if not href or len(href) > MAX_URL_CHARS or href[:5].lower() in ("data:", "blob:"):
        return None
    url = document.resolve(href)
    return url if url and url.startswith(("http:", "https:")) else None


def _fallbacks(noscripts: Sequence[Element], document: Document) -> frozenset[str]:
    found = set()
    for noscript in noscripts:
        markup = noscript.raw_text[:MAX_NOSCRIPT_CHARS]
        if "<img" not in markup and "<IMG" not in markup:
            continue
        for item in fragment_elements(markup):
            attrs = item["attrs"]
            if item["tag"] == "img":
                chosen = likely_candidate(parse_srcset(attrs.get("srcset", "")))
                found |= {_resolve(attrs.get("src", "").strip(), document), _resolve(chosen.url if chosen else None, document)}
    return frozenset(url for url in found if url)


def _backgrounds(styles: Iterable[tuple[int, str]], document: Document) -> tuple[tuple[Element, str], ...]:
    found = []
    for order, style in styles:
        url = _resolve(background_url(style), document)
        if url:
            found.append((document.element_at(order), url))
    return tuple(found)


def exposed_elements(elements: Iterable[Element]) -> list[Element]:
    """Return elements exposed to assistive technology: neither they nor an ancestor are hidden by aria-hidden, hidden or inline style."""
    known: dict[int, bool] = {}
    return [element for element in elements if not _is_hidden(element, known)]


def _is_hidden(element: Element, cache: dict[int, bool]) -> bool:
    """Return whether the element or an ancestor is hidden; ``cache`` caches the results on the way up."""
    document, at = element.document, element.order
    path: list[int] = []
    verdict = False
    while at >= 0:
        if at in cache:
            verdict = cache[at]
            break
        path.append(at)
        if at in document.with_context and _hides(document.attrs_of(at)):
            verdict = True
            break
        at = document.parents[at]
    cache.update(dict.fromkeys(path, verdict))
    return verdict


def _hides(attrs: Mapping[str, str]) -> bool:
    if attrs.get("aria-hidden") == "true" or "hidden" in attrs:
        return True
    return hides(attrs.get("style", ""))
