"""Language versions that the pages of a crawled site declare for each other.

Pages that are versions of each other usually declare the same list. Each distinct list is resolved once, and only different lists are
compared.
"""

from array import array
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from findable.artifacts.page.canonical import comparable
from findable.artifacts.page.language_codes import X_DEFAULT
from findable.artifacts.tables.languages import primary
from findable.capture.crawl import Reason, Refusal
from findable.capture.site_graph import LIST_LIMIT
from findable.capture.site_languages import ANY, CrawledLanguages
from findable.capture.status_classes import OK, REFUSALS, SERVER_ERRORS
from findable.crawl.record import MAX_ALTERNATES
from findable.crawl.site.canonicals import is_origin_variant
from findable.crawl.site.language_causes import FaultyPages, Key, add_reason, language_faults
from findable.crawl.url_keys import text_key
from findable.urls import origin_part

ALIASES = {"iw": "he", "in": "id", "ji": "yi", "nb": "no", "nn": "no", "sh": "sr"}
"""Equivalent codes of one language."""
_FAULTS = frozenset({Reason.STATUS.value, Reason.REDIRECT.value, Reason.NOINDEX.value, Reason.CANONICAL.value, Reason.ROBOTS.value})
Versions = Sequence[tuple[str, str]]
"""Declared versions of a page as (code, URL)."""


class VersionPage(Struct, frozen=True):
    """URL that declares versions, or is declared as one."""

    number: int
    url: str
    refusal: str = ""
    status: int | None = OK
    failure: str = ""
    reason: str = ""
    template: int = 0

    @property
    def is_indexable(self) -> bool:
        """Whether the page is indexable."""
        return self.status == OK and self.reason == ""

    @property
    def fault(self) -> Reason:
        """Reason why the page is not indexable, if known."""
        if self.refusal == Refusal.ROBOTS.value:
            return Reason.ROBOTS
        if self.status is None or self.failure or self.status in REFUSALS or self.status >= SERVER_ERRORS or self.reason not in _FAULTS:
            return Reason.NONE
        return Reason(self.reason)


class VersionLists:
    """Pages grouped by the list of language versions that they declare."""

    def __init__(self) -> None:
        self.members: dict[int, array[int]] = {}
        """Numbers of the indexable pages of each list."""
        self.key_of: dict[int, int] = {}
        self.pages_count = 0

    def add(self, number: int, versions: Versions, *, is_indexable: bool) -> None:
        """Add a page with its declared language versions."""
        if versions:
            key = self.key_of[number] = text_key("\n".join(sorted(f"{code} {url}" for code, url in versions)))
            if is_indexable:
                self.members.setdefault(key, array("i")).append(number)
                self.pages_count += 1


class VersionFaults:
    """Collects faults of language versions, by languages and template.

    Args:
        lists: all pages by their list of versions.
        versions_of: returns the versions that a page declares, by its id.
    """

    def __init__(self, lists: VersionLists, versions_of: Callable[[int], Versions]) -> None:
        self._lists = lists
        self._versions_of = versions_of
        self._no_return: defaultdict[Key, FaultyPages] = defaultdict(FaultyPages)
        self._bad_targets: defaultdict[Key, FaultyPages] = defaultdict(FaultyPages)
        self._conflicts: defaultdict[Key, FaultyPages] = defaultdict(FaultyPages)
        self._claimed: dict[int, str] = {}
        """First declared language of each URL."""
        self._unknown_count = 0

    def compare(self, declared: Versions, pages: Sequence[VersionPage], known: Mapping[str, VersionPage]) -> None:
        """Compare the pages that declare one list with the versions in it; ``known``: those of the crawl, by their declared URL."""
        own_pages = {page.number: page for page in pages}
        own_codes: dict[int, str] = {}
        targets = [(code, known[url]) for code, url in declared if url in known]
        for code, target in targets:
            if code != X_DEFAULT:
                own_codes.setdefault(target.number, code)
        for code, target in targets:
            if target.number in own_pages:
                self._claim(target, code, own_pages[target.number])
                continue
            for page in pages:
                self._claim(target, code, page)
                if target.fault is not Reason.NONE:
                    self._add_bad_target(target, code, page)
                elif not target.is_indexable:
                    self._unknown_count += 1
                elif code != X_DEFAULT and self._lists.key_of.get(target.number) != self._lists.key_of[page.number]:
                    self._check_return(page, own_codes.get(page.number, ""), target, code)

    def _claim(self, target: VersionPage, code: str, page: VersionPage) -> None:
        """Record the language that a page declares for a URL, to find URLs with several languages."""
        if code == X_DEFAULT:
            return
        language = ALIASES.get(primary(code), primary(code))
        first = self._claimed.setdefault(target.number, language)
        if first != language:
            one, other = sorted((first, language))
            self._conflicts[one, other, target.template].add(target.number, target.url, page.url, code)

    def _add_bad_target(self, target: VersionPage, code: str, page: VersionPage) -> None:
        """Count a page with a declared version that is not indexable; x-default may be a redirect to a language."""
        chooses = code == X_DEFAULT and target.fault is Reason.REDIRECT
        if not chooses and not is_origin_variant(origin_part(target.url), origin_part(page.url)):
            self._bad_targets[f"{target.fault.value} {target.status or 0}", code, page.template].add(
                page.number, page.url, target.url, code
            )

    def _check_return(self, page: VersionPage, own: str, target: VersionPage, code: str) -> None:
        back = self._versions_of(target.number)
        if len(back) >= MAX_ALTERNATES:
            self._unknown_count += 1
        elif comparable(page.url) not in {comparable(url) for _, url in back}:
            self._no_return[own or ANY, code, target.template].add(target.number, target.url, page.url, own)

    def as_root(self) -> CrawledLanguages:
        """Return the faults by cause, those on the most pages first."""
        bad_targets = map(add_reason, language_faults(self._bad_targets, sides=(0,)))
        return CrawledLanguages(
            pages_count=self._lists.pages_count,
            unknown_count=self._unknown_count,
            no_return=tuple(language_faults(self._no_return)[:LIST_LIMIT]),
            bad_targets=tuple(sorted(bad_targets, key=lambda fault: -fault.pages_count)[:LIST_LIMIT]),
            conflicts=tuple(language_faults(self._conflicts)[:LIST_LIMIT]),
        )
