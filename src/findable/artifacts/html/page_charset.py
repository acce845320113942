"""Detect the declared encoding and decode the page in the WHATWG order: BOM, header, meta, UTF-8 check, windows-1252."""

import codecs
import re
from collections.abc import Iterator, Mapping
from sys import getsizeof

from msgspec import Struct

from findable.artifacts.registry import artifact
from findable.capture.page import PageCapture
from findable.capture.page_size_limits import STORED_BYTES
from findable.formats.encodings import codec_of, decode_single_byte, is_single_byte, name_of
from findable.formats.parse_budget import beginning_of
from findable.lazy_pattern import lazy_pattern

PRESCAN_BYTES = 1024
"""Bytes in which browsers look for a meta declaration (HTML Standard, 13.2.3.2)."""
LATE_SCAN_BYTES = 65_536
MAX_TEXT_BYTES = 12_000_000
"""Maximum memory of the text: three million characters with an emoji, six million with a character outside Latin-1."""
UTF8_SAMPLE_BYTES = 262_144
"""Number of bytes of a page in another encoding that are tested as UTF-8."""
BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_BE, "utf-16be"), (codecs.BOM_UTF16_LE, "utf-16le"))

_NAMES_CHARSET = lazy_pattern(rb"charset", re.IGNORECASE)
_OPENING = lazy_pattern(rb"<(?:(!--)|/?([a-zA-Z][^\t\n\f\r >/]*+)|[!/?])")
"""Beginning of a comment, of a tag with its name, or of a declaration."""
_ATTRIBUTE = lazy_pattern(
    rb"[\t\n\f\r /]*+([^\t\n\f\r />][^\t\n\f\r />=]*+)"
    rb"(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:\"([^\"]*+)\"|'([^']*+)'|(?=>)|([^\t\n\f\r >\"'][^\t\n\f\r >]*+))|(?![\t\n\f\r ]*+=))"
)
_TAG_END = lazy_pattern(rb"[\t\n\f\r /]*+>")
_IN_CONTENT = lazy_pattern(rb"charset[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:\"([^\"]+)\"|'([^']+)'|([^\t\n\f\r ;\"'][^\t\n\f\r ;]*))", re.IGNORECASE)
"""Extraction of an encoding from a meta element (HTML Standard, 2.6.4)."""
_RAW_TEXT = frozenset({b"script", b"style", b"title", b"textarea", b"noscript", b"iframe", b"xmp", b"noembed", b"noframes"})
"""Elements without tags inside for a parser. The prescan reads the tags inside them."""


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
    declaration = _meta_declaration(body)
    meta = declaration.label
    codec = _choose(body, bom, header, meta)
    text, replacements, first_bad = _decode(body, codec)
    is_whole = getsizeof(text) <= MAX_TEXT_BYTES and len(body) == len(page.response.body)
    if not is_whole:
        text = beginning_of(text)
    return Charset(
        bom=bom,
        header=header,
        meta=meta,
        meta_offset_bytes=declaration.offset,
        meta_end_bytes=declaration.end,
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


class _Declaration(Struct, frozen=True):
    """Declared label, and the byte offsets of its meta element."""

    label: str | None = None
    offset: int | None = None
    end: int | None = None


def _meta_declaration(body: bytes) -> _Declaration:
    """Return the first ``<meta charset>`` or ``<meta http-equiv=content-type content="…; charset=…">``.

    Browsers search the first PRESCAN_BYTES before they parse (HTML Standard, 13.2.3.2), and follow a later declaration when they parse it.
    """
    body = body[:LATE_SCAN_BYTES]
    if not _NAMES_CHARSET.search(body):
        return _Declaration()
    early = _first_known(_declarations(body[:PRESCAN_BYTES], is_parsed=False))
    return early if early.label and codec_of(early.label) else _first_known(_declarations(body, is_parsed=True))


def _first_known(declarations: Iterator[_Declaration]) -> _Declaration:
    """Return the first declaration of a known encoding, else the first one."""
    unknown = _Declaration()
    for declaration in declarations:
        if declaration.label and codec_of(declaration.label):
            return declaration
        unknown = unknown if unknown.label else declaration
    return unknown


def _declarations(data: bytes, *, is_parsed: bool) -> Iterator[_Declaration]:
    """Yield the declarations of meta elements, up to a tag that does not end. ``is_parsed``: skip scripts and the like, as a parser."""
    at = 0
    while (opening := _OPENING.search(data, at)) is not None:
        comment, name = opening[1], opening[2]
        if name is None:
            end = data.find(b"-->", opening.end() - 2) + 3 if comment else data.find(b">", opening.end()) + 1
            if end < opening.end():
                return
            at = end
            continue
        read = _attributes(data, opening.end())
        if read is None:
            return
        pairs, at = read
        is_start = data[opening.start() + 1 : opening.start() + 2] != b"/"
        if is_start and name.lower() == b"meta" and (label := _label(pairs)):
            yield _Declaration(label.decode("latin-1").strip().lower()[:64], opening.start(), at)
        elif is_parsed and is_start and name.lower() in _RAW_TEXT:
            closing = re.compile(rb"</" + name + rb"[\t\n\f\r />]", re.IGNORECASE).search(data, at)
            if closing is None:
                return
            at = closing.start()


def _attributes(data: bytes, at: int) -> tuple[Mapping[bytes, bytes], int] | None:
    """Return the attributes of a tag by name, the first of equal ones, and the offset after the tag; None if the tag does not end."""
    pairs: dict[bytes, bytes] = {}
    while (found := _ATTRIBUTE.match(data, at)) is not None:
        pairs.setdefault(found[1].lower(), found[2] or found[3] or found[4] or b"")
        at = found.end()
    end = _TAG_END.match(data, at)
    return (pairs, end.end()) if end else None


def _label(pairs: Mapping[bytes, bytes]) -> bytes:
    if pairs.get(b"charset"):
        return pairs[b"charset"]
    if pairs.get(b"http-equiv", b"").lower() != b"content-type":
        return b""
    named = _IN_CONTENT.search(pairs.get(b"content", b""))
    return (named[1] or named[2] or named[3]) if named else b""


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
