"""Images do not load.

In plain words: Visitors see an empty space where an image should be.

Why it matters: Visitors see an empty space, image search has nothing to show, and every missing file costs a request.

How to fix: Correct the URL or restore the file.

    <img src="/pictures/blue-widget.jpg" alt="Blue widget">

Sources: [Google: image SEO best practices](https://developers.google.com/search/docs/appearance/google-images) (2025); [RFC 9110, section
15](https://www.rfc-editor.org/rfc/rfc9110#section-15).

Not judged: Image candidates other than src and the one a typical device loads. 403, 429 and timeouts affect only this crawler, so they are
warnings. Tracking pixels.
"""

from msgspec.structs import replace

from findable.artifacts.page.images import Images
from findable.artifacts.responses.assets import Asset, Assets, AssetState
from findable.checks.engine import Evidence, Finding, check, element, failed, inapplicable, passed, unknown
from findable.vocabulary import EditPlace, Effort, Importance

NOT_IMAGES = frozenset({"text/html", "application/json", "application/pdf", "text/css", "application/xml"})
"""Media types that an image response cannot have; unknown types are accepted."""


@check("Do the images load?", Importance.MEDIUM, Effort.CONTENT, place=EditPlace.IMAGE_FILE, failed=60)
def images_broken(images: Images, assets: Assets) -> Finding:
    urls = {url: image for url, image in images.by_url.items() if not image.is_pixel}
    if not urls:
        return inapplicable("The page loads no images")
    asked = [(assets.for_url(url), image.element) for url, image in urls.items()]
    known = [(asset, node) for asset, node in asked if asset is not None and asset.state is not AssetState.UNKNOWN]
    if not known:
        return unknown("Not measured, {count|image|images}: {reason}", count=len(urls), **assets.unknown_reason(urls))
    broken = [_evidence(asset, element(node)) for asset, node in known if _is_broken(asset)]
    if broken:
        return failed(
            "{broken_count} of {known_count|image does|images do} not load",
            broken_count=len(broken),
            known_count=len(known),
            evidence=broken,
        )
    unverified = [_evidence(asset, element(node)) for asset, node in known if asset.state is AssetState.UNVERIFIED]
    if len(unverified) == len(known):
        return unknown("Not known: the responses to {count|image|images} are inconclusive", count=len(known), evidence=unverified)
    if unverified:
        return passed(
            "{known_count} of {count|image|images} requested, none broken; {unverified_count} could not be verified",
            known_count=len(known),
            count=len(urls),
            unverified_count=len(unverified),
            evidence=unverified,
        )
    return passed("{known_count} of {count|image|images} requested, none broken", known_count=len(known), count=len(urls))


def _is_broken(asset: Asset) -> bool:
    if asset.state is AssetState.BROKEN:
        return True
    return asset.is_loaded and bool(asset.response.body) and asset.media_type in NOT_IMAGES


def _evidence(asset: Asset, at: Evidence) -> Evidence:
    note, params = ("{reason}", asset.outcome) if not asset.is_loaded else ("returns {media_type}", {"media_type": asset.media_type})
    return replace(at, url=asset.url, status=asset.response.status or None, note=note, params=params)
