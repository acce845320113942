"""Pages that have a finding of a check in two crawls, with different causes."""

from collections import defaultdict
from collections.abc import Mapping

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, select

from findable.crawl.bitmaps import first_numbers, unpack_bits
from findable.crawl.changes import with_origins
from findable.crawl.url_keys import url_key
from findable.formats.zstd import zstd
from findable.reports.site_report import SiteFinding
from findable.store.crawl_frontier import parts
from findable.store.crawl_schema import FINDING, URL

MAX_PAGES = 1000
"""Maximum number of compared pages per finding."""


class _Id(Struct, frozen=True):
    """Part of a stored finding."""

    id: str


class FindingOverlap:
    """Function that returns whether a page of a finding has a finding of the same check in another crawl.

    Args:
        own: the crawl of the findings.
        other: the other crawl.
        origins: origins of the first crawl by those of the second.
    """

    def __init__(self, own: Connection, other: Connection, origins: Mapping[str, str]) -> None:
        self._own = own
        self._other = other
        self._origins = origins
        self._pages: dict[str, int] | None = None

    def __call__(self, finding: SiteFinding) -> bool:
        """Return whether one of the finding's first pages has such a finding in the other crawl; False for causes found by a site check."""
        if not finding.templates:
            return False
        if self._pages is None:
            self._pages = _pages_by_check(self._other)
        pages = self._pages.get(finding.id, 0)
        data = self._own.execute(select(FINDING.c.pages).where(FINDING.c.key == finding.key)).scalar()
        if not pages or data is None:
            return False
        for part in parts(first_numbers(unpack_bits(zstd.decompress(data)), MAX_PAGES)):
            urls = self._own.execute(select(URL.c.url).where(URL.c.id.in_(part))).scalars()
            keys = [url_key(with_origins(url, self._origins)) for url in urls]
            numbers = self._other.execute(select(URL.c.id).where(URL.c.key.in_(keys))).scalars()
            if any(pages >> number & 1 for number in numbers):
                return True
        return False


def _pages_by_check(connection: Connection) -> dict[str, int]:
    """Return the set of pages with findings of each check."""
    found: defaultdict[str, int] = defaultdict(int)
    for row in connection.execute(select(FINDING.c.finding, FINDING.c.pages).where(~FINDING.c.is_note)):
        check = msgspec.msgpack.decode(zstd.decompress(row.finding), type=_Id).id
        found[check] |= unpack_bits(zstd.decompress(row.pages))
    return dict(found)
