"""Tags for link previews: Open Graph and X cards."""

from msgspec import Struct

from findable.artifacts.html.document import Document
from findable.artifacts.page.head import Head, Meta, SentHead
from findable.artifacts.registry import artifact
from findable.urls import parse

MAX_TAGS = 200
BASIC = ("og:title", "og:type", "og:image", "og:url")
"""Tags that the Open Graph protocol requires (ogp.me)."""
IMAGE_NAMES = ("og:image", "og:image:url", "og:image:secure_url")
PREFIXES = ("og:", "twitter:", "article:", "product:", "book:", "profile:", "video:", "music:", "fb:")


class SocialTag(Struct, frozen=True):
    """Meta tag of a link preview."""

    name: str
    """Lower-case ``property`` or ``name``."""
    content: str
    """Folded, non-empty content."""
    meta: Meta


class Social(Struct, frozen=True):
    """Open Graph and X tags with content, in document order, at most MAX_TAGS."""

    tags: tuple[SocialTag, ...]
    left_count: int

    def first(self, *names: str) -> SocialTag | None:
        """Return the first tag with one of these names."""
        return next((tag for tag in self.tags if tag.name in names), None)

    def content(self, *names: str) -> str:
        """Return the content of the first tag with one of these names; empty if there is none."""
        tag = self.first(*names)
        return tag.content if tag else ""

    @property
    def image(self) -> SocialTag | None:
        """First Open Graph image."""
        return self.first(*IMAGE_NAMES)

    @property
    def missing(self) -> tuple[str, ...]:
        """Names of the required Open Graph tags that the page lacks."""
        return tuple(name for name in BASIC if not (self.image if name == "og:image" else self.first(name)))


class Preview(Struct, frozen=True):
    """Preview card as a network would show it, from the tags and their fallbacks."""

    title: str
    description: str
    image_url: str
    """Resolved URL; empty if there is none."""
    site_name: str
    card: str
    """Value of ``twitter:card``, empty if there is none."""


@artifact
def make_social(sent_head: SentHead) -> Social:
    """Read both ``property`` and ``name``, because both are used."""
    found: list[SocialTag] = []
    for meta in sent_head.head.metas:
        names = [name for name in meta.property.split() if name.startswith(PREFIXES)]  # RDFa allows several
        if not names and meta.name.startswith(PREFIXES):
            names = [meta.name]
        content = " ".join((meta.content or "")[:4096].split()) if names else ""
        if content:
            found.extend(SocialTag(name, content, meta) for name in names)
    return Social(tuple(found[:MAX_TAGS]), max(0, len(found) - MAX_TAGS))


@artifact
def make_preview(document: Document, head: Head, social: Social) -> Preview:
    """Build the preview from Open Graph, then X's own tags, then title and description."""
    image = social.content(*IMAGE_NAMES, "twitter:image", "twitter:image:src")
    url = parse(image, document.base_url) if image else None
    return Preview(
        title=social.content("og:title", "twitter:title") or head.title,
        description=social.content("og:description", "twitter:description") or head.description,
        image_url=url.href if url and url.is_http else "",
        site_name=social.content("og:site_name"),
        card=social.content("twitter:card"),
    )
