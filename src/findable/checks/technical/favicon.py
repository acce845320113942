"""The site has no icon that search results can show.

Why it matters: results on phones and desktops show the site's icon beside its name; without a fitting one a grey globe stands there.

How to fix: name a square icon of at least 48 pixels in the head of the home page; a drawing (SVG) fits every size.

    <link rel="icon" href="/icon.svg" type="image/svg+xml">
    <link rel="icon" href="/icon-96.png" sizes="96x96">

Sources: Google, "Define a favicon to show in search results" (2025: square, at least 8 px, more than 48 px recommended).

Not judged: what the icon shows. Where the page itself names no icon, that of the home page counts.
"""

from collections.abc import Iterable

from findable.artifacts.page.head import Head, LinkTag
from findable.artifacts.responses.assets import Asset, Assets, AssetState, state_of
from findable.artifacts.responses.probed_page import read_probed
from findable.capture.page import Capture
from findable.capture.response import Answer
from findable.checks.engine import Evidence, Finding, address, check, element, failed, passed, unknown, warned
from findable.formats.mime_sniffing import sniff
from findable.vocabulary import Effort, Importance

GOOD_PX = 48
"""Google: "a multiple of 48px square" is recommended."""
MIN_PX = 8
"""Google: "must be a square … at least 8x8px"."""
ICON_RELS = frozenset({"icon", "apple-touch-icon", "apple-touch-icon-precomposed"})


@check(question="Is there an icon for search results?", importance=Importance.LOW, effort=Effort.HEAD)
def favicon(head: Head, assets: Assets, capture: Capture) -> Finding:
    """Judges the icons that the page, else the home page, names; then /favicon.ico."""
    icons = _icons(head) or _home_icons(capture)
    if not icons:
        return _usual_place(capture.site.favicon, head)
    if all(_is_embedded(icon) for icon in icons):
        return warned("an icon stands in the page itself; search engines need an address", evidence=[icon.element for icon in icons])
    icons = [icon for icon in icons if not _is_embedded(icon)]
    measured = [(icon, asset) for icon in icons if (asset := assets.of(icon.url)) is not None]
    judged = [(icon, asset) for icon, asset in measured if asset.state in (AssetState.LOADED, AssetState.BROKEN)]
    good = [(icon, asset) for icon, asset in judged if _fits(asset, GOOD_PX)]
    if good:
        return passed("icon, {size}", size=_size(good[0][1]), evidence=_shown(good))
    if len(judged) < len(icons) or any(asset.loaded and not _is_known(asset) for _, asset in judged):
        return unknown(
            "not known: {count|icon|icons} named, not all could be measured",
            count=len(icons),
            evidence=_shown(measured) or [icon.element for icon in icons],
        )
    small = [(icon, asset) for icon, asset in judged if _fits(asset, MIN_PX)]
    if small:
        return warned("the largest square icon is {size}", size=_size(small[0][1]), evidence=_shown(small))
    return failed("none of {count|icon|icons} named can be shown", count=len(icons), evidence=_shown(judged))


def _icons(head: Head) -> list[LinkTag]:
    return [link for link in head.links if link.href and not link.rel.isdisjoint(ICON_RELS)]


def _is_embedded(icon: LinkTag) -> bool:
    return (icon.href or "").strip().lower().startswith("data:")


def _home_icons(capture: Capture) -> list[LinkTag]:
    page = read_probed(capture.site.home)
    return _icons(page.head) if page and page.head else []


def _is_known(asset: Asset) -> bool:
    return asset.media_type == "image/svg+xml" or asset.pixels is not None or not asset.is_image


def _fits(asset: Asset, least_px: int) -> bool:
    if not asset.loaded or not asset.is_image:
        return False
    if asset.media_type == "image/svg+xml":
        return True
    width, height = asset.width_px or 0, asset.height_px or 0
    return abs(width - height) <= 1 and width >= least_px


def _size(asset: Asset) -> str:
    return "SVG" if asset.media_type == "image/svg+xml" else f"{asset.width_px} × {asset.height_px} px"


def _shown(found: Iterable[tuple[LinkTag, Asset]]) -> list[Evidence]:
    return [_icon(icon, asset) for icon, asset in found]


def _icon(icon: LinkTag, asset: Asset) -> Evidence:
    """The icon with its size, or with what came instead."""
    if not asset.loaded:
        return element(icon.element, "{url}: {reason}", url=asset.url, **asset.outcome)
    if asset.pixels or asset.media_type == "image/svg+xml":
        return element(icon.element, "{url}: {size}", url=asset.url, size=_size(asset))
    if asset.media_type:
        return element(icon.element, "{url}: {media_type}", url=asset.url, media_type=asset.media_type)
    return element(icon.element, "{url}: not a picture", url=asset.url)


def _usual_place(answer: Answer | None, head: Head) -> Finding:
    """No icon is named: /favicon.ico is what browsers try."""
    if answer is None:
        return unknown("not measured: /favicon.ico was not asked")
    state = state_of(answer)
    if state is AssetState.LOADED and sniff(answer.body).startswith("image/"):
        return warned("no icon is named; there is only /favicon.ico", evidence=address(answer.url, answer.status))
    if state in (AssetState.UNKNOWN, AssetState.UNVERIFIED):
        return unknown("not known: no icon is named, and /favicon.ico could not be read", evidence=address(answer.url, answer.status))
    shown = [element(head.element, "no icon is named in here"), address(answer.url, answer.status, "not a picture")]
    return failed("the site has no icon", evidence=shown)
