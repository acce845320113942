"""Changes between two crawls of one site: pages and findings.

Pages are read in URL order, so that any number of them can be compared.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct, field, structs

from findable.capture.crawl import Reason, Refusal
from findable.capture.status_classes import GONE
from findable.reports.difference import NotComparable
from findable.reports.site_areas import folders_of
from findable.reports.site_difference import SiteDifference
from findable.urls import origin_part
from findable.vocabulary import Code
from findable.wording import Translator, later

MAX_LOST = 1000
"""Maximum number of folders and reasons by which lost pages are counted."""
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


GAINED = (ChangeKind.ADDED, ChangeKind.BECAME_INDEXABLE)
LOST = (ChangeKind.GONE, ChangeKind.BECAME_NON_INDEXABLE)
"""Changes that remove a page from search results."""


class ComparedRecord(Struct, frozen=True):
    """Part of a record that a comparison reads."""

    is_rendered: bool = False
    title: str = ""
    description: str = ""
    h1: str = ""
    canonical: str = ""
    """Other page that it declares as canonical."""
    noindex: bool = False
    nofollow: bool = False


class ComparedPage(ComparedRecord, frozen=True, kw_only=True):
    """URL of a crawl with the values that are compared."""

    url: str
    number: int
    left_out: str = ""
    """Reason why the URL was not requested; empty if it was."""
    status: int = 0
    reason: Reason = Reason.NONE
    is_page: bool = False
    """Whether the URL is an HTML page with status 200."""
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
    """Kind of change."""
    url: str
    """URL of the page."""
    before: str
    """Value in the earlier crawl."""
    after: str
    """Value in the newer crawl."""
    number: int
    """Number in the newer crawl; 0 if it is missing there."""
    link_score: int = 0
    """Link score from 0 to 100 in the newer crawl."""


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


def page_changes(
    old: ComparedPage | None, new: ComparedPage | None, kinds: frozenset[ChangeKind] = frozenset(ChangeKind)
) -> Iterator[PageChange | NotCompared]:
    """Yield the changes of one URL, of these kinds; None means that the crawl did not find it. See `compared_kinds`."""
    if old is None or (new is not None and old.left_out):
        yield from _only_after(old, new, kinds)
    elif new is None or new.left_out or not new.is_known or not old.is_known:
        if old.is_page and not old.left_out:
            yield NotCompared(old.url, NOT_FOUND_AGAIN if new is None else new.left_out or NO_RESPONSE)
    else:
        yield from (one for one in value_changes(old, new) if one.kind in kinds and not _has_unknown_depth(one, kinds))


def _has_unknown_depth(change: PageChange, kinds: frozenset[ChangeKind]) -> bool:
    """Return whether a depth is unknown, which it is without links; in crawls of Findable, no path leads to a page without depth."""
    return change.kind is ChangeKind.DEPTH and "" in (change.before, change.after) and ChangeKind.INLINKS not in kinds


def _only_after(old: ComparedPage | None, new: ComparedPage | None, kinds: frozenset[ChangeKind]) -> Iterator[PageChange | NotCompared]:
    """Yield the change of a page that only the newer crawl requested: it is new unless the older crawl knew its URL."""
    if new is None or new.left_out or not new.is_page or not new.is_known:
        return
    if old is None and ChangeKind.ADDED in kinds:
        yield PageChange(ChangeKind.ADDED, new.url, "", new.title, new.number, new.link_score)
    else:
        yield NotCompared(new.url, Refusal.BUDGET.value if old is None else old.left_out)


def value_changes(old: ComparedPage, new: ComparedPage) -> Iterator[PageChange]:
    """Yield the changes of a page with two responses."""

    def change(kind: ChangeKind, before: object, after: object) -> PageChange:
        return PageChange(kind, new.url, str(before), str(after), new.number, new.link_score)

    if old.is_page and new.status in GONE:
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


class LostPages(Struct, frozen=True):
    """Pages of one folder that search engines can no longer list for one reason."""

    folder: str
    """Folder like ``/shop/``, as in the picture of the site; ``/`` for the pages in none."""
    reason: str
    """Reason why they are not indexable, or the status of pages that are gone."""
    pages_count: int


class CrawlComparison(Struct, frozen=True):
    """Changes since an earlier crawl."""

    since: str
    """End of the earlier crawl, RFC 3339 UTC; empty if there is none to compare with."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """Number of pages by kind of change, in the order of `ChangeKind`."""
    not_compared: Mapping[str, int] = field(default_factory=dict)
    """Number of pages that were not compared, by reason."""
    lost: tuple[LostPages, ...] = ()
    """Pages that search engines can no longer list, by folder and reason; small folders are joined with the one above."""
    lost_titles_count: int = 0
    """Number of pages that have lost their title."""
    foreign_canonicals_count: int = 0
    """Number of pages whose canonical URL is on another host than before and than the page."""
    pages: tuple[PageChange, ...] = ()
    """Listed changes by kind, pages with the highest link score first."""
    findings: SiteDifference = SiteDifference()
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
        self._lost = Counter({(one.folder, one.reason): one.pages_count for one in comparison.lost})
        self._lost_titles = comparison.lost_titles_count
        self._foreign = comparison.foreign_canonicals_count

    def add(self, change: PageChange | NotCompared) -> None:
        """Count a change of a page, or a page that cannot be compared."""
        if isinstance(change, NotCompared):
            self._left_out[change.reason] += 1
            return
        self._counts[change.kind.value] += 1
        if change.kind in LOST:
            self._lost[_folder_of(change.url), change.after] += 1
        self._lost_titles += change.kind is ChangeKind.TITLE and not change.after
        self._foreign += change.kind is ChangeKind.CANONICAL and moved_to_other_host(change)

    def comparison(self) -> CrawlComparison:
        """Return the comparison with the current counts."""
        return structs.replace(
            self._known,
            counts={kind.value: self._counts[kind.value] for kind in ChangeKind if self._counts[kind.value]},
            not_compared=dict(sorted(self._left_out.items())),
            lost=_joined(self._lost),
            lost_titles_count=self._lost_titles,
            foreign_canonicals_count=self._foreign,
        )


def _folder_of(url: str) -> str:
    """Return the last folder of a URL that the picture of the site may show."""
    names = folders_of(url)
    return names[-1] if len(names) > 1 else "/"


def _joined(lost: Counter[tuple[str, str]]) -> tuple[LostPages, ...]:
    """Return the lost pages, those of the deepest folders joined with the folder above until there are few enough."""
    while len(lost) > MAX_LOST:
        depth = max(folder.count("/") for folder, _ in lost)
        above: Counter[tuple[str, str]] = Counter()
        for (folder, reason), count in lost.items():
            is_deepest = folder.count("/") == depth
            above[f"{folder[:-1].rpartition('/')[0]}/" if is_deepest else folder, reason] += count
        lost = above
    return tuple(LostPages(*key, count) for key, count in sorted(lost.items()))


def moved_to_other_host(change: PageChange) -> bool:
    """Return whether a canonical URL moved to a host that is not the page's, for example a preview host."""
    return bool(change.after) and origin_part(change.after) not in (origin_part(change.url), origin_part(change.before))


def examples(comparison: CrawlComparison, kind: ChangeKind) -> Sequence[PageChange]:
    """Return the changes of one kind that a comparison lists."""
    return [change for change in comparison.pages if change.kind is kind]
