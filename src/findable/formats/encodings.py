"""Character encodings that browsers support, and their labels (WHATWG Encoding Standard, "Names and labels", 2026)."""

import codecs
from collections.abc import Mapping
from functools import cache

from findable.values import path_in

_C1 = range(0x80, 0xA0)
_LENIENT = "findable_c1"


@cache
def _encodings() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return Python codecs by label, and WHATWG names by codec.

    Without ``replacement`` (used only in attacks) and ``x-user-defined``. ISO-8859-8-I is decoded like ISO-8859-8, and GBK like GB18030.
    """
    lines = path_in(__package__, "data/encodings.txt").read_text("ascii").splitlines()
    rows = [line.split() for line in lines]  # WHATWG name, codec, labels
    return {label: codec for _, codec, *labels in rows for label in labels}, {codec: name for name, codec, *_ in rows}


def codec_of(label: str) -> str | None:
    """Return the Python codec of a label; None if browsers do not support the label."""
    return _encodings()[0].get(label.strip(" \t\n\f\r").lower())


def name_of(codec: str) -> str:
    """Return the WHATWG name of a Python codec."""
    return _encodings()[1].get(codec, codec)


def is_single_byte(codec: str) -> bool:
    """Return whether the codec uses one byte per character."""
    return codec.startswith(("cp12", "iso8859", "koi8", "mac", "cp866", "cp874"))


def is_utf8(data: bytes) -> bool:
    """Return whether all bytes are UTF-8."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def header_text(value: str) -> str:
    """Return a header value, whose bytes were read as Latin-1, as UTF-8 if it is valid UTF-8, as browsers do."""
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value


def decode_single_byte(body: bytes, codec: str) -> str:
    """Decode as browsers do: undefined bytes 80 to 9F are control characters, other undefined bytes U+FFFD."""
    return body.decode(codec, _LENIENT)


def _as_control(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    found = error.object[error.start : error.end]
    return "".join(chr(byte) if byte in _C1 else "\ufffd" for byte in found), error.end


codecs.register_error(_LENIENT, _as_control)
