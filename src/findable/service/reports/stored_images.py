"""Images from external sources: icons, preview images and screenshots of pages, logos of owners. Only small files encoded here are shown.

Untrusted images are decoded in a separate process with limits; SVG is rendered for icons only. An image that cannot be decoded is not an
error: a placeholder replaces it.
"""

import logging
import struct
import threading
from collections.abc import Sequence
from hashlib import sha256
from typing import Literal

from msgspec import Struct

from findable import sandbox
from findable.service.runtime.service import Service
from findable.service.values.report_values import ReportView
from findable.store.rows import RunImages
from findable.store.store_protocol import Session
from findable.vocabulary import Source

Box = tuple[int, int]
ICON_BOX: Box = (64, 64)
CARD_BOX: Box = (600, 315)
PHONE_BOX: Box = (240, 480)
DESKTOP_BOX: Box = (480, 334)
LOGO_BOX: Box = (480, 160)
MAX_BYTES = 4_000_000
"""Maximum number of bytes of an uploaded or fetched image."""
LIMITS = sandbox.Limits(time_s=8.0, memory_bytes=1024**3, output_bytes=1_000_000)
DECODER = "findable.service.reports.image_decoding:redraw"
ICON_DECODER = "findable.service.reports.image_decoding:draw_icon"
STRIP_DECODER = "findable.service.reports.image_decoding:filmstrip"
FRAME_BOX: Box = (240, 479)
"""Size of each frame of a filmstrip."""
FRAME_GAP_PX = 10
"""Transparent pixels on both sides of each frame."""
FRAME_STEP_PX = FRAME_BOX[0] + 2 * FRAME_GAP_PX
AT_ONCE = 2
UNUSED_IMAGE_S = 3600
"""Time within which a new image must be referenced."""
REMOVED_AT_ONCE = 50
_turns = threading.BoundedSemaphore(AT_ONCE)
_PNG_SIZE = struct.Struct("!16xII")
_log = logging.getLogger(__name__)

Kind = Literal["icon", "card", "logo", "phone", "desktop", "filmstrip"]
SCREENSHOTS: tuple[Kind, ...] = ("phone", "desktop")


class EncodedImage(Struct, frozen=True):
    """Small PNG, or WebP of a filmstrip, encoded here."""

    data: bytes
    width_px: int
    height_px: int

    @property
    def hash(self) -> bytes:
        """SHA-256 of the data, its key in the store."""
        return sha256(self.data).digest()


class ReportImages(Struct, frozen=True):
    """Images of a page; None for missing images."""

    icon: EncodedImage | None = None
    card: EncodedImage | None = None
    phone: EncodedImage | None = None
    """Screenshot on a phone; ``desktop`` is that on a desktop."""
    desktop: EncodedImage | None = None
    filmstrip: EncodedImage | None = None
    """Frames of a load, side by side."""


def encode(service: Service, data: bytes, box: Box) -> EncodedImage | None:
    """Return the image, scaled to fit the box; None if it is invalid, too large, or crashed the decoder (blocking, up to 8 s)."""
    del service  # `service.run` passes the service: `await service.run(stored_images.encode, data, box)`
    made = _decoded(ICON_DECODER if box == ICON_BOX else DECODER, b"%d %d\n" % box, data)
    return EncodedImage(made, *_PNG_SIZE.unpack(made[: _PNG_SIZE.size])) if made else None


def encode_filmstrip(frames: Sequence[bytes]) -> EncodedImage | None:
    """Return the frames side by side; None if one is invalid, or like `encode`. Frames are JPEGs, empty to repeat the one before."""
    sizes = " ".join(str(len(frame)) for frame in frames)
    made = _decoded(STRIP_DECODER, b"%d %d %d %s\n" % (*FRAME_BOX, FRAME_GAP_PX, sizes.encode()), b"".join(frames))
    return EncodedImage(made, FRAME_STEP_PX * len(frames), FRAME_BOX[1]) if made else None


def _decoded(decoder: str, head: bytes, data: bytes) -> bytes:
    """Return the decoder's output for untrusted data; empty if it is invalid, too large, or crashed the decoder."""
    if not data or len(data) > MAX_BYTES:
        return b""
    with _turns:
        try:
            return sandbox.run(decoder, head + data, LIMITS)
        except sandbox.Rejected as error:
            _log.info("an image could not be decoded: %s", error)
        except sandbox.Crashed as error:
            _log.warning("the image decoder crashed: %s", error)
    return b""


def store(session: Session, image: EncodedImage) -> bytes:
    """Store an image once and return its hash, to be referenced in the same transaction."""
    session.images.add(image.hash, image.data, image.width_px, image.height_px, session.moment)
    return image.hash


def store_for_run(session: Session, run_id: int, images: ReportImages) -> None:
    """Store the images of a page with its run."""
    found = (images.icon, images.card, images.phone, images.desktop, images.filmstrip)
    if any(found):
        session.images.attach(run_id, RunImages(*(store(session, one) if one else None for one in found)))


def store_site_icon(session: Session, project_id: int, icon: EncodedImage | None) -> None:
    """Store the icon of a project's site. Without one the present icon stays."""
    if icon is not None:
        session.projects.change(project_id, {"icon": store(session, icon)})


def carry_over(session: Session, report_id: int, number: int, run_id: int) -> None:
    """Copy the images of a run to its rescored run."""
    images = session.images.of_run(report_id, number)
    if any(images):
        session.images.attach(run_id, images)


def image_of_report(service: Service, report: ReportView, kind: Kind) -> bytes | None:
    """Return the shown run's icon, preview image, screenshot or filmstrip, or the project's logo; None if there is none.

    The caller has checked that the reader may see the report (`guest_access.view`).
    """
    with service.store.read() as session:
        return session.images.data(_image_hash(session, report, kind))


def image_of(service: Service, digest: bytes | None) -> bytes | None:
    """Return the PNG of a logo or of a site's icon by its hash; None if there is none."""
    if not digest:
        return None
    with service.store.read() as session:
        return session.images.data(digest)


def stored_kinds(service: Service, report: ReportView) -> frozenset[Kind]:
    """Return which images of the shown run exist, and whether the project has a logo."""
    with service.store.read() as session:
        images = _images_of_run(session, report)
        logo = session.images.logo_of(report.project_id)
    kinds: tuple[Kind, ...] = ("icon", "card", *SCREENSHOTS, "filmstrip")
    return frozenset((*(kind for kind in kinds if getattr(images, kind)), *(("logo",) if logo else ())))


def browser_kinds(service: Service, report: ReportView) -> frozenset[Kind]:
    """Return which images exist if a browser rendered the page; nothing is read if none did."""
    used_browser = report.report is not None and Source.BROWSER in report.report.engine.sources
    return stored_kinds(service, report) if used_browser else frozenset()


def has_screenshots(service: Service, report: ReportView) -> bool:
    """Return whether the shown run has screenshots of both devices."""
    return browser_kinds(service, report).issuperset(SCREENSHOTS)


def screenshots_of(service: Service, report_id: int) -> tuple[bytes, bytes] | None:
    """Return the desktop and the phone screenshot of a report's current run; None without both. The caller has checked the access."""
    with service.store.read() as session:
        row = session.reports.by_id(report_id)
        images = session.images.of_run(report_id, row.run) if row is not None and row.run is not None else RunImages()
        desktop, phone = (session.images.data(used) if used else None for used in (images.desktop, images.phone))
    return (desktop, phone) if desktop and phone else None


def _image_hash(session: Session, report: ReportView, kind: Kind) -> bytes | None:
    if kind == "logo":
        return session.images.logo_of(report.project_id)
    used: bytes | None = getattr(_images_of_run(session, report), kind)
    return used


def _images_of_run(session: Session, report: ReportView) -> RunImages:
    return session.images.of_run(report.id, report.run) if report.run is not None else RunImages()


def name_of(data: bytes) -> str:
    """Return a name that changes with the image."""
    return sha256(data).hexdigest()[:16]


def remove_unused(service: Service) -> bool:
    """Delete a few images that are not used; return whether there may be more."""
    with service.store.write() as session:
        return session.images.remove_unused(session.moment - UNUSED_IMAGE_S, REMOVED_AT_ONCE) == REMOVED_AT_ONCE
