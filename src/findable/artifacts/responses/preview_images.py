"""Images that represent a page on other sites: its icon and the preview image of a shared link."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from findable.artifacts.page.social import Preview
from findable.artifacts.registry import Artifacts
from findable.artifacts.responses.assets import Asset, Assets
from findable.artifacts.responses.icons import ICON_RELS, home_head
from findable.artifacts.responses.resources import ResourceKind, Resources
from findable.capture.response import ProbeResponse
from findable.capture.site import SiteCapture
from findable.formats.mime_sniffing import sniff

ICON_PX = 64
"""Size in pixels that is large enough for an icon."""


class ImageSource(Struct, frozen=True):
    """Image that can be drawn: its URL and, if it is complete, its content."""

    url: str
    body: bytes | None
    """The complete file, if the capture contains it."""


class ImageSources(Struct, frozen=True):
    """Icon and preview image of a page; None if there is none that can be drawn."""

    icon: ImageSource | None
    card: ImageSource | None


def image_sources(artifacts: Artifacts) -> ImageSources:
    """Find the images from the page's markup and the responses of its sub-resources."""
    assets = artifacts.get_or_none(Assets)
    preview = artifacts.get_or_none(Preview)
    card = preview.image_url if preview else ""
    return ImageSources(_icon(artifacts, assets), _source(card, assets) if card else None)


def _source(url: str, assets: Assets | None) -> ImageSource | None:
    """Return an image to draw; None if the response is not an image, or an SVG, which is never drawn."""
    asset = assets.for_url(url) if assets else None
    if asset is None:
        return ImageSource(url, None)
    return ImageSource(url, complete_body(asset.response)) if _is_drawable(asset) else None


def _icon(artifacts: Artifacts, assets: Assets | None) -> ImageSource | None:
    """Return the smallest icon that is large enough, else the largest, else /favicon.ico."""
    named = [asset for url in _icon_urls(artifacts) if assets and (asset := assets.for_url(url)) and _is_drawable(asset)]
    if named:
        best = min(named, key=lambda asset: ((asset.width_px or 0) < ICON_PX, abs((asset.width_px or 0) - ICON_PX)))
        return ImageSource(best.url, complete_body(best.response))
    site = artifacts.get_or_none(SiteCapture)
    response = site.favicon if site else None
    if response is None or not response.ok or not sniff(response.body).startswith("image/") or "svg" in sniff(response.body):
        return None
    return ImageSource(response.url, complete_body(response))


def _icon_urls(artifacts: Artifacts) -> Iterator[str]:
    resources = artifacts.get_or_none(Resources)
    yield from (item.url for item in (resources.items if resources else ()) if item.kind is ResourceKind.ICON)
    site = artifacts.get_or_none(SiteCapture)
    home = home_head(site) if site else None
    links: Iterable[str | None] = (link.url for link in (home.links if home else ()) if not link.rel.isdisjoint(ICON_RELS))
    yield from (url for url in links if url)


def _is_drawable(asset: Asset) -> bool:
    return asset.is_loaded and asset.is_image and asset.media_type != "image/svg+xml"


def complete_body(response: ProbeResponse) -> bytes | None:
    """Return the body of a response if it is complete, otherwise None."""
    cut = response.truncated or (response.total_bytes is not None and response.wire_bytes < response.total_bytes)
    return response.body if response.ok and response.body and not cut else None
