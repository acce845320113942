"""Settings of a project in stored form."""

import msgspec

from findable.capture.browser_options import BrowserOptions
from findable.crawl.extractors import Extractor
from findable.crawl.settings import Segment


def patterns_of(text: str | None) -> tuple[str, ...]:
    """Return the stored patterns of a project."""
    return msgspec.json.decode(text, type=tuple[str, ...]) if text else ()


def segments_of(text: str | None) -> tuple[Segment, ...]:
    """Return the stored segments of a project."""
    return msgspec.json.decode(text, type=tuple[Segment, ...]) if text else ()


def extractors_of(text: str | None) -> tuple[Extractor, ...]:
    """Return the stored extractors of a project."""
    return msgspec.json.decode(text, type=tuple[Extractor, ...]) if text else ()


def browser_options_of(text: str | None) -> BrowserOptions:
    """Return the stored options of a project's visits with the browser."""
    return msgspec.json.decode(text, type=BrowserOptions) if text else BrowserOptions()
