"""Detect media types from bytes (WHATWG MIME Sniffing, 2025).

Only the first bytes are read; nothing is decoded.
"""

import re

from findable.lazy_pattern import lazy_pattern

MAX_SNIFF_BYTES = 1445
"""Maximum size of the resource header in the MIME Sniffing standard."""

_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"\x00\x00\x01\x00", "image/x-icon"),
    (b"\x00\x00\x02\x00", "image/x-icon"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"\xff\x0a", "image/jxl"),
    (b"\x00\x00\x00\x0cJXL ", "image/jxl"),
    (b"wOF2", "font/woff2"),
    (b"wOFF", "font/woff"),
    (b"OTTO", "font/otf"),
    (b"\x00\x01\x00\x00", "font/ttf"),
    (b"ttcf", "font/collection"),
    (b"\x1aE\xdf\xa3", "video/webm"),
    (b"OggS\x00", "application/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"%PDF-", "application/pdf"),
)
_MARKS = tuple(mark for mark, _ in _SIGNATURES)
_ISO_BRANDS = {
    b"avif": "image/avif",
    b"avis": "image/avif",
    b"heic": "image/heic",
    b"heix": "image/heic",
    b"mif1": "image/heif",
    b"msf1": "image/heif",
}
_SVG = lazy_pattern(
    rb"\s*(?:<\?xml[^>]{0,400}>\s*)?(?:<!DOCTYPE\s+svg[^>]{0,600}>\s*)?(?:<!--.{0,1000}?-->\s*)?<svg[\s>]", re.DOTALL | re.IGNORECASE
)


def sniff(start: bytes) -> str:
    """Return the media type of a file from its first bytes; empty if they do not identify one (script, stylesheet, plain text)."""
    if not start:
        return ""
    if start.startswith(_MARKS):
        return next(media_type for mark, media_type in _SIGNATURES if start.startswith(mark))
    if start[:4] == b"RIFF" and start[8:12] == b"WEBP":
        return "image/webp"
    if start[4:8] == b"ftyp":
        return _iso_media(start)
    head = start[:MAX_SNIFF_BYTES].removeprefix(b"\xef\xbb\xbf")
    if _SVG.match(head):
        return "image/svg+xml"
    return "text/html" if looks_like_html(head) else ""


def _iso_media(start: bytes) -> str:
    size = min(int.from_bytes(start[:4], "big"), len(start), 256)
    brands = [start[8:12], *(start[at : at + 4] for at in range(16, size, 4))]
    return next((_ISO_BRANDS[brand] for brand in brands if brand in _ISO_BRANDS), "video/mp4")


def looks_like_html(body: bytes) -> bool:
    """Return whether the bytes would be sniffed as HTML (WHATWG MIME Sniffing 7.1, shortened)."""
    start = body[:512].lstrip(b"\xef\xbb\xbf \t\r\n\x0c").lower()
    return start.startswith(
        (
            b"<!doctype html",
            b"<html",
            b"<head",
            b"<script",
            b"<title",
            b"<body",
            b"<!--",
            b"<div",
            b"<h1",
            b"<p",
            b"<meta",
            b"<table",
            b"<a ",
        )
    )
