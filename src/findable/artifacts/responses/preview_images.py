"""Images that represent a page on other sites: its icon and the preview image of a shared link."""

import re

from msgspec import Struct

from findable.artifacts.page.head import LinkTag
from findable.artifacts.page.social import Preview
from findable.artifacts.registry import Artifacts
from findable.artifacts.responses.assets import Asset, Assets
from findable.artifacts.responses.icons import Icons
from findable.capture.response import ProbeResponse
from findable.formats.mime_sniffing import sniff
from findable.lazy_pattern import lazy_pattern

ICON_PX = 64
"""Size in pixels that is large enough for an icon."""
MAX_DECLARED = 2
"""Maximum number of declared icons that are tried."""
_DECLARED_WIDTHS = lazy_pattern(r"\b(\d{1,4})x", re.IGNORECASE)


class ImageSource(Struct, frozen=True):
    """Image that can be drawn: its URL and, if it is complete, its content."""

    url: str
    body: bytes | None
    """The complete file, if the capture contains it."""


class ImageSources(Struct, frozen=True):
    """Icons and preview image of a page."""

    icons: tuple[ImageSource, ...] = ()
    """Icons in order of preference: the first that can be drawn is used."""
    card: ImageSource | None = None


def image_sources(artifacts: Artifacts) -> ImageSources:
    """Find the images from the page's markup and the responses of its sub-resources, or the icons of a site without a page."""
    assets = artifacts.get_or_none(Assets)
    preview = artifacts.get_or_none(Preview)
    card = preview.image_url if preview else ""
    return ImageSources(_icons(artifacts), _source(card, assets) if card else None)


def _source(url: str, assets: Assets | None) -> ImageSource | None:
    """Return an image to draw; None if the response is not an image, or an SVG, which no network shows as a preview."""
    asset = assets.for_url(url) if assets else None
    if asset is None:
        return ImageSource(url, None)
    is_drawn = asset.is_loaded and asset.is_image and asset.media_type != "image/svg+xml"
    return ImageSource(url, complete_body(asset.response)) if is_drawn else None


def _icons(artifacts: Artifacts) -> tuple[ImageSource, ...]:
    """Return the best declared icons, then /favicon.ico."""
    icons = artifacts.get_or_none(Icons)
    if icons is None:
        return ()
    usable = [(link, asset) for link, asset in icons.declared if asset is None or (asset.is_loaded and asset.is_image)]
    best = sorted(usable, key=lambda declared: _preference(*declared))[:MAX_DECLARED]
    sources = [ImageSource(link.url, complete_body(asset.response) if asset else None) for link, asset in best if link.url]
    if icons.favicon is not None and icons.favicon.ok and sniff(icons.favicon.body).startswith("image/"):
        sources.append(ImageSource(icons.favicon.url, complete_body(icons.favicon)))
    return tuple(sources)


def _preference(link: LinkTag, asset: Asset | None) -> tuple[int, int]:
    """Return the order of a declared icon: the smallest that is large enough, those without a size such as SVG, the largest other one."""
    width_px = (asset.width_px if asset else max(map(int, _DECLARED_WIDTHS.findall(link.sizes)), default=0)) or 0
    return (0 if width_px >= ICON_PX else 2 if width_px else 1), abs(width_px - ICON_PX)


def complete_body(response: ProbeResponse) -> bytes | None:
    """Return the body of a response if it is complete, otherwise None."""
    cut = response.truncated or (response.total_bytes is not None and response.wire_bytes < response.total_bytes)
    return response.body if response.ok and response.body and not cut else None
