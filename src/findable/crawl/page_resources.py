"""Collect the resources that a page loads as blocks: its stylesheets and scripts, and the images of each landmark."""

import re
from collections.abc import Iterator
from itertools import islice

from findable.artifacts.html.document import Document
from findable.artifacts.html.landmarks import Surroundings
from findable.artifacts.page.head import Head
from findable.artifacts.page.images import Images
from findable.artifacts.responses.resources import JAVASCRIPT_TYPES
from findable.crawl.blocks import Block, BlockResource, UsedAs, resource_block
from findable.formats.css import imports
from findable.urls import MAX_LINK_CHARS, without_fragment

MAX_PER_BLOCK = 200
_PLACEHOLDER = re.compile(r"\{\{|%7b%7b|\$\{|\$%7b|<%|%3c%", re.IGNORECASE)
"""Start delimiters of template expressions that scripts replace."""


def resource_blocks(document: Document, head: Head, images: Images | None, surroundings: Surroundings) -> Iterator[Block]:
    """Yield the blocks of a page's resources, first those that affect appearance or function."""
    files = dict(islice(_files(document, head), MAX_PER_BLOCK))
    if files:
        yield resource_block((BlockResource(url, used_as) for url, used_as in files.items()), "", "head")
    found: dict[str, dict[str, None]] = {}
    for image in images.items if images is not None else ():
        url = image.candidate_url or image.url
        if url and not image.is_pixel and _is_usable(url):
            found.setdefault(surroundings.context_of(image.element).region.value, {})[without_fragment(url)] = None
    for landmark, urls in found.items():
        listed = (BlockResource(url, UsedAs.IMAGE) for url in islice(urls, MAX_PER_BLOCK))
        yield resource_block(listed, landmark, f"{landmark} img".strip())


def _files(document: Document, head: Head) -> Iterator[tuple[str, UsedAs]]:
    """Yield stylesheets that apply by default, and scripts that browsers run."""
    for link in head.links:
        is_applied = "stylesheet" in link.rel and "alternate" not in link.rel and link.element.attr("disabled") is None
        if is_applied and link.url and _is_usable(link.url):
            yield without_fragment(link.url), UsedAs.STYLESHEET
    for element in document.all("style", limit=MAX_PER_BLOCK):
        for written in imports(element.raw_text):
            url = document.resolve(written)
            if url and _is_usable(url):
                yield without_fragment(url), UsedAs.STYLESHEET
    for element in document.all("script", limit=MAX_PER_BLOCK):
        attrs = element.attrs
        kind = attrs.get("type", "").partition(";")[0].strip().lower()
        src = attrs.get("src", "").strip()
        if src and "nomodule" not in attrs and (kind == "module" or kind in JAVASCRIPT_TYPES):
            url = document.resolve(src)
            if url and _is_usable(url):
                yield without_fragment(url), UsedAs.SCRIPT


def _is_usable(url: str) -> bool:
    if len(url) > MAX_LINK_CHARS or not url[:6].lower().startswith(("http:", "https:")):
        return False
    return ("{" not in url and "%" not in url) or not _PLACEHOLDER.search(url)  # most URLs have neither
