"""How large values are kept: zstd, with a bound on what they may become again.

Analyses share most of their words, so they are packed with a dictionary that was trained on analyses of our own test pages
(tools/train_dictionary.py). A dictionary that was ever used stays: what was packed with it names it.
"""

from functools import cache
from pathlib import Path

import zstandard

MAX_UNPACKED_BYTES = 512 * 1024 * 1024
"""A saved page is held down by the caps of the fetcher far below this; more is not ours."""
DICTIONARIES = Path(__file__).parent / "dictionaries"
"""One file each, called by its number."""
NEWEST_DICTIONARY = 40001
"""What is packed from now on; numbers below 32768 are reserved by RFC 8878."""
_ANALYSIS_LEVEL = 15
"""A twentieth smaller than at 9, for six milliseconds of a report that takes hundreds."""
_PAGE_LEVEL = 6


def pack_analysis(data: bytes) -> bytes:
    """Compressed with what analyses have in common."""
    return _compressor(_ANALYSIS_LEVEL, _dictionary(NEWEST_DICTIONARY)).compress(data)


def pack_page(data: bytes) -> bytes:
    """Compressed, faster: pages are larger and often compressed inside."""
    return _compressor(_PAGE_LEVEL).compress(data)


def unpack(data: bytes) -> bytes:
    """The inverse of both. Raises ValueError where it is not what we packed."""
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
    """Raises FileNotFoundError."""
    dictionary = zstandard.ZstdCompressionDict((DICTIONARIES / f"{number}.zdict").read_bytes())
    dictionary.precompute_compress(level=_ANALYSIS_LEVEL)
    return dictionary
