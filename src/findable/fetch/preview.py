"""A preview that is judged as the origin it will have: where its URLs are requested."""

from msgspec import Struct

from findable import urls


class PreviewOrigin(Struct, frozen=True):
    """Origin of a preview and the origin that it will have; both empty for a page that is no preview."""

    origin: str = ""
    stands_for: str = ""

    def reached(self, url: str) -> str:
        """Return the URL that is requested: one of the future origin at the preview, any other unchanged."""
        return urls.moved(url, self.stands_for, self.origin)

    def published(self, url: str) -> str:
        """Return the URL that a page of the preview will have, any other unchanged."""
        return urls.moved(url, self.origin, self.stands_for)


NO_PREVIEW = PreviewOrigin()
