"""Values derived from the links of all pages of a crawl: link scores, depths, templates, ends of redirects.

Pure Python over arrays of numbers.
"""

import heapq
import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, chain
from operator import sub

from findable.values import once

DAMPING = 0.85
MAX_TURNS = 50
SETTLED_BELOW = 1e-6
MIN_SHAPE_PAGES = 5
"""Number of pages from which a block shape belongs to a template."""
MIN_TEMPLATE_PAGES = 3
MAX_CHAIN_REDIRECTS = 20
NOWHERE = -1


class SharedLinks:
    """Links of the pages of a site, as lists that pages share: a menu of 10,000 pages is counted once, not 10,000 times.

    A page leads to a URL once, however many of its lists contain it, and never to itself. What the lists count too often is corrected.

    Args:
        size: highest id of a URL, plus one.
        targets: different targets of each list, by the id of the list.
        pages: pages with each list.
    """

    def __init__(self, size: int, targets: Mapping[int, "array[int]"], pages: Mapping[int, "array[int]"]) -> None:
        self._targets = targets
        self._pages = pages
        self._starts, self._lists = array("q", [0]) * (size + 1), array("i")
        """Lists of all pages, and the end of those of each page, by its id plus one."""
        self._degrees = array("i", [0]) * size
        self._repeated = array("i"), array("i"), array("i")
        """Pages, targets, and how many lists of the page contain the target too often."""

    def add(self, page: int, lists: Iterable[int]) -> None:
        """Add the lists of a page. Pages come in the order of their ids."""
        own = [number for number in lists if number in self._targets]
        self._lists.extend(own)
        self._starts[page + 1] = len(self._lists)
        targets = [self._targets[number] for number in own]
        different: set[int] = set()
        repeated: list[int] = []
        for found in targets:
            repeated += different.intersection(found)
            different.update(found)
        if page in different:
            repeated.append(page)
        for target, count in Counter(repeated).items() if repeated else ():
            for values, value in zip(self._repeated, (page, target, count), strict=True):
                values.append(value)
        self._degrees[page] = len(different) - (page in different)

    @once
    def inlinks(self) -> "array[int]":
        """Number of pages that lead to each URL."""
        counts = array("i", [0]) * len(self._degrees)
        for number, targets in self._targets.items():
            count = len(self._pages.get(number, ()))
            for target in targets:
                counts[target] += count
        for _, target, count in zip(*self._repeated, strict=True):
            counts[target] -= count
        return counts

    def paths(self, home: int, ends: Mapping[int, int], ranks: Sequence[int]) -> tuple["array[int]", "array[int]"]:
        """Return the number of clicks from the page ``home`` to each URL, and the previous page on a shortest path.

        The number is NOWHERE for URLs that cannot be reached. Of several previous pages, it is the one with the lowest rank; 0 for none.

        Args:
            home: id of the start page.
            ends: only URL to which some URLs lead, by a redirect.
            ranks: rank of each URL.
        """
        found = array("i", [NOWHERE]) * len(self._degrees)
        parents = array("i", [0]) * len(self._degrees)
        starts = array("q", accumulate(self._starts, max))
        found[home] = 0
        level, clicks = [home], 0
        clicked: set[int] = set()
        while level:
            clicks += 1
            following: list[int] = []
            for page in sorted(level, key=ranks.__getitem__):
                own = [] if page in ends else self._lists[starts[page] : starts[page + 1]]
                lists = [self._targets[number] for number in own if number not in clicked]
                clicked.update(own)
                for target in chain([ends[page]] if page in ends else [], *lists):
                    if found[target] == NOWHERE:
                        found[target] = clicks
                        parents[target] = page
                        following.append(target)
            level = following
        return found, parents

    def scores(self, ends: Mapping[int, int]) -> "array[float]":
        """Return the PageRank of each URL; the sum is 1.

        ``ends``: only URL to which some URLs lead, by a redirect or canonical link; 0 for none.
        """
        count = len(self._degrees)
        degrees = self._degrees[:]
        for number in ends:
            degrees[number] = 0
        single = [(number, end) for number, end in ends.items() if end not in (0, number)]
        without = [number for number, degree in enumerate(degrees) if not degree]
        without = sorted(set(without) - {number for number, _ in single})
        known = [number for number in self._targets if number in self._pages]
        alone = [number for number in known if len(self._pages[number]) == 1]
        shared = [number for number in known if len(self._pages[number]) > 1]
        owners = array("i", (self._pages[number][0] for number in alone))
        scores = array("d", [1 / count]) * count
        for _ in range(MAX_TURNS):
            base = (1 - DAMPING + DAMPING * sum(map(scores.__getitem__, without))) / count
            shares = [DAMPING * score / degree if degree else 0.0 for score, degree in zip(scores, degrees, strict=True)]
            turned = array("d", [base]) * count
            of_shared = (sum(map(shares.__getitem__, self._pages[number])) for number in shared)
            of_lists = chain(map(shares.__getitem__, owners), of_shared)
            for share, targets in zip(of_lists, map(self._targets.__getitem__, chain(alone, shared)), strict=True):
                for target in targets:
                    turned[target] += share
            for page, target, times in zip(*self._repeated, strict=True):
                turned[target] -= times * shares[page]
            for number, end in single:
                turned[end] += DAMPING * scores[number]
            change = sum(map(abs, map(sub, turned, scores)))
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


class CommonFolder:
    """Finds the deepest folder of most of many paths, which are added in any order; those of one folder at best one after the other.

    Only the largest folders are kept in memory, and those of the last path.
    """

    def __init__(self) -> None:
        self._count = 0
        self._only: str | None = None
        """The path, as long as all paths are the same."""
        self._counts: Counter[str] = Counter()
        self._last, self._last_count = "", 0
        """Folder of the last paths, and their number, which `_counts` does not contain yet."""

    def add(self, path: str) -> None:
        """Count a path."""
        folder = path[: path.rfind("/") + 1]
        if folder != self._last:
            self._count_last()
            self._last = folder
        if not self._count:
            self._only = path
        elif path != self._only:
            self._only = None
        self._count += 1
        self._last_count += 1

    @property
    def name(self) -> str:
        """Deepest folder of MAX_PATHS of the paths, like ``/products/*``; the path itself if all are the same; empty for none."""
        if self._only is not None:
            return self._only
        self._count_last()
        most = [folder for folder, count in self._counts.items() if count >= MAX_PATHS * self._count]
        return f"{max(most, key=lambda folder: (folder.count('/'), folder))}*" if most else ""

    def _count_last(self) -> None:
        count, self._last_count = self._last_count, 0
        folders = _folders_of(self._last)
        for folder in folders if count else ():
            self._counts[folder] += count
        if len(self._counts) > MAX_FOLDERS:
            largest = heapq.nsmallest(MAX_FOLDERS // 2, self._counts.items(), key=lambda item: (-item[1], item[0]))
            self._counts = Counter(dict(largest) | {folder: self._counts[folder] for folder in folders})


def _folders_of(folder: str) -> list[str]:
    return [folder[: at + 1] for at, character in enumerate(folder) if character == "/"]


def common_folder(paths: Iterable[str]) -> str:
    """Return the name of `CommonFolder` for some paths."""
    common = CommonFolder()
    for path in paths:
        common.add(path)
    return common.name


MAX_PATHS = 0.8
"""Share of a template's pages in a folder from which the template is named after it."""
MAX_FOLDERS = 2000
"""Number of folders that are counted at a time."""
