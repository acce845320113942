"""Comparison of a crawl's finding with another crawl: whether its pages fail or pass the same check there."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Select, select

from findable.crawl.bitmaps import first_numbers, unpack_bits
from findable.crawl.changes import with_origins
from findable.crawl.record import VERDICT_BYTES
from findable.crawl.url_keys import url_key
from findable.formats.zstd import zstd
from findable.reports.site_report import SiteFinding
from findable.store.crawl_frontier import parts
from findable.store.crawl_page_index import REQUESTED, verdict_set
from findable.store.crawl_schema import BITMAP, FINDING, INDEXABLE, PAGE, URL
from findable.vocabulary import Verdict

MAX_PAGES = 1000
"""Maximum number of compared pages per finding."""

_OF_TEXTS = frozenset(
    {
        "site-description-duplicate",
        "site-empty-template",
        "site-h1-duplicate",
        "site-text-duplicate",
        "site-text-near",
        "site-thin",
        "site-title-duplicate",
    }
)
"""Ids of site checks that compare texts of indexable pages."""


def _bits(name: str, part: int) -> Select[Any]:
    return select(BITMAP.c.bits).where(BITMAP.c.name == name, BITMAP.c.part == part)


class _CheckId(Struct, frozen=True):
    """Check id of a stored finding."""

    id: str


class FindingOverlap:
    """Function that returns whether a page of a finding has a finding of the same check in another crawl.

    Args:
        own: store of the crawl whose findings are compared.
        other: store of the other crawl.
        origins: equivalent origins of the other crawl, by origin of the first one.
    """

    def __init__(self, own: Connection, other: Connection, origins: Mapping[str, str]) -> None:
        self._own = own
        self._other = other
        self._origins = origins
        self._pages: dict[str, int] | None = None

    def __call__(self, finding: SiteFinding) -> bool:
        """Return whether one of the finding's first pages fails the same check in the other crawl; False for findings of site checks."""
        if not finding.templates:
            return False
        if self._pages is None:
            self._pages = _pages_by_check(self._other)
        pages = self._pages.get(finding.id, 0)
        return bool(pages) and any(pages >> number & 1 for number in self._numbers(finding))

    def is_checked(self, finding: SiteFinding) -> bool:
        """Return whether one of the finding's first pages is checked in the other crawl and passes the check.

        Site checks of texts check every indexable page. For other site checks it is True.
        """
        if finding.templates:
            data = self._other.execute(_bits(verdict_set(finding.id), VERDICT_BYTES[Verdict.PASSED])).scalar()
            if data is None:  # in crawls of earlier versions, the results of pages are not known
                return self._other.execute(_bits(REQUESTED, 0)).scalar() is None
            passed = unpack_bits(zstd.decompress(data))
            return any(passed >> number & 1 for number in self._numbers(finding))
        if finding.id not in _OF_TEXTS:
            return True
        keys = [url_key(with_origins(one.url, self._origins)) for one in finding.evidence if one.url]
        indexable = select(PAGE.c.id).join(URL, URL.c.id == PAGE.c.id).where(URL.c.key.in_(keys), *INDEXABLE)
        return self._other.execute(indexable.limit(1)).scalar() is not None

    def _numbers(self, finding: SiteFinding) -> Iterator[int]:
        """Yield the ids in the other crawl of the finding's first pages."""
        data = self._own.execute(select(FINDING.c.pages).where(FINDING.c.key == finding.key)).scalar()
        if data is None:
            return
        for part in parts(first_numbers(unpack_bits(zstd.decompress(data)), MAX_PAGES)):
            urls = self._own.execute(select(URL.c.url).where(URL.c.id.in_(part))).scalars()
            keys = [url_key(with_origins(url, self._origins)) for url in urls]
            yield from self._other.execute(select(URL.c.id).where(URL.c.key.in_(keys))).scalars()


def _pages_by_check(connection: Connection) -> dict[str, int]:
    """Return the set of pages with findings of each check."""
    found: defaultdict[str, int] = defaultdict(int)
    for row in connection.execute(select(FINDING.c.finding, FINDING.c.pages).where(~FINDING.c.is_note)):
        check = msgspec.msgpack.decode(zstd.decompress(row.finding), type=_CheckId).id
        found[check] |= unpack_bits(zstd.decompress(row.pages))
    return dict(found)
