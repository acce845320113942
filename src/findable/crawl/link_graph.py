"""Links of all pages of a crawl as a graph: inbound links, clicks from the start page, link scores.

Pure Python over arrays of numbers.
"""

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, chain
from operator import sub

from findable.values import once

DAMPING = 0.85
MAX_TURNS = 50
SETTLED_BELOW = 1e-6
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
