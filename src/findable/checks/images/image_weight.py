"""Some images are too large.

In plain words: Visitors wait for images whose files are far too big.

Why it matters: Images account for most of the weight of a page; on a phone network one megabyte takes seconds.

How to fix: Resize to the size shown, compress, and use a video in place of an animated GIF.

    <video src="demo.mp4" autoplay loop muted playsinline width="640" height="360"></video>

Sources: [Lighthouse: image-delivery insight](https://developer.chrome.com/docs/performance/insights/image-delivery): animated GIF from 100
KiB; the limits for single images are set by this report.

Not judged: Bytes per pixel and formats belong to image-format; the sum of all belongs to page-weight; the displayed size needs a browser.
"""

from findable.artifacts.page.images import Images
from findable.artifacts.responses.assets import Asset, Assets
from findable.checks.engine import Evidence, Finding, check, failed, inapplicable, passed, unknown, url_evidence, warned
from findable.vocabulary import Code, EditPlace, Effort, Importance

WARNED_ABOVE_BYTES = 200_000
FAILED_ABOVE_BYTES = 1_000_000
GIF_BYTES = 100 * 1024
"""Size above which an animated GIF should be a video (Lighthouse, GIF_SIZE_THRESHOLD)."""
SMALLER = "Resize to the size shown, and compress."


class Unmeasured(Code, params=("reason",)):
    """Reason why the sizes of images are unknown."""

    NO_SIZE = "no_size", "their sizes are not stated"


@check("Are the images light?", Importance.MEDIUM, Effort.CONTENT, place=EditPlace.IMAGE_FILE, failed=20, warned=10)
def image_weight(images: Images, assets: Assets) -> Finding:
    urls = images.by_url
    if not urls:
        return inapplicable("The page loads no images")
    known = [asset for asset in assets.loaded_assets(urls) if asset.size_bytes is not None and asset.is_image]
    if not known:
        return unknown("Not measured, {count|image|images}: {reason}", count=len(urls), **assets.unknown_reason(urls, Unmeasured.NO_SIZE))
    known.sort(key=_size, reverse=True)
    heaviest = known[0]
    too_heavy = [asset for asset in known if _size(asset) > FAILED_ABOVE_BYTES or _heavy_gif(asset)]
    heavy = [asset for asset in known if _size(asset) > WARNED_ABOVE_BYTES]
    if too_heavy:
        return failed(
            "{count|image|images} far too heavy, the heaviest {size_bytes}; the limit is {limit_bytes}, for animated GIFs {gif_bytes}",
            limit_bytes=FAILED_ABOVE_BYTES,
            gif_bytes=GIF_BYTES,
            count=len(too_heavy),
            size_bytes=_size(too_heavy[0]),
            evidence=[_evidence(asset) for asset in dict.fromkeys([*too_heavy, *heavy])],
            advice="" if any(map(_heavy_gif, too_heavy)) else SMALLER,
        )
    if heavy:
        return warned(
            "{count|image|images} above {limit_bytes}, the heaviest {size_bytes}",
            limit_bytes=WARNED_ABOVE_BYTES,
            size_bytes=_size(heaviest),
            evidence=[_evidence(asset) for asset in heavy],
            advice=SMALLER,
        )
    return passed(
        "{known_count} of {count|image|images} measured, the heaviest {size_bytes}",
        known_count=len(known),
        count=len(urls),
        size_bytes=_size(heaviest),
        evidence=_evidence(heaviest),
    )


def _size(asset: Asset) -> int:
    return asset.size_bytes or 0


def _heavy_gif(asset: Asset) -> bool:
    return asset.media_type == "image/gif" and asset.animated and _size(asset) > GIF_BYTES


def _evidence(asset: Asset) -> Evidence:
    size = _size(asset)
    if asset.width_px and asset.height_px:
        note = "{size_bytes}, animated, {width_px} × {height_px}" if asset.animated else "{size_bytes}, {width_px} × {height_px}"
        return url_evidence(asset.url, asset.response.status, note, size_bytes=size, width_px=asset.width_px, height_px=asset.height_px)
    return url_evidence(asset.url, asset.response.status, "{size_bytes}", size_bytes=size)
