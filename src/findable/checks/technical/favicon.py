"""The site has no icon that search results can show.

In plain words: In Google, a grey globe appears beside your site's name in place of your own icon.

Why it matters: Results on phones and desktops show the site's icon beside its name; without a suitable one, they show a grey globe.

How to fix: Declare a square icon of at least 48 pixels in the head of the home page; SVG fits every size.

    <link rel="icon" href="/icon.svg" type="image/svg+xml">
    <link rel="icon" href="/icon-96.png" sizes="96x96">

Sources: [Google: Define a favicon to show in search results](https://developers.google.com/search/docs/appearance/favicon-in-search) (2025:
square, at least 8 px, more than 48 px recommended).

Not judged: what the icon shows. Where the page itself declares no icon, that of the home page counts.
"""

from collections.abc import Iterable

from findable.artifacts.html.document import Element
from findable.artifacts.page.head import LinkTag
from findable.artifacts.responses.assets import Asset, AssetState, state_of_asset
from findable.artifacts.responses.icons import Icons
from findable.capture.response import ProbeResponse
from findable.checks.engine import Evidence, Finding, check, element, failed, passed, unknown, url_evidence, warned
from findable.formats.mime_sniffing import sniff
from findable.vocabulary import EditPlace, Effort, Importance

GOOD_PX = 48
"""Recommended size: "a multiple of 48px square" (Google)."""
MIN_PX = 8
"""Minimum size: "must be a square … at least 8x8px" (Google)."""


@check("Is there an icon for search results?", Importance.LOW, Effort.HEAD, place=EditPlace.ICON, costs={})
def favicon(icons: Icons) -> Finding:
    """Checks the icons declared by the page, or else by the home page; then /favicon.ico."""
    if not icons.declared:
        return _default_icon_finding(icons.favicon, icons.head)
    if all(_is_embedded(link) for link, _ in icons.declared):
        shown = [link.element for link, _ in icons.declared]
        return warned("An icon is embedded in the page; search engines need a URL", evidence=shown)
    linked = [(link, asset) for link, asset in icons.declared if not _is_embedded(link)]
    measured = [(link, asset) for link, asset in linked if asset is not None]
    judged = [(link, asset) for link, asset in measured if asset.state in (AssetState.LOADED, AssetState.BROKEN)]
    good = [(link, asset) for link, asset in judged if _is_large_enough(asset, GOOD_PX)]
    if good:
        return passed("Icon, {size}", size=_size(good[0][1]), evidence=_evidence(good))
    if len(judged) < len(linked) or any(asset.is_loaded and not _is_known(asset) for _, asset in judged):
        return unknown(
            "Not known: {count|icon|icons} declared, not all could be measured",
            count=len(linked),
            evidence=_evidence(measured) or [link.element for link, _ in linked],
        )
    small = [(link, asset) for link, asset in judged if _is_large_enough(asset, MIN_PX)]
    if small:
        largest = max((asset for _, asset in small), key=lambda asset: asset.width_px or 0)
        return warned("The largest square icon is {size}", size=_size(largest), evidence=_evidence(small))
    return failed("None of {count|declared icon|declared icons} can be shown", count=len(linked), evidence=_evidence(judged))


def _is_embedded(icon: LinkTag) -> bool:
    return (icon.href or "").strip().lower().startswith("data:")


def _is_known(asset: Asset) -> bool:
    return asset.media_type == "image/svg+xml" or asset.pixels is not None or not asset.is_image


def _is_large_enough(asset: Asset, least_px: int) -> bool:
    if not asset.is_loaded or not asset.is_image:
        return False
    if asset.media_type == "image/svg+xml":
        return True
    width, height = asset.width_px or 0, asset.height_px or 0
    return abs(width - height) <= 1 and width >= least_px


def _size(asset: Asset) -> str:
    return "SVG" if asset.media_type == "image/svg+xml" else f"{asset.width_px} × {asset.height_px} px"


def _evidence(icons: Iterable[tuple[LinkTag, Asset]]) -> list[Evidence]:
    return [_icon(icon, asset) for icon, asset in icons]


def _icon(icon: LinkTag, asset: Asset) -> Evidence:
    """Return evidence of the icon with its size, or with the response that was returned instead."""
    if not asset.is_loaded:
        return element(icon.element, "{url}: {reason}", url=asset.url, **asset.outcome)
    if asset.pixels or asset.media_type == "image/svg+xml":
        return element(icon.element, "{url}: {size}", url=asset.url, size=_size(asset))
    if asset.media_type:
        return element(icon.element, "{url}: {media_type}", url=asset.url, media_type=asset.media_type)
    return element(icon.element, "{url}: not an image", url=asset.url)


def _default_icon_finding(response: ProbeResponse | None, head: Element | None) -> Finding:
    """Return the finding for /favicon.ico, which browsers request if no icon is declared."""
    if response is None:
        return unknown("Not measured: /favicon.ico was not requested")
    state = state_of_asset(response)
    if state is AssetState.LOADED and sniff(response.body).startswith("image/"):
        return warned("No icon is declared; there is only /favicon.ico", evidence=url_evidence(response.url, response.status))
    if state in (AssetState.UNKNOWN, AssetState.UNVERIFIED):
        return unknown(
            "Not known: no icon is declared, and /favicon.ico could not be read", evidence=url_evidence(response.url, response.status)
        )
    shown = [url_evidence(response.url, response.status, "not an image")]
    if head is not None:
        shown.insert(0, element(head, "no icon is declared in here"))
    return failed("The site has no icon", evidence=shown)
