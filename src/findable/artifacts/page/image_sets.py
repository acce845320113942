"""Image candidates over http in srcset and imagesrcset."""

from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from findable.artifacts.html.document import Document, Element
from findable.artifacts.registry import artifact
from findable.formats.srcset import parse_srcset

ATTRIBUTES = (("img", "srcset"), ("source", "srcset"), ("link", "imagesrcset"))
MAX_ELEMENTS = 3000
MAX_URLS = 5000


class ImageSets(Struct, frozen=True):
    """Image candidates over http in srcset and imagesrcset; those over https are left out."""

    insecure: tuple[tuple[Element, str], ...]
    """Element and resolved URL of each candidate over http, at most MAX_URLS."""


@artifact
def make_image_sets(document: Document) -> ImageSets:
    """Read all candidates of all image sets, because the device determines which one a browser loads."""
    return ImageSets(tuple(islice(_insecure(document), MAX_URLS)))


def _insecure(document: Document) -> Iterator[tuple[Element, str]]:
    any_is_relative = document.base_url.startswith("http:")
    for tag, attribute in ATTRIBUTES:
        for order, written in document.values(tag, attribute, MAX_ELEMENTS):
            if not written or not (any_is_relative or "http:" in written.lower()):
                continue
            for candidate in parse_srcset(written):
                url = document.resolve(candidate.url)
                if url and url.startswith("http:"):
                    yield document.element_at(order), url
