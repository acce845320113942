"""Responses of the page's sub-resources: images, stylesheets, scripts, fonts, icons, social images."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct

from findable.artifacts.registry import artifact
from findable.capture.page import AssetKind, BudgetBound, PageCapture
from findable.capture.response import NOT_REQUESTED, Failure, ProbeResponse, outcome
from findable.capture.status_classes import GONE
from findable.formats.image_headers import dimensions, is_animated
from findable.formats.mime_sniffing import sniff
from findable.urls import parse, without_fragment
from findable.vocabulary import Code

SERVER_ERRORS = range(500, 600)
EXTENSIONS = {
    "css": AssetKind.STYLESHEET,
    "js": AssetKind.SCRIPT,
    "mjs": AssetKind.SCRIPT,
    "ico": AssetKind.ICON,
    **dict.fromkeys(("woff2", "woff", "ttf", "otf", "eot"), AssetKind.FONT),
    **dict.fromkeys(("png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "bmp"), AssetKind.IMAGE),
}
SCRIPT_TYPES = frozenset({"text/javascript", "application/javascript", "application/x-javascript", "application/ecmascript"})


class AssetState(StrEnum):
    """State of a sub-resource for visitors."""

    LOADED = "loaded"
    BROKEN = "broken"
    """Status 404, 410 or a repeated server error."""
    UNVERIFIED = "unverified"
    """Rejected, throttled, timed out or unreachable for this client; browsers may still load it."""
    UNKNOWN = "unknown"
    """URL that was not requested: budget, robots.txt, no route."""


_LOADED = AssetState.LOADED


class Asset(Struct, frozen=True):
    """One sub-resource and its response."""

    url: str
    """Requested URL without fragment."""
    kind: AssetKind | None
    """Actual kind, by bytes, Content-Type or extension; None if unknown."""
    state: AssetState
    response: ProbeResponse
    media_type: str
    """Media type by the first bytes, else as declared without parameters; lower case, empty if unknown."""
    declared_type: str
    """Content-Type without parameters, lower case; empty if none was sent."""
    width_px: int | None
    height_px: int | None
    """Height from the header bytes of a raster image or icon (the largest of the set); None if unknown."""
    size_bytes: int | None
    """Complete size as transferred; None if neither the server nor a complete body determines it."""
    animated: bool

    @property
    def is_loaded(self) -> bool:
        """Whether the final status is 2xx."""
        return self.state is _LOADED

    @property
    def pixels(self) -> int | None:
        """Width times height, None if unknown."""
        return self.width_px * self.height_px if self.width_px and self.height_px else None

    @property
    def is_image(self) -> bool:
        """Whether the response is an image, by its bytes or else by its declaration."""
        return self.media_type.startswith("image/")

    @property
    def outcome(self) -> dict[str, Any]:
        """Reason why the sub-resource is not loaded, as values of a finding; empty if it is."""
        return {} if self.is_loaded else outcome(self.response)


class Assets(Struct, frozen=True):
    """Responses of sub-resources by URL."""

    by_url: Mapping[str, Asset]
    left_count: int
    """Number of resources that were not requested because the budget was used up."""
    budget_ended: BudgetBound | None
    """Limit that ended the extra requests early; None if none did."""

    def for_url(self, url: str | None) -> Asset | None:
        """Return the response of a URL without fragment; None if the URL was not requested."""
        return self.by_url.get(without_fragment(url)) if url else None

    def is_broken(self, url: str) -> bool:
        """Return whether the server reports that the resource is missing (404, 410) or failing."""
        asset = self.for_url(url)
        return asset is not None and asset.state is AssetState.BROKEN

    def loaded_assets(self, urls: Iterable[str]) -> list[Asset]:
        """Return the sub-resources with a 2xx status among the URLs, in order."""
        return [asset for url in urls if (asset := self.for_url(url)) and asset.is_loaded]

    def unknown_reason(self, urls: Iterable[str], default: Code = Failure.NOT_ASKED) -> dict[str, Any]:
        """Return why the first URL that is not loaded could not be measured, as values of a finding; ``default`` if all are loaded."""
        for url in urls:
            asset = self.for_url(url)
            if asset is None:
                return {"reason": self.budget_ended or (Failure.BUDGET if self.left_count else Failure.NOT_ASKED)}
            if not asset.is_loaded:
                return asset.outcome
        return {"reason": default}

    def __iter__(self) -> Iterator[Asset]:
        return iter(self.by_url.values())

    def __len__(self) -> int:
        return len(self.by_url)


def state_of_asset(response: ProbeResponse) -> AssetState:
    """Return the state of a sub-resource: broken only if the server reports it; other failures are unverified or unknown."""
    if response.ok:
        return AssetState.LOADED
    if response.status in GONE or response.status in SERVER_ERRORS:
        return AssetState.BROKEN
    return AssetState.UNKNOWN if response.failure in NOT_REQUESTED else AssetState.UNVERIFIED


@artifact
def make_assets(page: PageCapture) -> Assets:
    """Read the response of each sub-resource once; the first response of a URL counts."""
    found: dict[str, Asset] = {}
    for response in page.probes.assets:
        url = without_fragment(response.url)
        if url not in found:
            found[url] = _asset(url, response)
    return Assets(found, page.probes.assets_left_count, page.budget_ended)


def _asset(url: str, response: ProbeResponse) -> Asset:
    declared = response.headers.media_type
    sniffed = sniff(response.body) if response.ok else ""
    media_type = sniffed or declared
    size = dimensions(response.body, media_type) if response.ok and sniffed else None
    return Asset(
        url=url,
        kind=_kind(url, media_type),
        state=state_of_asset(response),
        response=response,
        media_type=media_type,
        declared_type=declared,
        width_px=size[0] if size else None,
        height_px=size[1] if size else None,
        size_bytes=_size(response),
        animated=is_animated(response.body, media_type),
    )


def _size(response: ProbeResponse) -> int | None:
    if not response.ok:
        return None
    if response.total_bytes is not None:
        return response.total_bytes
    return None if response.truncated else response.wire_bytes


def _kind(url: str, media_type: str) -> AssetKind | None:
    if media_type == "image/x-icon":
        return AssetKind.ICON
    if media_type.startswith("image/"):
        return AssetKind.IMAGE
    if media_type.startswith("font/") or "font-" in media_type:
        return AssetKind.FONT
    if media_type == "text/css":
        return AssetKind.STYLESHEET
    if media_type in SCRIPT_TYPES:
        return AssetKind.SCRIPT
    parsed = parse(url)
    return EXTENSIONS.get(parsed.path.rpartition(".")[2].lower()) if parsed else None
