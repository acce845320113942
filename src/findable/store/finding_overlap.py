"""Comparison of a crawl's finding with another crawl: what that crawl says about its pages."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Select, func, select

from findable.checks.engine import find_check
from findable.crawl.bitmaps import bits_of, first_numbers, unpack_bits
from findable.crawl.changes import with_origins
from findable.crawl.record import VERDICT_BYTES
from findable.crawl.url_keys import url_key
from findable.formats.zstd import zstd
from findable.reports.site_difference import Elsewhere
from findable.reports.site_report import SiteFinding
from findable.store.crawl_frontier import parts
from findable.store.crawl_page_index import verdict_set
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
    """Function that returns what another crawl says about the pages of a finding.

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

    def __call__(self, finding: SiteFinding) -> Elsewhere:
        """Return what the other crawl says about the first pages of a finding, or about the texts that a site check compares.

        Other site checks are checked in every crawl.
        """
        if finding.templates:
            return self._of_pages(finding)
        return self._of_texts(finding) if finding.id in _OF_TEXTS else Elsewhere.CHECKED

    def _of_pages(self, finding: SiteFinding) -> Elsewhere:
        numbers, count = self._numbers(finding)
        if self._pages is None:
            self._pages = _pages_by_check(self._other)
        if numbers & self._pages.get(finding.id, 0):
            return Elsewhere.PRESENT
        if self._has_free(finding.id, numbers):
            return Elsewhere.CHECKED
        return Elsewhere.UNCHECKED if numbers.bit_count() == count else Elsewhere.ABSENT

    def _of_texts(self, finding: SiteFinding) -> Elsewhere:
        keys = {url_key(with_origins(one.url, self._origins)) for one in finding.evidence if one.url}
        indexable = select(PAGE.c.id).join(URL, URL.c.id == PAGE.c.id).where(URL.c.key.in_(keys), *INDEXABLE)
        if self._other.execute(indexable.limit(1)).scalar() is not None:
            return Elsewhere.CHECKED
        known = self._other.execute(select(func.count()).select_from(URL).where(URL.c.key.in_(keys))).scalar_one()
        return Elsewhere.UNCHECKED if known == len(keys) else Elsewhere.ABSENT

    def _has_free(self, check_id: str, numbers: int) -> bool:
        """Return whether one of these pages has no fault of a check: it passed, or has no subject for it (see `judged_page`)."""
        if numbers & (self._with_verdict(check_id, Verdict.PASSED) | self._with_verdict(check_id, Verdict.INFO)):
            return True
        without_subject = numbers & self._with_verdict(check_id, Verdict.INAPPLICABLE)
        check = find_check(check_id)
        for parent in check.depends_on if check is not None and without_subject else ():
            without_subject &= ~(self._with_verdict(parent, Verdict.FAILED) | self._with_verdict(parent, Verdict.UNKNOWN))
        chosen = first_numbers(without_subject, MAX_PAGES)
        indexable = (select(PAGE.c.id).where(PAGE.c.id.in_(part), *INDEXABLE).limit(1) for part in parts(chosen))
        return any(self._other.execute(statement).scalar() is not None for statement in indexable)

    def _with_verdict(self, check_id: str, verdict: Verdict) -> int:
        data = self._other.execute(_bits(verdict_set(check_id), VERDICT_BYTES[verdict])).scalar()
        return 0 if data is None else unpack_bits(zstd.decompress(data))

    def _numbers(self, finding: SiteFinding) -> tuple[int, int]:
        """Return the set of the finding's first pages in the other crawl, and their number in its own."""
        data = self._own.execute(select(FINDING.c.pages).where(FINDING.c.key == finding.key)).scalar()
        if data is None:
            return 0, 0
        found: list[int] = []
        count = 0
        for part in parts(first_numbers(unpack_bits(zstd.decompress(data)), MAX_PAGES)):
            urls = self._own.execute(select(URL.c.url).where(URL.c.id.in_(part))).scalars()
            keys = [url_key(with_origins(url, self._origins)) for url in urls]
            count += len(keys)
            found += self._other.execute(select(URL.c.id).where(URL.c.key.in_(keys))).scalars()
        return bits_of(found, max(found, default=0) + 1), count


def _pages_by_check(connection: Connection) -> dict[str, int]:
    """Return the set of pages with findings of each check."""
    found: defaultdict[str, int] = defaultdict(int)
    for row in connection.execute(select(FINDING.c.finding, FINDING.c.pages).where(~FINDING.c.is_note)):
        check = msgspec.msgpack.decode(zstd.decompress(row.finding), type=_CheckId).id
        found[check] |= unpack_bits(zstd.decompress(row.pages))
    return dict(found)
