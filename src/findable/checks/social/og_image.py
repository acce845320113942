"""The image of the link preview does not work, or is small.

In plain words: When somebody shares this page, the preview has no image, or only a small one.

Why it matters: A preview without its image is overlooked. Large previews need at least 1200 × 630 pixels; Google Discover requires a width
of 1200 pixels.

How to fix: Give the absolute https URL of a JPEG, PNG or WebP of 1200 × 630 pixels.

    <meta property="og:image" content="https://www.example.com/blue-widgets-1200x630.jpg">

Sources: [The Open Graph protocol](https://ogp.me/) (og:image is a URL); Meta for Developers, "Images in link shares" (1200 × 630 for the
best display); [Google: Get on Discover](https://developers.google.com/search/docs/appearance/google-discover) (2025): "large images … at
least 1200 px wide". 5 MB is X's limit for card images.

Not judged: what the image shows; images that reject this crawler but may be available to the networks; the size of drawings (SVG).
"""

from findable.artifacts.html.document import Document
from findable.artifacts.page.social import Social, SocialTag
from findable.artifacts.responses.assets import Asset, Assets, AssetState
from findable.checks.engine import (
    Evidence,
    Finding,
    attribute_mark,
    check,
    element,
    failed,
    inapplicable,
    passed,
    unknown,
    url_evidence,
    warned,
)
from findable.urls import Url, parse
from findable.vocabulary import Code, EditPlace, Effort, Fixer, Importance

MIN_WIDTH_PX = 1200
MIN_HEIGHT_PX = 630
MAX_BYTES = 5_000_000


class MediaType(Code, params=("media_type",)):
    """Placeholder for a missing media type."""

    NONE = "none", "nothing"


@check(
    "Does the preview image work?",
    Importance.LOW,
    Effort.CONTENT,
    place=EditPlace.SHARE_IMAGE,
    failed=20,
    warned=10,
    fixer=Fixer.EDITOR,
    mark=attribute_mark("content"),
)
def og_image(document: Document, social: Social, assets: Assets) -> Finding:
    tag = social.image
    if tag is None:
        return inapplicable("No og:image on the page: see “{check}”", check="og-basic")
    url = parse(tag.content, document.base_url)
    if url is None or not url.is_http:
        return failed("og:image is not an http(s) URL: “{value}”", value=tag.content, evidence=tag.meta.element)
    problem = _url_problem(tag, url, document.url)
    asset = assets.for_url(url.href)
    if asset is None:
        not_fetched = "The preview image was not fetched"
        return warned(problem, evidence=tag.meta.element) if problem else unknown(not_fetched, evidence=tag.meta.element)
    if asset.state is AssetState.BROKEN:
        return failed("The preview image {reason}", evidence=_evidence(tag, asset), **asset.outcome)
    if asset.state is not AssetState.LOADED:
        return unknown("The preview image is not known: {reason}", evidence=_evidence(tag, asset), **asset.outcome)
    if not asset.is_image:
        return failed(
            "The preview image is not an image but {media_type}",
            media_type=asset.media_type or MediaType.NONE,
            evidence=_evidence(tag, asset),
        )
    return _loaded_image_finding(tag, problem, asset)


def _evidence(tag: SocialTag, asset: Asset) -> list[Evidence]:
    return [element(tag.meta.element), url_evidence(asset.url, asset.response.status)]


def _url_problem(tag: SocialTag, url: Url, page_url: str) -> str:
    """Return the problem with the URL of the image; http is only reported on https pages, because the check https reports other pages."""
    if not tag.content.lower().startswith(("http://", "https://")):
        return "The URL of the preview image is relative: networks need an absolute one"
    return "The preview image is served without encryption" if url.scheme == "http" and page_url.startswith("https:") else ""


def _loaded_image_finding(tag: SocialTag, problem: str, asset: Asset) -> Finding:
    if problem:
        return warned(problem, evidence=_evidence(tag, asset))
    if asset.size_bytes is not None and asset.size_bytes > MAX_BYTES:
        return warned(
            "The preview image is large: {size_bytes}, more than {limit_bytes}",
            size_bytes=asset.size_bytes,
            limit_bytes=MAX_BYTES,
            evidence=_evidence(tag, asset),
        )
    width, height = asset.width_px, asset.height_px
    if not width or not height:
        return passed("The preview image loads ({media_type})", media_type=asset.media_type, evidence=_evidence(tag, asset))
    if width < MIN_WIDTH_PX or height < MIN_HEIGHT_PX:
        return warned(
            "The preview image is {width} × {height} pixels; large previews need {least_width} × {least_height}",
            least_width=MIN_WIDTH_PX,
            least_height=MIN_HEIGHT_PX,
            width=width,
            height=height,
            evidence=_evidence(tag, asset),
        )
    return passed(
        "Preview image, {width} × {height} pixels, {media_type}",
        width=width,
        height=height,
        media_type=asset.media_type,
        evidence=_evidence(tag, asset),
    )
