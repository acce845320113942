"""Changes between two crawls of one site: pages and findings.

Pages are read in URL order, so that any number of them can be compared.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct, field, structs

from findable.capture.crawl import CrawlEnd, Reason
from findable.crawl.scope import CrawlSettings
from findable.crawl.state import CrawlState, Phase
from findable.reports.recent_changes import is_new
from findable.reports.site_report import SITE_TWINS, SiteFinding, SiteReport
from findable.urls import move_to_origin, origin_part
from findable.vocabulary import Code, Verdict
from findable.wording import Translator, later

MISSING = frozenset({404, 410})
NOT_FOUND_AGAIN = "not_found_again"
"""Reason for a page that is no longer linked, listed or redirected to, and was not requested."""
NO_RESPONSE = "no_response"
"""Reason for a page without a response, or with a response only for this crawler."""
_REFUSING = frozenset({401, 403, 407, 408, 425, 429, 451, 503})


class ChangeKind(Code):
    """Kind of change of a page between two crawls."""

    ADDED = "added", later("new pages")
    GONE = "gone", later("gone")
    """Page of the earlier crawl that now returns 404 or 410."""
    BECAME_NON_INDEXABLE = "became_non_indexable", later("no longer indexable")
    BECAME_INDEXABLE = "became_indexable", later("indexable now")
    STATUS = "status", later("different status")
    TITLE = "title", later("different title")
    DESCRIPTION = "description", later("different meta description")
    H1 = "h1", later("different main heading")
    CANONICAL = "canonical", later("different canonical URL")
    ROBOTS = "robots", later("different rules for search engines")
    DEPTH = "depth", later("different click depth")
    INLINKS = "inlinks", later("different number of links")
    TEXT = "text", later("different text")


LOST = (ChangeKind.GONE, ChangeKind.BECAME_NON_INDEXABLE)
"""Changes that remove a page from search results."""


class NotComparable(Code):
    """Reason why two crawls cannot be compared."""

    BEFORE_INCOMPLETE = "before_incomplete", later("the earlier crawl is not complete")
    AFTER_INCOMPLETE = "after_incomplete", later("this crawl is not complete")
    OTHER_SETTINGS = "other_settings", later("the two crawls cover different parts of the site")


class ComparedPage(Struct, frozen=True):
    """URL of a crawl with the values that are compared."""

    url: str
    number: int
    left_out: str = ""
    """Reason why the URL was not requested; empty if it was."""
    status: int = 0
    reason: Reason = Reason.NONE
    is_page: bool = False
    """Whether the URL is an HTML page with status 200."""
    is_rendered: bool = False
    title: str = ""
    description: str = ""
    h1: str = ""
    canonical: str = ""
    """Other page that it declares as canonical."""
    noindex: bool = False
    nofollow: bool = False
    text_key: int = 0
    depth: int | None = None
    inlinks: int = 0
    link_score: int = 0

    @property
    def is_indexable(self) -> bool:
        """Whether search engines may list the page."""
        return self.is_page and self.reason is Reason.NONE

    @property
    def is_known(self) -> bool:
        """Whether the response can be compared: it is one that every visitor gets."""
        return self.reason not in (Reason.FAILURE, Reason.CHALLENGE) and self.status not in _REFUSING

    @property
    def robots(self) -> str:
        """Robots rules of the page, written as in a meta element: ``noindex, nofollow``."""
        rules = [name for name, is_set in (("noindex", self.noindex), ("nofollow", self.nofollow)) if is_set]
        return ", ".join([*rules, *(["robots.txt"] if self.reason is Reason.ROBOTS else [])])


class PageChange(Struct, frozen=True):
    """Change of a page between two crawls."""

    kind: ChangeKind
    url: str
    before: str
    after: str
    number: int
    """Number in the newer crawl; 0 if it is missing there."""
    link_score: int = 0


class NotCompared(Struct, frozen=True):
    """Page of one crawl that cannot be compared because the other crawl did not request it."""

    url: str
    reason: str


Row = TypeVar("Row")


def pair_rows(before: Iterator[tuple[str, Row]], after: Iterator[tuple[str, Row]]) -> Iterator[tuple[str, Row | None, Row | None]]:
    """Yield each URL with its rows of both crawls. Both inputs are sorted by URL without duplicates."""
    old, new = next(before, None), next(after, None)
    while old is not None or new is not None:
        if new is None or (old is not None and old[0] < new[0]):
            yield old[0], old[1], None  # type: ignore[index]  # one of the two is left
            old = next(before, None)
        elif old is None or new[0] < old[0]:
            yield new[0], None, new[1]
            new = next(after, None)
        else:
            yield old[0], old[1], new[1]
            old, new = next(before, None), next(after, None)


def page_changes(old: ComparedPage | None, new: ComparedPage | None) -> Iterator[PageChange | NotCompared]:
    """Yield the changes of one URL; None means that the crawl did not find it."""
    if old is None or (new is not None and old.left_out):
        yield from _only_after(old, new)
    elif new is None or new.left_out or not new.is_known or not old.is_known:
        if old.is_page and not old.left_out:
            yield NotCompared(old.url, NOT_FOUND_AGAIN if new is None else new.left_out or NO_RESPONSE)
    else:
        yield from value_changes(old, new)


def _only_after(old: ComparedPage | None, new: ComparedPage | None) -> Iterator[PageChange | NotCompared]:
    """Yield the change of a page that only the newer crawl requested: it is new unless the older crawl knew its URL."""
    if new is None or new.left_out or not new.is_page or not new.is_known:
        return
    if old is None:
        yield PageChange(ChangeKind.ADDED, new.url, "", new.title, new.number, new.link_score)
    else:
        yield NotCompared(new.url, old.left_out)


def value_changes(old: ComparedPage, new: ComparedPage) -> Iterator[PageChange]:
    """Yield the changes of a page with two responses."""

    def change(kind: ChangeKind, before: object, after: object) -> PageChange:
        return PageChange(kind, new.url, str(before), str(after), new.number, new.link_score)

    if old.is_page and new.status in MISSING:
        yield change(ChangeKind.GONE, old.status, new.status)
    elif old.is_indexable and not new.is_indexable:
        yield change(ChangeKind.BECAME_NON_INDEXABLE, "", new.reason.value)
    elif new.is_indexable and not old.is_indexable:
        yield change(ChangeKind.BECAME_INDEXABLE, old.reason.value, "")
    if old.status != new.status:
        yield change(ChangeKind.STATUS, old.status, new.status)
    if not (old.is_page and new.is_page):
        return
    # A page that a browser loaded in only one of the crawls may have different texts without having changed.
    has_comparable_texts = old.is_rendered is new.is_rendered
    texts = (
        (ChangeKind.TITLE, old.title, new.title),
        (ChangeKind.DESCRIPTION, old.description, new.description),
        (ChangeKind.H1, old.h1, new.h1),
        (ChangeKind.CANONICAL, old.canonical, new.canonical),
    )
    for kind, before, after in (
        *(texts if has_comparable_texts else ()),
        (ChangeKind.ROBOTS, old.robots, new.robots),
        (ChangeKind.DEPTH, "" if old.depth is None else old.depth, "" if new.depth is None else new.depth),
        (ChangeKind.INLINKS, old.inlinks, new.inlinks),
    ):
        if before != after:
            yield change(kind, before, after)
    if has_comparable_texts and old.text_key != new.text_key:
        yield change(ChangeKind.TEXT, "", "")


class FindingChanges(Struct, frozen=True):
    """Findings of a site by their change; each cause appears in only one list."""

    new: tuple[SiteFinding, ...] = ()
    fixed: tuple[SiteFinding, ...] = ()
    returned: tuple[SiteFinding, ...] = ()
    """Findings that had been fixed, or had disappeared with their pages, and are present again."""
    still_count: int = 0
    unjudged_count: int = 0
    """Number of findings that are absent because their pages are no longer checked: not indexable, or gone."""
    gone: tuple[str, ...] = ()
    """Keys of the findings that were fixed or no longer checked in this crawl or before and have not returned, newest first; at most
    GONE_KEYS.
    """
    ruleset_before: str = ""
    """Ruleset of the earlier crawl, if it differs; empty if both have the same."""

    @property
    def appeared(self) -> tuple[SiteFinding, ...]:
        """Findings that are present now and were not before: new and returned ones."""
        return (*self.new, *self.returned)

    def short_summary(self, say: Translator) -> str:
        """Return the numbers of new and fixed problems and warnings as text, but those of 0: ``1 new problem, 2 warnings fixed``."""

        def plural(one: str, many: str, count: int) -> str:
            return say.plural(one, many, count) if count else ""

        new, fixed = (Counter(one.verdict for one in findings) for findings in (self.appeared, self.fixed))
        parts = (
            plural("%(count)s new problem", "%(count)s new problems", new[Verdict.FAILED]),
            plural("%(count)s new warning", "%(count)s new warnings", new[Verdict.WARNED]),
            plural("%(count)s problem fixed", "%(count)s problems fixed", fixed[Verdict.FAILED]),
            plural("%(count)s warning fixed", "%(count)s warnings fixed", fixed[Verdict.WARNED]),
        )
        return ", ".join(filter(None, parts)) or say("no new and no fixed finding")

    def words(self, say: Translator) -> str:
        """Return the numbers of findings by change as text, and whether another ruleset may be the cause."""
        counts = say(
            "Findings: %(new)s new, %(returned)s returned, %(fixed)s fixed, %(still)s as before",
            new=len(self.new),
            returned=len(self.returned),
            fixed=len(self.fixed),
            still=self.still_count,
        )
        if self.unjudged_count:
            others = say.plural("%(count)s gone with its pages", "%(count)s gone with their pages", self.unjudged_count)
            counts = f"{counts}, {others}"
        if not self.ruleset_before:
            return counts
        other = say(
            "The earlier crawl was checked with ruleset %(ruleset)s: differences may come from the checks, not from the site",
            ruleset=self.ruleset_before,
        )
        return f"{counts}. {other}"


class CrawlComparison(Struct, frozen=True):
    """Changes since an earlier crawl."""

    since: str
    """End of the earlier crawl, RFC 3339 UTC."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """Number of pages by kind of change, in the order of `ChangeKind`."""
    not_compared: Mapping[str, int] = field(default_factory=dict)
    """Number of pages that were not compared, by reason."""
    lost_titles_count: int = 0
    """Number of pages that have lost their title."""
    foreign_canonicals_count: int = 0
    """Number of pages whose canonical URL is on another host than before and than the page."""
    pages: tuple[PageChange, ...] = ()
    """Listed changes by kind, pages with the highest link score first."""
    findings: FindingChanges = FindingChanges()
    not_comparable: NotComparable | None = None
    """Reason why the crawls cannot be compared."""
    earlier: int | None = None
    """Id of the earlier crawl in a service."""
    origins: Mapping[str, str] = field(default_factory=dict)
    """Origins of the newer crawl by equivalent origin of the earlier one."""

    def words(self, say: Translator) -> str:
        """Return the numbers of pages by kind of change as text."""
        kinds = (f"{say.text(ChangeKind(kind).words)}: {say.number(count)}" for kind, count in self.counts.items())
        return "; ".join(kinds) or say("no changes")


class ChangeCounter:
    """Counts the changes of pages for a `CrawlComparison`.

    Args:
        comparison: the comparison so far.
    """

    def __init__(self, comparison: CrawlComparison) -> None:
        self._known = comparison
        self._counts = Counter(comparison.counts)
        self._left_out = Counter(comparison.not_compared)
        self._lost = comparison.lost_titles_count
        self._foreign = comparison.foreign_canonicals_count

    def add(self, change: PageChange | NotCompared) -> None:
        """Count a change of a page, or a page that cannot be compared."""
        if isinstance(change, NotCompared):
            self._left_out[change.reason] += 1
            return
        self._counts[change.kind.value] += 1
        self._lost += change.kind is ChangeKind.TITLE and not change.after
        self._foreign += change.kind is ChangeKind.CANONICAL and moved_to_other_host(change)

    def comparison(self) -> CrawlComparison:
        """Return the comparison with the current counts."""
        return structs.replace(
            self._known,
            counts={kind.value: self._counts[kind.value] for kind in ChangeKind if self._counts[kind.value]},
            not_compared=dict(sorted(self._left_out.items())),
            lost_titles_count=self._lost,
            foreign_canonicals_count=self._foreign,
        )


def moved_to_other_host(change: PageChange) -> bool:
    """Return whether a canonical URL moved to a host that is not the page's, for example a preview host."""
    origin = origin_part(change.after)
    return bool(change.after) and origin not in (origin_part(change.url), origin_part(change.before))


GONE_KEYS = 2000


def finding_changes(
    before: SiteReport,
    after: SiteReport,
    check_ids: tuple[Iterable[str], Iterable[str]],
    earlier_gone: Sequence[str],
    overlaps: tuple[Callable[[SiteFinding], bool], Callable[[SiteFinding], bool]],
    *,
    is_checked: Callable[[SiteFinding], bool],
) -> FindingChanges:
    """Return how the findings of a site changed between two reports, compared by the stable keys of their causes.

    A cause may include others: two pages of a template without title have one cause, the template. So a finding of pages is fixed, or new,
    only if no page has a finding of its check in both crawls. A finding of a site check is neither if its evidence belongs to another
    cause of the check in the other crawl: one image on two pages, then on one. A warning that becomes a problem is new. A finding whose
    pages are no longer checked, because they are not indexable or gone, is not fixed.

    Args:
        before: findings of the earlier crawl.
        after: findings of this crawl.
        check_ids: ids of the page checks of each crawl. A check that one of them did not run, or whose result is unknown, is not compared.
        earlier_gone: keys of findings that were fixed before the earlier crawl and are absent from it.
        overlaps: two functions that return whether a page of a finding, of the earlier or of this crawl, has one of the check in the other.
        is_checked: returns whether a page of a finding of the earlier crawl is checked in this one, and passes its check.
    """
    both = {*check_ids[0], *before.asked} & {*check_ids[1], *after.asked}
    unknown = {*before.unknown, *after.unknown}
    comparable = {check for check in both if unknown.isdisjoint((check, *SITE_TWINS.get(check, ())))}
    old, new = ({finding.key: finding for finding in report.findings if finding.id in comparable} for report in (before, after))
    present = {finding.key for finding in after.findings}
    known = set(earlier_gone)
    left, came = ([one for key, one in first.items() if key not in second] for first, second in ((old, new), (new, old)))
    places = _evidence_keys(left), _evidence_keys(came)
    absent = [one for one in left if not overlaps[0](one) and places[1].isdisjoint(_evidence_keys([one]))]
    fixed = tuple(one for one in absent if is_checked(one))
    arrived = {one.key for one in came if not overlaps[1](one) and places[0].isdisjoint(_evidence_keys([one]))}
    risen = {key for key, one in new.items() if key in old and is_new(old[key].verdict, one.verdict)}
    appeared = [one for key, one in new.items() if key in arrived or key in risen]
    still_gone = (*(finding.key for finding in absent), *(key for key in earlier_gone if key not in present))
    return FindingChanges(
        new=tuple(finding for finding in appeared if finding.key not in known or finding.key in risen),
        fixed=fixed,
        returned=tuple(finding for finding in appeared if finding.key in known and finding.key not in risen),
        still_count=len(new) - len(appeared),
        unjudged_count=len(absent) - len(fixed),
        gone=tuple(dict.fromkeys(still_gone))[:GONE_KEYS],
    )


def _evidence_keys(findings: Iterable[SiteFinding]) -> frozenset[tuple[str, str, object]]:
    """Return check, URL and target of the evidence of site checks, whose causes may get another key while the fault stays."""
    return frozenset(
        (one.id, shown.url, shown.params.get("target")) for one in findings if not one.templates for shown in one.evidence if shown.url
    )


FINISHED = frozenset({CrawlEnd.COMPLETE, CrawlEnd.TRAP})


def incomparable_reason(before: CrawlState, after: CrawlState, origins: Mapping[str, str]) -> NotComparable | None:
    """Return the reason why two crawls cannot be compared; None if they can.

    ``origins``: origins of the newer crawl by those of the older one.
    """
    if before.phase is not Phase.REPORT or before.ended_by not in FINISHED:
        return NotComparable.BEFORE_INCOMPLETE
    if after.phase is not Phase.REPORT or after.ended_by not in FINISHED:
        return NotComparable.AFTER_INCOMPLETE
    return None if have_same_coverage(before.settings, after.settings, origins) else NotComparable.OTHER_SETTINGS


def have_same_coverage(before: CrawlSettings, after: CrawlSettings, origins: Mapping[str, str]) -> bool:
    """Return whether two crawls request the same part of a site."""
    return _coverage(before, {}) == _coverage(after, origins)


def _coverage(settings: CrawlSettings, origins: Mapping[str, str]) -> tuple[object, ...]:
    """Return the settings that determine the requested part of the site."""
    return (
        origin_part(with_origins(settings.start_url, origins)),
        settings.extent,
        tuple(sorted(settings.hosts)),
        tuple(sorted(settings.include)),
        tuple(sorted(settings.exclude)),
        settings.depth,
        frozenset(with_origins(url, origins) for url in settings.urls),
    )


def with_origins(url: str, origins: Mapping[str, str]) -> str:
    """Return a URL with its origin replaced as in ``origins``."""
    for origin, stands_for in origins.items():
        url = move_to_origin(url, origin, stands_for)
    return url


def public_origins(before: CrawlState, after: CrawlState) -> Mapping[str, str]:
    """Return the public origin by the origin of the start page, if two crawls began at different origins, such as a preview host."""
    return start_origins(before.settings, after.settings)


def start_origins(before: CrawlSettings, after: CrawlSettings) -> Mapping[str, str]:
    """Return the origin of the earlier start page by that of the newer one, if they differ: http and https, with and without ``www.``."""
    origin, earlier = origin_part(after.start_url), origin_part(before.start_url)
    return {} if origin == earlier else {origin: earlier}


def examples(comparison: CrawlComparison, kind: ChangeKind) -> Sequence[PageChange]:
    """Return the changes of one kind that a comparison lists."""
    return [change for change in comparison.pages if change.kind is kind]
