"""Layout of the page on a phone: its width, overlays, illegible text, small tap targets."""

from collections.abc import Sequence

from msgspec import Struct

from findable.artifacts.html.rendered_document import Visit
from findable.artifacts.registry import artifact
from findable.capture.devices import Device
from findable.capture.rendering import Box, Layer, Target, TextRun
from findable.lazy_pattern import lazy_pattern

TARGET_PX = 24
"""Minimum width and height of a target, or of the circle around it that no other target touches (WCAG 2.2, 2.5.8)."""
LEGIBLE_PX = 12
"""Font size below which text is hard to read on a phone (Lighthouse, font-size)."""
MAX_TARGETS = 1000
"""Maximum number of small targets compared with the others; real pages have a few hundred."""
GRID = 40
"""Number of sampling points per direction at which overlays are detected."""
_CONSENT = lazy_pattern(
    r"(?i)cookie|consent|gdpr|onetrust|usercentrics|didomi|cmpbox|cmplz|borlabs|klaro|qc-cmp|sp_message|truste|iubenda|osano|cc-main"
)
"""Class names and ids of the consent layers of well-known services, and words in those of others."""


class Layout(Struct, frozen=True):
    """Measured layout of the page on a phone; the checks define the limits."""

    page_width_px: int
    viewport_width_px: int
    overlay_share: float
    """Share of the viewport covered by fixed layers, 0–1."""
    targets_count: int
    small_targets: tuple[str, ...]
    """Selectors of the targets under 24 px without enough spacing."""
    small_text_share: float
    """Share of characters smaller than LEGIBLE_PX, 0–1."""
    consent_selector: str = ""
    """Selector of a cookie consent layer, recognized by its class or id; empty without one."""
    consent_share: float = 0.0
    """Share of the viewport covered by consent layers, 0–1."""


@artifact
def make_layout(visit: Visit) -> Layout:
    """Return the layout, computed from the element boxes that the browser reported."""
    rendering = visit.rendering
    consents = tuple(layer for layer in rendering.layers if _CONSENT.search(layer.selector))
    return Layout(
        page_width_px=rendering.page_width_px,
        viewport_width_px=rendering.device.viewport_width_px,
        overlay_share=overlay_share(rendering.layers, rendering.device),
        consent_selector=next((layer.selector for layer in consents), ""),
        consent_share=overlay_share(consents, rendering.device),
        targets_count=len(rendering.targets),
        small_targets=tuple(target.selector for target in small_targets(rendering.targets)),
        small_text_share=small_text_share(rendering.texts),
    )


def overlay_share(layers: Sequence[Layer], device: Device) -> float:
    """Return the share of the initial viewport covered by layers; overlaps count once."""
    points = [
        ((column + 0.5) * device.viewport_width_px / GRID, (row + 0.5) * device.viewport_height_px / GRID)
        for row in range(GRID)
        for column in range(GRID)
    ]
    return sum(any(_contains(layer.box, x, y) for layer in layers) for x, y in points) / len(points)


def _contains(box: Box, x: float, y: float) -> bool:
    return box.left_px <= x < box.left_px + box.width_px and box.top_px <= y < box.top_px + box.height_px


def small_targets(targets: Sequence[Target]) -> list[Target]:
    """Return the tap targets that are too small and lack spacing; those in running text are exempt."""
    small = [target for target in targets if _is_small(target.box)][:MAX_TARGETS]
    return [target for target in small if not target.in_text and any(_is_close(target, other) for other in targets)]


def _is_small(box: Box) -> bool:
    return box.width_px < TARGET_PX or box.height_px < TARGET_PX


def _is_close(target: Target, other: Target) -> bool:
    """Return whether the circle around one target touches the other, or its circle if that is small too."""
    if target is other or target.selector == other.selector:
        return False
    x, y = _centre(target.box)
    box, radius = other.box, TARGET_PX / 2
    if _is_small(box):
        other_x, other_y = _centre(box)
        if (x - other_x) ** 2 + (y - other_y) ** 2 < TARGET_PX**2:
            return True
    near_x = min(max(x, box.left_px), box.left_px + box.width_px)
    near_y = min(max(y, box.top_px), box.top_px + box.height_px)
    return (x - near_x) ** 2 + (y - near_y) ** 2 < radius**2


def _centre(box: Box) -> tuple[float, float]:
    return box.left_px + box.width_px / 2, box.top_px + box.height_px / 2


def small_text_share(texts: Sequence[TextRun]) -> float:
    """Return the share of characters under LEGIBLE_PX."""
    total = sum(text.chars_count for text in texts)
    return sum(text.chars_count for text in texts if text.font_px < LEGIBLE_PX) / total if total else 0.0
