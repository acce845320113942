"""Compress large values with zstd, with a limit on the unpacked size.

Analyses have most words in common, so they are packed with a dictionary trained on analyses of the project's test pages
(tools/train_dictionary.py). A dictionary that a release contains is never removed, because packed values refer to it by number.
"""

from functools import cache
from pathlib import Path
from typing import cast

from findable.formats.zstd import zstd

MAX_UNPACKED_BYTES = 512 * 1024 * 1024
"""Maximum unpacked size. The fetcher's caps keep saved pages far below it."""
DICTIONARIES = Path(__file__).parent / "dictionaries"
"""Folder of the dictionaries, one file each, named by number."""
NEWEST_DICTIONARY = 40003
"""Dictionary for new values; RFC 8878 reserves numbers below 32768."""
_ANALYSIS_LEVEL = 15
"""Compression level of analyses: 5 % smaller than level 9, for six milliseconds more."""
_PAGE_LEVEL = 6


def pack_analysis(data: bytes) -> bytes:
    """Compress an analysis with the shared dictionary."""
    return zstd.compress(data, options=_options(_ANALYSIS_LEVEL), zstd_dict=_dictionary(NEWEST_DICTIONARY).as_digested_dict)


def pack_page(data: bytes) -> bytes:
    """Compress a page at a faster level: pages are larger and often contain compressed data."""
    return zstd.compress(data, options=_options(_PAGE_LEVEL))


def unpack(data: bytes) -> bytes:
    """Decompress a packed value. Raises ValueError if it is damaged, too large or not packed."""
    try:
        frame = zstd.get_frame_info(data)
        size = cast("int | None", frame.decompressed_size)  # its type annotation lacks None
        if size is None or size > MAX_UNPACKED_BYTES:
            raise ValueError("not a packed value")
        dictionary = _dictionary(frame.dictionary_id) if frame.dictionary_id else None
        decompressor = zstd.ZstdDecompressor(zstd_dict=dictionary)
        unpacked = decompressor.decompress(data)
    except (zstd.ZstdError, FileNotFoundError) as error:
        raise ValueError("a packed value is damaged") from error
    if not decompressor.eof:
        raise ValueError("a packed value is cut off")
    return unpacked


def _options(level: int) -> dict[int, int]:
    return {zstd.CompressionParameter.compression_level: level, zstd.CompressionParameter.checksum_flag: 1}


@cache
def _dictionary(number: int) -> zstd.ZstdDict:
    """Load a dictionary. Raises FileNotFoundError if there is none of this number."""
    return zstd.ZstdDict((DICTIONARIES / f"{number}.zdict").read_bytes())
