"""Sites that got worse: the regressions of a project, or of each of its crawled sites, by their causes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from findable.checks.engine import all_checks, find_check, site_twins
from findable.reports.recent_changes import FailedFinding
from findable.reports.reported_finding import FindingText
from findable.service.projects.change_overview import ChangedView, check_ranks
from findable.urls import subject_key
from findable.vocabulary import Subject

MAX_TEXTS = 2


class WorseCause(Struct, frozen=True):
    """New problem of a site, with its pages."""

    check: str
    """Id of the check; empty for pages whose score dropped without a new problem."""
    texts: tuple[FindingText, ...]
    """Sentences of the finding on its pages; empty for checks of a site, with more than MAX_TEXTS, or if one was not stored."""
    pages: tuple[ChangedView, ...]
    """Pages with a report on which it is new, the largest drop first; empty if only the crawl found it."""
    pages_count: int
    """Number of pages; that of the crawl, if it found the problem too. 0 if it is not known."""


class WorseSite(Struct, frozen=True):
    """Project with regressions; one for each site, if several of its crawled sites got worse."""

    project: str
    site: ChangedView | None
    """Regression of the site score; None if only reports of pages got worse."""
    pages: tuple[ChangedView, ...]
    """Reports of pages that got worse, the largest drop first."""
    causes: tuple[WorseCause, ...]
    """New problems, the most harmful first; for a site those of its crawl."""

    @property
    def drop(self) -> float:
        """Points that the site dropped; without a site score the mean of its pages."""
        if self.site is not None:
            return self.site.drop
        return sum(page.drop for page in self.pages) / max(len(self.pages), self.pages[0].scored_pages)

    @property
    def shown(self) -> ChangedView | None:
        """Site or single page whose scores are shown for all regressions; None for several pages without a site score."""
        return self.site or (self.pages[0] if self.pages[0].scored_pages <= 1 else None)


def worse_sites(views: Iterable[ChangedView]) -> tuple[WorseSite, ...]:
    """Return the projects of these regressions: exposed ones first, then the largest drop of the score."""
    by_project: defaultdict[str, list[ChangedView]] = defaultdict(list)
    for view in views:
        by_project[view.project].append(view)
    found = (site for project, of_project in by_project.items() for site in _sites_of(project, of_project))
    return tuple(sorted(found, key=lambda one: (one.site is None or not one.site.is_exposed, -one.drop, -len(one.pages), one.project)))


def _sites_of(project: str, views: Iterable[ChangedView]) -> Iterator[WorseSite]:
    """Yield the crawled sites of a project that got worse, each with the pages in its folder; the first one has the others too."""
    by_drop = sorted(views, key=lambda view: -view.drop)
    sites = [view for view in by_drop if view.is_site]
    pages: defaultdict[str, list[ChangedView]] = defaultdict(list)
    for page in by_drop:
        if not page.is_site:
            below = (site.url for site in sites if page.url.startswith(site.url[: site.url.rindex("/") + 1]))
            pages[max(below, key=len, default=sites[0].url if sites else "")].append(page)
    for site in sites or (None,):
        of_site = tuple(pages[site.url if site is not None else ""])
        yield WorseSite(project, site, of_site, tuple(one for one in _causes(site, of_site) if site is None or one.check in site.new))


def _causes(site: ChangedView | None, pages: Sequence[ChangedView]) -> Iterable[WorseCause]:
    of_site: dict[str, list[FailedFinding | None]] = {}
    for finding in site.findings if site is not None else ():
        of_site.setdefault(finding.check, []).append(finding.details)
    of_pages: dict[str, list[tuple[ChangedView, FailedFinding | None]]] = {}
    for page in pages:
        for finding in page.findings:
            check = _same_on_site(finding.check, page, site) or finding.check
            of_pages.setdefault(check, []).append((page, finding.details))
    ranks = check_ranks()
    for check in sorted({*of_site, *of_pages}, key=ranks.__getitem__):
        on_site, on_pages = of_site.get(check, []), of_pages.get(check, [])
        is_of_site = all_checks()[check].subject is Subject.SITE  # its sentences need the name of their cause, and causes may share pages
        counts = [one.pages_count for one in on_site if one is not None]
        count = (max(counts, default=0) if is_of_site else sum(counts)) or len({page.url for page, _ in on_pages})
        texts = () if is_of_site else _texts([*(details for _, details in on_pages), *on_site])
        yield WorseCause(check, texts, tuple({page.url: page for page, _ in on_pages}.values()), count)
    without = tuple(page for page in pages if not page.findings)
    if without:
        yield WorseCause("", (), without, len(without))


def _same_on_site(check: str, page: ChangedView, site: ChangedView | None) -> str:
    """Return the check of the site that reports the same problem; empty if there is none."""
    if site is None:
        return ""
    same = [check, *site_twins(check)]
    if subject_key(page.url) == subject_key(site.url) and (found := find_check(check)) is not None:
        same.append(found.start_page_twin)
    return next((one for one in same if one in site.new), "")


def _texts(details: Iterable[FailedFinding | None]) -> tuple[FindingText, ...]:
    """Return the different sentences, if they are few."""
    found: list[FindingText] = []
    for one in details:
        if one is None:
            return ()
        if one.text not in found:
            found.append(one.text)
    return tuple(found) if len(found) <= MAX_TEXTS else ()
