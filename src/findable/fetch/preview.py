"""Map URLs between a preview and the origin that it will have once published."""

from msgspec import Struct

from findable import urls


class PreviewOrigin(Struct, frozen=True):
    """Origin of a preview and its future origin; both empty if the page is not a preview."""

    origin: str = ""
    future_origin: str = ""

    def request_url(self, url: str) -> str:
        """Return the URL to request: a URL of the future origin is moved to the preview, any other is unchanged."""
        return urls.move_to_origin(url, self.future_origin, self.origin)

    def public_url(self, url: str) -> str:
        """Return the URL that a page of the preview will have once published; any other URL is unchanged."""
        return urls.move_to_origin(url, self.origin, self.future_origin)


NO_PREVIEW = PreviewOrigin()
