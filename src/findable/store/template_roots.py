"""Templates of a settled crawl, as raw data (roots) for site checks: structured data that some pages lack, and thin pages."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import select

from findable.artifacts.tables.rich_results import FEATURES
from findable.capture.crawl import Group
from findable.capture.site_graph import LIST_LIMIT, URL_LIMIT
from findable.capture.site_templates import CrawledMarkup, CrawledThin, PartialType, ThinFolder, ThinPage
from findable.crawl.own_text import FEW_WORDS, OwnText, own_words, template_passages, unpack_text
from findable.crawl.record import has_problem
from findable.crawl.settle import MIN_SHAPE_PAGES, common_path
from findable.crawl.site_sections import section_of
from findable.crawl.url_keys import page_number
from findable.store.crawl_reading import AT_ONCE, Counted, CrawlReading
from findable.store.crawl_schema import INDEXABLE, PAGES, RECORD, SERIES, URL, WITH_RECORD
from findable.store.packed_pages import unpacked_record
from findable.urls import origin_part

TYPED_SHARE = 0.8
"""Share of the pages of one template and folder with a type from which a missing type is a fault (set by Findable)."""
BUILD_PAGES = 10
"""Number of pages of one template and folder from which its pages are compared (set by Findable)."""
EVERYWHERE_SHARE = 0.8
"""Share of the pages from which a list is part of the site's layout and identifies no template (set by Findable)."""
EMPTY_FROM = 3
SOFT_404 = "soft-404"
SAMPLED = 5000
"""Maximum number of short pages whose passages are compared."""
_SHARED = frozenset({"Breadcrumb", "Organization", "Review snippet", "Video"})
_FEATURE_OF = {name: feature.name for feature in FEATURES if feature.name not in _SHARED for name in feature.types}
"""Name of the rich result by schema.org type, except rich results for any kind of page."""


class _TemplateRecord(Struct, frozen=True):
    """Part of a record that describes the template of a page."""

    shapes: tuple[int, ...] = ()
    types: tuple[str, ...] = ()
    frame_key: int = 0


class _TextRecord(Struct, frozen=True):
    """Part of a record that identifies thin pages."""

    own_text: bytes | None = None
    frame_key: int = 0
    verdicts: bytes = b""


class TemplateRoots(CrawlReading):
    """Computes `CrawledThin` and `CrawledMarkup` of one crawl."""

    def thin(self) -> CrawledThin:
        """Return the pages with few unique words, by folder, except pages reported as empty or as errors."""
        soft_error = self._state.checks.index(SOFT_404) if SOFT_404 in self._state.checks else len(self._state.checks)
        frames: Counter[int] = Counter()
        sampled: list[OwnText] = []
        short: set[int] = set()
        pages = known = 0
        of_folder: Counter[str] = Counter()
        for number, url, record in self._records():
            text = _texts(record)
            of_folder[section_of(url)] += 1
            pages, known = pages + 1, known + (text.own_text is not None)
            short.update([number] if text.own_text else [])
            frames.update([text.frame_key] if text.frame_key else [])
            sampled += [unpack_text(text.own_text)] if text.own_text and len(sampled) < SAMPLED else []
        template = template_passages(sampled)
        folders: defaultdict[str, Counted[ThinPage]] = defaultdict(Counted)
        for number, url, record in self._records() if short else ():
            if number not in short:
                continue
            text = _texts(record)
            is_reported = frames[text.frame_key] >= EMPTY_FROM or has_problem(text.verdicts, soft_error)
            words = own_words(unpack_text(text.own_text), template) if text.own_text and not is_reported else FEW_WORDS
            if words < FEW_WORDS:
                folders[section_of(url)].add(ThinPage(url, words))
        largest = sorted(folders.items(), key=lambda item: -item[1].count)[:LIST_LIMIT]
        listed = tuple(ThinFolder(folder, thin.count, tuple(thin.first), of_folder[folder]) for folder, thin in largest)
        return CrawledThin(pages, known, sum(thin.count for thin in folders.values()), listed)

    def _records(self) -> Iterator[Any]:
        """Yield (id, URL, record) of the indexable pages, sorted by URL."""
        chosen = select(URL.c.id, URL.c.url, RECORD.c.record).select_from(PAGES.join(RECORD, WITH_RECORD))
        indexable = chosen.where(*INDEXABLE, self.not_endless).order_by(URL.c.url)
        yield from self._connection.execute(indexable).yield_per(AT_ONCE)

    def markup(self) -> CrawledMarkup:
        """Return the structured data that the pages of each template have in common."""
        shapes: Counter[int] = Counter()
        builds: defaultdict[tuple[str, tuple[int, ...], frozenset[str]], array[int]] = defaultdict(lambda: array("i"))
        frames: defaultdict[int, array[int]] = defaultdict(lambda: array("i"))
        endless = frozenset(self._connection.execute(select(SERIES.c.id).where(SERIES.c.closed)).scalars())
        pages = typed = 0
        for row, build in self._builds():
            found = frozenset(_FEATURE_OF[name] for name in build.types if name in _FEATURE_OF)
            pages, typed = pages + 1, typed + bool(found)
            shapes.update(build.shapes)
            builds[_folder(row.url), build.shapes, found].append(row.id)
            if build.frame_key and row.series not in endless and page_number(row.url) is None:
                frames[build.frame_key].append(row.id)
        kept = {shape for shape, count in shapes.items() if MIN_SHAPE_PAGES <= count < EVERYWHERE_SHARE * pages}
        empty = [self._group_of_pages(numbers) for numbers in frames.values() if len(numbers) >= EMPTY_FROM]
        empty.sort(key=lambda group: (-group.pages_count, group.urls))
        return CrawledMarkup(pages, typed, tuple(self._partial(builds, kept))[:LIST_LIMIT], tuple(empty[:LIST_LIMIT]))

    def _builds(self) -> Iterator[tuple[Any, _TemplateRecord]]:
        chosen = select(URL.c.id, URL.c.url, URL.c.series, RECORD.c.record).select_from(PAGES.join(RECORD, WITH_RECORD))
        rows = self._connection.execute(chosen.where(*INDEXABLE).order_by(URL.c.url)).yield_per(AT_ONCE)
        for row in rows:
            yield row, unpacked_record(row.record, _TemplateRecord)

    def _partial(self, builds: Any, pages: set[int]) -> Iterator[PartialType]:
        """Yield the types that most pages of one template and folder have."""
        alike: defaultdict[tuple[str, frozenset[int]], dict[frozenset[str], list[int]]] = defaultdict(dict)
        for (folder, shapes, found), numbers in builds.items():
            alike[folder, frozenset(pages.intersection(shapes))].setdefault(found, []).extend(numbers)
        for (_, shapes), by_types in alike.items():
            count = sum(map(len, by_types.values()))
            if count < BUILD_PAGES or not shapes:
                continue
            for name in sorted(frozenset().union(*by_types)):
                missing = [number for found, numbers in by_types.items() if name not in found for number in numbers]
                typed_count = count - len(missing)
                if missing and typed_count >= TYPED_SHARE * count:
                    group = self._group_of_pages(missing)
                    yield PartialType(name, self._pattern([n for numbers in by_types.values() for n in numbers]), count, typed_count, group)

    def _group_of_pages(self, numbers: Sequence[int]) -> Group:
        urls = sorted(self.urls_of(list(numbers[:LIST_LIMIT])))
        return Group(self._pattern(numbers) or urls[0], len(numbers), tuple(urls[:URL_LIMIT]))

    def _pattern(self, numbers: Sequence[int]) -> str:
        return common_path(url.removeprefix(origin_part(url)).partition("?")[0] for url in self.urls_of(list(numbers[:LIST_LIMIT])))


def _texts(record: bytes) -> _TextRecord:
    return unpacked_record(record, _TextRecord)


def _folder(url: str) -> str:
    """Return the folder of a URL, followed by ``*`` if the URL ends in a name, and by ``?`` if it has a query."""
    path, mark, _ = url.partition("?")
    folder, _, name = path.rpartition("/")
    return f"{folder}/{'*' if name else ''}{mark}"
