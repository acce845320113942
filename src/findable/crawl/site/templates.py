"""Templates of a site: what their pages have in common."""

from array import array
from collections import Counter

from findable.capture.site_graph import URL_LIMIT, Template
from findable.crawl.common_folder import CommonFolder
from findable.urls import path_of
from findable.values import median


class PagesOfTemplate:
    """Counts of the pages of one template."""

    def __init__(self) -> None:
        self._urls: list[str] = []
        self._folder = CommonFolder()
        self._words = array("q")
        self._waits_ms = array("d")
        self._types: Counter[tuple[str, ...]] = Counter()
        self._indexable_count = 0

    def add(self, url: str, words: int, first_byte_ms: float, types: tuple[str, ...], *, is_indexable: bool) -> None:
        """Count a page."""
        if len(self._urls) < URL_LIMIT:
            self._urls.append(url)
        self._folder.add(path_of(url))
        self._words.append(words)
        self._waits_ms.append(first_byte_ms)
        self._indexable_count += is_indexable
        self._types[types] += 1

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
