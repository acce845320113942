"""Links of all pages of a crawl as a graph: inbound links, clicks from the start page, link scores.

Pure Python over arrays of numbers.
"""

import math
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from operator import sub

from findable.crawl.number_lists import NumberLists
from findable.values import once

DAMPING = 0.85
MAX_TURNS = 50
SETTLED_BELOW = 1e-6
NOWHERE = -1


class SharedLinks:
    """Links of the pages of a site, as lists that pages share: a menu of 10,000 pages is counted once, not 10,000 times.

    A page leads to a URL once, however many of its lists contain it, and never to itself. What the lists count too often is corrected.

    Args:
        targets: different targets of each list, by the id of the list.
        lists: lists of each page, by the id of its URL.
        pages: pages with each list; result of ``lists.inverted``.
    """

    def __init__(self, targets: NumberLists, lists: NumberLists, pages: NumberLists) -> None:
        self._targets = targets
        self._lists = lists
        self._pages = pages
        self._degrees = array("i", [0]) * len(lists)
        self._repeated = array("i"), array("i"), array("i")
        """Pages, targets, and how many lists of the page contain the target too often."""
        for page, own in enumerate(lists):
            if own:
                self._count(page, [targets[number] for number in own])

    def _count(self, page: int, lists: "Sequence[array[int]]") -> None:
        """Note the number of URLs to which a page leads, and what its lists count too often."""
        different: set[int] = set()
        repeated: list[int] = []
        for found in lists:
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
        for count, targets in zip(self._pages.lengths(), self._targets, strict=True):
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
        found[home] = 0
        level, clicks = [home], 0
        clicked = bytearray(len(self._targets))
        """Lists of the pages so far: 1 for each."""
        while level:
            clicks += 1
            following: list[int] = []
            for page in sorted(level, key=ranks.__getitem__):
                lists = [] if page in ends else [number for number in self._lists[page] if not clicked[number]]
                for number in lists:
                    clicked[number] = 1
                for target in chain([ends[page]] if page in ends else [], *map(self._targets.__getitem__, lists)):
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
        shared = [number for number, count in enumerate(self._pages.lengths()) if count > 1]
        owners, pieces = self._only_on_one_page()
        scores = array("d", [1 / count]) * count
        for _ in range(MAX_TURNS):
            base = (1 - DAMPING + DAMPING * sum(map(scores.__getitem__, without))) / count
            shares = [DAMPING * score / degree if degree else 0.0 for score, degree in zip(scores, degrees, strict=True)]
            turned = array("d", [base]) * count
            of_shared = (sum(map(shares.__getitem__, self._pages[number])) for number in shared)
            of_lists = chain(map(shares.__getitem__, owners), of_shared)
            for share, targets in zip(of_lists, chain(pieces, map(self._targets.__getitem__, shared)), strict=True):
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

    def _only_on_one_page(self) -> "tuple[array[int], NumberLists]":
        """Return the lists that are on one page only: their pages, and their targets, those of neighbouring lists of a page together."""
        owners, pieces = array("i"), NumberLists(0, self._targets.numbers)
        for number, count in enumerate(self._pages.lengths()):
            if count != 1:
                continue
            owner, start, end = self._pages[number][0], self._targets.starts[number], self._targets.ends[number]
            if owners and owner == owners[-1] and start == pieces.ends[-1]:
                pieces.ends[-1] = end
            elif start < end:
                owners.append(owner)
                pieces.starts.append(start)
                pieces.ends.append(end)
        return owners, pieces


def scale_scores(scores: Sequence[float]) -> list[int]:
    """Return link scores as 0–100 on a logarithmic scale."""
    if not scores:
        return []
    least, most = min(scores), max(scores)
    if most <= least * (1 + 1e-9):
        return [50] * len(scores)
    width = math.log(most / least)
    return [round(100 * math.log(score / least) / width) for score in scores]
