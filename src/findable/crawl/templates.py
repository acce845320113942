"""Templates: pages that are built alike."""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

MIN_SHAPE_PAGES = 5
"""Number of pages from which a block shape belongs to a template."""
MIN_TEMPLATE_PAGES = 3


def templates(pages: Iterable[tuple[int, Sequence[int], Sequence[str]]]) -> Mapping[int, int]:
    """Return the template of each page by page number: 1 for the largest template, 0 for pages with a rare structure.

    Args:
        pages: tuples of page number, shapes of its blocks, schema.org types.
    """
    numbers, of_pages = array("q"), array("q")
    places: dict[tuple[bytes, tuple[str, ...]], int] = {}
    """Different sets of shapes; many pages share one."""
    for number, own, types in pages:
        numbers.append(number)
        of_pages.append(places.setdefault((array("q", own).tobytes(), tuple(types)), len(places)))
    pages_counts = Counter(of_pages)
    shapes: Counter[int] = Counter()
    for (packed, _), place in places.items():
        for shape in array("q", packed):
            shapes[shape] += pages_counts[place]
    kept = {shape for shape, count in shapes.items() if count >= MIN_SHAPE_PAGES}
    builds = [(frozenset(kept.intersection(array("q", packed))), types) for packed, types in places]
    sizes: Counter[tuple[frozenset[int], tuple[str, ...]]] = Counter()
    for place, build in enumerate(builds):
        sizes[build] += pages_counts[place]
    ranked = sorted(((build, count) for build, count in sizes.items() if count >= MIN_TEMPLATE_PAGES), key=_size_key)
    ranks = {build: rank for rank, (build, _) in enumerate(ranked, 1)}
    of_places = [ranks.get(build, 0) for build in builds]
    return {number: of_places[place] for number, place in zip(numbers, of_pages, strict=True)}


def _size_key(item: tuple[tuple[frozenset[int], tuple[str, ...]], int]) -> tuple[int, list[int], tuple[str, ...]]:
    (shapes, types), count = item
    return -count, sorted(shapes), types
