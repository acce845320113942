"""Images come in formats that cost more bytes than needed, or that search engines do not index.

In plain words: Visitors wait longer than needed, because images are saved in an old file type, or Google cannot show them.

Why it matters: AVIF and WebP show the same image in half the bytes or less; image search supports only the formats in the list below.

How to fix: Offer a modern format and keep the old one for old browsers.

    <picture>
      <source srcset="widget.avif" type="image/avif">
      <img src="widget.jpg" alt="Blue widget" width="800" height="600">
    </picture>

Sources: [Google: image SEO best practices](https://developers.google.com/search/docs/appearance/google-images) (2025): BMP, GIF, JPEG, PNG,
WebP, SVG and AVIF are supported; [Lighthouse: image-delivery
insight](https://developer.chrome.com/docs/performance/insights/image-delivery): a well-compressed AVIF needs about 2 bytes for 12 pixels.

Not judged: The extension or the declared type; the format is read from the first bytes. The saving is estimated as bytes minus pixels ×
2/12, without regard to quality. Oversized images are not detected without a browser.
"""

from findable.artifacts.page.images import Images
from findable.artifacts.responses.assets import Asset, Assets
from findable.checks.engine import Evidence, Finding, check, failed, inapplicable, passed, unknown, url_evidence, warned
from findable.vocabulary import Code, Effort, Importance

BYTES_PER_PIXEL = 2 / 12
"""Expected size of a modern format (Lighthouse, trace_engine ImageDelivery, TARGET_BYTES_PER_PIXEL_AVIF)."""
WORTH_BYTES = 10 * 1024
"""Minimum estimated saving in bytes that is worth a change (set by Findable)."""
OLD_FORMATS = frozenset({"image/jpeg", "image/png", "image/gif", "image/bmp"})
INDEXED = OLD_FORMATS | {"image/webp", "image/svg+xml", "image/avif", "image/x-icon"}


class Unmeasured(Code, params=("reason",)):
    """Reason why the formats of images are unknown."""

    NO_IMAGE = "no_image", "the responses contain no image"


@check("Are image formats modern and indexable?", Importance.LOW, Effort.CONTENT, failed=3, warned=3)
def image_format(images: Images, assets: Assets) -> Finding:
    urls = images.by_url
    if not urls:
        return inapplicable("The page loads no images")
    browser_requests = [asset for asset in assets.loaded_assets(urls) if asset.is_image]
    if not browser_requests:
        return unknown("Not measured, {count|image|images}: {reason}", count=len(urls), **assets.unknown_reason(urls, Unmeasured.NO_IMAGE))
    foreign = [_evidence(asset, "image search does not index {format}") for asset in browser_requests if asset.media_type not in INDEXED]
    if foreign:
        return failed("{count|image|images} in a format that image search does not index", evidence=foreign)
    heavy = sorted((asset for asset in browser_requests if saving_bytes(asset) >= WORTH_BYTES), key=saving_bytes, reverse=True)
    if heavy:
        return warned(
            "{count|image|images} in an old format, {least_bytes} or more too large each; an estimated {saving_bytes} could be saved",
            least_bytes=WORTH_BYTES,
            saving_bytes=sum(map(saving_bytes, heavy)),
            evidence=[_evidence(asset, "{format}, {size_bytes}, estimated saving {saving_bytes}") for asset in heavy],
        )
    formats = sorted({asset.media_type.removeprefix("image/") for asset in browser_requests})
    return passed("{count|image|images}: {formats}", count=len(browser_requests), formats=formats)


def saving_bytes(asset: Asset) -> int:
    """Return the estimated saving of a modern format; 0 if size or dimensions are unknown."""
    if asset.media_type not in OLD_FORMATS or asset.pixels is None or asset.size_bytes is None or asset.animated:
        return 0
    return max(0, round(asset.size_bytes - asset.pixels * BYTES_PER_PIXEL))


def _evidence(asset: Asset, note: str) -> Evidence:
    return url_evidence(
        asset.url,
        asset.response.status,
        note,
        format=asset.media_type.removeprefix("image/"),
        size_bytes=asset.size_bytes or 0,
        saving_bytes=saving_bytes(asset),
    )
