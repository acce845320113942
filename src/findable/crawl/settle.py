"""Values derived from the links of all pages of a crawl: link scores, depths, templates, ends of redirects.

Pure Python over arrays of numbers.
"""

import math
from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from findable.urls import origin_part

DAMPING = 0.85
MAX_TURNS = 50
SETTLED_BELOW = 1e-6
MIN_SHAPE_PAGES = 5
"""Number of pages from which a block shape belongs to a template."""
MIN_TEMPLATE_PAGES = 3
MAX_CHAIN_REDIRECTS = 20
NOWHERE = -1


class Graph(Struct, frozen=True):
    """Followed links between pages that are numbered from 0. Page ``n`` links to ``targets[starts[n]:starts[n + 1]]``, each once."""

    starts: "array[int]"
    targets: "array[int]"

    @staticmethod
    def from_rows(rows: Iterable[Iterable[int]]) -> "Graph":
        """Return the graph of the targets of each page."""
        starts, targets = array("q", [0]), array("i")
        for number, row in enumerate(rows):
            targets.extend(sorted(set(row) - {number}))
            starts.append(len(targets))
        return Graph(starts, targets)

    @property
    def pages_count(self) -> int:
        """Number of pages in the graph."""
        return len(self.starts) - 1

    def targets_of(self, page: int) -> "array[int]":
        """Return the pages that a page links to."""
        return self.targets[self.starts[page] : self.starts[page + 1]]


def depths(graph: Graph, home: int) -> "array[int]":
    """Return the number of clicks from the page ``home`` to each page; NOWHERE for unreachable pages."""
    found = array("i", [NOWHERE]) * graph.pages_count
    if not graph.pages_count:
        return found
    found[home] = 0
    waiting = deque([home])
    while waiting:
        page = waiting.popleft()
        deeper = found[page] + 1
        for target in graph.targets_of(page):
            if found[target] == NOWHERE:
                found[target] = deeper
                waiting.append(target)
    return found


def link_scores(graph: Graph) -> "array[float]":
    """Return the PageRank of each page; the sum is 1."""
    count = graph.pages_count
    if not count:
        return array("d")
    starts, targets = graph.starts, graph.targets
    scores = array("d", [1 / count]) * count
    degrees = [starts[page + 1] - starts[page] for page in range(count)]
    for _ in range(MAX_TURNS):
        spread = sum(score for score, degree in zip(scores, degrees, strict=True) if not degree)
        base = (1 - DAMPING + DAMPING * spread) / count
        turned = array("d", [base]) * count
        for page, degree in enumerate(degrees):
            if degree:
                share = DAMPING * scores[page] / degree
                for target in targets[starts[page] : starts[page + 1]]:
                    turned[target] += share
        change = sum(abs(new - old) for new, old in zip(turned, scores, strict=True))
        scores = turned
        if change < SETTLED_BELOW:
            break
    return scores


def scale_scores(scores: Sequence[float]) -> list[int]:
    """Return link scores as 0–100 on a logarithmic scale."""
    if not scores:
        return []
    least, most = min(scores), max(scores)
    if most <= least * (1 + 1e-9):
        return [50] * len(scores)
    width = math.log(most / least)
    return [round(100 * math.log(score / least) / width) for score in scores]


def chain_of(url: int, next_of: Callable[[int], int | None]) -> tuple[tuple[int, ...], bool]:
    """Return a URL followed by its redirect targets in order, and whether they form a loop (the repeated URL is then last)."""
    chain = [url]
    while len(chain) <= MAX_CHAIN_REDIRECTS and (following := next_of(chain[-1])) is not None:
        if following in chain:
            return (*chain, following), True
        chain.append(following)
    return tuple(chain), False


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


def common_path(paths: Iterable[str]) -> str:
    """Return the deepest folder of most paths or URLs, like ``/products/*``; the path itself if it is the only one."""
    different = sorted({path if path.startswith("/") else path[len(origin_part(path)) :] for path in paths})
    if len(different) == 1:
        return different[0]
    folders: Counter[str] = Counter()
    for path in different:
        parts = path.split("/")[1:-1]
        folders.update("/".join(["", *parts[:depth], ""]) for depth in range(len(parts) + 1))
    most = [folder for folder, count in folders.items() if count >= MAX_PATHS * len(different)]
    return f"{max(most, key=lambda folder: (folder.count('/'), folder))}*" if most else ""


MAX_PATHS = 0.8
"""Share of a template's pages in a folder from which the template is named after it."""
