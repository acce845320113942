"""Compress large values with zstd, with a limit on the unpacked size.

Analyses share most of their words, so they are packed with a dictionary trained on analyses of the project's test pages
(tools/train_dictionary.py). Every dictionary that was ever used stays, because packed values refer to it by number.
"""

from functools import cache
from pathlib import Path

import zstandard

MAX_UNPACKED_BYTES = 512 * 1024 * 1024
"""Maximum unpacked size. The fetcher's caps keep saved pages far below it."""
DICTIONARIES = Path(__file__).parent / "dictionaries"
"""Dictionaries, one file each, named by number."""
NEWEST_DICTIONARY = 40001
"""Dictionary for new values; RFC 8878 reserves numbers below 32768."""
_ANALYSIS_LEVEL = 15
"""Compression level of analyses: 5 % smaller than level 9, for six milliseconds more."""
_PAGE_LEVEL = 6


def pack_analysis(data: bytes) -> bytes:
    """Compress an analysis with the shared dictionary."""
    return _compressor(_ANALYSIS_LEVEL, _dictionary(NEWEST_DICTIONARY)).compress(data)


def pack_page(data: bytes) -> bytes:
    """Compress a page at a faster level: pages are larger and often contain compressed data."""
    return _compressor(_PAGE_LEVEL).compress(data)


def unpack(data: bytes) -> bytes:
    """Decompress a packed value. Raises ValueError if it is not one."""
    try:
        if not 0 <= zstandard.frame_content_size(data) <= MAX_UNPACKED_BYTES:
            msg = "not a packed value"
            raise ValueError(msg)
        number = zstandard.get_frame_parameters(data).dict_id
        return zstandard.ZstdDecompressor(dict_data=_dictionary(number) if number else None).decompress(data)
    except (zstandard.ZstdError, FileNotFoundError) as error:
        msg = "a packed value is damaged"
        raise ValueError(msg) from error


def _compressor(level: int, dictionary: zstandard.ZstdCompressionDict | None = None) -> zstandard.ZstdCompressor:
    return zstandard.ZstdCompressor(level=level, dict_data=dictionary, write_content_size=True, write_checksum=True)


@cache
def _dictionary(number: int) -> zstandard.ZstdCompressionDict:
    """Load a dictionary. Raises FileNotFoundError."""
    dictionary = zstandard.ZstdCompressionDict((DICTIONARIES / f"{number}.zdict").read_bytes())
    dictionary.precompute_compress(level=_ANALYSIS_LEVEL)
    return dictionary
