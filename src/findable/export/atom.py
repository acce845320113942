"""Atom feed (RFC 4287)."""

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from msgspec import Struct

MEDIA_TYPE = "application/atom+xml; charset=utf-8"


class FeedEntry(Struct, frozen=True):
    """Entry of a feed."""

    id: str
    """Permanent URI."""
    title: str
    updated: str
    """Time like ``2026-11-21T10:00:04Z``."""
    url: str
    lines: tuple[str, ...] = ()
    """Content as plain text."""


class FeedDocument(Struct, frozen=True):
    """Feed with its entries, newest first."""

    id: str
    title: str
    updated: str
    url: str
    """Page for people."""
    language: str
    entries: Sequence[FeedEntry]


def atom(feed: FeedDocument) -> bytes:
    """Return the feed as XML in UTF-8, without characters that XML does not allow."""
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang={quoteattr(feed.language)}>',
        f"<id>{_text(feed.id)}</id><title>{_text(feed.title)}</title><updated>{_text(feed.updated)}</updated>",
        f"<author><name>Findable</name></author><link href={_attribute(feed.url)}/>",
        *map(_entry, feed.entries),
        "</feed>\n",
    ]
    return "\n".join(lines).encode()


def _entry(entry: FeedEntry) -> str:
    content = f'<content type="text">{_text(chr(10).join(entry.lines))}</content>' if entry.lines else ""
    head = f"<id>{_text(entry.id)}</id><title>{_text(entry.title)}</title><updated>{_text(entry.updated)}</updated>"
    return f"<entry>{head}<link href={_attribute(entry.url)}/>{content}</entry>"


def _text(text: str) -> str:
    return escape(_without_invalid(text))


def _attribute(text: str) -> str:
    return quoteattr(_without_invalid(text))


def _without_invalid(text: str) -> str:
    return "".join(mark for mark in text if mark in "\n\t" or (mark.isprintable() and mark not in "\ufffe\uffff"))
