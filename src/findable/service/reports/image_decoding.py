"""Code of the image decoding process: decode untrusted bytes to a small PNG, or frames to a WebP. No other module may import it.

The size is read from the header before decoding. Only the pixels of the first image in a file are used: no comments, profiles or locations.
An SVG icon is drawn without scripts, fonts, files and network at the size of the icon, whatever size it declares.
"""

import io
import tempfile
import warnings
from typing import cast

from PIL import Image, ImageOps

MAX_PIXELS = 40_000_000
MAX_SIDE_PX = 20_000
KINDS = (
    (b"\x89PNG\r\n\x1a\n", 0, "PNG"),
    (b"\xff\xd8\xff", 0, "JPEG"),
    (b"GIF8", 0, "GIF"),
    (b"\x00\x00\x01\x00", 0, "ICO"),
    (b"WEBP", 8, "WEBP"),
    (b"ftypavif", 4, "AVIF"),
    (b"ftypavis", 4, "AVIF"),
)
"""Image formats: (signature, its offset, Pillow's name). Other formats are rejected."""
_BROKEN = (
    *(OSError, SyntaxError, EOFError, Warning, Image.DecompressionBombError, IndexError, KeyError, TypeError, OverflowError),
    RuntimeError,  # raised by the AVIF decoder
)
"""Exceptions raised by Pillow for invalid images."""
WEBP_QUALITY, WEBP_METHOD = 45, 6
MAX_ICONS = 64
"""Maximum number of directory entries of an accepted icon file; real files have fewer than ten."""
_BEFORE_MARKUP = b"\xef\xbb\xbf \t\r\n"
_DRAWING = b"""#set page(width: int(sys.inputs.width) * 1pt, height: int(sys.inputs.height) * 1pt, margin: 0pt, fill: none)
#image(bytes(sys.inputs.svg), format: "svg", width: 100%, height: 100%, fit: "contain")"""


def redraw(request: bytes) -> bytes:
    """Return an image as a PNG that fits a box. The input is a line ``WIDTH HEIGHT``, then the image. Raises ValueError for other input."""
    head, _, data = request.partition(b"\n")
    width_px, height_px = map(int, head.split())
    kind = next((name for start, place, name in KINDS if data.startswith(start, place)), None)
    if kind is None:
        raise ValueError("not a PNG, JPEG, WebP, GIF, ICO or AVIF image")
    if kind == "ICO" and int.from_bytes(data[4:6], "little") > MAX_ICONS:
        raise ValueError("too many icons in one file")
    warnings.simplefilter("error")
    Image.MAX_IMAGE_PIXELS = MAX_PIXELS
    try:
        return _draw(data, kind, (width_px, height_px))
    except _BROKEN as error:
        raise ValueError(f"{kind}: {error}") from error


def draw_icon(request: bytes) -> bytes:
    """Return an icon like `redraw`; it may also be an SVG."""
    head, _, data = request.partition(b"\n")
    return redraw(head + b"\n" + _svg_pixels(data, head) if data.lstrip(_BEFORE_MARKUP).startswith(b"<") else request)


def filmstrip(request: bytes) -> bytes:
    """Return JPEGs side by side as a WebP. The input is a line ``WIDTH HEIGHT GAP SIZE…``, then JPEGs of these sizes in bytes.

    Each takes WIDTH × HEIGHT pixels and has GAP transparent ones on both sides; one without bytes repeats the one before. Raises ValueError
    for other input.
    """
    head, _, data = request.partition(b"\n")
    width_px, height_px, gap_px, *sizes = map(int, head.split())
    step_px = width_px + 2 * gap_px
    warnings.simplefilter("error")
    Image.MAX_IMAGE_PIXELS = MAX_PIXELS
    strip = Image.new("RGBA", (step_px * len(sizes), height_px))
    frame = Image.new("RGB", (width_px, height_px), "white")
    try:
        for place, size in enumerate(sizes):
            if size:
                frame = _scaled(data[:size], "JPEG", (width_px, height_px))
            strip.paste(frame, (place * step_px + gap_px, 0))
            data = data[size:]
    except _BROKEN as error:
        raise ValueError(f"filmstrip: {error}") from error
    made = io.BytesIO()
    strip.save(made, "WEBP", quality=WEBP_QUALITY, method=WEBP_METHOD)
    return made.getvalue()


def _svg_pixels(data: bytes, head: bytes) -> bytes:
    """Return the drawing of an SVG on a transparent background as PNG. Raises ValueError for one that cannot be drawn, or draws nothing."""
    try:
        import typst  # noqa: PLC0415 - belongs to the extra ``pdf``
    except ImportError as error:
        raise ValueError("SVG needs the extra pdf") from error
    width_pt, height_pt = head.decode().split()
    with tempfile.TemporaryDirectory(dir=".") as nothing:
        fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False)
        values = {"width": width_pt, "height": height_pt, "svg": data.decode()}
        compiler = typst.Compiler(_DRAWING, root=nothing, font_paths=fonts, package_path=nothing, package_cache_path=nothing)
        try:
            drawn = cast("bytes", compiler.compile(format="png", ppi=72, sys_inputs=values))
        except typst.TypstError as error:
            raise ValueError(f"SVG: {error}") from error
    with Image.open(io.BytesIO(drawn), formats=["PNG"]) as opened:
        if opened.convert("RGBA").getchannel("A").getbbox() is None:
            raise ValueError("SVG: nothing is drawn")
    return drawn


def _draw(data: bytes, kind: str, box: tuple[int, int]) -> bytes:
    made = io.BytesIO()
    _scaled(data, kind, box).save(made, "PNG", optimize=True)
    return made.getvalue()


def _scaled(data: bytes, kind: str, box: tuple[int, int]) -> Image.Image:
    """Return the bare pixels of an image, scaled down to fit the box."""
    with Image.open(io.BytesIO(data), formats=[kind]) as opened:
        if max(opened.size) > MAX_SIDE_PX or opened.width * opened.height > MAX_PIXELS:
            raise ValueError(f"{kind}: {opened.width} × {opened.height} pixels are too many")
        opened.draft("RGB", (2 * box[0], 2 * box[1]))  # decode the JPEG at a reduced scale
        upright = ImageOps.exif_transpose(opened)
        small = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    small.thumbnail(box, Image.Resampling.LANCZOS, reducing_gap=2.0)
    return Image.frombytes(small.mode, small.size, small.tobytes())
