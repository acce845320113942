"""Structure of a settled crawl, computed for its report: folders, segments, languages, and the words of near duplicates."""

from collections import Counter
from collections.abc import Iterator, Sequence

from sqlalchemy import select

from findable.capture.site_graph import DuplicateGroup
from findable.capture.status_classes import OK
from findable.crawl.url_keys import url_key
from findable.reports.site_structure import DifferingWords, LanguagePair, SiteSection
from findable.store.crawl_page_index import DeclaredVersions
from findable.store.crawl_reading import AT_ONCE, CrawlReading
from findable.store.crawl_schema import PAGE, TEXT, URL
from findable.store.packed_pages import unpacked_page_text
from findable.urls import origin_part

FOLDERS = 20
LANGUAGES = 30
WORDS = 12
"""Number of stored words that differ, for each of two pages."""
_WORD_CHARS = 40


class StructureReading(CrawlReading):
    """Counts the pages of one settled crawl by part of the site."""

    def parts(self) -> tuple[tuple[SiteSection, ...], int, tuple[SiteSection, ...]]:
        """Return the largest folders, the number of all folders, and the segments, each with its number of pages."""
        folders: Counter[str] = Counter()
        segments: Counter[str] = Counter({segment.name: 0 for segment in self._state.settings.segments})
        of_folders: Counter[str] = Counter()
        of_segments: Counter[str] = Counter()
        for url, reason in self._pages():
            names = self._state.settings.segments_of(url)
            folder = _folder_of(url)
            folders[folder] += 1
            segments.update(names)
            if not reason:
                of_folders[folder] += 1
                of_segments.update(names)
        return (
            tuple(SiteSection(name, count, of_folders[name]) for name, count in _largest(folders, FOLDERS)),
            len(folders),
            tuple(SiteSection(name, count, of_segments[name]) for name, count in segments.items()),
        )

    def _pages(self) -> Iterator[tuple[str, str]]:
        chosen = select(URL.c.url, PAGE.c.reason).join(PAGE, PAGE.c.id == URL.c.id).where(PAGE.c.is_html, PAGE.c.status == OK)
        for row in self._connection.execute(chosen).yield_per(AT_ONCE):
            yield row.url, row.reason

    def languages(self) -> tuple[tuple[SiteSection, ...], tuple[LanguagePair, ...]]:
        """Return the pages by language, and for each language the number with a version in another language."""
        pages: Counter[str] = Counter()
        indexable: Counter[str] = Counter()
        pairs: Counter[tuple[str, str]] = Counter()
        declared = DeclaredVersions(self._connection)
        chosen = select(PAGE.c.id, PAGE.c.lang, PAGE.c.reason, PAGE.c.record).where(PAGE.c.is_html, PAGE.c.status == OK)
        for row in self._connection.execute(chosen).yield_per(AT_ONCE):
            language = row.lang
            pages[language] += 1
            indexable[language] += not row.reason
            pairs.update({(language, code.lower()) for code, _ in declared.versions_for(row.id, row.record)})
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


def _folder_of(url: str) -> str:
    path = url[len(origin_part(url)) :].partition("?")[0]
    first, slash, _ = path[1:].partition("/")
    return f"/{first}/" if slash else "/"


def _largest(counts: Counter[str], most: int) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:most]
