"""Write src/findable/artifacts/tables/data/glyph_widths.csv: advance widths by code point, in thousandths of an em.

Liberation Sans has the metrics of Arial, the font of result pages; other characters come from Noto Sans CJK. Run once, on
Debian 12 with the packages fonts-liberation and fonts-noto-cjk installed:

    python3 tools/make_glyph_widths.py 1:1.07.4-11 1:20220127+repack1-1
"""

import struct
import sys
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

LATIN = Path("/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf")
CJK = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")
TARGET = Path(__file__).parent.parent / "src/findable/artifacts/tables/data/glyph_widths.csv"
SEGMENTED_COVERAGE = 12
"""cmap format with code points beyond the Basic Multilingual Plane."""
PRIVATE_USE = (*range(0xE000, 0xF900), *range(0xF0000, 0x110000))


def tables(font: bytes) -> dict[str, bytes]:
    """Return the tables of a font file, or of the first face of a collection."""
    start = struct.unpack_from(">I", font, 12)[0] if font[:4] == b"ttcf" else 0
    count = struct.unpack_from(">H", font, start + 4)[0]
    found = {}
    for index in range(count):
        tag, _, offset, length = struct.unpack_from(">4sIII", font, start + 12 + 16 * index)
        found[tag.decode("ascii")] = font[offset : offset + length]
    return found


def code_points(cmap: bytes) -> Iterator[tuple[int, int]]:
    """Yield (code point, glyph) of every character, from the format 12 subtable, else from format 4."""
    count = struct.unpack_from(">H", cmap, 2)[0]
    offsets = [struct.unpack_from(">HHI", cmap, 4 + 8 * index)[2] for index in range(count)]
    by_format = {struct.unpack_from(">H", cmap, offset)[0]: cmap[offset:] for offset in offsets}
    whole = by_format.get(SEGMENTED_COVERAGE)
    yield from _format_4(by_format[4]) if whole is None else _format_12(whole)


def _format_12(table: bytes) -> Iterator[tuple[int, int]]:
    for index in range(struct.unpack_from(">I", table, 12)[0]):
        first, last, glyph = struct.unpack_from(">III", table, 16 + 12 * index)
        yield from ((point, glyph + point - first) for point in range(first, last + 1))


def _format_4(table: bytes) -> Iterator[tuple[int, int]]:
    segments = struct.unpack_from(">H", table, 6)[0] // 2
    ends, starts, deltas, offsets = (16 + 2 * (part * segments) - (2 if part == 0 else 0) for part in range(4))
    for index in range(segments):
        end = struct.unpack_from(">H", table, ends + 2 * index)[0]
        start = struct.unpack_from(">H", table, starts + 2 * index)[0]
        delta = struct.unpack_from(">H", table, deltas + 2 * index)[0]
        at = offsets + 2 * index
        offset = struct.unpack_from(">H", table, at)[0]
        for point in range(start, min(end, 0xFFFE) + 1):
            glyph = struct.unpack_from(">H", table, at + offset + 2 * (point - start))[0] if offset else point
            if glyph:
                yield point, (glyph + delta) % 65536


def widths(path: Path) -> dict[int, int]:
    """Return widths in thousandths of an em by code point."""
    found = tables(path.read_bytes())
    units = struct.unpack_from(">H", found["head"], 18)[0]
    metrics_count = struct.unpack_from(">H", found["hhea"], 34)[0]
    advances = [struct.unpack_from(">H", found["hmtx"], 4 * index)[0] for index in range(metrics_count)]
    return {point: round(advances[min(glyph, metrics_count - 1)] * 1000 / units) for point, glyph in code_points(found["cmap"]) if glyph}


def runs(table: dict[int, int]) -> Iterable[tuple[int, int, int]]:
    """Yield ranges of code points with the same width as (first, last, width)."""
    points = sorted(table)
    breaks = [index + 1 for index, (one, two) in enumerate(pairwise(points)) if two != one + 1 or table[one] != table[two]]
    for first, after in pairwise([0, *breaks, len(points)]):
        yield points[first], points[after - 1], table[points[first]]


def main(liberation_version: str, noto_version: str) -> None:
    """Write the table."""
    table = {**widths(CJK), **widths(LATIN)}
    for point in PRIVATE_USE:
        table.pop(point, None)
    lines = [
        "# Advance widths in thousandths of an em: first code point, last code point (hexadecimal), width.",
        f"# Liberation Sans Regular (Arial's metrics), Debian fonts-liberation {liberation_version}, SIL Open Font License 1.1;",
        f"# what it lacks: Noto Sans CJK Regular, Debian fonts-noto-cjk {noto_version}, SIL Open Font License 1.1.",
        "# Written by tools/make_glyph_widths.py.",
        *(f"{first:X},{last:X},{width}" for first, last, width in runs(table)),
    ]
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:3])
