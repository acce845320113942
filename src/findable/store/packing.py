"""How large values are kept: zstd, with a bound on what they may become again."""

import zstandard

MAX_UNPACKED_BYTES = 512 * 1024 * 1024
"""A saved page is held down by the caps of the fetcher far below this; more is not ours."""
_ANALYSIS_LEVEL = 9
_PAGE_LEVEL = 6


def pack(data: bytes, *, level: int = _ANALYSIS_LEVEL) -> bytes:
    """Compressed."""
    return zstandard.ZstdCompressor(level=level, write_content_size=True, write_checksum=True).compress(data)


def pack_page(data: bytes) -> bytes:
    """Compressed, faster: pages are larger and often compressed inside."""
    return pack(data, level=_PAGE_LEVEL)


def unpack(data: bytes) -> bytes:
    """The inverse of both. Raises ValueError where it is not what we packed."""
    try:
        if not 0 <= zstandard.frame_content_size(data) <= MAX_UNPACKED_BYTES:
            msg = "not a packed value"
            raise ValueError(msg)
        return zstandard.ZstdDecompressor().decompress(data)
    except zstandard.ZstdError as error:
        msg = "a packed value is damaged"
        raise ValueError(msg) from error
