"""Requests that the page made in the browser, and images whose files have more pixels than the screen shows."""

from collections.abc import Mapping

from msgspec import Struct

from findable.artifacts.html.rendered_document import Visit
from findable.artifacts.registry import artifact
from findable.capture.rendering import BrowserRequest, ShownImage
from findable.capture.status_classes import is_success


class BrowserRequests(Struct, frozen=True):
    """Requests that the page made in the browser, and its oversized images."""

    requests: tuple[BrowserRequest, ...]
    oversized_images: tuple[tuple[str, int], ...]
    """Images that are larger than displayed: (URL, wasted bytes)."""

    @property
    def at_once(self) -> Mapping[str, BrowserRequest]:
        """Requests before scrolling that got a response, by URL; for repeated URLs, the last one."""
        return {request.url: request for request in self.requests if not request.late and is_success(request.status)}


@artifact
def make_browser_requests(visit: Visit) -> BrowserRequests:
    """Return the requests of the visit, and the images whose files have more pixels than their largest box can show."""
    rendering = visit.rendering
    sizes = {request.url: request.transferred_bytes for request in rendering.requests if request.transferred_bytes}
    largest: dict[str, float] = {}
    for image in rendering.images:
        if image.url in sizes:
            largest[image.url] = max(largest.get(image.url, 0.0), _shown_share(image, rendering.device.pixel_ratio))
    wasted = ((url, round(sizes[url] * (1 - share))) for url, share in largest.items())
    return BrowserRequests(rendering.requests, tuple((url, size) for url, size in wasted if size > 0))


def _shown_share(image: ShownImage, pixel_ratio: float) -> float:
    """Return the share of the file's pixels that the screen can show, at most 1; 1 if the image has no box."""
    natural = image.natural_width_px * image.natural_height_px
    shown = image.box.width_px * image.box.height_px * pixel_ratio**2
    return min(1.0, shown / natural) if natural and shown else 1.0
