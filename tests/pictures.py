"""Beginnings of image files, made by hand: enough for what reads headers only."""

import struct
import zlib
from collections.abc import Callable


def png(width: int, height: int, *, animated: bool = False) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    chunks = _chunk(b"IHDR", header)
    if animated:
        chunks += _chunk(b"acTL", struct.pack(">II", 2, 0))
    return b"\x89PNG\r\n\x1a\n" + chunks


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def gif(width: int, height: int, *, animated: bool = False) -> bytes:
    start = b"GIF89a" + struct.pack("<HH", width, height) + b"\x00\x00\x00"
    return start + (b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00" if animated else b"")


def jpeg(width: int, height: int) -> bytes:
    frame = struct.pack(">HBHHB", 17, 8, height, width, 3) + b"\x01\x22\x00\x02\x11\x01\x03\x11\x01"
    return b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xff\xc0" + frame


def webp(width: int, height: int, *, animated: bool = False) -> bytes:
    flags = b"\x02" if animated else b"\x00"
    body = (
        b"VP8X" + struct.pack("<I", 10) + flags + b"\x00\x00\x00" + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    )
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


def bmp(width: int, height: int) -> bytes:
    return b"BM" + struct.pack("<IHHI", 54, 0, 0, 54) + struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, 0, 0, 0, 0, 0)


def ico(*sizes: int) -> bytes:
    entries = b"".join(struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, 100, 22) for size in sizes)
    return struct.pack("<HHH", 0, 1, len(sizes)) + entries


def avif(width: int, height: int) -> bytes:
    """ftyp and a meta box with one image spatial extent (ISO/IEC 23008-12)."""

    def box(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content) + 8) + name + content

    extent = box(b"ispe", struct.pack(">III", 0, width, height))
    association = box(b"ipma", struct.pack(">IIHBB", 0, 1, 1, 1, 0x01))
    properties = box(b"iprp", box(b"ipco", extent) + association)
    handler = box(b"hdlr", struct.pack(">II4sIII", 0, 0, b"pict", 0, 0, 0) + b"\x00")
    primary = box(b"pitm", struct.pack(">IH", 0, 1))
    return box(b"ftyp", b"avif\x00\x00\x00\x00avifmif1") + box(b"meta", struct.pack(">I", 0) + handler + primary + properties)


def svg(width: int, height: int) -> bytes:
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"/>'.encode()


MAKERS: dict[str, Callable[..., bytes]] = {"png": png, "gif": gif, "jpeg": jpeg, "webp": webp, "bmp": bmp, "avif": avif, "svg": svg}


def picture(name: str, width: int, height: int) -> bytes:
    """The first bytes of a picture of that format; ``gif-animated`` and the like move."""
    base, _, moving = name.partition("-")
    return MAKERS[base](width, height, animated=True) if moving else MAKERS[base](width, height)
