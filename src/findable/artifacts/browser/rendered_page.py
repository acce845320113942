"""The rendered page, available only in a rendered profile."""

from msgspec import Struct

from findable.artifacts.registry import Absent, artifact
from findable.capture.page import Capture
from findable.vocabulary import EVIDENCE_TEXT, Code


class LabValue(Code, params=(EVIDENCE_TEXT,)):
    """Evidence of lab values, which there is nothing to quote for."""

    MEDIAN = "median of three loads on an emulated phone"


class Rendered(Struct, frozen=True):
    """Page after its scripts ran, on a phone, with lab values (medians of three loads)."""

    html: str
    lab_lcp_ms: float
    lab_lcp_selector: str
    lab_cls: float
    lab_tbt_ms: float
    lab_fcp_ms: float
    scroll_width_px: int
    viewport_width_px: int
    overlay_share: float
    """Share of the view that a fixed layer covers after load, 0–1."""
    small_targets: tuple[str, ...]
    """Selectors of targets under 24 px that are not spaced."""
    targets_count: int
    small_text_share: float
    """Share of the text under 12 px, 0–1."""
    console_errors: tuple[str, ...]
    """Uncaught errors of the site's own scripts: message, file and line."""
    axe_violations: tuple[tuple[str, str, str], ...]
    """(rule, impact, selector) of axe-core."""
    oversized_images: tuple[tuple[str, int], ...]
    """(URL, wasted bytes) of images larger than displayed."""


@artifact
def make_rendered(capture: Capture) -> Rendered | Absent:
    """Return the rendered page; no capture has one yet."""
    del capture
    return Absent("a browser was not used for this report")
