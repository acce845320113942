"""Layout of a tree map: rectangles whose areas are proportional to numbers, in the order of the numbers.

The order is kept, so that the map of a site looks alike from crawl to crawl. Rectangles are placed in strips (ordered tree map by Bederson,
Shneiderman and Wattenberg, 2002).
"""

from collections.abc import Sequence

from msgspec import Struct


class Box(Struct, frozen=True):
    """Rectangle; x grows to the right, y downwards."""

    x: float
    y: float
    width: float
    height: float


def tree_map(weights: Sequence[float], box: Box) -> tuple[Box, ...]:
    """Return a rectangle for each weight; together they fill the box. Weights are positive."""
    if box.height > box.width:
        turned = tree_map(weights, Box(box.y, box.x, box.height, box.width))
        return tuple(Box(one.y, one.x, one.height, one.width) for one in turned)
    scale = box.width * box.height / (sum(weights) or 1)
    areas = [weight * scale for weight in weights]
    placed: list[Box] = []
    x = box.x
    for strip in _strips(areas, box.height):
        width, y = sum(strip) / box.height, box.y
        for area in strip:
            placed.append(Box(x, y, width, area / width))
            y += area / width
        x += width
    return tuple(placed)


def _strips(areas: Sequence[float], height: float) -> list[Sequence[float]]:
    """Return the areas in strips, so that the rectangles are as much like squares as strips allow."""
    best: list[tuple[float, int]] = [(0.0, 0)]
    """Cost of the best strips of the first areas, by their number, and the start of the last of these strips."""
    for end in range(1, len(areas) + 1):
        best.append(min((best[start][0] + _length(areas[start:end], height), start) for start in range(end)))
    strips: list[Sequence[float]] = []
    end = len(areas)
    while end:
        start = best[end][1]
        strips.append(areas[start:end])
        end = start
    return strips[::-1]


def _length(strip: Sequence[float], height: float) -> float:
    """Return how long the rectangles of a strip are, in all: the ratio of the longer side to the shorter one."""
    square = (sum(strip) / height) ** 2
    return sum(max(square / area, area / square) for area in strip)
