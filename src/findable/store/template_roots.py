"""Templates of a settled crawl, as raw data (roots) for site checks, with structured data that some pages lack, and thin pages."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, select

from findable.artifacts.tables.rich_results import FEATURES
from findable.capture.crawl import Group
from findable.capture.site_graph import LIST_LIMIT, URL_LIMIT, CrawledTemplates, Template
from findable.capture.site_templates import CrawledMarkup, CrawledThin, PartialType, ThinFolder, ThinPage
from findable.crawl.common_folder import CommonFolder
from findable.crawl.own_text import FEW_WORDS, OwnText, own_words, template_passages, unpack_text
from findable.crawl.packed_verdicts import has_problem
from findable.crawl.page_numbers import page_number
from findable.crawl.site.counted import Counted
from findable.crawl.site_sections import section_of
from findable.crawl.state import CrawlState
from findable.crawl.templates import MIN_SHAPE_PAGES
from findable.store.crawl_reading import CrawlReading
from findable.store.crawl_schema import RECORD, SERIES, URL
from findable.store.packed_pages import unpacked_record
from findable.store.record_pass import PassedPage
from findable.store.rows_by_id import parts, rows_in
from findable.urls import path_of
from findable.values import median

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


class _TextRecord(Struct, frozen=True):
    """Part of a record that identifies thin pages."""

    own_text: bytes = b""
    frame_key: int = 0


class _TemplatePages:
    """Counts of the pages of one template."""

    def __init__(self) -> None:
        self._urls: list[str] = []
        self._folder = CommonFolder()
        self._words = array("q")
        self._waits_ms = array("d")
        self._types: Counter[tuple[str, ...]] = Counter()
        self._indexable_count = 0

    def add(self, page: PassedPage) -> None:
        """Count a page."""
        if len(self._urls) < URL_LIMIT:
            self._urls.append(page.url)
        self._folder.add(path_of(page.url))
        self._words.append(page.words)
        self._waits_ms.append(page.first_byte_ms)
        self._indexable_count += not page.reason
        self._types[page.record.types] += 1

    def as_template(self, number: int) -> Template:
        """Return the counts as a `Template` with this id."""
        waits_ms = sorted(self._waits_ms)
        types: Counter[str] = Counter()
        for names, count in self._types.items():
            types.update(dict.fromkeys(names, count))
        return Template(
            number=number,
            name=self._folder.name,
            pages_count=len(waits_ms),
            indexable_count=self._indexable_count,
            urls=tuple(self._urls),
            words_median=round(median(self._words)),
            first_byte_p75_ms=waits_ms[3 * (len(waits_ms) - 1) // 4],
            types=tuple(sorted(types.items(), key=lambda item: (-item[1], item[0]))[:URL_LIMIT]),
        )


class TemplateRoots(CrawlReading):
    """Computes `CrawledTemplates`, `CrawledThin` and `CrawledMarkup` of one crawl."""

    def __init__(self, connection: Connection, state: CrawlState) -> None:
        super().__init__(connection, state)
        self._endless = frozenset(connection.execute(select(SERIES.c.id).where(SERIES.c.closed)).scalars())
        self._soft_error = state.checks.index(SOFT_404) if SOFT_404 in state.checks else len(state.checks)
        self._templates: defaultdict[int, _TemplatePages] = defaultdict(_TemplatePages)
        self._builds: defaultdict[tuple[str, tuple[int, ...], frozenset[str]], array[int]] = defaultdict(lambda: array("i"))
        self._frames: defaultdict[int, array[int]] = defaultdict(lambda: array("i"))
        """Pages by the hash of their content without headings, except those of lists on several pages."""
        self._sections: Counter[str] = Counter()
        self._known_count = 0
        self._text_frames: Counter[int] = Counter()
        self._sampled: list[OwnText] = []
        self._short = array("i")

    def add(self, page: PassedPage) -> None:
        """Read the structure and the text of a page."""
        self._templates[page.template].add(page)
        if page.reason:
            return
        record = page.record
        self._builds[_folder(page.url), record.shapes, _features_of(record.types)].append(page.number)
        if page.series in self._endless:
            return
        if record.frame_key:
            self._text_frames[record.frame_key] += 1
            if page_number(page.url) is None:
                self._frames[record.frame_key].append(page.number)
        self._sections[section_of(page.url)] += 1
        self._known_count += record.own_text is not None
        if record.own_text:
            if not has_problem(record.verdicts, self._soft_error):
                self._short.append(page.number)
            if len(self._sampled) < SAMPLED:
                self._sampled.append(unpack_text(record.own_text))

    def templates(self) -> CrawledTemplates:
        """Return the templates of the site, those with the most pages first."""
        return CrawledTemplates(tuple(pages.as_template(number) for number, pages in sorted(self._templates.items())))

    def thin(self) -> CrawledThin:
        """Return the pages with few unique words, by folder, except pages reported as empty or as errors."""
        template = template_passages(self._sampled)
        folders: defaultdict[str, Counted[ThinPage]] = defaultdict(Counted)
        chosen = select(URL.c.id, URL.c.url, RECORD.c.record).join(RECORD, RECORD.c.id == URL.c.id)
        for part in parts(self._short):
            rows = {row.id: row for row in rows_in(self._connection, chosen, URL.c.id, part)}
            for row in map(rows.__getitem__, part):
                text = unpacked_record(row.record, _TextRecord)
                if self._text_frames[text.frame_key] >= EMPTY_FROM:
                    continue
                words = own_words(unpack_text(text.own_text), template)
                if words < FEW_WORDS:
                    folders[section_of(row.url)].add(ThinPage(row.url, words))
        largest = sorted(folders.items(), key=lambda item: -item[1].count)[:LIST_LIMIT]
        listed = tuple(ThinFolder(folder, thin.count, tuple(thin.first), self._sections[folder]) for folder, thin in largest)
        return CrawledThin(self._sections.total(), self._known_count, sum(thin.count for thin in folders.values()), listed)

    def markup(self) -> CrawledMarkup:
        """Return the structured data that the pages of each template have in common."""
        shapes: Counter[int] = Counter()
        pages = typed = 0
        for (_, own, found), numbers in self._builds.items():
            pages, typed = pages + len(numbers), typed + len(numbers) * bool(found)
            shapes.update(dict.fromkeys(own, len(numbers)))
        kept = {shape for shape, count in shapes.items() if MIN_SHAPE_PAGES <= count < EVERYWHERE_SHARE * pages}
        empty = [self._group_of_pages(numbers) for numbers in self._frames.values() if len(numbers) >= EMPTY_FROM]
        empty.sort(key=lambda group: (-group.pages_count, group.urls))
        return CrawledMarkup(pages, typed, tuple(self._partial(self._builds, kept))[:LIST_LIMIT], tuple(empty[:LIST_LIMIT]))

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
                    yield PartialType(
                        name, self.folder_of([n for numbers in by_types.values() for n in numbers]), count, typed_count, group
                    )

    def _group_of_pages(self, numbers: Sequence[int]) -> Group:
        urls = sorted(self.urls_of(list(numbers[:LIST_LIMIT])))
        return Group(self.folder_of(numbers) or urls[0], len(numbers), tuple(urls[:URL_LIMIT]))


@lru_cache(4096)
def _features_of(types: tuple[str, ...]) -> frozenset[str]:
    """Return the rich results that types of schema.org belong to."""
    return frozenset(_FEATURE_OF[name] for name in types if name in _FEATURE_OF)


def _folder(url: str) -> str:
    """Return the folder of a URL, followed by ``*`` if the URL ends in a name, and by ``?`` if it has a query."""
    path, mark, _ = url.partition("?")
    folder, _, name = path.rpartition("/")
    return f"{folder}/{'*' if name else ''}{mark}"
