"""Dimensions of images, and whether they are animated, from their first bytes; nothing is decoded."""

import io
import struct

from findable.formats.mime_sniffing import MAX_SNIFF_BYTES

ICON_ENTRIES = 64
"""Maximum number of directory entries of an icon file that are read; real files have fewer than ten."""
_MEASURED = frozenset({"image/png", "image/jpeg", "image/gif", "image/bmp", "image/webp", "image/avif", "image/heic", "image/heif"})


def dimensions(start: bytes, media_type: str) -> tuple[int, int] | None:
    """Return (width, height) in pixels from the header bytes, None if they are missing; the largest size of an icon."""
    if media_type == "image/x-icon":
        return _icon_dimensions(start)
    if media_type not in _MEASURED:
        return None
    import imagesize  # noqa: PLC0415 - it loads urllib and an XML parser, which many pages do not need

    try:
        width, height = imagesize.get(io.BytesIO(start))
    except Exception:  # noqa: BLE001 - any error of the parser on bytes from the network means "not readable"
        return None
    return (width, height) if width > 0 and height > 0 else None


def _icon_dimensions(start: bytes) -> tuple[int, int] | None:
    """Return the largest size in an icon directory: 6 bytes of header, 16 bytes per entry, side 0 means 256 (MS-ICO)."""
    if len(start) < struct.calcsize("<HHH"):
        return None
    count = min(int.from_bytes(start[4:6], "little"), ICON_ENTRIES)
    entries = [start[6 + 16 * at : 6 + 16 * at + 2] for at in range(count)]
    sizes = [(entry[0] or 256, entry[1] or 256) for entry in entries if len(entry) == 2]  # noqa: PLR2004 - width and height
    return max(sizes, default=None)


def is_animated(start: bytes, media_type: str) -> bool:
    """Return whether the file is animated: a GIF with a loop extension or a second frame, an APNG, WebP or AVIF sequence."""
    if media_type == "image/gif":
        return b"NETSCAPE2.0" in start or start.count(b"\x21\xf9\x04") > 1
    if media_type == "image/webp":
        return start[12:16] == b"VP8X" and len(start) > 20 and bool(start[20] & 0x02)  # noqa: PLR2004 - flags of the VP8X chunk
    if media_type == "image/png":
        return b"acTL" in start[:MAX_SNIFF_BYTES]
    return media_type == "image/avif" and start[8:12] == b"avis"
