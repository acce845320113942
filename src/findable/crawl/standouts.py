"""Standouts of a crawled site, the most harmful first: lost pages by folder, new findings, sections that are far away or thin."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from findable.capture.crawl import Reason
from findable.checks.causes import CauseKind
from findable.crawl.changes import CrawlComparison, LostPages
from findable.crawl.page_columns import REASON_WORDS
from findable.reports.site_areas import SiteArea
from findable.reports.site_difference import SiteDifference
from findable.reports.site_faults import SiteFault, faults_of
from findable.reports.site_report import SiteFinding, SiteReport
from findable.vocabulary import Verdict
from findable.wording import Translator

MAX_LOST_GROUPS = 3
MAX_OF_KIND = 2
"""Maximum number of new findings, of worse ones, and of sections."""
MOST_SHARE = 0.8
"""Share of the pages lost for one reason from which a folder is named as their place (set by Findable)."""
WHOLE_SITE = "/"
SECTIONS = (CauseKind.FOLDER, CauseKind.GROUP)
"""Folders, and groups of pages with URLs of one pattern."""


class LostGroup(Struct, frozen=True):
    """Pages that search engines can no longer list for one reason, in the smallest folder that has most of them."""

    folder: str
    """Folder like ``/shop/``; ``/`` if they lie all over the site."""
    reason: str
    """Reason why they are not indexable, or the status of pages that are gone."""
    pages_count: int
    before_count: int
    """Number of indexable pages of the folder with the lost ones; 0 if the picture of the site joins the folder with others."""

    def words(self, since: str, say: Translator) -> str:
        """Return the group in a sentence; ``since``: day of the earlier crawl."""
        values = {"since": since, "folder": self.folder, "reason": reason_words(self.reason, say)}
        many = say.plural("%(count)s page", "%(count)s pages", self.pages_count)
        if self.before_count > self.pages_count:
            many = say("%(some)s of %(all)s pages", some=say.number(self.pages_count), all=say.number(self.before_count))
        if self.folder == WHOLE_SITE:
            return say("%(pages)s: no longer indexable since %(since)s (%(reason)s)", pages=many, **values)
        return say("%(pages)s in %(folder)s: no longer indexable since %(since)s (%(reason)s)", pages=many, **values)


class Standouts(Struct, frozen=True):
    """Lost pages, new findings and sections that stand out of a site; empty for a sound one."""

    lost: tuple[LostGroup, ...] = ()
    new: tuple[SiteFault, ...] = ()
    """New and returned findings besides those about the lost pages and about sections."""
    sections: tuple[SiteFinding, ...] = ()
    """Findings about sections of the site."""
    worse: tuple[SiteFault, ...] = ()
    """Findings that were there before, but on fewer pages or less harmful."""


def standouts(report: SiteReport, comparison: CrawlComparison | None) -> Standouts:
    """Return what stands out of a site; ``comparison``: changes since the previous crawl, None if there is none."""
    known = comparison.lost if comparison and not report.verdict.is_not_for_search else ()
    lost = tuple(_lost_groups(known, report.structure.areas))
    changed = comparison.findings if comparison else SiteDifference()
    return Standouts(
        lost=lost[:MAX_LOST_GROUPS],
        new=_faults((*changed.new, *changed.returned), report, has_lost=bool(lost)),
        sections=tuple(item for item in (*report.open, *report.notes) if item.check.names_sections and item.cause.kind in SECTIONS)[
            :MAX_OF_KIND
        ],
        worse=_faults(changed.worse, report, has_lost=bool(lost)),
    )


def section_notes(report: SiteReport, say: Translator) -> Mapping[str, str]:
    """Return the words for the folders in the picture that stand out."""
    return {item.cause.key: _note(item, say) for item in standouts(report, None).sections}


def _note(item: SiteFinding, say: Translator) -> str:
    clicks = item.params.get("clicks_count")
    return say("little text") if clicks is None else say.plural("%(count)s click", "%(count)s clicks", clicks)


def lost_by_folder(lost: Sequence[LostPages]) -> Mapping[str, int]:
    """Return the numbers of lost pages by folder, each with those of the folders below."""
    found: Counter[str] = Counter()
    for one in lost:
        for folder in _with_parents(one.folder):
            found[folder] += one.pages_count
    return found


def reason_words(reason: str, say: Translator) -> str:
    """Return the reason why a page is not indexable in words, or the status of a page that is gone."""
    return say("error") if reason == Reason.STATUS else say.text(REASON_WORDS.get(reason, reason))


def _lost_groups(lost: Sequence[LostPages], areas: Sequence[SiteArea]) -> Iterator[LostGroup]:
    """Yield the lost pages by reason, most pages first."""
    by_reason: defaultdict[str, list[LostPages]] = defaultdict(list)
    for one in lost:
        by_reason[one.reason].append(one)
    totals = {reason: sum(one.pages_count for one in found) for reason, found in by_reason.items()}
    of_folder, indexable = lost_by_folder(lost), dict(_indexable(areas))
    for reason, total in sorted(totals.items(), key=lambda item: (-item[1], item[0])):
        counts = lost_by_folder(by_reason[reason])
        place = max((folder for folder, count in counts.items() if count >= MOST_SHARE * total), key=lambda folder: folder.count("/"))
        now = sum(area.indexable_count for area in areas) if place == WHOLE_SITE else indexable.get(place)
        yield LostGroup(place, reason, counts[place], 0 if now is None else now + of_folder[place])


def _indexable(areas: Sequence[SiteArea]) -> Iterator[tuple[str, int]]:
    """Yield the folders of the picture with their numbers of indexable pages."""
    for area in areas:
        if area.template is None and area.name:
            yield area.name, area.indexable_count
        yield from _indexable(area.parts)


def _with_parents(folder: str) -> Iterator[str]:
    yield WHOLE_SITE
    names = folder.strip("/").split("/")
    if folder != WHOLE_SITE:
        yield from ("/".join(["", *names[: depth + 1], ""]) for depth in range(len(names)))


def _faults(found: Sequence[SiteFinding], report: SiteReport, *, has_lost: bool) -> tuple[SiteFault, ...]:
    """Return the faults of the report with these findings, the most harmful first, besides those about lost pages and sections."""
    keys = {item.key for item in found}
    faults = faults_of(
        item for item in report.open if item.key in keys and not item.check.names_sections and not (has_lost and item.check.loses_pages)
    )
    return tuple(sorted(faults, key=lambda one: one.verdict is not Verdict.FAILED))[:MAX_OF_KIND]
