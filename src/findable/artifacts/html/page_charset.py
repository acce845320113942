"""Detect the declared encoding and decode the page in the WHATWG order: BOM, header, meta, UTF-8 check, windows-1252."""

import codecs
import re
from sys import getsizeof

from msgspec import Struct

from findable.artifacts.registry import artifact
from findable.capture.page import PageCapture
from findable.capture.page_size_limits import STORED_BYTES
from findable.formats.encodings import codec_of, decode_single_byte, is_single_byte, name_of
from findable.formats.parse_budget import beginning_of

PRESCAN_BYTES = 1024
"""Bytes in which browsers look for a meta declaration (HTML Standard, 13.2.3.2)."""
LATE_SCAN_BYTES = 65_536
MAX_TEXT_BYTES = 12_000_000
"""Maximum memory of the text: three million characters with an emoji, six million with a character outside Latin-1."""
UTF8_SAMPLE_BYTES = 262_144
"""Number of bytes of a page in another encoding that are tested as UTF-8."""
BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_BE, "utf-16be"), (codecs.BOM_UTF16_LE, "utf-16le"))

_META = re.compile(rb"<(?:meta[\s/](?P<attributes>[^>]{0,1024})|!--(?:.*?(?:-->|\Z)))", re.IGNORECASE | re.DOTALL)
"""A meta element, or a comment, which may contain one that does not count."""
_ATTRIBUTE = re.compile(rb"([^\s\"'>/=]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_IN_CONTENT = re.compile(rb"charset\s*=\s*[\"']?\s*([^\"'\s;]{1,64})", re.IGNORECASE)


class Charset(Struct, frozen=True):
    """Declared encodings and the result of decoding. Labels are lower case as declared, None if not declared."""

    bom: str | None
    header: str | None
    meta: str | None
    meta_offset_bytes: int | None
    """Byte offset of the meta declaration."""
    meta_end_bytes: int | None
    """Byte offset after the declaration."""
    used: str
    """WHATWG name of the encoding used."""
    text: str
    """Page as text with LF newlines, without BOM; only the beginning if it is not complete."""
    is_whole: bool
    """Whether the text is complete: at most MAX_TEXT_BYTES, from a completely stored body."""
    replacement_count: int
    """Number of U+FFFD inserted by decoding."""
    first_bad_byte_offset: int | None
    has_non_ascii: bool
    is_misread_utf8: bool
    """Whether the bytes are UTF-8 but declared as a single-byte encoding: "Ã¤" for "ä"."""
    header_line: str
    """Content-Type values as sent, joined with commas; empty if none was sent."""


@artifact
def make_charset(page: PageCapture) -> Charset:
    """Read the encoding declarations of the page and decode its body."""
    body = page.response.body[:STORED_BYTES]  # pages saved by older versions have longer bodies
    header = page.response.headers.content_type.charset
    bom = next((name for mark, name in BOMS if body.startswith(mark)), None)
    meta, offset, end = _meta_declaration(body)
    codec = _choose(body, bom, header, meta)
    text, replacements, first_bad = _decode(body, codec)
    is_whole = getsizeof(text) <= MAX_TEXT_BYTES and len(body) == len(page.response.body)
    if not is_whole:
        text = beginning_of(text)
    return Charset(
        bom=bom,
        header=header,
        meta=meta,
        meta_offset_bytes=offset,
        meta_end_bytes=end,
        used=name_of(codec),
        text=_normalize_newlines(text.removeprefix("\ufeff")),
        is_whole=is_whole,
        replacement_count=replacements,
        first_bad_byte_offset=first_bad,
        has_non_ascii=not body.isascii(),
        is_misread_utf8=is_single_byte(codec) and _is_utf8(body[:UTF8_SAMPLE_BYTES]),
        header_line=", ".join(page.response.headers.all("content-type")),
    )


def _normalize_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _meta_declaration(body: bytes) -> tuple[str | None, int | None, int | None]:
    """Return the first ``<meta charset>`` or ``<meta http-equiv=content-type content="…; charset=…">``, its offset and end."""
    for found in _META.finditer(body, 0, LATE_SCAN_BYTES):
        label = _label(found["attributes"]) if found["attributes"] else b""
        if label:
            return label.decode("latin-1").strip().lower()[:64], found.start(), found.end() + 1
    return None, None, None


def _label(attributes: bytes) -> bytes:
    pairs: dict[bytes, bytes] = {
        name.lower(): double or single or plain for name, double, single, plain in reversed(_ATTRIBUTE.findall(attributes))
    }
    if pairs.get(b"charset"):
        return pairs[b"charset"]
    if pairs.get(b"http-equiv", b"").strip().lower() != b"content-type":
        return b""
    named = _IN_CONTENT.search(pairs.get(b"content", b""))
    label: bytes = named[1] if named else b""
    return label


def _choose(body: bytes, bom: str | None, header: str | None, meta: str | None) -> str:
    if bom:
        return codecs.lookup(bom).name
    if header and (codec := codec_of(header)):
        return codec
    if meta and (codec := codec_of(meta)):
        # A meta element was readable as ASCII, so the page cannot be UTF-16 as declared (HTML Standard, 13.2.3.3).
        return "utf-8" if codec.startswith("utf-16") else codec
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        # A body truncated inside a character is still UTF-8.
        return "utf-8" if error.start >= len(body) - 3 else "cp1252"
    return "utf-8"


def _is_utf8(start: bytes) -> bool:
    """Return whether the beginning of a body has non-ASCII characters and all of them are UTF-8."""
    try:
        start.decode("utf-8")
    except UnicodeDecodeError as error:
        start = start[: error.start] if error.start >= len(start) - 3 else b""
    return not start.isascii()


def _decode(body: bytes, codec: str) -> tuple[str, int, int | None]:
    try:
        return body.decode(codec), 0, None
    except UnicodeDecodeError as error:
        # U+FFFD written by the author is text; count only those that decoding inserts.
        own = body.count("\ufffd".encode()) if codec == "utf-8" else 0
        text = decode_single_byte(body, codec) if is_single_byte(codec) else body.decode(codec, "replace")
        added = max(0, text.count("\ufffd") - own)
        return (text, added, error.start) if added else (text, 0, None)
