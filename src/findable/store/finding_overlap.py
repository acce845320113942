"""Comparison of a crawl's finding with another crawl: what that crawl says about its pages."""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, and_, func, select

from findable.checks.engine import find_check
from findable.crawl.packed_verdicts import unpack_verdicts
from findable.crawl.site.faultless_pages import is_without_fault
from findable.crawl.start_origins import with_origins
from findable.crawl.state import CrawlState
from findable.crawl.url_keys import url_key
from findable.reports.site_difference import Elsewhere
from findable.reports.site_report import SiteFinding
from findable.store.crawl_schema import FINDING, FINDING_PAGE, INDEXABLE, PAGE, URL, VERDICT
from findable.store.rows_by_id import rows_in

MAX_PAGES = 1000
"""Maximum number of compared pages per finding."""


class FindingOverlap:
    """Function that returns what another crawl says about the pages of a finding.

    Args:
        own: store of the crawl whose findings are compared.
        other: store of the other crawl.
        state: state of the other crawl.
        origins: equivalent origins of the other crawl, by origin of the first one.
    """

    def __init__(self, own: Connection, other: Connection, state: CrawlState, origins: Mapping[str, str]) -> None:
        self._own = own
        self._other = other
        self._state = state
        self._origins = origins

    def __call__(self, finding: SiteFinding) -> Elsewhere:
        """Return what the other crawl says about the first pages of a finding, or about the texts that a site check compares.

        Other site checks are checked in every crawl.
        """
        if finding.templates:
            return self._of_pages(finding)
        check = find_check(finding.id)
        return self._of_texts(finding) if check is not None and check.compares_texts else Elsewhere.CHECKED

    def _of_pages(self, finding: SiteFinding) -> Elsewhere:
        numbers, count = self._numbers(finding)
        joined = FINDING_PAGE.join(FINDING, FINDING.c.id == FINDING_PAGE.c.finding)
        present = select(FINDING_PAGE.c.page).select_from(joined).where(FINDING.c.check_id == finding.id, ~FINDING.c.is_note).limit(1)
        if next(rows_in(self._other, present, FINDING_PAGE.c.page, numbers), None) is not None:
            return Elsewhere.PRESENT
        if self._has_free(finding.id, numbers):
            return Elsewhere.CHECKED
        return Elsewhere.UNCHECKED if len(numbers) == count else Elsewhere.ABSENT

    def _of_texts(self, finding: SiteFinding) -> Elsewhere:
        keys = {url_key(with_origins(one.url, self._origins)) for one in finding.evidence if one.url}
        indexable = select(PAGE.c.id).join(URL, URL.c.id == PAGE.c.id).where(URL.c.key.in_(keys), *INDEXABLE)
        if self._other.execute(indexable.limit(1)).scalar() is not None:
            return Elsewhere.CHECKED
        known = self._other.execute(select(func.count()).select_from(URL).where(URL.c.key.in_(keys))).scalar_one()
        return Elsewhere.UNCHECKED if known == len(keys) else Elsewhere.ABSENT

    def _has_free(self, check_id: str, numbers: Sequence[int]) -> bool:
        """Return whether one of these pages has no fault of a check."""
        chosen = select(VERDICT.c.verdicts, and_(*INDEXABLE).label("is_indexable")).join(PAGE, PAGE.c.id == VERDICT.c.id)
        return any(
            is_without_fault(check_id, unpack_verdicts(row.verdicts, self._state.checks), is_indexable=row.is_indexable)
            for row in rows_in(self._other, chosen, PAGE.c.id, numbers)
        )

    def _numbers(self, finding: SiteFinding) -> tuple[Sequence[int], int]:
        """Return the ids of the finding's first pages in the other crawl, and their number in its own."""
        joined = FINDING_PAGE.join(FINDING, FINDING.c.id == FINDING_PAGE.c.finding).join(URL, URL.c.id == FINDING_PAGE.c.page)
        chosen = select(URL.c.url).select_from(joined).where(FINDING.c.key == finding.key).order_by(URL.c.id).limit(MAX_PAGES)
        keys = [url_key(with_origins(url, self._origins)) for url in self._own.execute(chosen).scalars()]
        return [row.id for row in rows_in(self._other, select(URL.c.id), URL.c.key, keys)], len(keys)
