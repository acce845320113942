"""Thumbnails of a page's images. Images that the capture lacks are fetched again."""

import asyncio
import logging
from collections.abc import Sequence

from findable.artifacts.responses.preview_images import ImageSource, ImageSources, complete_body
from findable.capture.rendering import Film, Rendering, Screenshot
from findable.fetch.extra_request_budget import Budget
from findable.fetch.fetcher import Fetcher
from findable.fetch.identity import NOBODY, Identity
from findable.fetch.prober import Prober
from findable.service.reports import stored_images
from findable.service.reports.stored_images import CARD_BOX, DESKTOP_BOX, ICON_BOX, PHONE_BOX, Box, EncodedImage, ReportImages
from findable.service.runtime.service import Service

DEADLINE_S = 4.0
MAX_REQUESTS = 6
"""Maximum number of requests, redirects included."""
SCREENSHOT_BOXES = (("phone", PHONE_BOX), ("desktop", DESKTOP_BOX))
CAP_BYTES = 2_000_000
"""Maximum bytes of one image; larger ones are left out."""
_log = logging.getLogger(__name__)


async def images_of(
    sources: ImageSources, fetcher: Fetcher, service: Service, identity: Identity = NOBODY, rendering: Rendering | None = None
) -> ReportImages:
    """Return the scaled images that can be fetched within a few seconds; ``identity`` is sent to its own origin only. Never raises."""
    try:
        return await _images(sources, fetcher, service, identity, rendering)
    except Exception as error:  # noqa: BLE001 - an error in the images must not lose the report
        _log.warning("the images could not be stored: %s: %s", type(error).__name__, error)
        return ReportImages()


async def _images(
    sources: ImageSources, fetcher: Fetcher, service: Service, identity: Identity, rendering: Rendering | None
) -> ReportImages:
    budget = Budget(DEADLINE_S, reserved_s=0.0, max_requests=MAX_REQUESTS, max_bytes=2 * CAP_BYTES)
    prober = Prober(fetcher, budget, identity)
    icon, card = await asyncio.gather(_first_icon(sources.icons, prober, service), _scaled(sources.card, CARD_BOX, prober, service))
    if rendering is None:
        return ReportImages(icon, card)
    phone, desktop = await asyncio.gather(*(_screenshot(rendering.screenshots, name, box, service) for name, box in SCREENSHOT_BOXES))
    return ReportImages(icon, card, phone, desktop, await _filmstrip(rendering.film))


async def _filmstrip(film: Film | None) -> EncodedImage | None:
    return await asyncio.to_thread(stored_images.encode_filmstrip, [frame.data for frame in film.frames]) if film else None


async def _screenshot(screenshots: Sequence[Screenshot], device: str, box: Box, service: Service) -> EncodedImage | None:
    data = next((shot.data for shot in screenshots if shot.device == device), None)
    return await asyncio.to_thread(stored_images.encode, service, data, box) if data else None


async def _first_icon(sources: Sequence[ImageSource], prober: Prober, service: Service) -> EncodedImage | None:
    for source in sources:
        if (icon := await _scaled(source, ICON_BOX, prober, service)) is not None:
            return icon
    return None


async def _scaled(source: ImageSource | None, box: Box, prober: Prober, service: Service) -> EncodedImage | None:
    if source is None:
        return None
    body = source.body
    if body is None:
        refusal = await prober.refusal(source.url)
        response = refusal or await prober.request(source.url, cap_bytes=CAP_BYTES, accept="image/*")
        body = complete_body(response)
    # Use a separate thread: the threads of the service are for requests.
    return await asyncio.to_thread(stored_images.encode, service, body, box) if body else None
