"""Group faults of language versions by cause: a language that many pairs have in common is one cause, not one per pair of pages."""

import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

from findable.capture.crawl import Reason
from findable.capture.site_graph import LIST_LIMIT, URL_LIMIT
from findable.capture.site_languages import ANY, LanguageFault
from findable.crawl.common_folder import common_folder
from findable.urls import path_of

FEW_TEMPLATES = 2
"""Maximum number of templates that are separate causes; more templates have a common cause (set by Findable)."""
SEVERAL = 2
"""Number of pairs with a common language from which this language is the cause (set by Findable)."""
_SOURCE, _TARGET = range(2)
Pair = tuple[str, str]
Key = tuple[str, str, int]
"""Pairs as (source, target, template)."""


class FaultyPages:
    """Number of pages with the same fault of language versions, and the first of these pages."""

    def __init__(self) -> None:
        self._folders: dict[int, str] = {}
        """Folder by number of each page."""
        self._pairs: list[tuple[str, str, str]] = []

    def add(self, number: int, url: str, other: str, code: str) -> None:
        """Count a page with the fault. ``code`` is the hreflang code that it should declare for the URL ``other``."""
        if number not in self._folders and len(self._pairs) < LIST_LIMIT:
            self._pairs.append((url, other, code))
        path = path_of(url)
        self._folders[number] = sys.intern(path[: path.rfind("/") + 1])

    def extend(self, pages: "FaultyPages") -> None:
        """Add the pages of another fault to these."""
        self._folders |= pages._folders  # noqa: SLF001 - a private attribute of the same class
        self._pairs += pages._pairs  # noqa: SLF001 - a private attribute of the same class

    def to_fault(self, source: str, target: str) -> LanguageFault:
        """Return the fault with the number, folder and first URLs of its pages."""
        pairs = sorted(self._pairs)[:LIST_LIMIT]
        common = common_folder(f"{folder}{number}" for number, folder in self._folders.items())
        name = common if len(self._folders) > 1 else path_of(pairs[0][0])
        return LanguageFault(source, target, name, len(self._folders), tuple(pairs[:URL_LIMIT]))


def language_faults(found: Mapping[Key, FaultyPages], sides: Collection[int] = (_TARGET, _SOURCE)) -> list[LanguageFault]:
    """Return one fault of language versions per cause, those with the most pages first.

    Args:
        found: pages by source, target and template.
        sides: possible causes for several pairs: the source, the target, or both.
    """
    by_template: defaultdict[int, dict[Pair, FaultyPages]] = defaultdict(dict)
    for (source, target, template), pages in found.items():
        by_template[template][source, target] = pages
    by_pair: defaultdict[Pair, list[FaultyPages]] = defaultdict(list)
    for pairs in by_template.values():
        for pair, pages in _group_by_language(pairs, sides):
            by_pair[pair].append(pages)
    faults = []
    for (source, target), parts in by_pair.items():
        groups = [parts] if len(parts) > FEW_TEMPLATES else [[part] for part in parts]
        faults += [_join(group).to_fault(source, target) for group in groups]
    return sorted(faults, key=lambda fault: (-fault.pages_count, fault.source, fault.target, fault.folder))


def _group_by_language(pairs: Mapping[Pair, FaultyPages], sides: Collection[int]) -> Iterator[tuple[Pair, FaultyPages]]:
    """Yield pairs of languages; pairs with a common language are merged, with ANY on the other side."""
    left = dict(pairs)
    while left:
        counts = Counter((pair[side], side) for pair in left for side in sides)
        language, side = max(counts, key=lambda item: (counts[item], item[1], item[0]))
        if counts[language, side] < SEVERAL:
            break
        own = sorted(pair for pair in left if pair[side] == language)
        yield ((language, ANY) if side == _SOURCE else (ANY, language)), _join(left.pop(pair) for pair in own)
    yield from sorted(left.items())


def _join(parts: Iterable[FaultyPages]) -> FaultyPages:
    pages = FaultyPages()
    for part in parts:
        pages.extend(part)
    return pages


def add_reason(fault: LanguageFault) -> LanguageFault:
    """Return the fault of versions that are not indexable with its reason and status, which its source contained until now."""
    reason, _, status = fault.source.partition(" ")
    return LanguageFault(ANY, fault.target, fault.folder, fault.pages_count, fault.pairs, Reason(reason), int(status))
