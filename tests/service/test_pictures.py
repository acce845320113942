"""Other people's pictures: bombs and lies end at their bounds, what can be drawn becomes a small PNG of ours."""

import io
import os
import resource
import struct
import zlib
from collections.abc import Iterator

import pytest
from PIL import Image, PngImagePlugin

from findable import sandbox
from findable.service.reports import stored_images
from findable.service.reports.stored_images import CARD_BOX, ICON_BOX, LOGO_BOX, EncodedImage, encode, encode_filmstrip
from findable.service.runtime.service import Service
from findable.settings import Settings
from tests.tiers import sampled

KINDS = ("PNG", "JPEG", "WEBP", "GIF", "ICO", "AVIF")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    opened = Service.open(Settings(data_dir=tmp_path_factory.mktemp("data"), secret_key="k" * 40))
    yield opened
    opened.close()


def image(kind: str, size: tuple[int, int] = (200, 100), mode: str = "RGB", **options: object) -> bytes:
    made = io.BytesIO()
    Image.new(mode, size, "#208060").save(made, kind, **options)
    return made.getvalue()


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack("!I", len(data)) + kind + data + struct.pack("!I", zlib.crc32(kind + data))


def png(width_px: int, height_px: int, rows: bytes) -> bytes:
    header = struct.pack("!IIBBBBB", width_px, height_px, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def zeros(count: int) -> bytes:
    """So many zero bytes, compressed a thousand to one."""
    packer = zlib.compressobj(9)
    block = bytes(1_000_000)
    packed = b"".join(packer.compress(block) for _ in range(count // len(block)))
    return packed + packer.compress(bytes(count % len(block))) + packer.flush()


def opened(made: EncodedImage | None) -> Image.Image:
    assert made is not None
    shown = Image.open(io.BytesIO(made.data))
    assert shown.format == "PNG"
    assert shown.size == (made.width_px, made.height_px)
    return shown


# --- what can be drawn ------------------------------------------------------------------------------------------------


def test_frames_of_a_load_stand_side_by_side_in_one_file() -> None:
    made = encode_filmstrip([image("JPEG", (320, 639)), b"", image("JPEG", (640, 1278), "L")])
    assert made is not None
    with Image.open(io.BytesIO(made.data)) as strip:
        assert (strip.format, strip.size) == ("WEBP", (780, 479))
        assert (made.width_px, made.height_px) == strip.size
        shown = [strip.convert("RGB").getpixel((x, 300)) for x in (130, 390, 650)]
        alphas = [strip.getchannel("A").getpixel((x, 300)) for x in (130, 260)]
    assert shown[0] == shown[1] != shown[2]
    assert alphas == [255, 0], "nothing is drawn between frames"


@pytest.mark.parametrize("frames", [(), (b"",), (b"\xff\xd8\xff" + bytes(99),), (image("JPEG"), image("PNG")), (image("JPEG")[:400],)])
def test_no_filmstrip_is_made_of_what_is_no_jpeg(frames: tuple[bytes, ...]) -> None:
    assert encode_filmstrip(frames) is None


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_becomes_a_small_png(service: Service, kind: str) -> None:
    size = (128, 128) if kind == "ICO" else (1280, 640)
    shown = opened(encode(service, image(kind, size), CARD_BOX))

    assert shown.size == ((128, 128) if kind == "ICO" else (600, 300))
    red, green, blue = shown.convert("RGB").resize((1, 1)).getpixel((0, 0))  # type: ignore[misc]  # three channels after RGB
    assert (abs(red - 0x20), abs(green - 0x80), abs(blue - 0x60)) < (12, 12, 12)


def test_small_pictures_stay_as_large_as_they_are_and_long_ones_fit(service: Service) -> None:
    assert opened(encode(service, image("PNG", (16, 16)), ICON_BOX)).size == (16, 16)
    assert opened(encode(service, image("PNG", (3000, 10)), LOGO_BOX)).size == (480, 2)


def test_what_is_clear_stays_clear(service: Service) -> None:
    shown = opened(encode(service, image("PNG", (50, 50), "LA"), LOGO_BOX))

    assert shown.mode == "RGBA"


def test_nothing_but_the_pixels_goes_on(service: Service) -> None:
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Comment", "made by Eve at 52.1,4.3")
    exif = Image.Exif()
    exif[0x010E] = "made by Eve"
    for data in (
        image("PNG", pnginfo=notes, icc_profile=b"profile of Eve" * 20),
        image("JPEG", exif=exif, comment=b"made by Eve"),
        image("PNG") + b"<script>made by Eve</script>",
    ):
        made = encode(service, data, CARD_BOX)
        assert made is not None
        assert b"Eve" not in made.data
        assert opened(made).info == {}


def test_the_first_frame_is_taken(service: Service) -> None:
    frames = [Image.new("RGB", (20, 20), colour) for colour in ("#ff0000", "#00ff00")]
    file = io.BytesIO()
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:])

    assert opened(encode(service, file.getvalue(), ICON_BOX)).convert("RGB").getpixel((5, 5)) == (255, 0, 0)


# --- what cannot ------------------------------------------------------------------------------------------------------


def ico(count: int) -> bytes:
    inside = image("PNG", (256, 256))
    entries = b"".join(struct.pack("<BBBBHHII", 0, 0, 0, 0, 1, 32, len(inside), 6 + 16 * count) for _ in range(count))
    return b"\x00\x00\x01\x00" + struct.pack("<H", count) + entries + inside


def gif_of_many_frames(count: int) -> bytes:
    frame = b"\x21\xf9\x04\x00\x00\x00\x00\x00" + b"\x2c" + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02\x44\x01\x00"
    return b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0x80, 0, 0) + b"\xff\x00\x00\x00\x00\x00" + frame * count + b"\x3b"


BOMBS = {
    "png that says 30000x30000": png(30_000, 30_000, zlib.compress(bytes(100))),
    "png that says 60000x60000": png(60_000, 60_000, zlib.compress(bytes(100))),
    "png of a wide line": png(2_000_000_000, 1, zlib.compress(b"")),
    "png of no size": png(0, 0, zlib.compress(b"")),
    "truncated png": image("PNG", (500, 500))[:120],
    "png without data": png(100, 100, b""),
    "png with broken data": png(100, 100, b"no zlib"),
    "truncated jpeg": image("JPEG", (500, 500))[:300],
    "truncated webp": image("WEBP", (500, 500))[:40],
    "truncated avif": image("AVIF", (500, 500))[:100],
    "huge icon directory": ico(65_535),
    "icon that lies": b"\x00\x00\x01\x00\x01\x00" + struct.pack("<BBBBHHII", 16, 16, 0, 0, 1, 32, 2**32 - 1, 2**32 - 1),
    "icon with a bomb inside": b"\x00\x00\x01\x00\x01\x00"
    + struct.pack("<BBBBHHII", 16, 16, 0, 0, 1, 32, 10_000, 22)
    + png(30_000, 30_000, zlib.compress(bytes(100))),
    "svg": b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
    "svg behind a png's name": b"\x89PNG\r\n\x1a\n<svg xmlns='http://www.w3.org/2000/svg'/>",
    "postscript": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 99999 99999\n",
    "tiff": image("TIFF"),
    "html": b"<!doctype html><title>x</title>",
    "nothing": b"",
    "one byte": b"\x89",
    "too many bytes": image("PNG") + bytes(stored_images.MAX_BYTES),
}


def worked_s() -> float:
    """Processor time of this process and the decoders that have ended: a busy machine is no fault of theirs."""
    return sum(os.times()[:4])


@pytest.mark.parametrize("name", sampled(BOMBS, 6))
def test_s29_bombs_and_lies_are_not_drawn_and_cost_little(service: Service, name: str) -> None:
    began_s = worked_s()

    assert encode(service, BOMBS[name], CARD_BOX) is None
    assert worked_s() - began_s < 6
    assert opened(encode(service, image("PNG"), ICON_BOX)).size == (64, 32)


def small_png(*chunks: bytes) -> bytes:
    """Eight pixels square, with chunks in front of them."""
    header = struct.pack("!IIBBBBB", 8, 8, 8, 2, 0, 0, 0)
    rows = chunk(b"IDAT", zlib.compress(bytes(8 * 25)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + b"".join(chunks) + rows + chunk(b"IEND", b"")


BESIDE = {
    "text": small_png(chunk(b"zTXt", b"a\0\0" + zeros(50_000_000))),
    "international text": small_png(chunk(b"iTXt", b"a\0\1\0\0\0" + zeros(50_000_000))),
    "profile": small_png(chunk(b"iCCP", b"a\0\0" + zeros(50_000_000))),
    "a hundred thousand notes": small_png(chunk(b"tEXt", b"a\0b") * 100_000),
    "more rows than it has": small_png(chunk(b"IDAT", zeros(50_000_000))),
    "two thousand million frames": small_png(chunk(b"acTL", struct.pack("!II", 2**31 - 1, 0))),
    "a directory that leads to itself": small_png(
        chunk(b"eXIf", b"MM\0*\0\0\0\x08\0\x01\x87\x69\0\x04\0\0\0\x01\0\0\0\x08\0\0\0\x08"),
    ),
    "a screen of 65535 x 65535": b"GIF89a" + b"\xff" * 4 + b"\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\1\0\1\0\0\2\2\x44\1\0;",
    "a frame beyond its screen": b"GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\xff\xff\xff\xff\0\2\2\x44\1\0;",
    "a canvas of 16384 x 16384": b"RIFF\x1e\0\0\0WEBPVP8X\x0a\0\0\0\2\0\0\0\xff\x3f\0\xff\x3f\0ANIM\6\0\0\0" + bytes(6),
    "a header of 65500 x 65500": image("JPEG", (64, 48)).replace(b"\x00\x30\x00\x40", b"\xff\xdc\xff\xdc", 1),
}


@pytest.mark.parametrize("name", sampled(BESIDE, 3))
def test_s29_what_stands_beside_the_pixels_is_not_unpacked(service: Service, name: str) -> None:
    began_s = worked_s()
    made = encode(service, BESIDE[name], CARD_BOX)

    assert made is None or ((made.width_px, made.height_px) == (8, 8) and len(made.data) < 500)
    assert worked_s() - began_s < 10


@pytest.mark.parametrize(
    "data",
    [image("AVIF").replace(b"iloc", b"free"), image("PNG")[:60], image("JPEG")[:300], image("WEBP")[:40], ico(65_535), b"<svg/>"],
    ids=["avif", "png", "jpeg", "webp", "ico", "svg"],
)
def test_s29_a_broken_picture_is_refused_and_takes_no_decoder_along(data: bytes) -> None:
    """It is no fault of ours, and none for the log."""
    with pytest.raises(sandbox.Rejected):
        sandbox.run(stored_images.DECODER, b"64 64\n" + data, stored_images.LIMITS)


def test_s29_png_whose_size_is_just_allowed_ends_within_the_bounds(service: Service) -> None:
    bomb = png(8000, 5000, zeros(5000 * (8000 * 3 + 1)))
    assert len(bomb) < 200_000
    began_s = worked_s()
    made = encode(service, bomb, CARD_BOX)

    assert made is None or made.width_px <= 600
    assert worked_s() - began_s < 12
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 4 * 1024**2  # kB; the bomb is 120 MB, and not here


def test_s29_a_hundred_thousand_frames_are_one(service: Service) -> None:
    began_s = worked_s()
    made = encode(service, gif_of_many_frames(100_000), ICON_BOX)

    assert made is None or (made.width_px, made.height_px) == (1, 1)
    assert worked_s() - began_s < 6


def test_s29_polyglots_become_pixels_alone(service: Service) -> None:
    page = b"<html><script>alert(1)</script></html>"
    made = encode(service, image("GIF").replace(b"\x3b", b"") + page + b"PK\x03\x04" + page, ICON_BOX)

    assert made is not None
    assert b"script" not in made.data


@pytest.mark.parametrize(("time_s", "memory_bytes"), [(0.000_1, 1024**3), (8.0, 20 * 1024**2)])
def test_s29_a_decoder_that_is_lost_costs_the_picture_only(
    service: Service, monkeypatch: pytest.MonkeyPatch, time_s: float, memory_bytes: int
) -> None:
    monkeypatch.setattr(stored_images, "LIMITS", sandbox.Limits(time_s, memory_bytes, 1_000_000))

    assert encode(service, image("PNG"), ICON_BOX) is None


# --- icons that are drawings ------------------------------------------------------------------------------------------

SQUARE = '<rect width="10" height="10" fill="#208060"/>'


def svg(inside: str = SQUARE, box: str = 'viewBox="0 0 10 10"', before: str = "") -> bytes:
    return f'{before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {box}>{inside}</svg>'.encode()


def laughs() -> str:
    ten = "".join(f'<!ENTITY a{n} "' + f"&a{n - 1};" * 10 + '">' for n in range(1, 10))
    return f'<!DOCTYPE svg [<!ENTITY a0 "ha">{ten}]>'


def grown(count: int) -> str:
    """Ten uses of ten uses of …"""
    rows = "".join(f'<g id="a{n}">' + f'<use href="#a{n - 1}"/>' * 10 + "</g>" for n in range(1, count))
    return f'<defs><g id="a0">{SQUARE}</g>{rows}</defs><use href="#a{count - 1}"/>'


DRAWN = {
    "plain": svg(),
    "with declaration": svg(before='\ufeff<?xml version="1.0" encoding="utf-8"?>\n<!-- made by hand -->\n'),
    "with a script": svg(f'{SQUARE}<script>alert(1)</script><foreignObject><p onclick="alert(1)">x</p></foreignObject>'),
    "with an event": svg(box='viewBox="0 0 10 10" onload="alert(1)"'),
    "with a shape of another file": svg(f'<use href="http://127.0.0.1:9/x.svg#a"/>{SQUARE}'),
    "a huge canvas": svg('<rect width="1e9" height="1e9" fill="#208060"/>', 'width="1e9" height="1e9" viewBox="0 0 1e9 1e9"'),
}


@pytest.mark.parametrize("name", sampled(DRAWN, 3))
def test_an_svg_icon_is_drawn_at_the_size_of_icons(service: Service, name: str) -> None:
    shown = opened(encode(service, DRAWN[name], ICON_BOX))

    assert (shown.size, shown.convert("RGBA").getpixel((32, 32))) == ((64, 64), (0x20, 0x80, 0x60, 255))


def test_an_svg_icon_keeps_its_shape_and_its_clear_ground(service: Service) -> None:
    shown = opened(encode(service, svg('<rect width="20" height="10" fill="#208060"/>', 'viewBox="0 0 20 10"'), ICON_BOX))

    assert [shown.convert("RGBA").getpixel((32, y)) for y in (4, 32, 60)] == [(0, 0, 0, 0), (0x20, 0x80, 0x60, 255), (0, 0, 0, 0)]


HOSTILE = {
    "image of another host": svg(f'{SQUARE}<image href="http://127.0.0.1:9/x.png" width="10" height="10"/>'),
    "file": svg(f'{SQUARE}<image xlink:href="file:///etc/passwd" width="10" height="10"/>'),
    "entity of a file": svg("<text>&x;</text>", before='<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
    "a thousand million laughs": svg("<text>&a9;</text>", before=laughs()),
    "a hundred thousand groups in each other": svg("<g>" * 100_000 + "</g>" * 100_000),
    "ten thousand million shapes": svg(grown(10)),
    "a group in itself": svg('<g id="a"><use href="#a"/></g>'),
    "a size that is none": svg(box='width="nan" height="-5"'),
    "nothing": svg(""),
    "a text without a font": svg('<text y="9">W</text>'),
    "another encoding": svg().decode().encode("utf-16"),
    "a page": b"<!doctype html><title>x</title>",
    "typst": b'<#panic("x")',
}


@pytest.mark.parametrize("name", sampled(HOSTILE, 5))
def test_s29_a_hostile_svg_icon_is_not_drawn_and_ends_within_the_bounds(service: Service, name: str) -> None:
    began_s = worked_s()

    assert encode(service, HOSTILE[name], ICON_BOX) is None
    assert worked_s() - began_s < 2


@pytest.mark.full
def test_s29_an_svg_icon_that_draws_without_end_is_killed(service: Service) -> None:
    noise = '<filter id="f"><feTurbulence numOctaves="2000000000" baseFrequency="0.1"/></filter>'
    began_s = worked_s()

    assert encode(service, svg(f'{noise}<g filter="url(#f)">{SQUARE}</g>'), ICON_BOX) is None
    assert worked_s() - began_s < stored_images.LIMITS.time_s + 3


def test_s29_an_svg_is_drawn_as_nothing_but_an_icon(service: Service) -> None:
    assert [encode(service, svg(), box) for box in (CARD_BOX, LOGO_BOX)] == [None, None]
