"""Structured data and content that pages of the same template have in common."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from findable.artifacts.tables.rich_results import FEATURES
from findable.capture.crawl import Group
from findable.capture.site_graph import LIST_LIMIT
from findable.capture.site_templates import CrawledMarkup, PartialType
from findable.crawl.page_numbers import page_number
from findable.crawl.templates import MIN_SHAPE_PAGES

TYPED_SHARE = 0.8
"""Share of the pages of one template and folder with a type from which a missing type is a fault (set by Findable)."""
BUILD_PAGES = 10
"""Number of pages of one template and folder from which its pages are compared (set by Findable)."""
EVERYWHERE_SHARE = 0.8
"""Share of the pages from which a list is part of the site's layout and identifies no template (set by Findable)."""
EMPTY_FROM = 3
"""Number of pages with the same content from which their template is empty (set by Findable)."""
_SHARED = frozenset({"Breadcrumb", "Organization", "Review snippet", "Video"})
_FEATURE_OF = {name: feature.name for feature in FEATURES if feature.name not in _SHARED for name in feature.types}
"""Name of the rich result by schema.org type, except rich results for any kind of page."""
Builds = dict[frozenset[str], list[int]]
"""Pages of one template and folder by their rich results."""


class PagesByBuild:
    """Indexable pages by folder, lists of links and rich results, and by their content."""

    def __init__(self) -> None:
        self._builds: defaultdict[tuple[str, tuple[int, ...], frozenset[str]], array[int]] = defaultdict(lambda: array("i"))
        self._frames: defaultdict[int, array[int]] = defaultdict(lambda: array("i"))
        """Pages by the hash of their content without headings, except those of lists on several pages."""

    def add(self, number: int, url: str, shapes: tuple[int, ...], types: tuple[str, ...]) -> None:
        """Count a page. ``shapes``: hashes of its lists of links; ``types``: of schema.org."""
        self._builds[_folder(url), shapes, _features_of(types)].append(number)

    def add_content(self, number: int, url: str, frame_key: int) -> None:
        """Count the content of a page by its hash; 0 for none."""
        if frame_key and page_number(url) is None:
            self._frames[frame_key].append(number)

    def markup(self, group_of: Callable[[Sequence[int]], Group], folder_of: Callable[[Sequence[int]], str]) -> CrawledMarkup:
        """Return the structured data and the content that the pages of each template have in common.

        ``group_of``: returns pages by their ids as a group; ``folder_of``: returns the name of the folder of most pages.
        """
        shapes: Counter[int] = Counter()
        pages_count = typed_count = 0
        for (_, own, features), numbers in self._builds.items():
            pages_count, typed_count = pages_count + len(numbers), typed_count + len(numbers) * bool(features)
            shapes.update(dict.fromkeys(own, len(numbers)))
        kept = frozenset(shape for shape, count in shapes.items() if MIN_SHAPE_PAGES <= count < EVERYWHERE_SHARE * pages_count)
        partial = tuple(
            PartialType(name, folder_of([*chain(*builds.values())]), count, count - len(missing), group_of(missing))
            for builds in self._builds_of_templates(kept)
            for name, count, missing in _partial_types(builds)
        )
        empty = [group_of(numbers) for numbers in self._frames.values() if len(numbers) >= EMPTY_FROM]
        empty.sort(key=lambda group: (-group.pages_count, group.urls))
        return CrawledMarkup(pages_count, typed_count, partial[:LIST_LIMIT], tuple(empty[:LIST_LIMIT]))

    def _builds_of_templates(self, kept: frozenset[int]) -> Iterator[Builds]:
        """Yield the pages of each folder with the same lists of links among those that identify templates."""
        alike: defaultdict[tuple[str, frozenset[int]], Builds] = defaultdict(dict)
        for (folder, shapes, features), numbers in self._builds.items():
            alike[folder, kept.intersection(shapes)].setdefault(features, []).extend(numbers)
        return (builds for (_, shapes), builds in alike.items() if shapes)


def _partial_types(builds: Builds) -> Iterator[tuple[str, int, list[int]]]:
    """Yield (name, number of all pages, pages without it) of the rich results that most pages of one template and folder have."""
    count = sum(map(len, builds.values()))
    if count < BUILD_PAGES:
        return
    for name in sorted(frozenset().union(*builds)):
        missing = [number for features, numbers in builds.items() if name not in features for number in numbers]
        if missing and count - len(missing) >= TYPED_SHARE * count:
            yield name, count, missing


@lru_cache(4096)
def _features_of(types: tuple[str, ...]) -> frozenset[str]:
    """Return the rich results that types of schema.org belong to."""
    return frozenset(_FEATURE_OF[name] for name in types if name in _FEATURE_OF)


def _folder(url: str) -> str:
    """Return the folder of a URL, followed by ``*`` if the URL ends in a name, and by ``?`` if it has a query."""
    path, mark, _ = url.partition("?")
    folder, _, name = path.rpartition("/")
    return f"{folder}/{'*' if name else ''}{mark}"
