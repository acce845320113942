"""Images are embedded in ways that image search does not support.

In plain words: Google cannot show some of your images in its image search.

Why it matters: Search engines find images in the src of img elements (in picture too); they do not index CSS backgrounds, and may miss
images inserted by scripts.

How to fix: Use a real img with a URL; let browsers do the lazy loading.

    <img src="widget.jpg" loading="lazy" alt="Blue widget" width="800" height="600">

Sources: [Google: image SEO best practices](https://developers.google.com/search/docs/appearance/google-images) (2025): "Google doesn't
index CSS images"; [Google: fix lazy-loaded content](https://developers.google.com/search/docs/crawling-indexing/javascript/lazy-loading)
(2025); [Google: robots meta tag](https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag) (2025): noimageindex.

Not judged: Backgrounds without an image's role are decoration; portraits and images in tooltips, menus and hover cards, which people do not
search for; images added by scripts are only known with a browser.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from findable.artifacts.html.document import Element
from findable.artifacts.page.head import Head
from findable.artifacts.page.images import Image, Images
from findable.capture.response import Response
from findable.checks.engine import Evidence, Finding, as_evidence, check, element, header, inapplicable, passed, warned
from findable.checks.page_fix import Fix, attribute_fix
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import Effort, Fixer, Importance

LARGE_DATA_CHARS = 13_653
"""Size above which a base64 image is large: 10 kB."""
_BESIDE = lazy_pattern(r"avatar|gravatar|hover-?card|pop-?over|tooltip|drop-?down", re.IGNORECASE)
MAX_ANCESTORS = 8
_ROBOTS_NAMES = ("robots", "googlebot", "googlebot-image")


@check("Can the images be indexed?", Importance.LOW, Effort.CONTENT, warned=10, fixer=Fixer.DEVELOPER)
def image_indexable(images: Images, head: Head, response: Response) -> Finding:
    shown = [image for image in images.imgs if not image.is_pixel]
    roles = [node for node, _ in images.backgrounds if (node.attr("role") or "").strip().lower() == "img"]
    if not (shown or roles or images.pictures_without_img):
        return inapplicable("The page shows no images")
    pairs = [(image.element, note) for image in shown if (note := _note(image, images))]
    pairs += [(node, "a background with the role of an image") for node in roles]
    pairs += [(node, "a picture element without img shows nothing") for node in images.pictures_without_img]
    rules = list(_no_image_index(head, response))
    found = [*rules, *as_evidence(pairs)]
    if found:
        return warned(
            "{count|cause prevents|causes prevent} images from being indexed",
            evidence=found,
            fixes=_fixes(shown, images),
            advice="" if pairs else "Remove noimageindex from the robots rules if people should find the images.",
        )
    return passed("{count|image|images} with a URL in the markup", count=len(shown))


def _no_image_index(head: Head, response: Response) -> Iterator[Evidence]:
    for meta in head.metas:
        if meta.name in _ROBOTS_NAMES and "noimageindex" in (meta.content or "").lower():
            yield element(meta.element, "noimageindex excludes all images of the page")
    for value in response.headers.all("x-robots-tag"):
        if "noimageindex" in value.lower():
            yield header("X-Robots-Tag", value, "noimageindex excludes all images of the page")


def _note(image: Image, images: Images) -> str:
    if image.is_data and len(image.src or "") > LARGE_DATA_CHARS and not image.candidates and not image.lazy_url:
        return "the image is embedded in the attribute and has no URL"
    if image.lazy_url and not image.urls and image.lazy_url.partition("#")[0] not in images.fallback_urls and not images.fallback_urls:
        if _is_outside_content(image.element):
            return ""
        return "only a script loads the image: no URL in src, no noscript"
    return ""


def _fixes(shown: Iterable[Image], images: Images) -> Iterator[Fix | None]:
    """Yield images with the URL that a script would load as src, and loading=lazy.

    An image without a size gets no code: with a src it would shift the text.
    """
    for number, image in enumerate(shown):
        if image.lazy_url and _note(image, images) and image.reserves_space:
            # The first image is usually in view, where loading=lazy delays it.
            yield attribute_fix(image.element, src=image.lazy_url, **({"loading": "lazy"} if number else {}))


def _is_outside_content(node: Element) -> bool:
    """Return whether class names or ids mark the element as a portrait or as part of an overlay."""
    around = (node, *islice(node.ancestors, MAX_ANCESTORS))
    return any(at.tag not in ("body", "html") and _BESIDE.search(f"{at.attr('id') or ''} {at.attr('class') or ''}"[:300]) for at in around)
