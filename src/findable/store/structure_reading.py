"""Structure of a crawl, computed for its report: areas, segments, languages, and the words of near duplicates."""

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import Connection, func, or_, select

from findable.capture.crawl import Reason, Refusal
from findable.capture.site_graph import DuplicateGroup
from findable.capture.status_classes import OK
from findable.crawl.crawled_url import CrawledUrl
from findable.crawl.found_by import FoundBy
from findable.crawl.url_keys import url_key
from findable.reports.scoring import MAX_SCORE
from findable.reports.site_areas import SiteArea, SiteAreas, UrlState
from findable.reports.site_structure import DepthStates, DifferingWords, LanguagePair, SiteSection
from findable.store.crawl_reading import AT_ONCE, CrawlReading
from findable.store.crawl_schema import ALL_URLS, INDEXABLE, PAGE, RECORD, SETTLED, TEXT, URL, WITH_VERSIONS
from findable.store.dialect import stream_rows
from findable.store.packed_pages import unpacked_page_text, versions_of

LANGUAGES = 30
WORDS = 12
"""Number of stored words that differ, for each of two pages."""
_WORD_CHARS = 40
_STATES: Mapping[str, UrlState] = {
    Reason.NONE: UrlState.INDEXABLE,
    Reason.NOINDEX: UrlState.EXCLUDED,
    Reason.CANONICAL: UrlState.EXCLUDED,
    Reason.REDIRECT: UrlState.REDIRECT,
    Reason.ROBOTS: UrlState.BLOCKED,
    Reason.CHALLENGE: UrlState.BLOCKED,
    Reason.STATUS: UrlState.ERROR,
    Reason.FAILURE: UrlState.ERROR,
    Reason.BLANK: UrlState.ERROR,
    Reason.COOKIE: UrlState.ERROR,
}
"""States by the reason why a page is not indexable; files other than HTML pages have none."""


_SHOWN = or_(PAGE.c.id.is_not(None), URL.c.refusal == Refusal.ROBOTS.value)
"""Condition for URLs that were requested or that robots.txt disallows."""


def _state_of(reason: str | None) -> UrlState | None:
    """Return the state of a URL by the reason why it is not indexable, None if it was not requested; None for a file."""
    return UrlState.BLOCKED if reason is None else _STATES.get(reason)


class StructureReading(CrawlReading):
    """Counts the pages of one settled crawl by part of the site."""

    def segments(self) -> tuple[SiteSection, ...]:
        """Return the segments, each with its number of pages."""
        pages: Counter[str] = Counter({segment.name: 0 for segment in self._state.settings.segments})
        indexable: Counter[str] = Counter()
        if not pages:
            return ()
        chosen = select(URL.c.url, PAGE.c.reason).join(PAGE, PAGE.c.id == URL.c.id).where(PAGE.c.is_html, PAGE.c.status == OK)
        for row in self._connection.execute(chosen).yield_per(AT_ONCE):
            names = self._state.settings.segments_of(row.url)
            pages.update(names)
            if not row.reason:
                indexable.update(names)
        return tuple(SiteSection(name, count, indexable[name]) for name, count in pages.items())

    def depths(self) -> tuple[DepthStates, ...]:
        """Return the URLs by clicks from the start page and state; those that no link leads to come last; none for a list."""
        if not self._state.settings.follows_links:
            return ()
        found: dict[int, Counter[UrlState]] = {}
        chosen = select(SETTLED.c.depth, PAGE.c.reason, func.count()).select_from(ALL_URLS).where(_SHOWN, SETTLED.c.depth.is_not(None))
        for depth, reason, count in self._connection.execute(chosen.group_by(SETTLED.c.depth, PAGE.c.reason)):
            state = _state_of(reason)
            if state is not None:
                found.setdefault(depth, Counter())[state] += count
        return tuple(
            DepthStates(depth, {state: found[depth][state] for state in UrlState if found[depth][state]})
            for depth in sorted(found, key=lambda depth: (depth < 0, depth))
        )

    def scores(self) -> tuple[int, ...]:
        """Return the numbers of indexable pages by score from 0 to 100; empty without one. Others, like noindex filters, are not bad."""
        chosen = select(PAGE.c.score, func.count()).where(*INDEXABLE, PAGE.c.score.is_not(None)).group_by(PAGE.c.score)
        found = [(row[0], row[1]) for row in self._connection.execute(chosen)]
        return tuple(dict(found).get(score, 0) for score in range(MAX_SCORE + 1)) if found else ()

    def languages(self) -> tuple[tuple[SiteSection, ...], tuple[LanguagePair, ...]]:
        """Return the pages by language, and for each language the number with a version in another language."""
        pages: Counter[str] = Counter()
        indexable: Counter[str] = Counter()
        pairs: Counter[tuple[str, str]] = Counter()
        chosen = select(PAGE.c.lang, PAGE.c.reason, RECORD.c.record).select_from(PAGE.outerjoin(RECORD, WITH_VERSIONS))
        chosen = chosen.where(PAGE.c.is_html, PAGE.c.status == OK)
        for language, reason, record in stream_rows(self._connection, chosen):
            pages[language] += 1
            indexable[language] += not reason
            pairs.update({(language, code.lower()) for code, _ in versions_of(record)})
        largest = _largest(pages, LANGUAGES)
        shown = {name for name, _ in largest}
        versions = Counter[str]()
        for (_, version), count in pairs.items():
            versions[version] += count
        columns = {name for name, _ in _largest(versions, LANGUAGES)}
        return (
            tuple(SiteSection(name, count, indexable[name]) for name, count in largest),
            tuple(LanguagePair(*pair, count) for pair, count in sorted(pairs.items()) if pair[0] in shown and pair[1] in columns),
        )

    def words_of(self, groups: Sequence[DuplicateGroup]) -> tuple[DifferingWords | None, ...]:
        """Return, for each group, the words in which its first two pages differ."""
        return tuple(self._words_that_differ(group.urls[:2]) for group in groups)

    def _words_that_differ(self, urls: Sequence[str]) -> DifferingWords | None:
        texts = [self._text_of(url) for url in urls]
        if len(texts) < 2 or not all(texts):  # noqa: PLR2004 - a pair
            return None
        first, second = (text.split() for text in texts)
        return DifferingWords(_only(first, second), _only(second, first))

    def _text_of(self, url: str) -> str:
        chosen = select(TEXT.c.text).join(URL, URL.c.id == TEXT.c.id).where(URL.c.key == url_key(url))
        data = self._connection.execute(chosen).scalar()
        return "" if data is None else unpacked_page_text(data)


def _only(words: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    known = set(others)
    return tuple(dict.fromkeys(word[:_WORD_CHARS] for word in words if word not in known))[:WORDS]


def site_areas(connection: Connection) -> tuple[SiteArea, ...]:
    """Return the areas of the site with the URLs that were requested or that robots.txt disallows, also while the crawl is running."""
    areas = SiteAreas()
    for page in crawled_urls(connection):
        if page.state is not None:
            areas.add(page.url, page.state, page.template)
    return areas.areas()


def divided_urls(connection: Connection, templates: Sequence[int]) -> tuple[tuple[SiteArea, ...], "array[int]"]:
    """Return the areas of the site, and the number of the area of each URL by its id, 0 for none, from its template by id."""
    areas, numbers = SiteAreas(), array("i", [0]) * len(templates)
    chosen = select(URL.c.id, URL.c.url, PAGE.c.reason).select_from(URL.outerjoin(PAGE, PAGE.c.id == URL.c.id)).where(_SHOWN)
    for number, url, reason in stream_rows(connection, chosen.order_by(URL.c.url)):
        state = _state_of(reason)
        if state is not None:
            numbers[number] = areas.add(url, state, templates[number]) + 1
    divided = areas.areas()
    return divided, array("i", (areas.number_at(place - 1) if place else 0 for place in numbers))


def crawled_urls(connection: Connection) -> Iterator[CrawledUrl]:
    """Yield the URLs that were requested or that robots.txt disallows, in their order, also while the crawl is running."""
    columns = URL.c.key, URL.c.url, URL.c.found_by, PAGE.c.reason, SETTLED.c.template, SETTLED.c.linked_from
    chosen = select(*columns).select_from(ALL_URLS).where(_SHOWN)
    for key, url, found_by, reason, template, links_count in connection.execute(chosen.order_by(URL.c.url)).yield_per(AT_ONCE):
        is_listed = bool(found_by & FoundBy.SITEMAP)
        yield CrawledUrl(key, url, _state_of(reason), reason, links_count or 0, is_listed, template or 0)


def _largest(counts: Counter[str], most: int) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:most]
