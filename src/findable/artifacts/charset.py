"""Which encoding the page declares, and what it is decoded by: the WHATWG order (BOM, header, meta, UTF-8 check, windows-1252)."""

import codecs
import re
from dataclasses import dataclass

from findable.artifacts.capture import Capture
from findable.artifacts.gather import artifact

PRESCAN_BYTES = 1024
"""Where browsers look for a meta declaration (HTML Standard, 13.2.3.2)."""
LATE_SCAN_BYTES = 65_536
BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_BE, "utf-16be"), (codecs.BOM_UTF16_LE, "utf-16le"))

_META = re.compile(rb"<meta[\s/][^>]{0,512}?charset\s*=\s*[\"']?\s*([^\"'\s;/>]{1,64})", re.IGNORECASE)
_HEADER = re.compile(r"charset\s*=\s*[\"']?([^\"'\s;]+)", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)

LABELS = {
    # WHATWG label → Python codec, where they differ (Encoding Standard, "Names and labels"; 2026).
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "iso88591": "cp1252",
    "latin1": "cp1252",
    "l1": "cp1252",
    "windows-1252": "cp1252",
    "x-cp1252": "cp1252",
    "iso-8859-9": "cp1254",
    "latin5": "cp1254",
    "iso-8859-11": "cp874",
    "tis-620": "cp874",
    "windows-874": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "gb_2312-80": "gb18030",
    "big5": "big5hkscs",
    "big5-hkscs": "big5hkscs",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "korean": "cp949",
    "unicode-1-1-utf-8": "utf-8",
    "utf8": "utf-8",
    "x-mac-cyrillic": "mac-cyrillic",
    "macintosh": "mac-roman",
    "iso-8859-8-i": "iso-8859-8",
    "logical": "iso-8859-8",
}
CANONICAL_NAMES = {
    "cp1252": "windows-1252",
    "cp1254": "windows-1254",
    "cp874": "windows-874",
    "big5hkscs": "big5",
    "cp932": "shift_jis",
    "cp949": "euc-kr",
    "utf-16-le": "utf-16le",
    "utf-16-be": "utf-16be",
}
_UNSAFE = frozenset({"utf-7", "rot13", "rot_13", "unicode_escape", "raw_unicode_escape", "idna", "punycode", "undefined", "mbcs", "oem"})


@dataclass(frozen=True, slots=True)
class Charset:
    """What declares the encoding, and how decoding went. Labels are lower case as declared, None where nothing declares it."""

    bom: str | None
    header: str | None
    meta: str | None
    meta_offset_bytes: int | None
    """Where the meta declaration stands."""
    used: str
    """WHATWG name of the encoding that was used."""
    text: str
    """The page as text, newlines normalised to LF, without BOM."""
    replacement_count: int
    """U+FFFD that decoding put in."""
    first_bad_byte_offset: int | None
    has_non_ascii: bool
    header_line: str
    """The Content-Type value as sent; empty where none was."""


def codec_of(label: str) -> str | None:
    """The Python codec of a WHATWG label, None where no browser knows the label."""
    label = label.strip().lower()
    name = LABELS.get(label, label)
    if name in _UNSAFE:
        return None
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    return info.name if info._is_text_encoding else None  # noqa: SLF001 - the only way to know bytes-to-bytes codecs apart


def name_of(codec: str) -> str:
    """The WHATWG name of a Python codec."""
    return CANONICAL_NAMES.get(codec, codec)


@artifact
def make_charset(capture: Capture) -> Charset:
    """Reads the declarations and decodes the body."""
    body = capture.response.body
    content_type = capture.response.headers.first("content-type") or ""
    in_header = _HEADER.search(content_type)
    header = in_header.group(1).lower() if in_header else None
    bom = next((name for mark, name in BOMS if body.startswith(mark)), None)
    meta, offset = _meta_declaration(body)
    codec = _choose(body, bom, header, meta)
    text, replacements, first_bad = _decode(body, codec)
    return Charset(
        bom=bom,
        header=header,
        meta=meta,
        meta_offset_bytes=offset,
        used=name_of(codec),
        text=_with_lf(text.removeprefix("\ufeff")),
        replacement_count=replacements,
        first_bad_byte_offset=first_bad,
        has_non_ascii=not body.isascii(),
        header_line=content_type,
    )


def _with_lf(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _meta_declaration(body: bytes) -> tuple[str | None, int | None]:
    head = _COMMENT.sub(lambda match: b" " * len(match.group()), body[:LATE_SCAN_BYTES])
    found = _META.search(head)
    return (found.group(1).decode("latin-1").lower(), found.start()) if found else (None, None)


def _choose(body: bytes, bom: str | None, header: str | None, meta: str | None) -> str:
    if bom:
        return codecs.lookup(bom).name
    if header and (codec := codec_of(header)):
        return codec
    if meta and (codec := codec_of(meta)):
        # A meta that says UTF-16 was readable as ASCII, so it cannot be UTF-16 (HTML Standard, 13.2.3.3).
        return "utf-8" if codec.startswith("utf-16") else codec
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        # A body cut in the middle of a character is still UTF-8.
        return "utf-8" if error.start >= len(body) - 3 else "cp1252"
    return "utf-8"


def _decode(body: bytes, codec: str) -> tuple[str, int, int | None]:
    try:
        return body.decode(codec), 0, None
    except UnicodeDecodeError as error:
        # "\ufffd" written by the author is text, only those that decoding adds are counted.
        own = body.count("\ufffd".encode()) if codec == "utf-8" else 0
        text = body.decode(codec, "replace")
        return text, max(1, text.count("\ufffd") - own), error.start
