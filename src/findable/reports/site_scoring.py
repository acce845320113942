"""Rows of the score of a site: each finding with the share of the pages that it concerns.

The share of a fault of pages is that of their importance: link score and the start page count. The share of a fault that a site check finds
is that of the number of pages; pages that it keeps out of search results are compared with these and the indexable pages.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter

import msgspec
from msgspec import Struct, structs

from findable.checks.engine import Check
from findable.formats.zstd import zstd
from findable.reports.scoring import MAX_SCORE, WHOLE, Costs, Row, row_of
from findable.vocabulary import Verdict
from findable.wording import later

SITE_PERCENT = 125
"""Cost of a fault on all pages, in percent of its cost on a page: nobody looks at any of the pages."""
START_WEIGHT = 3
"""Factor of the weight of the start page, and of pages with the highest link score."""
MOSTLY_UNFOUND = later("most pages cannot be found")
LEVEL = 9


def page_weight_of(link_score: int, *, is_important: bool) -> float:
    """Return the weight of a page in the score of its site; ``is_important``: the start page or one with the highest link score."""
    return math.sqrt(1 + link_score) * (START_WEIGHT if is_important else 1)


class SiteCap(Struct, frozen=True):
    """Limit of the score of a site."""

    at_most: int
    reason: str
    """Reason as a message to translate."""
    checks: tuple[str, ...] = ()
    """Checks whose findings must all be fixed to lift it."""


class ScoredPages(Struct, frozen=True):
    """Pages of one template that have the same faults."""

    template: int
    rows: tuple[Row, ...]
    """Failed and warned checks."""

    @property
    def score(self) -> int:
        """Score of each of the pages, 0–100."""
        return Costs(self.rows).score


class PageFaults:
    """Faults of the pages of a crawl by check and template.

    ``pages`` contains the weight of pages with the same faults.
    """

    def __init__(self, pages: Mapping[ScoredPages, float]) -> None:
        self._weight = sum(pages.values()) or 1.0
        self._found: defaultdict[tuple[str, int], list[tuple[Row, float]]] = defaultdict(list)
        for one, weight in pages.items():
            for row in one.rows:
                self._found[row.id, one.template].append((row, weight))

    def row(self, check: Check, verdict: Verdict, templates: Iterable[int], key: str) -> Row:
        """Return the row of a finding on the pages of some templates, with their mean cost."""
        found = [one for template in templates for one in self._found.get((check.id, template), ())]
        weight = sum(own for _, own in found)
        if not weight:
            return structs.replace(row_of(check, verdict), share=0, key=key)
        worst = max((row for row, _ in found), key=attrgetter("cost"))
        return structs.replace(
            worst,
            verdict=verdict,
            cost=round(SITE_PERCENT * sum(row.cost * own for row, own in found) / weight / 100),
            limit=min(row.limit for row, _ in found),
            share=round(WHOLE * weight / self._weight),
            key=key,
        )


def site_row(check: Check, verdict: Verdict, pages_count: int, indexable_count: int, key: str) -> Row:
    """Return the row of a finding of a site check."""
    pages = indexable_count + pages_count if check.of_unfound_pages else indexable_count
    return structs.replace(row_of(check, verdict), share=min(WHOLE, WHOLE * pages_count // max(1, pages)), key=key)


def cap_of(rows: Sequence[Row]) -> SiteCap | None:
    """Return the limit that lowers the score; None without one."""
    score = Costs(rows).score
    others = Costs(row for row in rows if row.limit == MAX_SCORE).score
    limiting = [row for row in rows if row.limit == score]
    return SiteCap(score, MOSTLY_UNFOUND, tuple(sorted({row.id for row in limiting}))) if limiting and score < others else None


def packed_rows(rows: Iterable[Row]) -> bytes:
    """Return the rows of a score in stored form."""
    return zstd.compress(msgspec.msgpack.encode(tuple(rows)), LEVEL)


def unpacked_rows(data: bytes) -> tuple[Row, ...]:
    """Return stored rows; none without a score, and for a score of an older ruleset, which was computed from other values."""
    if not data:
        return ()
    try:
        return msgspec.msgpack.decode(zstd.decompress(data), type=tuple[Row, ...])
    except msgspec.ValidationError:
        return ()
